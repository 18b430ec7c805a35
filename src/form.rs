//! Serialized forms: what those of all types have in common.
//!
//! Most types derive theirs. A type whose form has fields that follow from others, or that are
//! checked together, lists them with [`form!`], once for both directions.

use std::time::Duration;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serializer};

/// The serialized form of a type as one list of fields: the name, the type that is read, and how
/// the field is made of a value. `TryFrom` makes the type of the form, and may refuse it.
///
/// Those behind `optional` are left out by formats for people to read if they are `None`, and may
/// be missing there.
///
/// A field that begins with `r#` is named without. What follows from other fields is read and not
/// looked at, so that formats without names for fields can read it as well.
macro_rules! form {
    (
        $(#[$doc:meta])*
        $form:ident $(<$param:ident>)? of $type:ty = $value:ident {
            $($(#[$attr:meta])* $field:ident: $read:ty = $made:expr,)+
        }
        $(optional { $($optional:ident: $of:ty = $known:expr,)+ })?
    ) => {
        #[derive(serde::Deserialize)]
        $(#[$doc])*
        // Fields that follow from others.
        #[allow(dead_code)]
        struct $form $(<$param>)? {
            $($(#[$attr])* $field: $read,)+
            $($(#[serde(default)] $optional: $of,)+)?
        }

        impl $(<$param: serde::Serialize>)? serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                let $value = self;
                let count = [$(stringify!($field)),+].len();
                $(
                    let to_people = serializer.is_human_readable();
                    let count = count + [$(!to_people || $known.is_some()),+]
                        .into_iter()
                        .filter(|&is_written| is_written)
                        .count();
                )?
                let mut fields = serializer.serialize_struct(stringify!($form), count)?;
                $(fields.serialize_field($crate::form::name(stringify!($field)), &$made)?;)+
                $($(
                    if to_people && $known.is_none() {
                        fields.skip_field(stringify!($optional))?;
                    } else {
                        fields.serialize_field(stringify!($optional), &$known)?;
                    }
                )+)?
                fields.end()
            }
        }

        impl<'de $(, $param: serde::Deserialize<'de>)?> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let form: $form $(<$param>)? = serde::Deserialize::deserialize(deserializer)?;
                form.try_into().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use form;

/// The name of a field in the serialized form.
pub(crate) fn name(field: &'static str) -> &'static str {
    field.strip_prefix("r#").unwrap_or(field)
}

/// Refuses what is no share: an expected score, or a part of something.
pub(crate) fn check_share(name: &str, found: f64) -> Result<(), String> {
    check(name, "a number from 0 to 1", found, (0.0..=1.0).contains(&found))
}

/// Reads a share that may not be known.
pub(crate) fn known_share<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    let found = Option::deserialize(deserializer)?;
    check_share("share", found.unwrap_or(0.0)).map_err(D::Error::custom)?;
    Ok(found)
}

/// Reads shares.
pub(crate) fn shares<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    let found = Vec::<f64>::deserialize(deserializer)?;
    found.iter().try_for_each(|&share| check_share("share", share)).map_err(D::Error::custom)?;
    Ok(found)
}

/// Refuses what a field may not hold.
pub(crate) fn check(
    name: &str,
    expected: impl std::fmt::Display,
    found: impl std::fmt::Display,
    is_right: bool,
) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(format!("{name}: expected {expected}, found {found}")) }
}

/// A time that is written as a number of seconds: to the nanosecond up to 48 days, and above to
/// the next number that 64 bits have.
pub(crate) fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let found = f64::deserialize(deserializer)?;
    if found >= Duration::MAX.as_secs_f64() {
        return Ok(Duration::MAX);
    }
    let refused = |_| D::Error::custom(format!("expected seconds, at least 0, found {found}"));
    Duration::try_from_secs_f64(found).map_err(refused)
}

/// Any number, those that are not finite included: as a text (`inf`, `-inf`, `NaN`) in formats for
/// people to read, which often have no numbers for them.
pub(crate) mod any_number {
    use super::{Deserialize, Deserializer, Error, Serializer, Visitor};

    pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        if number.is_finite() || !serializer.is_human_readable() {
            serializer.serialize_f64(*number)
        } else {
            serializer.collect_str(number)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        if d.is_human_readable() { d.deserialize_any(AnyNumber) } else { f64::deserialize(d) }
    }

    struct AnyNumber;

    impl Visitor<'_> for AnyNumber {
        type Value = f64;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a number, inf, -inf or NaN")
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
            Ok(number)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
            Ok(number as f64)
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
            Ok(number as f64)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
            match text {
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                "NaN" => Ok(f64::NAN),
                _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
            }
        }
    }
}
