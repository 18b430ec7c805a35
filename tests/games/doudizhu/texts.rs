//! Notation, the laws, and what a user may get wrong.

use playtree::games::Doudizhu;
use playtree::games::doudizhu::{Cards, Kind, MAX_HAND, Rules};
use playtree::testing::{check_game, check_notation, check_solvable};
use playtree::{GameState, Notation, Outcome};

use crate::doudizhu::{legal, position};

#[test]
fn endgames_keep_the_laws() {
    for text in [
        "QJJJ42/RAQQ944",
        "strict BR3333456/44445678 2",
        "lenient 33344445/33355566/666",
        "lenient 33334444/55556666",
        "no_3plus2 333444556677/9999",
        "minimal 3333BR/4444566",
        "BBRR333334/44444455 2",
    ] {
        assert_eq!(check_game(&position(text), 60, 1), Ok(()), "{text}");
        assert_eq!(check_notation(&position(text), 60, 2), Ok(()), "{text}");
        assert_eq!(check_solvable(&position(text), 20, 3), Ok(()), "{text}");
    }
}

#[test]
fn texts_are_read_back_as_they_are() {
    for text in [
        "KK5543/225543",
        "KK54/225543/3 2",
        "strict 4/RB22/666653 2",
        "lenient 66665555/3/44443333:w1",
        "lenient 66665555/3/44443333:+2+2 2",
        "no_4plus2 /3 2",
        "3/",
    ] {
        assert_eq!(position(text).position_text(), text);
    }
    for (text, canonical) in [
        (" classic 3k5kb / 34 ", "BKK53/43"),
        ("KK/ 2", "KK/2"),
        ("KK / 2 2", "KK/2 2"),
        ("LENIENT 33/44/3333:! 1", "lenient 33/44/3333"),
    ] {
        assert_eq!(position(text).position_text(), canonical);
    }
}

#[test]
fn cards_that_are_several_plays_say_which() {
    let state = position("lenient 33334444/5");
    let kinds = |state: &Doudizhu, text: &str| state.parse_move(text).map(|mv| mv.kind());
    assert_eq!(kinds(&state, "33334444:w1"), Ok(Kind::PlaneSingles));
    assert_eq!(kinds(&state, "43434343:+2+2"), Ok(Kind::QuadPairs));
    let error = kinds(&state, "33334444").unwrap_err().to_string();
    assert_eq!(error, "expected 44443333:w1 or 44443333:+2+2, found '33334444'");
    // The quad is the higher one.
    assert_eq!(state.parse_move("33334444:+2+2").map(|mv| mv.rank()), Ok(1));
    // In reply only one of them fits.
    let reply = position("lenient 55556666/3/33334444:w1");
    assert_eq!(kinds(&reply, "55556666"), Ok(Kind::PlaneSingles));
    assert!(legal(&reply).iter().all(|mv| mv.kind() != Kind::QuadPairs));
    // Under the other rules it is neither.
    assert!(kinds(&position("33334444/5"), "33334444").is_err());
    // The suffix may stand where it is not needed, but not a wrong one.
    let state = position("65444333/6543");
    assert_eq!(kinds(&state, "33344456:w1"), kinds(&state, "33344456"));
    assert!(kinds(&state, "33344456:w2").is_err());
}

#[test]
fn more_cards_and_more_jokers_beat_fewer_with_two_decks() {
    let beats = |reply: &str, last: &str| {
        let state = position(&format!("{reply}3/3/{last}"));
        state.parse_move(reply).is_ok()
    };
    for (reply, last) in [
        ("4444", "AAA22"),
        ("4444", "5566778899"),
        ("5555", "4444"),
        ("44444", "2222"),
        ("444444", "55555"),
        ("BR", "22222222"),
        ("BBRR", "22222222"),
        ("RR", "BB"),
        ("6667", "5552"),
        ("45678", "34567"),
    ] {
        assert!(beats(reply, last), "{reply} beats {last}");
        assert!(!beats(last, reply), "{last} does not beat {reply}");
    }
    for (reply, last) in
        [("45678", "345678"), ("6667", "55544"), ("444455", "3333"), ("2222", "BR"), ("BR", "BR")]
    {
        assert!(!beats(reply, last), "{reply} does not beat {last}");
    }
}

#[test]
fn wrong_texts_say_what_is_wrong() {
    for (text, error) in [
        ("", "expected two hands with a '/' between them, like 'KK5543/225543', found ''"),
        (
            "KK5543",
            "expected two hands with a '/' between them, like 'KK5543/225543', found 'KK5543'",
        ),
        (
            "3/4/5/6",
            "expected two hands with a '/' between them, like 'KK5543/225543', found '3/4/5/6'",
        ),
        ("/", "expected a hand with a card in it, found two empty hands"),
        ("1/2", "expected a card (3456789TJQKA2BR), found '1' in '1'"),
        ("BB/B", "expected at most 2 cards 'B', as in two decks, found 3"),
        ("RRR/3", "expected at most 2 cards 'R', as in two decks, found 3"),
        ("33333/3333", "expected at most 8 cards '3', as in two decks, found 9"),
        ("33333/333/33", "expected at most 8 cards '3', as in two decks, found 10"),
        ("3/4/56", "expected a play to be beaten after the hands, found '56'"),
        ("3/4/", "expected a play to be beaten after the hands, found ''"),
        ("3/4 3", "expected the side to move, 1 or 2, after the hands, found '3'"),
        (
            "loose 3/4",
            "expected rules (strict, classic, lenient, no_3plus2, no_4plus2, minimal), found 'loose'",
        ),
        ("lenient 3/4/33334444", "expected 44443333:w1 or 44443333:+2+2, found '33334444'"),
    ] {
        assert_eq!(Doudizhu::parse_position(text).unwrap_err().to_string(), error, "{text}");
    }
    let many = "33334444555566667777888899999999TT";
    assert_eq!(
        Doudizhu::parse_position(&format!("{many}/3")).unwrap_err().to_string(),
        format!("expected at most {MAX_HAND} cards in a hand, found 34")
    );
    let cards = |text: &str| text.parse::<Cards>().unwrap();
    assert!(Doudizhu::new(cards("3"), cards(""), Rules::Classic).is_ok());
    assert!(Doudizhu::new(cards(""), cards(""), Rules::Classic).is_err());
}

#[test]
fn wrong_moves_say_what_is_right() {
    let error = |state: &str, mv: &str| position(state).parse_move(mv).unwrap_err().to_string();
    assert_eq!(error("64/3/5", "4"), "expected a legal move (6 pass), found '4'");
    assert_eq!(error("64/3/5", "7"), "expected a legal move (6 pass), found '7'");
    assert_eq!(error("64/3", "pass"), "expected a legal move (4 6), found 'pass'");
    assert_eq!(error("64/3", ""), "expected a legal move (4 6), found ''");
    assert_eq!(error("64/3", "x"), "expected a card (3456789TJQKA2BR), found 'x' in 'x'");
    assert_eq!(error("/3 2", "3"), "expected no move after the end of the game, found '3'");
    assert_eq!(
        error("33344455566677788899TTJJ/3", "3K"),
        format!(
            "expected one of the {} legal moves, found '3K'",
            legal(&position("33344455566677788899TTJJ/3")).len()
        )
    );
}

#[test]
fn an_empty_hand_ends_the_game() {
    let end = position("3/4");
    let end = end.apply(&end.parse_move("3").unwrap());
    assert_eq!((end.outcome(), end.position_text().as_str()), (Some(Outcome::Win(0)), "/4 2"));
    assert_eq!(position("4/ 2/3").outcome(), None);
    assert_eq!(position("4/").outcome(), Some(Outcome::Win(1)));
    assert!(legal(&end).is_empty());
}
