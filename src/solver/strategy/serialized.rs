//! A strategy serialized: with positions and moves in the notation of the game.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::game::Notation;

use super::{Strategy, StrategyMove, StrategyPosition};

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
