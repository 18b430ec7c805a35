//! Dou Dizhu positions and plays as text.

use crate::game::{GameState, Notation, NotationError};

use super::cards::Cards;
use super::generate::readings;
use super::play::Play;
use super::rules::Rules;
use super::{Doudizhu, Kind};

/// An error lists the legal moves if there are no more.
const MOVES_LISTED: usize = 40;

/// Cards, and a suffix that tells what they are played as, if there is one.
fn cards_and_suffix(text: &str) -> Result<(Cards, Option<&str>), NotationError> {
    match text.split_once(':') {
        Some((cards, suffix)) => Ok((cards.parse()?, Some(suffix.trim()))),
        None => Ok((text.parse()?, None)),
    }
}

/// The text of a play that is one of several `readings` of its cards.
fn with_suffix(play: Play) -> String {
    match play.kind().suffix() {
        Some(suffix) => format!("{}:{suffix}", play.cards()),
        None => play.cards().to_string(),
    }
}

/// The text of `play`, if its cards can be any of `readings`.
fn name(play: Play, readings: &[Play]) -> String {
    if play.kind() == Kind::Pass {
        "pass".to_owned()
    } else if readings.len() > 1 {
        with_suffix(play)
    } else {
        play.cards().to_string()
    }
}

/// The one play of `readings` that has the suffix, if one is given: `Ok(None)` if none has.
fn pick(
    text: &str,
    readings: &[Play],
    suffix: Option<&str>,
) -> Result<Option<Play>, NotationError> {
    let fitting: Vec<Play> = readings
        .iter()
        .copied()
        .filter(|play| suffix.is_none() || play.kind().suffix() == suffix)
        .collect();
    if fitting.len() > 1 {
        let names: Vec<String> = fitting.into_iter().map(with_suffix).collect();
        return Err(NotationError::new(names.join(" or "), format!("'{text}'")));
    }
    Ok(fitting.first().copied())
}

/// Reads the play to be beaten.
fn parse_last(text: &str, rules: Rules) -> Result<Play, NotationError> {
    let (cards, suffix) = cards_and_suffix(text)?;
    pick(text, &readings(cards, rules), suffix)?.ok_or_else(|| {
        NotationError::new("a play to be beaten after the hands", format!("'{text}'"))
    })
}

/// Takes the name of the rules off the front of `text`, if there is one before the hands.
fn split_rules(text: &str) -> Result<(Rules, &str), NotationError> {
    let Some((word, rest)) = text.split_once(char::is_whitespace) else {
        return Ok((Rules::default(), text));
    };
    match Rules::from_name(word) {
        Some(rules) => Ok((rules, rest.trim_start())),
        None if word.contains('/') || rest.trim_start().starts_with('/') => {
            Ok((Rules::default(), text))
        }
        None => {
            let names = Rules::ALL.map(Rules::name).join(", ");
            Err(NotationError::new(format!("rules ({names})"), format!("'{word}'")))
        }
    }
}

/// Takes the side to move off the end of `text`, as the plies played.
fn split_side(text: &str) -> Result<(&str, u16), NotationError> {
    let Some((rest, side)) = text.rsplit_once(char::is_whitespace) else { return Ok((text, 0)) };
    // After a slash with a blank it is a hand.
    if side.contains('/') || rest.trim_end().ends_with('/') && rest.matches('/').count() < 2 {
        return Ok((text, 0));
    }
    match side {
        "1" => Ok((rest, 0)),
        "2" => Ok((rest, 1)),
        _ => {
            let expected = "the side to move, 1 or 2, after the hands";
            Err(NotationError::new(expected, format!("'{side}'")))
        }
    }
}

impl Doudizhu {
    /// What these cards can be played as here.
    fn legal_readings(&self, cards: Cards) -> Vec<Play> {
        let mut plays = readings(cards, self.rules);
        plays.retain(|play| play.beats(self.last()));
        plays
    }

    fn illegal(&self, text: &str) -> NotationError {
        let mut legal = Vec::new();
        self.moves(&mut legal);
        let expected = match legal.len() {
            0 => "no move after the end of the game".to_owned(),
            1..=MOVES_LISTED => {
                let names: Vec<String> = legal.iter().map(|mv| self.move_text(mv)).collect();
                format!("a legal move ({})", names.join(" "))
            }
            count => format!("one of the {count} legal moves"),
        };
        NotationError::new(expected, format!("'{text}'"))
    }
}

impl Notation for Doudizhu {
    fn position_text(&self) -> String {
        let [first, second] = self.hands;
        let mut text = String::new();
        if self.rules != Rules::default() {
            text += self.rules.name();
            text.push(' ');
        }
        text += &format!("{first}/{second}");
        let last = self.last();
        if last.kind() != Kind::Pass {
            text.push('/');
            text += &name(last, &readings(last.cards(), self.rules));
        }
        text + ["", " 2"][self.mover()]
    }

    fn parse_position(text: &str) -> Result<Self, NotationError> {
        let text = text.trim();
        let (rules, rest) = split_rules(text)?;
        let (rest, plies) = split_side(rest)?;
        let parts: Vec<&str> = rest.split('/').map(str::trim).collect();
        let (first, second, last) = match parts[..] {
            [first, second] => (first, second, None),
            [first, second, last] => (first, second, Some(last)),
            _ => {
                let expected = "two hands with a '/' between them, like 'KK5543/225543'";
                return Err(NotationError::new(expected, format!("'{text}'")));
            }
        };
        let last = last.map_or(Ok(Play::PASS), |last| parse_last(last, rules))?;
        Self::at(first.parse()?, second.parse()?, last, rules, plies)
    }

    fn move_text(&self, mv: &Play) -> String {
        name(*mv, &self.legal_readings(mv.cards()))
    }

    fn parse_move(&self, text: &str) -> Result<Play, NotationError> {
        let text = text.trim();
        if self.outcome().is_some() {
            return Err(self.illegal(text));
        }
        if text.eq_ignore_ascii_case("pass") {
            let leads = self.last().kind() == Kind::Pass;
            return if leads { Err(self.illegal(text)) } else { Ok(Play::PASS) };
        }
        let (cards, suffix) = cards_and_suffix(text)?;
        let held = self.hands[self.mover()].contains(cards);
        let legal = if held { self.legal_readings(cards) } else { Vec::new() };
        pick(text, &legal, suffix)?.ok_or_else(|| self.illegal(text))
    }

    fn board_text(&self) -> String {
        let spread = |cards: Cards| {
            let names: Vec<String> = cards.to_string().chars().map(String::from).collect();
            names.join(" ")
        };
        let [first, second] = self.hands.map(spread);
        let last = self.last();
        let todo = if self.outcome().is_some() {
            "the game is over".to_owned()
        } else if last.kind() == Kind::Pass {
            format!("player {} leads", self.mover() + 1)
        } else {
            format!("player {} to beat {}", self.mover() + 1, last.cards())
        };
        format!("1: {first}\n2: {second}\n{todo}")
    }
}
