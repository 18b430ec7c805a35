//! Keys and moves of any game.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The key of a position of any game.
///
/// Two are equal if they are of the same type and equal there.
#[derive(Clone)]
pub struct AnyKey(Arc<dyn Key>);

/// A move of any game.
///
/// Two are equal if they are of the same type and equal there.
#[derive(Clone)]
pub struct AnyMove(Arc<dyn Move>);

/// What is asked of a key.
trait Key: Any + Send + Sync {
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<T: Eq + Hash + Send + Sync + 'static> Key for T {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

/// What is asked of a move.
trait Move: Any + Send + Sync + fmt::Debug {
    fn is_equal(&self, other: &dyn Any) -> bool;
}

impl<T: PartialEq + fmt::Debug + Send + Sync + 'static> Move for T {
    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

impl AnyKey {
    /// Of a key with its type.
    pub fn new(key: impl Eq + Hash + Send + Sync + 'static) -> Self {
        Self(Arc::new(key))
    }

    /// The key, if it is of this type.
    #[must_use]
    pub fn get<T: 'static>(&self) -> Option<&T> {
        let key: &dyn Any = &*self.0;
        key.downcast_ref()
    }
}

impl AnyMove {
    /// Of a move with its type.
    pub fn new(mv: impl PartialEq + fmt::Debug + Send + Sync + 'static) -> Self {
        Self(Arc::new(mv))
    }

    /// The move, if it is of this type.
    #[must_use]
    pub fn get<T: 'static>(&self) -> Option<&T> {
        let mv: &dyn Any = &*self.0;
        mv.downcast_ref()
    }
}

impl PartialEq for AnyKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(&*other.0 as &dyn Any)
    }
}

impl Eq for AnyKey {}

impl Hash for AnyKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash_into(hasher);
    }
}

impl fmt::Debug for AnyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnyKey").finish_non_exhaustive()
    }
}

impl PartialEq for AnyMove {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_equal(&*other.0 as &dyn Any)
    }
}

/// As the move itself.
impl fmt::Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
