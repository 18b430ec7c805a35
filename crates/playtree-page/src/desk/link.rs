//! An address that comes back to a game.

use std::fmt::Write;

use playtree::games::GameInfo;

/// What stands behind the address of the page: the game, where it began, and its moves.
pub(super) fn link(info: &GameInfo, start: &str, played: &[String]) -> String {
    let mut link = format!("#game={}", info.name);
    if start != info.start {
        link.push_str("&position=");
        escape(start, &mut link);
    }
    if !played.is_empty() {
        link.push_str("&moves=");
        for (at, mv) in played.iter().enumerate() {
            if at > 0 {
                link.push(',');
            }
            escape(mv, &mut link);
        }
    }
    link
}

/// Appends a text with all that has a meaning in an address written as its bytes.
fn escape(text: &str, link: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            link.push(char::from(byte));
        } else {
            write!(link, "%{byte:02X}").expect("a string takes all");
        }
    }
}

#[cfg(test)]
mod tests {
    use playtree::games::find;

    use super::link;

    #[test]
    fn a_link_has_the_start_if_it_is_not_the_usual_one() {
        let hex = find("hex").unwrap();
        assert_eq!(link(hex, hex.start, &[]), "#game=hex");
        let played = ["c3".to_owned(), "a1".to_owned()];
        assert_eq!(link(hex, "5:", &played), "#game=hex&position=5%3A&moves=c3,a1");
        let doudizhu = find("doudizhu").unwrap();
        let played = ["44443333:+2+2".to_owned()];
        assert_eq!(
            link(doudizhu, doudizhu.start, &played),
            "#game=doudizhu&moves=44443333%3A%2B2%2B2"
        );
    }
}
