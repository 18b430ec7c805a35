//! What rank 0 says to all, in frames of one length: so each rank knows how many bytes come.

use playtree::mcts::exchange::Lines;
use serde::{Deserialize, Serialize};

/// The bytes of a frame: those of 512 lines fit. What is longer follows in a second broadcast.
const FRAME_BYTES: usize = 8 << 10;

/// The bytes before those of the message: its length.
const LENGTH_BYTES: usize = 4;

/// What rank 0 says to all.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Message {
    /// What the program of the ranks says: which search it is that begins.
    Order { search: u64, bytes: Vec<u8> },
    /// Whether all ranks are at this search, and at this root: what is shared before comes to none
    /// that is not.
    Probe { search: u64, root: Lines },
    /// An exchange of this search begins: all share what they have found at these lines, `None`
    /// where rank 0 has no tree. The last one of a search ends it.
    Exchange { search: u64, is_last: bool, lines: Option<Lines> },
    /// No more will come.
    Quit,
}

impl Message {
    /// The frame, and what follows it: nothing, mostly.
    pub(super) fn frames(&self) -> (Vec<u8>, Vec<u8>) {
        // Plain data into memory: nothing can be wrong with it.
        let bytes = postcard::to_stdvec(self).expect("a message can be written");
        let mut frame = (bytes.len() as u32).to_le_bytes().to_vec();
        let inside = bytes.len().min(FRAME_BYTES - LENGTH_BYTES);
        frame.extend_from_slice(&bytes[..inside]);
        frame.resize(FRAME_BYTES, 0);
        (frame, bytes[inside..].to_vec())
    }

    /// The message of these bytes; `None` if they are none.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

/// A frame to be received into.
pub(super) fn empty_frame() -> Vec<u8> {
    vec![0; FRAME_BYTES]
}

/// The bytes of a message that are in a frame, and how many follow it.
pub(super) fn open(frame: &[u8]) -> (&[u8], usize) {
    let (length, bytes) = frame.split_at(LENGTH_BYTES);
    let length = length.iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
    let inside = length.min(bytes.len());
    (&bytes[..inside], length - inside)
}

#[cfg(test)]
mod tests {
    use super::{FRAME_BYTES, Message, open};

    #[test]
    fn messages_of_any_length_arrive() {
        for length in [0, 1, 100, FRAME_BYTES - 20, FRAME_BYTES - 4, FRAME_BYTES, 3 * FRAME_BYTES] {
            let sent: Vec<u8> = (0..length).map(|number| number as u8).collect();
            let (frame, rest) = Message::Order { search: 7, bytes: sent.clone() }.frames();
            let (inside, behind) = open(&frame);
            assert_eq!((frame.len(), behind), (FRAME_BYTES, rest.len()));
            let Some(Message::Order { search: 7, bytes }) =
                Message::read(&[inside, &rest].concat())
            else {
                panic!("{length}")
            };
            assert_eq!(bytes, sent);
        }
        assert!(Message::read(&[9]).is_none());
    }
}
