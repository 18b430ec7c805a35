//! A network for Connect Four, made by hand: what the lines of four that are still open say of a
//! position and of its moves. It plays against the same search with random games instead.
//!
//! ```console
//! $ cargo run --release --example network
//! ```

use std::error::Error;

use playtree::evaluate::{Answers, Network, NetworkError, Question};
use playtree::game::UniformMoves;
use playtree::games::ConnectFour;
use playtree::{Budget, GameState, Mcts, Notation, Outcome};

/// Values and policies by the open lines of four: one layer, whose weights a person has chosen.
struct OpenLines {
    /// Each of the 69 lines as a set of squares.
    lines: Vec<u64>,
}

/// What a line with this number of stones of one side, and none of the other, counts.
const WEIGHTS: [f32; 4] = [0.0, 0.02, 0.12, 0.45];

impl OpenLines {
    fn new() -> Self {
        let mut lines = Vec::new();
        for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
            for (across, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let squares = (0..4).map(|step| (column + step * across, row + step * up));
                let inside =
                    |&(column, row): &(i32, i32)| (0..7).contains(&column) && (0..6).contains(&row);
                if squares.clone().all(|square| inside(&square)) {
                    lines.push(squares.fold(0, |line, (c, r)| line | 1 << (7 * c + r)));
                }
            }
        }
        Self { lines }
    }

    /// What the lines of one side count together that the other one has no stone in.
    fn worth(&self, own: u64, other: u64) -> f32 {
        let open = self.lines.iter().filter(|&line| line & other == 0);
        open.map(|line| WEIGHTS[((line & own).count_ones() as usize).min(3)]).sum()
    }
}

impl Network<ConnectFour> for OpenLines {
    fn evaluate(
        &self,
        questions: &[Question<'_, ConnectFour>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        for (number, Question { state, moves }) in questions.iter().enumerate() {
            let stones = state.stones();
            let (own, other) = (stones[state.mover()], stones[1 - state.mover()]);
            let before = self.worth(own, other) - self.worth(other, own);
            // To be on the move is worth something.
            answers.value(number, 1.0 / (1.0 + (-(before + 0.2)).exp()));
            for (logit, mv) in answers.policy(number).iter_mut().zip(*moves) {
                let column = (own | other) >> (7 * mv.index()) & 0x3f;
                let landing = 1 << (7 * mv.index() + column.count_ones() as usize);
                // What the stone makes of the own lines, and what it takes from the other side.
                *logit = 2.0
                    * (self.worth(own | landing, other) - self.worth(other, own | landing))
                    - 2.0 * before;
            }
        }
        Ok(())
    }
}

/// Games with this number of simulations a move, half of them begun by each: points of the first
/// engine.
fn play(engines: &mut [Mcts<ConnectFour>; 2], games: usize, simulations: u64) -> f64 {
    let budget = Budget::simulations(simulations);
    let mut points = 0.0;
    for game in 0..games {
        // Two games from each pair of first moves.
        let opening = format!("{}{}", 1 + game / 2 % 7, 1 + game / 14 % 7);
        let mut state = ConnectFour::parse_position(&opening).expect("two moves");
        while state.outcome().is_none() {
            let turn = (state.mover() + game) % 2;
            let mv = engines[turn].best_move(&state, &budget).expect("the game goes on");
            state = state.apply(&mv);
        }
        points += match state.outcome() {
            Some(Outcome::Win(winner)) => f64::from(u8::from((winner + game) % 2 == 0)),
            _ => 0.5,
        };
    }
    points
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut with = Mcts::builder().threads(1).seed(1).network(OpenLines::new()).build()?;
    let state = ConnectFour::parse_position("4433")?;
    let report = with.search(&state, &Budget::simulations(800))?;
    println!("{}\n", report.in_notation(&state));

    // What the game's own rollouts see is worth more than this formula: against random ones.
    let without = Mcts::builder().threads(1).seed(1).rollouts(UniformMoves).build()?;
    let (games, simulations) = (98, 200);
    let points = play(&mut [with, without], games, simulations);
    println!("{points} of {games} points with {simulations} simulations a move on both sides");
    assert!(points > 0.6 * games as f64, "the network should be ahead of random games");
    Ok(())
}
