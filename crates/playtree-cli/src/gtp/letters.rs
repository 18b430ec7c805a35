//! The letters of columns.

/// Which letters a client has for the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    All,
    /// All but i, as boards for Go.
    WithoutI,
}

/// Whether a text is a letter and a number.
fn is_point(text: &str) -> bool {
    let (letter, number) = text.split_at_checked(1).unwrap_or_default();
    letter.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

impl Letters {
    /// A vertex of the client as the game writes it; the letter that the client does not have makes
    /// none.
    pub(super) fn to_ours(self, vertex: &str) -> String {
        if self == Self::All || !is_point(vertex) {
            return vertex.to_owned();
        }
        let lower = vertex.to_ascii_lowercase();
        match lower.as_bytes()[0] {
            b'i' => format!("'{vertex}', a column without a letter"),
            column @ b'j'..=b'z' => format!("{}{}", char::from(column - 1), &lower[1..]),
            _ => lower,
        }
    }

    /// A move of the game as the client writes it.
    pub(super) fn to_theirs(self, mv: &str) -> String {
        match mv.bytes().next() {
            Some(column @ b'i'..=b'y') if self == Self::WithoutI && is_point(mv) => {
                format!("{}{}", char::from(column + 1), &mv[1..])
            }
            _ => mv.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Letters;

    #[test]
    fn the_ninth_column_is_j_without_i() {
        for (ours, theirs) in [("a1", "a1"), ("h8", "h8"), ("i9", "j9"), ("s19", "t19")] {
            assert_eq!(Letters::WithoutI.to_theirs(ours), theirs);
            assert_eq!(Letters::WithoutI.to_ours(theirs), ours);
            assert_eq!(Letters::WithoutI.to_ours(&theirs.to_ascii_uppercase()), ours);
            assert_eq!(Letters::All.to_theirs(ours), ours);
            assert_eq!(Letters::All.to_ours(theirs), theirs);
        }
        for other in ["pass", "h2e2", "3", ""] {
            assert_eq!(Letters::WithoutI.to_theirs(other), other);
            assert_eq!(Letters::WithoutI.to_ours(other), other);
        }
        assert!(Letters::WithoutI.to_ours("I9").contains("without a letter"));
    }
}
