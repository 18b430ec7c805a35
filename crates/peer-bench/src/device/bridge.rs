//! treant's bridge to evaluations in batches, with the same device: one thread collects the
//! positions of all the others, and each of those waits for the answer to its own.

use std::sync::Arc;
use std::time::Duration;

use playtree::games::ConnectFour;
use treant::tree_policy::AlphaGoPolicy;
use treant::{BatchConfig, BatchEvaluator, BatchedEvaluatorBridge, MCTS, MCTSManager};

use super::simulated::Device;
use crate::peers::position::Position;

/// The crate's configuration: PUCT, as ours.
struct Spec;

impl MCTS for Spec {
    type State = Position<ConnectFour>;
    type Eval = BatchedEvaluatorBridge<Self, Asked>;
    type TreePolicy = AlphaGoPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();

    fn virtual_loss(&self) -> i64 {
        SCALE
    }

    // Its default tries every branch before any of them twice, which no search with priors does.
    fn fpu_value(&self) -> f64 {
        0.0
    }
}

/// Its values are whole numbers: a win.
const SCALE: i64 = 1_000;

/// What asks the device.
struct Asked(Arc<Device>);

impl BatchEvaluator<Spec> for Asked {
    /// Of the first player.
    type StateEvaluation = i64;

    fn evaluate_batch(
        &self,
        positions: &[(Position<ConnectFour>, Vec<<ConnectFour as playtree::GameState>::Move>)],
    ) -> Vec<(Vec<f64>, i64)> {
        self.0.work(positions.len());
        let answer = |(position, moves): &(Position<ConnectFour>, Vec<_>)| {
            let state = &position.state;
            let logits = (0..moves.len()).map(|number| Device::logit(state, number).exp());
            let mut shares: Vec<f64> = logits.collect();
            let sum: f64 = shares.iter().sum();
            shares.iter_mut().for_each(|share| *share /= sum);
            (shares, worth(state))
        };
        positions.iter().map(answer).collect()
    }

    fn interpret_evaluation_for_player(&self, value: &i64, player: &u8) -> i64 {
        if *player == 0 { *value } else { -*value }
    }
}

/// What a position is worth to the first player.
fn worth(state: &ConnectFour) -> i64 {
    use playtree::{GameState, Outcome};
    let mover = match state.outcome() {
        Some(Outcome::Win(winner)) => return if winner == 0 { SCALE } else { -SCALE },
        Some(_) => return 0,
        None => state.mover(),
    };
    let value = ((2.0 * Device::value(state) - 1.0) * SCALE as f64) as i64;
    if mover == 0 { value } else { -value }
}

/// Searches from the start of the game.
pub(super) fn search(device: &Arc<Device>, batch: usize, time: Duration, threads: usize) {
    let config = BatchConfig { max_batch_size: batch, ..BatchConfig::default() };
    let bridge = BatchedEvaluatorBridge::new(Asked(Arc::clone(device)), config);
    let position = Position::new(ConnectFour::new());
    let mut manager = MCTSManager::new(position, Spec, bridge, AlphaGoPolicy::new(1.25), ());
    manager.print_on_playout_error(false);
    manager.playout_parallel_for(time, threads);
}
