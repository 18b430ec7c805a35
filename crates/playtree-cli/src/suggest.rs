//! "Did you mean": the name that a mistyped one is nearest to.

/// A longer text is no slip of the keys.
const LONGEST: usize = 64;

/// What follows an error about `typed`, if one of `names` is probably meant; else nothing.
pub(crate) fn hint<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(typed, names).map_or_else(String::new, |name| format!("; is '{name}' meant?"))
}

/// The one of `names` that is nearer to `typed` than every other one, and near enough: one slip for
/// a short text, one more for every three characters of a longer one. Upper and lower case are the
/// same here.
pub(crate) fn nearest<'a>(
    typed: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed = typed.trim().to_lowercase();
    let length = typed.chars().count();
    if !(2..=LONGEST).contains(&length) {
        return None;
    }
    let most = (length / 3).max(1);
    // The best distance, and its name while it is the only one.
    let mut best: Option<(usize, Option<&str>)> = None;
    for name in names {
        // Two characters that have changed places are one slip.
        let distance = strsim::osa_distance(&typed, &name.to_lowercase());
        match &mut best {
            Some((least, _)) if distance > *least => {}
            Some((least, only)) if distance == *least => *only = only.filter(|one| *one == name),
            _ if distance <= most => best = Some((distance, Some(name))),
            _ => {}
        }
    }
    best?.1
}

#[cfg(test)]
mod tests {
    use super::{hint, nearest};

    const NAMES: [&str; 5] = ["connect4", "nim", "nim-misere", "hex", "tictactoe"];

    #[test]
    fn a_slip_is_seen() {
        for (typed, meant) in [
            ("conect4", "connect4"),
            ("Connetc4", "connect4"),
            ("ticktacktoe", "tictactoe"),
            ("nmi", "nim"),
            (" HEX ", "hex"),
        ] {
            assert_eq!(nearest(typed, NAMES), Some(meant), "{typed}");
        }
        assert_eq!(hint("hxe", NAMES), "; is 'hex' meant?");
    }

    #[test]
    fn what_is_far_from_all_or_as_near_to_two_has_no_suggestion() {
        let long = "n".repeat(100_000);
        for typed in ["", "h", "chess", "checkers", &long] {
            assert_eq!(nearest(typed, NAMES), None, "{typed}");
        }
        assert_eq!(nearest("d9", ["d7", "d8"]), None);
        assert_eq!(nearest("d9", ["d8", "e3"]), Some("d8"));
        assert_eq!(hint("chess", NAMES), "");
    }
}
