//! The seven kinds of pieces, and their letters.

/// The kinds of pieces. The number is the piece's code on the board: bit 2 marks those that cross
/// the river, bits 2 and 1 the two that move along lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The king, or general: one step within the palace.
    King = 1,
    /// The advisor, or guard: one step aslant within the palace.
    Advisor = 2,
    /// The elephant, or minister: two steps aslant on its own side of the river, over a free eye.
    Elephant = 3,
    /// The horse: one step straight and one aslant, over a free leg.
    Horse = 4,
    /// The soldier, or pawn: one step forward, beyond the river also sideways.
    Soldier = 5,
    /// The rook, or chariot: any distance along a line.
    Rook = 6,
    /// The cannon: moves as the rook does, captures over exactly one piece.
    Cannon = 7,
}

impl Kind {
    /// Every kind, in the order of the codes.
    pub const ALL: [Self; 7] = [
        Self::King,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Soldier,
        Self::Rook,
        Self::Cannon,
    ];

    /// The kind with this code, 1 to 7.
    #[inline]
    pub(super) const fn of_code(code: usize) -> Option<Self> {
        if code == 0 || code > Self::ALL.len() { None } else { Some(Self::ALL[code - 1]) }
    }

    /// How many of the kind a side has at the start, and so at most.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::King => 1,
            Self::Soldier => 5,
            _ => 2,
        }
    }

    /// The letter of the kind: upper case for Red (side 0), lower case for Black.
    #[must_use]
    pub fn letter(self, side: usize) -> char {
        let letter = ['K', 'A', 'B', 'N', 'P', 'R', 'C'][self as usize - 1];
        if side == 0 { letter } else { letter.to_ascii_lowercase() }
    }

    /// The kind and the side of a letter; `H` and `E` are understood for horse and elephant, `G`
    /// for the king, `S` for the soldier.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<(Self, usize)> {
        let kind = match letter.to_ascii_uppercase() {
            'K' | 'G' => Self::King,
            'A' => Self::Advisor,
            'B' | 'E' => Self::Elephant,
            'N' | 'H' => Self::Horse,
            'P' | 'S' => Self::Soldier,
            'R' => Self::Rook,
            'C' => Self::Cannon,
            _ => return None,
        };
        Some((kind, usize::from(letter.is_ascii_lowercase())))
    }
}
