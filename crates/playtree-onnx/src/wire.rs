//! Whether a file has the structure of ONNX, which is a message of Protocol Buffers, before it is
//! handed to its reader: rten 0.27 reads a number of more than ten bytes for ever, so any file that
//! is none would hang it.
//!
//! The names and numbers of fields are those of `onnx.proto3`; the encoding is that of
//! <https://protobuf.dev/programming-guides/encoding/>.

/// Bytes of a number, at most.
const LONGEST_NUMBER: usize = 10;

/// Messages in each other, at most. A network has eight or nine.
const DEEPEST: usize = 32;

/// The messages whose fields a reader looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Message {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    ValueInfo,
    Type,
    TensorType,
    Shape,
    /// One that has no other messages in it.
    Flat,
}

/// What is in a field whose length is given.
enum Inside {
    Message(Message),
    Numbers,
    /// Text, floats, or what no reader looks at.
    Bytes,
}

impl Message {
    fn inside(self, field: u64) -> Inside {
        use Inside::{Bytes, Message as Of, Numbers};
        match (self, field) {
            (Self::Model, 7) | (Self::Attribute, 6 | 11) => Of(Self::Graph),
            (Self::Model, 8 | 14) | (Self::Tensor, 13) | (Self::Shape, 1) => Of(Self::Flat),
            (Self::Graph, 1) => Of(Self::Node),
            (Self::Graph, 5) | (Self::Attribute, 5 | 10) => Of(Self::Tensor),
            (Self::Graph, 11..=13) => Of(Self::ValueInfo),
            (Self::Node, 5) => Of(Self::Attribute),
            (Self::Node, 9) => Of(Self::Flat),
            (Self::ValueInfo, 2) => Of(Self::Type),
            (Self::Type, 1) => Of(Self::TensorType),
            (Self::TensorType, 2) => Of(Self::Shape),
            (Self::Tensor, 1 | 5 | 7 | 11) | (Self::Attribute, 8) => Numbers,
            _ => Bytes,
        }
    }
}

/// Checks that these are the bytes of a model with a graph.
///
/// # Errors
/// If they are not: what is wrong, and where.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    let mut reader = Reader { bytes, at: 0 };
    let mut graphs = 0;
    reader.message(Message::Model, bytes.len(), 0, &mut graphs)?;
    if graphs == 0 { Err("there is no graph in it".to_owned()) } else { Ok(()) }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// Passes a message that ends at `end`; counts the graphs of models.
    fn message(
        &mut self,
        message: Message,
        end: usize,
        depth: usize,
        graphs: &mut u32,
    ) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("messages are in each other more than {DEEPEST} times"));
        }
        while self.at < end {
            let tag = self.number(end)?;
            let (field, kind) = (tag >> 3, tag & 7);
            if field == 0 {
                return Err(self.wrong("a field"));
            }
            match kind {
                0 => drop(self.number(end)?),
                1 => self.skip(8, end)?,
                5 => self.skip(4, end)?,
                2 => {
                    let length = self.number(end)?;
                    let inner = usize::try_from(length).ok().filter(|&n| n <= end - self.at);
                    let inner = self.at + inner.ok_or_else(|| self.wrong("a length"))?;
                    match message.inside(field) {
                        Inside::Message(inside) => {
                            *graphs += u32::from(message == Message::Model && field == 7);
                            self.message(inside, inner, depth + 1, graphs)?;
                        }
                        Inside::Numbers => {
                            while self.at < inner {
                                self.number(inner)?;
                            }
                        }
                        Inside::Bytes => self.at = inner,
                    }
                }
                _ => return Err(self.wrong("the kind of a field")),
            }
        }
        Ok(())
    }

    /// Passes a number in groups of seven bits.
    fn number(&mut self, end: usize) -> Result<u64, String> {
        let mut number = 0;
        for (place, &byte) in self.bytes[self.at..end].iter().take(LONGEST_NUMBER).enumerate() {
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                self.at += place + 1;
                return Ok(number);
            }
        }
        Err(self.wrong("a number"))
    }

    fn skip(&mut self, count: usize, end: usize) -> Result<(), String> {
        if count > end - self.at {
            return Err(self.wrong("a field"));
        }
        self.at += count;
        Ok(())
    }

    fn wrong(&self, what: &str) -> String {
        format!("{what} is wrong or cut off at byte {}", self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn what_is_no_message_is_refused() {
        // A graph with a name, in a model of a version.
        let whole = [0x08, 7, 0x3a, 4, 0x12, 2, b'a', b'b'];
        assert_eq!(check(&whole), Ok(()));
        for length in 0..whole.len() {
            assert!(check(&whole[..length]).is_err(), "{length}");
        }
        let long = [0xff; 40];
        for (bytes, error) in [
            (&long[..], "a number is wrong or cut off at byte 0"),
            (&[0, 0, 0, 0], "a field is wrong or cut off at byte 1"),
            (&[0x0b, 0], "the kind of a field is wrong or cut off at byte 1"),
            (&[0x3a, 0x7f, 0], "a length is wrong or cut off at byte 2"),
            (&[0x08, 7], "there is no graph in it"),
            // In the dimensions of a tensor of the graph.
            (
                &[&[0x3a, 16, 0x2a, 14, 0x0a, 12][..], &long[..12]].concat(),
                "a number is wrong or cut off at byte 6",
            ),
        ] {
            assert_eq!(check(bytes), Err(error.to_owned()));
        }
        let mut deep = vec![];
        // Graphs in attributes of nodes of graphs, each with the length of those inside.
        for _ in 0..40 {
            for field in [0x32, 0x2a, 0x0a] {
                let length = deep.len();
                let mut outer = vec![field];
                if length >= 0x80 {
                    outer.extend([(length & 0x7f | 0x80) as u8, (length >> 7) as u8]);
                } else {
                    outer.push(length as u8);
                }
                outer.append(&mut deep);
                deep = outer;
            }
        }
        let length = deep.len();
        let mut model = vec![0x3a, (length & 0x7f | 0x80) as u8, (length >> 7) as u8];
        model.append(&mut deep);
        assert!(check(&model).unwrap_err().contains("more than 32 times"));
    }
}
