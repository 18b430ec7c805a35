//! How full the calls of several workers are, and how many of them have questions under way.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use playtree::evaluate::{Answers, Network, NetworkError, Question};
use playtree::games::{ConnectFour, Othello};
use playtree::mcts::{InFlight, LockPolicy, Parallelism, Root};
use playtree::{Budget, GameState, Mcts, MctsBuilder};

use super::{Noise, Tapped, answer_by_key};

/// A network that does one call at a time, as a device.
struct Device<N>(N);

impl<G: GameState, N: Network<G>> Network<G> for Device<N> {
    fn evaluate(
        &self,
        questions: &[Question<'_, G>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        self.0.evaluate(questions, answers)
    }

    fn batch(&self) -> usize {
        self.0.batch()
    }

    fn calls(&self) -> usize {
        1
    }
}

/// Says of positions what differs little from one to the next, as a network that has learnt does:
/// where a branch looks far better than all others each simulation comes to the same question.
struct Mild;

impl<G: GameState> Network<G> for Mild {
    fn evaluate(
        &self,
        questions: &[Question<'_, G>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        answer_by_key(questions, answers, (0.45, 0.55), 1.0);
        Ok(())
    }
}

/// Notes the sizes of all calls, and whether two were under way at once.
#[derive(Default)]
struct Calls {
    sizes: Mutex<Vec<usize>>,
    under_way: AtomicUsize,
    most: AtomicUsize,
}

impl Calls {
    /// A network that notes them.
    fn of<G: GameState>(self: &Arc<Self>, batch: usize) -> impl Network<G> + use<G> {
        self.in_front_of(Mild, batch)
    }

    /// This network, and they are noted.
    fn in_front_of<G: GameState, N: Network<G>>(
        self: &Arc<Self>,
        network: N,
        batch: usize,
    ) -> impl Network<G> + use<G, N> {
        let calls = Arc::clone(self);
        let tap = move |questions: &[Question<'_, G>], _: &mut Answers| {
            let now = calls.under_way.fetch_add(1, Ordering::SeqCst) + 1;
            calls.most.fetch_max(now, Ordering::SeqCst);
            calls.sizes.lock().unwrap().push(questions.len());
            // Slow beside a search.
            sleep(Duration::from_millis(1));
            calls.under_way.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        };
        Tapped { network, batch, tap }
    }

    fn sizes(&self) -> Vec<usize> {
        std::mem::take(&mut self.sizes.lock().unwrap())
    }
}

fn several<G: GameState>(workers: usize) -> MctsBuilder<G> {
    Mcts::builder().threads(workers).oversubscribe(true).seed(5)
}

/// The same without proofs: where a simulation ends in what is proven it asks nothing, and the next
/// rounds are shorter for it.
fn several_without_proofs<G: GameState>(workers: usize) -> MctsBuilder<G> {
    several(workers).proofs(false)
}

/// The positions of a call, on average, once the limit of what is under way is past.
fn mean_after(sizes: &[usize], questions: usize) -> f64 {
    let mut so_far = 0;
    let full: Vec<_> = sizes
        .iter()
        .filter(|&&size| {
            so_far += size;
            so_far > questions
        })
        .collect();
    full.iter().map(|&&size| size as f64).sum::<f64>() / full.len() as f64
}

#[test]
fn several_workers_ask_in_full_batches() {
    for workers in [2, 4] {
        let calls = Arc::new(Calls::default());
        let network = calls.of::<Othello>(16);
        let mut mcts = several_without_proofs(workers).network(network).build().unwrap();
        let report = mcts.search(&Othello::new(), &Budget::simulations(6_000)).unwrap();
        mcts.audit().unwrap();
        assert_eq!(report.simulations, 6_000);
        let sizes = calls.sizes();
        assert!(sizes.iter().all(|&size| size <= 16), "{sizes:?}");
        assert_eq!(report.network.unwrap().calls as usize, sizes.len());
        let mean = mean_after(&sizes, workers * 16 * 8);
        assert!(mean >= 0.9 * 16.0, "{mean} with {workers} workers");
    }
}

/// Where some branches look far better than others most simulations come to positions that are
/// asked about: more of them set out than questions are missing.
#[test]
fn calls_are_full_where_the_tree_is_narrow() {
    let means = (0..4).map(|seed| {
        let calls = Arc::new(Calls::default());
        let network = calls.in_front_of(Noise, 16);
        let builder = several_without_proofs(2).seed(seed).network(network);
        let report =
            builder.build().unwrap().search(&ConnectFour::new(), &Budget::simulations(5_000));
        assert_eq!(report.unwrap().simulations, 5_000);
        let sizes = calls.sizes();
        assert!(sizes.iter().all(|&size| size <= 16), "{sizes:?}");
        mean_after(&sizes, 2 * 16 * 8)
    });
    let mean = means.sum::<f64>() / 4.0;
    assert!(mean >= 0.92 * 16.0, "{mean}");
}

#[test]
fn a_device_is_asked_by_as_few_workers_as_fill_its_calls() {
    let calls = Arc::new(Calls::default());
    let network = Device(calls.of::<Othello>(32));
    let mut mcts = several_without_proofs(4).network(network).build().unwrap();
    let (state, budget) = (Othello::new(), Budget::simulations(500));
    mcts.search(&state, &budget).unwrap();
    mcts.audit().unwrap();
    // One worker has an eighth of the visits in a call. Four that share what may be under way
    // would have a quarter of that in each of theirs, and make four times the calls.
    let sizes = calls.sizes();
    assert!(sizes.len() < 70, "{} calls: {sizes:?}", sizes.len());
    // Two batches may be under way from here on.
    let report = mcts.search(&state, &Budget::simulations(2_000)).unwrap();
    mcts.audit().unwrap();
    let mean = report.network.unwrap().mean_batch();
    assert!(mean >= 0.9 * 32.0, "{mean}");
    assert_eq!(calls.most.load(Ordering::SeqCst), 1);
}

#[test]
fn every_setting_asks_in_batches_and_leaves_no_mark() {
    let settings: [fn(MctsBuilder<Othello>) -> MctsBuilder<Othello>; 6] = [
        |b| b.in_flight(InFlight::Ignore),
        |b| b.in_flight(InFlight::VirtualLoss { weight: 1.0 }),
        |b| b.lock_policy(LockPolicy::Block),
        |b| b.lock_policy(LockPolicy::Yield),
        |b| b.root(Root::gumbel()),
        |b| b.proofs(false),
    ];
    for (number, settings) in settings.into_iter().enumerate() {
        let calls = Arc::new(Calls::default());
        let builder = several(3).network(Device(calls.of::<Othello>(8)));
        let mut mcts = settings(builder).build().unwrap();
        let report = mcts.search(&Othello::new(), &Budget::simulations(1_000)).unwrap();
        mcts.audit().unwrap();
        assert_eq!(report.simulations, 1_000, "{number}");
        let root = mcts.node(&[], 60).unwrap();
        assert!(root.branches.iter().all(|branch| branch.in_flight == 0), "{number}");
        assert!(calls.sizes().iter().all(|&size| size <= 8), "{number}");
    }
}

/// A worker that waits for its turn when the search ends is no reason to wait for it.
#[test]
fn a_device_that_fails_ends_the_search_of_all_workers() {
    for panics in [false, true] {
        let count = AtomicUsize::new(0);
        let tap = move |_: &[Question<'_, ConnectFour>], _: &mut Answers| {
            if count.fetch_add(1, Ordering::Relaxed) % 40 == 39 {
                assert!(!panics, "the device panics");
                return Err(NetworkError::new("the device is gone"));
            }
            Ok(())
        };
        let network = Device(Tapped { network: Noise, batch: 16, tap });
        let mut mcts = several(4).network(network).build().unwrap();
        for _ in 0..4 {
            let search = || mcts.search(&ConnectFour::new(), &Budget::simulations(100_000));
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(search));
            assert_eq!(result.is_err(), panics);
            assert!(!matches!(result, Ok(Ok(_))));
            mcts.audit().unwrap();
            let root = mcts.node_of(&ConnectFour::new(), 7).unwrap();
            assert!(root.branches.iter().all(|branch| branch.in_flight == 0));
        }
    }
}

#[test]
fn rounds_ask_a_device_alike_for_any_number_of_workers() {
    let run = |workers| {
        let network = Device(Arc::new(Calls::default()).of::<ConnectFour>(16));
        let builder = several(workers).network(network).parallelism(Parallelism::Rounds);
        let mut mcts = builder.build().unwrap();
        let report = mcts.search(&ConnectFour::new(), &Budget::simulations(2_000)).unwrap();
        mcts.audit().unwrap();
        (format!("{:?}", report.moves), format!("{:?}", report.network))
    };
    let alone = run(1);
    assert_eq!(run(2), alone);
    assert_eq!(run(8), alone);
}
