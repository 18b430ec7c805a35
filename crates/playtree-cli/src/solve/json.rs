//! The JSON form of a solution. The order of the fields is part of it.

use playtree::games::GameInfo;
use playtree::{Limits, Notation, Proven, Solution, Worth};
use serde::Serialize;

/// A solution, with moves as text.
#[derive(Serialize)]
pub(super) struct Solved {
    game: &'static str,
    position: String,
    #[serde(flatten)]
    worth: WorthJson,
    best_moves: Vec<String>,
    moves: Vec<MoveJson>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    peak_bytes: u64,
    workers: usize,
    complete: bool,
    stop_reason: &'static str,
}

/// One legal move.
#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    worth: WorthJson,
}

/// What is certain of a worth.
#[derive(Serialize)]
pub(super) struct WorthJson {
    value: Option<&'static str>,
    points: Option<i32>,
    distance: Option<u32>,
    least: LimitJson,
    most: LimitJson,
}

#[derive(Serialize)]
struct LimitJson {
    points: i32,
    plies: u32,
}

impl From<Worth> for LimitJson {
    fn from(Worth { points, plies }: Worth) -> Self {
        Self { points, plies }
    }
}

impl From<Limits> for WorthJson {
    fn from(limits: Limits) -> Self {
        let Limits { least, most } = limits;
        Self {
            value: limits.proven().map(Proven::as_str),
            points: limits.points(),
            distance: limits.distance(),
            least: least.into(),
            most: most.into(),
        }
    }
}

impl Solved {
    /// The solution of `state` in this form.
    pub(super) fn new<G: Notation>(
        info: &'static GameInfo,
        state: &G,
        solution: &Solution<G::Move>,
    ) -> Self {
        let moves = solution
            .moves
            .iter()
            .map(|found| MoveJson { mv: state.move_text(&found.mv), worth: found.limits.into() });
        let seconds = solution.elapsed.as_secs_f64();
        Self {
            game: info.name,
            position: state.position_text(),
            worth: solution.limits.into(),
            best_moves: solution.best_moves().map(|mv| state.move_text(mv)).collect(),
            moves: moves.collect(),
            nodes: solution.nodes,
            seconds,
            nodes_per_second: super::text::per_second(solution.nodes, solution.elapsed),
            peak_bytes: solution.peak_bytes,
            workers: solution.workers,
            complete: solution.is_complete,
            stop_reason: solution.stop_reason.as_str(),
        }
    }
}
