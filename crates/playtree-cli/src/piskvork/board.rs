//! Boards, rules and fields as Piskvork has them: columns from the left and rows from the top, both
//! from 0.

use playtree::games::gomoku::{DEFAULT_K, MAX_SIZE};

/// What is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Whether more than five in a row do not win.
    pub(super) is_exact: bool,
}

/// A field: column and row.
pub(super) type Field = (usize, usize);

/// Two numbers with a comma between.
pub(super) fn field(text: &str) -> Option<Field> {
    let (column, row) = text.split_once(',')?;
    Some((column.trim().parse().ok()?, row.trim().parse().ok()?))
}

impl Board {
    /// Whether it has a size that can be played.
    pub(super) fn fits(self) -> bool {
        [self.columns, self.rows].iter().all(|size| (DEFAULT_K..=MAX_SIZE).contains(size))
    }

    /// The start of a game on it, as a position of Gomoku.
    pub(super) fn start(self) -> String {
        let Self { columns, rows, is_exact } = self;
        let rule = if is_exact { " exact" } else { "" };
        if columns == rows {
            format!("{columns}{rule}:")
        } else {
            format!("{columns}x{rows}x{DEFAULT_K}{rule}:")
        }
    }

    /// A field as a move of Gomoku; `None` beyond the board.
    pub(super) fn to_ours(self, (column, row): Field) -> Option<String> {
        let letter = char::from(b'a' + u8::try_from(column).ok()?);
        (column < self.columns && row < self.rows).then(|| format!("{letter}{}", self.rows - row))
    }

    /// A move of Gomoku as a field.
    pub(super) fn to_theirs(self, mv: &str) -> Option<Field> {
        let column = mv.bytes().next()?.checked_sub(b'a')?;
        let number: usize = mv.get(1..)?.parse().ok()?;
        Some((column.into(), self.rows.checked_sub(number)?))
    }
}

/// The stones of `BOARD`, own and the other side's, in the order of a game that leads there.
///
/// # Errors
/// If the sides do not have equally many stones, or the other side one more.
pub(super) fn in_order(stones: &[(Field, bool)]) -> Result<Vec<Field>, String> {
    let of = |is_own: bool| -> Vec<Field> {
        stones.iter().filter(|(_, own)| *own == is_own).map(|(field, _)| *field).collect()
    };
    let (own, other) = (of(true), of(false));
    let (first, second) = match other.len().checked_sub(own.len()) {
        Some(0) => (own, other),
        Some(1) => (other, own),
        _ => {
            let (own, other) = (own.len(), other.len());
            let expected =
                "expected equally many stones of both sides, or one more of the opponent";
            return Err(format!("{expected}, found {own} and {other}"));
        }
    };
    let mut order = Vec::with_capacity(stones.len());
    for (number, field) in first.iter().enumerate() {
        order.push(*field);
        order.extend(second.get(number));
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_counted_from_the_upper_left() {
        let board = Board { columns: 20, rows: 20, is_exact: false };
        assert_eq!(board.to_ours((0, 0)).as_deref(), Some("a20"));
        assert_eq!(board.to_ours((19, 19)).as_deref(), Some("t1"));
        assert_eq!((board.to_ours((20, 0)), board.to_ours((300, 0))), (None, None));
        for field in [(0, 0), (3, 17), (19, 19)] {
            let mv = board.to_ours(field).unwrap();
            assert_eq!(board.to_theirs(&mv), Some(field));
        }
        assert_eq!(board.start(), "20:");
        assert_eq!(Board { columns: 7, rows: 9, is_exact: true }.start(), "7x9x5 exact:");
        assert_eq!((field("3, 4"), field("3"), field("a,1")), (Some((3, 4)), None, None));
    }

    #[test]
    fn stones_are_played_by_turns() {
        let order = in_order(&[((0, 0), false), ((1, 0), false), ((2, 0), true)]);
        assert_eq!(order, Ok(vec![(0, 0), (2, 0), (1, 0)]));
        let order = in_order(&[((0, 0), false), ((2, 0), true)]);
        assert_eq!(order, Ok(vec![(2, 0), (0, 0)]));
        assert!(in_order(&[((0, 0), true)]).is_err());
    }
}
