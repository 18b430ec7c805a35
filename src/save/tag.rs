//! The name under which the tables of a game are saved.

use std::fmt;

use crate::form::{check, form};

/// Which game a table is of, and in which form its keys and moves are.
///
/// A table is loaded only if name and encoding are those it was saved with. Change the
/// encoding when the *meaning* of keys or moves changes (squares numbered another way); a
/// change of their *types* is noticed without it.
///
/// # Examples
/// ```
/// let tag = playtree::GameTag::new("hex 11x11", 1);
/// assert_eq!(tag.to_string(), "hex 11x11 (encoding 1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameTag {
    name: String,
    encoding: u32,
}

form! {
    /// The fields.
    TagForm of GameTag = tag {
        name: String = tag.name,
        encoding: u32 = tag.encoding,
    }
}

impl TryFrom<TagForm> for GameTag {
    type Error = String;

    fn try_from(TagForm { name, encoding }: TagForm) -> Result<Self, String> {
        let tag = Self { name, encoding };
        let found = format!("{} bytes", tag.name.len());
        check("name", "1 to 255 bytes", found, tag.is_valid())?;
        Ok(tag)
    }
}

impl GameTag {
    /// A tag with a name of 1 to 255 bytes (checked when it is used) that tells everything
    /// the keys leave out, such as the size of the board.
    pub fn new(name: impl Into<String>, encoding: u32) -> Self {
        Self { name: name.into(), encoding }
    }

    /// The name of the game.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version of what keys and moves mean.
    #[must_use]
    pub fn encoding(&self) -> u32 {
        self.encoding
    }

    pub(crate) fn is_valid(&self) -> bool {
        (1..=usize::from(u8::MAX)).contains(&self.name.len())
    }
}

impl fmt::Display for GameTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (encoding {})", self.name, self.encoding)
    }
}
