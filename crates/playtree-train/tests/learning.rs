//! The network learns, and what it plays is the same for any number of threads.

use playtree::games::{ConnectFour, OthelloBoard};
use playtree::{GameState, Rng};
use playtree_planes::{Planes, Symmetry};
use playtree_train::adam::Adam;
use playtree_train::batch::{Batch, Sample};
use playtree_train::net::Net;
use playtree_train::play::{Play, games};
use playtree_train::weights::Size;

const SIZE: Size = Size { form: ConnectFour::FORM, blocks: 1, channels: 6 };

/// Positions of random games, each with a policy and a value that it does not follow from.
fn samples(count: usize) -> Vec<Sample> {
    let (mut rng, mut samples) = (Rng::from_seed(3), Vec::new());
    let mut state = ConnectFour::new();
    while samples.len() < count {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if moves.is_empty() {
            state = ConnectFour::new();
            continue;
        }
        let mut policy = vec![0.0; 7];
        policy[rng.below(7)] = 1.0;
        samples.push(Sample { planes: state.planes(), value: rng.below(2) as f32, policy });
        state = state.apply(&moves[rng.below(moves.len())]);
    }
    samples
}

fn batch(samples: &[Sample]) -> Batch {
    let mut batch = Batch::default();
    samples.iter().for_each(|sample| batch.push(sample, Symmetry::NONE, &SIZE.form));
    batch
}

#[test]
fn the_gradient_is_that_of_the_loss() {
    let mut numbers = SIZE.begin(1);
    let batch = batch(&samples(8));
    let loss = |numbers: &[f32]| {
        let (loss, gradient) = Net::new(SIZE, numbers).unwrap().gradient(&batch).unwrap();
        (loss.policy + loss.value, gradient)
    };
    let (_, gradient) = loss(&numbers);
    // Some weights of every layer, and its last bias.
    let mut checked = 0;
    for layer in SIZE.layers() {
        let range = layer.range();
        let step = (range.len() / 30).max(1);
        for at in range.clone().step_by(step).chain([range.end - 1]) {
            let (before, by) = (numbers[at], 0.002);
            numbers[at] = before + by;
            let above = loss(&numbers).0;
            numbers[at] = before - by;
            let below = loss(&numbers).0;
            numbers[at] = before;
            let expected = (above - below) / f64::from(2.0 * by);
            let found = f64::from(gradient[at]);
            let off = (found - expected).abs();
            assert!(
                off < 0.02 + 0.02 * expected.abs(),
                "{} at {at}: {found}, expected {expected}",
                layer.name
            );
            checked += usize::from(expected.abs() > 0.1);
        }
    }
    assert!(checked > 20, "only {checked} of the gradients are not about 0");
}

#[test]
fn nothing_costs_nothing() {
    let net = Net::new(SIZE, &SIZE.begin(1)).unwrap();
    let found = net.evaluate(&[]).unwrap();
    assert_eq!((found.values.len(), found.logits.len()), (0, 0));
    let (loss, gradient) = net.gradient(&Batch::default()).unwrap();
    assert_eq!((loss.policy, loss.value), (0.0, 0.0));
    assert_eq!(gradient, vec![0.0; SIZE.numbers()]);
    // Less than a position is no position.
    assert!(net.evaluate(&[0.0; 5]).is_err());
}

#[test]
fn the_loss_falls_on_what_is_learned_by_heart() {
    let batch = batch(&samples(32));
    let mut adam = Adam::new(SIZE.begin(1));
    let mut losses = Vec::new();
    for _ in 0..400 {
        let net = Net::new(SIZE, &adam.weights).unwrap();
        let (loss, mut gradient) = net.gradient(&batch).unwrap();
        gradient.iter_mut().for_each(|part| *part /= 32.0);
        adam.step(&gradient, 0.01);
        losses.push((loss.policy / 32.0, loss.value / 32.0));
    }
    let (first, last) = (losses[0], losses[losses.len() - 1]);
    assert!((first.0 - 7f64.ln()).abs() < 0.2, "all moves look alike at first: {first:?}");
    assert!(last.0 < 0.3 * first.0 && last.1 < 0.3 * first.1, "from {first:?} to {last:?}");
}

#[test]
fn outputs_do_not_depend_on_what_stands_beside() {
    let net = Net::new(SIZE, &SIZE.begin(1)).unwrap();
    let all = batch(&samples(40));
    let together = net.evaluate(&all.planes).unwrap();
    let inputs = SIZE.form.inputs();
    for (number, planes) in all.planes.chunks_exact(inputs).enumerate() {
        let alone = net.evaluate(planes).unwrap();
        assert!((alone.values[0] - together.values[number]).abs() < 1e-5);
        for (one, other) in alone.logits.iter().zip(&together.logits[7 * number..]) {
            assert!((one - other).abs() < 1e-5, "{one} and {other}");
        }
    }
}

/// The same games for 1, 2 and 3 threads; and their samples are whole games, in order.
fn games_are_the_same<G: Planes + Default>() {
    let size = Size { form: G::FORM, ..SIZE };
    let net = Net::new(size, &size.begin(1)).unwrap();
    let play = Play { simulations: 8, random_moves: 6, together: 4 };
    let of =
        |seed, first, count, threads| games::<G>(&net, play, seed, first, count, threads).unwrap();
    let games = of(1, 0, 12, 1);
    assert_eq!(of(1, 0, 12, 2), games);
    assert_eq!(of(1, 0, 12, 3), games);
    // Numbers alone say which games these are.
    assert_eq!(of(1, 4, 8, 1), games[4..]);
    assert_ne!(of(2, 0, 12, 1), games);
    for game in &games {
        let stones = |sample: &Sample| (sample.planes[0] | sample.planes[1]).count_ones();
        let passes = G::FORM.squares();
        for pair in game.windows(2) {
            let passed = pair[0].policy.get(passes).is_some_and(|&share| share > 0.0);
            assert_eq!(stones(&pair[1]), stones(&pair[0]) + u32::from(!passed));
        }
        for sample in game {
            let sum: f32 = sample.policy.iter().sum();
            assert!((sum - 1.0).abs() < 1e-4 && (0.0..=1.0).contains(&sample.value), "{sample:?}");
        }
    }
}

#[test]
fn games_do_not_depend_on_the_threads() {
    games_are_the_same::<ConnectFour>();
    games_are_the_same::<OthelloBoard<6>>();
}
