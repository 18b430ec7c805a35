//! A strategy serialized: with positions and moves in the notation of the game.

use std::time::Duration;

use serde::de::Error;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::budget::StopReason;
use crate::form::{check, seconds};
use crate::game::Notation;
use crate::proven::Word;
use crate::solvable::{Limits, Worth};

use super::{Strategy, StrategyKind, StrategyMove, StrategyPosition};

/// The fields in the order of the documented JSON form.
impl<G: Notation> Serialize for Strategy<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Strategy", 14)?;
        fields.serialize_field("player", &self.player)?;
        self.positions[0].limits.serialize_into(&mut fields)?;
        fields.serialize_field("plies", &self.plies)?;
        fields.serialize_field("positions", &self.positions)?;
        fields.serialize_field("nodes", &self.nodes)?;
        fields.serialize_field("seconds", &self.elapsed.as_secs_f64())?;
        fields.serialize_field("peak_bytes", &self.peak_bytes)?;
        fields.serialize_field("workers", &self.workers)?;
        fields.serialize_field("complete", &self.is_complete)?;
        fields.serialize_field("stop_reason", &self.stop_reason)?;
        fields.end()
    }
}

/// A position and its moves as they are written, the moves each with the number that it leads to.
impl<G: Notation> Serialize for StrategyPosition<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = &self.state;
        let written = |found: &StrategyMove<G::Move>| StrategyMove {
            mv: state.move_text(&found.mv),
            to: found.to,
        };
        let mut fields = serializer.serialize_struct("StrategyPosition", 10)?;
        fields.serialize_field("position", &state.position_text())?;
        fields.serialize_field("mover", &state.mover())?;
        fields.serialize_field("plies", &self.plies)?;
        fields.serialize_field("kind", self.kind.as_str())?;
        self.limits.serialize_into(&mut fields)?;
        fields.serialize_field("moves", &self.moves.iter().map(written).collect::<Vec<_>>())?;
        fields.end()
    }
}

/// What is read of a strategy. What else is written follows from that, but is there for formats
/// without names for fields.
#[derive(Deserialize)]
struct StrategyForm {
    player: usize,
    #[serde(rename = "value", default)]
    _value: Option<Word>,
    #[serde(rename = "points", default)]
    _points: Option<i32>,
    #[serde(rename = "distance", default)]
    _distance: Option<u32>,
    #[serde(rename = "least")]
    _least: Worth,
    #[serde(rename = "most")]
    _most: Worth,
    plies: Option<u32>,
    positions: Vec<PositionForm>,
    nodes: u64,
    #[serde(deserialize_with = "seconds")]
    seconds: Duration,
    peak_bytes: u64,
    workers: usize,
    complete: bool,
    stop_reason: StopReason,
}

#[derive(Deserialize)]
struct PositionForm {
    position: String,
    #[serde(rename = "mover")]
    _mover: usize,
    plies: u32,
    kind: String,
    #[serde(rename = "value", default)]
    _value: Option<Word>,
    #[serde(rename = "points", default)]
    _points: Option<i32>,
    #[serde(rename = "distance", default)]
    _distance: Option<u32>,
    least: Worth,
    most: Worth,
    moves: Vec<StrategyMove<String>>,
}

impl<'de, G: Notation> Deserialize<'de> for Strategy<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StrategyForm::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl<G: Notation> TryFrom<StrategyForm> for Strategy<G> {
    type Error = String;

    fn try_from(form: StrategyForm) -> Result<Self, String> {
        let (player, players) = (form.player, G::PLAYERS);
        check("player", format!("one of {players} players"), player, player < players)?;
        let positions = played(form.positions)?;
        check("positions", "at least one", "none", !positions.is_empty())?;
        Ok(Self {
            player,
            plies: form.plies,
            positions,
            is_complete: form.complete,
            nodes: form.nodes,
            elapsed: form.seconds,
            peak_bytes: form.peak_bytes,
            workers: form.workers,
            stop_reason: form.stop_reason,
        })
    }
}

/// The positions, each as a move of one before it leads to it.
fn played<G: Notation>(forms: Vec<PositionForm>) -> Result<Vec<StrategyPosition<G>>, String> {
    let count = forms.len();
    let mut states: Vec<Option<G>> = vec![None; count];
    if let (Some(first), Some(form)) = (states.first_mut(), forms.first()) {
        *first = Some(G::parse_position(&form.position).map_err(|error| error.to_string())?);
    }
    let mut positions = Vec::with_capacity(count);
    for (at, form) in forms.into_iter().enumerate() {
        let place = |error: String| format!("position {at}: {error}");
        let state = states[at].clone();
        let state = state.ok_or_else(|| place("expected a move before it, found none".into()))?;
        let mut moves = Vec::with_capacity(form.moves.len());
        for StrategyMove { mv, to } in form.moves {
            let mv = state.parse_move(&mv).map_err(|error| place(error.to_string()))?;
            check("to", format!("below {count}"), to, to < count).map_err(place)?;
            let next = state.apply(&mv);
            let known = states[to].get_or_insert_with(|| next.clone());
            let is_it = known.key() == next.key();
            check("to", "the position after the move", to, is_it).map_err(place)?;
            moves.push(StrategyMove { mv, to });
        }
        let kind = kind_of(&form.kind, &state, moves.len()).map_err(place)?;
        let limits = Limits::read(form.least, form.most).map_err(place)?;
        positions.push(StrategyPosition { state, plies: form.plies, limits, kind, moves });
    }
    Ok(positions)
}

/// What a strategy holds of this position, by its name.
fn kind_of<G: Notation>(name: &str, state: &G, moves: usize) -> Result<StrategyKind, String> {
    let outcome = state.outcome();
    let kinds = [
        outcome.map(StrategyKind::End),
        Some(StrategyKind::Reply).filter(|_| outcome.is_none() && moves == 1),
        Some(StrategyKind::Answers).filter(|_| outcome.is_none() && moves > 0),
        Some(StrategyKind::Beyond).filter(|_| outcome.is_none() && moves == 0),
        Some(StrategyKind::Unsolved).filter(|_| outcome.is_none() && moves == 0),
    ];
    let possible = || kinds.into_iter().flatten();
    possible().find(|kind| kind.as_str() == name).ok_or_else(|| {
        let names: Vec<&str> = possible().map(StrategyKind::as_str).collect();
        format!("kind: expected {} with {moves} moves, found {name:?}", names.join(" or "))
    })
}
