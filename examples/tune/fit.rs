//! Logistic regression: the weights under which the results that were seen are most likely.

use playtree::games::tuning::{LOG_ODDS, Tunable, WEIGHT_UNIT};
use playtree::{GameState, MctsBuilder};

use crate::Failure;
use crate::play::Contest;

/// The features of a position, and the score of its side to move.
type Sample = (Vec<f64>, f64);

/// Plays, fits, writes the weights to the output and the rest to the error output.
pub(crate) fn run<G, E>(
    contest: &Contest<G>,
    player: &MctsBuilder<G>,
    evaluation: &E,
    ridge: f64,
) -> Result<(), Failure>
where
    G: GameState + 'static,
    E: Tunable<G>,
{
    let games = contest.play(player)?;
    // One game in five is kept back: positions of a game are too much alike to part them.
    let mut parts = [Vec::new(), Vec::new()];
    for (number, game) in games.iter().enumerate() {
        for state in &game.positions {
            if let Some(features) = evaluation.features(state) {
                let features = features.into_iter().map(f64::from).collect();
                let sample: Sample = (features, game.outcome.score(state.mover()));
                parts[usize::from(number % 5 == 0)].push(sample);
            }
        }
    }
    let [learnt, tested] = &parts;
    let unit = LOG_ODDS / f64::from(WEIGHT_UNIT);
    let before: Vec<f64> = evaluation.weights().iter().map(|&w| f64::from(w) * unit).collect();
    let after = regress(learnt, &before, ridge);
    let weights: Vec<i32> = after.iter().map(|w| (w / unit).round() as i32).collect();
    eprintln!("{} games, {} positions, {} more to test", games.len(), learnt.len(), tested.len());
    let nothing = vec![0.0; before.len()];
    for (name, weights) in [("nothing", &nothing), ("before", &before), ("fitted", &after)] {
        eprintln!("{name}: log loss {:.4} on the positions kept back", loss(tested, weights));
    }
    eprintln!("\nwin rate said, seen, positions:");
    for tenth in 0..10 {
        let inside: Vec<&Sample> = tested
            .iter()
            .filter(|(x, _)| (chance(x, &after) * 10.0).min(9.0) as usize == tenth)
            .collect();
        let mean = |of: &dyn Fn(&Sample) -> f64| {
            inside.iter().map(|sample| of(sample)).sum::<f64>() / inside.len() as f64
        };
        let said = mean(&|(x, _)| chance(x, &after));
        eprintln!("{said:.2} {:.2} {}", mean(&|(_, score)| *score), inside.len());
    }
    eprintln!();
    for (weight, name) in weights.iter().zip(evaluation.names()) {
        eprintln!("{weight:6} {name}");
        println!("{weight}");
    }
    Ok(())
}

fn chance(features: &[f64], weights: &[f64]) -> f64 {
    let sum: f64 = features.iter().zip(weights).map(|(x, w)| x * w).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// The mean negative log likelihood.
fn loss(samples: &[Sample], weights: &[f64]) -> f64 {
    let one = |(x, score): &Sample| {
        let p = chance(x, weights).clamp(1e-9, 1.0 - 1e-9);
        -(score * p.ln() + (1.0 - score) * (1.0 - p).ln())
    };
    samples.iter().map(one).sum::<f64>() / samples.len() as f64
}

/// Newton's method for the log likelihood less `ridge / 2` times the squared distance from the
/// weights before: what is seldom seen stays near them.
fn regress(samples: &[Sample], before: &[f64], ridge: f64) -> Vec<f64> {
    let (count, mut weights) = (before.len(), before.to_vec());
    for _ in 0..12 {
        let mut rows = vec![vec![0.0; count + 1]; count];
        for (x, score) in samples {
            let p = chance(x, &weights);
            let used: Vec<usize> = (0..count).filter(|&i| x[i] != 0.0).collect();
            for &i in &used {
                rows[i][count] += x[i] * (score - p);
                for &j in &used {
                    rows[i][j] += x[i] * x[j] * p * (1.0 - p);
                }
            }
        }
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] += ridge;
            row[count] -= ridge * (weights[i] - before[i]);
        }
        for (weight, step) in weights.iter_mut().zip(solve(rows)) {
            *weight += step;
        }
    }
    weights
}

/// Solves a positive definite system, its right side in the last column.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for pivot in 0..count {
        let (above, below) = rows.split_at_mut(pivot + 1);
        for row in below {
            let factor = row[pivot] / above[pivot][pivot];
            for (x, from) in row.iter_mut().zip(&above[pivot]).skip(pivot) {
                *x -= factor * from;
            }
        }
    }
    let mut solution = vec![0.0; count];
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|i| rows[row][i] * solution[i]).sum();
        solution[row] = (rows[row][count] - known) / rows[row][row];
    }
    solution
}
