//! A hash of the form in which a type is written, found by asking the type itself.
//!
//! A type is read from a source that has nothing: it answers each request with a zero, an
//! empty text or one element, and writes down what was asked for. So the hash tells the
//! kinds and the order of the fields, the lengths of arrays, and the names of structs,
//! fields and variants, and does not change with the compiler, the machine or the place of
//! the type in the source. It does not tell what lies in the variants of an enum but the
//! first, nor what the fields mean: for that there is the encoding of the
//! [`GameTag`](super::GameTag).

use std::fmt::Write;

use serde::de::value::Error;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};
use twox_hash::XxHash3_64;

/// The hash of the forms of a key and a move type.
pub(crate) fn layout_of<K: DeserializeOwned, M: DeserializeOwned>() -> u64 {
    XxHash3_64::oneshot(format!("{};{}", shape::<K>(), shape::<M>()).as_bytes())
}

/// The form of a type as text.
fn shape<T: DeserializeOwned>() -> String {
    let mut shape = String::new();
    if T::deserialize(Probe { shape: &mut shape, depth: 0 }).is_err() {
        // A type that refuses zeros, or has no end: what it asked for until then counts.
        shape.push('!');
    }
    shape
}

/// Types nested deeper are taken to contain themselves.
const DEEPEST: usize = 16;

/// The longest description; what comes behind does not count.
const LONGEST: usize = 1 << 14;

/// The source that has nothing.
struct Probe<'a> {
    shape: &'a mut String,
    depth: usize,
}

impl Probe<'_> {
    /// Notes a request.
    fn note(&mut self, what: impl std::fmt::Display) -> Result<(), Error> {
        if self.shape.len() > LONGEST || self.depth > 2 * DEEPEST {
            return Err(Error::custom("a type without end"));
        }
        let _ = write!(self.shape, "{what} ");
        Ok(())
    }

    fn below(&mut self) -> Probe<'_> {
        Probe { shape: self.shape, depth: self.depth + 1 }
    }

    fn elements<'de, V: Visitor<'de>>(
        mut self,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note("(")?;
        let value = visitor.visit_seq(Elements { probe: self.below(), left: count })?;
        self.note(")")?;
        Ok(value)
    }
}

/// Requests for one plain value.
macro_rules! plain {
    ($($method:ident: $name:literal => $visit:ident($($value:expr)?);)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
            self.note($name)?;
            visitor.$visit($($value)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Error;

    plain! {
        deserialize_any: "any" => visit_unit();
        deserialize_ignored_any: "ignored" => visit_unit();
        deserialize_identifier: "identifier" => visit_u32(0);
        deserialize_unit: "unit" => visit_unit();
        deserialize_bool: "bool" => visit_bool(false);
        deserialize_i8: "i8" => visit_i8(0);
        deserialize_i16: "i16" => visit_i16(0);
        deserialize_i32: "i32" => visit_i32(0);
        deserialize_i64: "i64" => visit_i64(0);
        deserialize_i128: "i128" => visit_i128(0);
        deserialize_u8: "u8" => visit_u8(0);
        deserialize_u16: "u16" => visit_u16(0);
        deserialize_u32: "u32" => visit_u32(0);
        deserialize_u64: "u64" => visit_u64(0);
        deserialize_u128: "u128" => visit_u128(0);
        deserialize_f32: "f32" => visit_f32(0.0);
        deserialize_f64: "f64" => visit_f64(0.0);
        deserialize_char: "char" => visit_char('\0');
        deserialize_str: "text" => visit_str("");
        deserialize_string: "text" => visit_str("");
        deserialize_bytes: "bytes" => visit_bytes(&[]);
        deserialize_byte_buf: "bytes" => visit_bytes(&[]);
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        self.note("option")?;
        if self.depth > DEEPEST { visitor.visit_none() } else { visitor.visit_some(self.below()) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note(name)?;
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note(name)?;
        visitor.visit_newtype_struct(self.below())
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        self.note("seq")?;
        let count = usize::from(self.depth <= DEEPEST);
        self.elements(count, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note(len)?;
        self.elements(len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note(name)?;
        self.elements(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        self.note("map")?;
        let left = usize::from(self.depth <= DEEPEST);
        visitor.visit_map(Elements { probe: self.below(), left })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note(format_args!("{name}{fields:?}"))?;
        self.elements(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note(format_args!("{name}{variants:?}"))?;
        visitor.visit_enum(self.below())
    }
}

/// A number of elements or entries.
struct Elements<'a> {
    probe: Probe<'a>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.probe.below()).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for Elements<'_> {
    type Error = Error;

    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.probe.below())
    }
}

impl<'de> EnumAccess<'de> for Probe<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Error> {
        Ok((seed.deserialize(0u32.into_deserializer())?, self))
    }
}

impl<'de> VariantAccess<'de> for Probe<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.elements(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.note(format_args!("{fields:?}"))?;
        self.elements(fields.len(), visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::{layout_of, shape};

    #[derive(Serialize, Deserialize)]
    struct Step {
        from: u8,
        to: Option<(u8, bool)>,
    }

    #[derive(Serialize, Deserialize)]
    enum Order {
        Go(Vec<u16>),
        Pass,
    }

    #[derive(Serialize, Deserialize)]
    enum Endless {
        Inner(Box<Endless>),
        Outer,
    }

    #[derive(Serialize, Deserialize)]
    struct Twins {
        left: Option<Box<Twins>>,
        right: Option<Box<Twins>>,
    }

    #[test]
    fn the_shape_tells_kinds_names_and_lengths() {
        assert_eq!(shape::<[u64; 2]>(), "2 ( u64 u64 ) ");
        let step = "Step[\"from\", \"to\"] ( u8 option 2 ( u8 bool ) ) ";
        assert_eq!(shape::<Step>(), step);
        assert_eq!(shape::<Order>(), "Order[\"Go\", \"Pass\"] seq ( u16 ) ");
    }

    #[test]
    fn other_types_have_other_layouts() {
        let all = [
            layout_of::<u32, u32>(),
            layout_of::<u64, u32>(),
            layout_of::<u32, u64>(),
            layout_of::<(u32, u32), u32>(),
            layout_of::<[u32; 3], u32>(),
            layout_of::<Step, u32>(),
            layout_of::<Order, u32>(),
            layout_of::<String, u32>(),
        ];
        for (i, one) in all.iter().enumerate() {
            assert!(!all[i + 1..].contains(one), "{i}");
        }
    }

    #[test]
    fn types_that_contain_themselves_or_refuse_zero_have_a_shape_too() {
        assert!(shape::<Endless>().ends_with('!'));
        assert!(shape::<Twins>().len() < super::LONGEST + 100);
        assert_eq!(shape::<std::num::NonZeroU8>(), "u8 !");
    }

    #[test]
    fn the_hash_is_part_of_the_format() {
        // A change of this number makes every saved table unreadable.
        assert_eq!(layout_of::<[u64; 2], u8>(), 0x68cd_155e_4053_5427);
    }
}
