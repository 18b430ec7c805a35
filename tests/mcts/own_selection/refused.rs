//! Answers of policies that end a search, panics, and settings that do not go with a policy.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use playtree::error::{ConfigError, Requirement, Setting};
use playtree::evaluate::{Elsewhere, Network, NoEvaluation};
use playtree::games::ConnectFour;
use playtree::mcts::{
    BranchView, InFlight, NodeView, Parallelism, RoundSize, Selection, SelectionPolicy,
};
use playtree::{Budget, Mcts, MctsBuilder, Notation, Rng, SearchError};

use super::{EpsilonGreedy, Noise, OwnUcb1, own, squares};

/// What a policy does at one of its picks, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Beyond,
    Far,
    Lost,
    NotANumber,
    Panic,
}

const FAULTS: [Fault; 5] =
    [Fault::Beyond, Fault::Far, Fault::Lost, Fault::NotANumber, Fault::Panic];

/// UCB1 up to a number of picks, and after one fault again.
struct Faulty {
    fault: Fault,
    left: Arc<AtomicU64>,
}

impl Faulty {
    fn new(fault: Fault, after: u64) -> Self {
        Self { fault, left: Arc::new(AtomicU64::new(after)) }
    }
}

impl SelectionPolicy for Faulty {
    fn score(&self, node: &NodeView<'_>, branch: &BranchView) -> f64 {
        if self.fault == Fault::NotANumber && self.left.load(Ordering::Relaxed) == 1 {
            self.left.store(u64::MAX, Ordering::Relaxed);
            return f64::NAN;
        }
        OwnUcb1(0.6).score(node, branch)
    }

    fn pick(&self, node: &NodeView<'_>, _: &mut Rng) -> Option<usize> {
        let closed = node.branches.iter().position(|branch| !branch.is_open);
        if self.fault == Fault::Lost && closed.is_none() {
            return None;
        }
        // The one that comes to 1 is the last.
        let less = |left: u64| (left > 1 && left < u64::MAX).then(|| left - 1);
        let order = Ordering::Relaxed;
        let is_last = self.left.fetch_update(order, order, less) == Ok(2);
        if !is_last {
            return None;
        }
        match self.fault {
            Fault::Beyond => Some(node.branches.len()),
            Fault::Far => Some(usize::MAX),
            Fault::Lost => closed,
            Fault::NotANumber => None,
            Fault::Panic => panic!("the policy panics"),
        }
    }
}

/// Few moves from the end, so that some are proven to lose soon.
fn late() -> ConnectFour {
    ConnectFour::parse_position("4444433332222").unwrap()
}

fn assert_is(error: &SearchError, fault: Fault) {
    let text = error.to_string();
    assert!(text.contains("Faulty: expected "), "{text}");
    match (error, fault) {
        (SearchError::SelectionPick { found, open, branches, position, .. }, _) => {
            assert!((1..=*branches).contains(open) && *branches <= 7, "{text}");
            assert!(position.starts_with("after ") && text.contains("plies"), "{text}");
            assert_eq!(error.code(), "search.selection-pick");
            match fault {
                Fault::Beyond => assert_eq!(found, branches),
                Fault::Far => assert_eq!(*found, usize::MAX),
                Fault::Lost => assert!(found < branches && open < branches),
                Fault::NotANumber | Fault::Panic => panic!("{text}"),
            }
        }
        (SearchError::SelectionScore { branch, .. }, Fault::NotANumber) => {
            assert!(*branch < 7 && text.contains("found NaN for branch"), "{text}");
            assert_eq!(error.code(), "search.selection-score");
        }
        other => panic!("{other:?}"),
    }
}

/// Every simulation is over, and the engine can be used again.
fn goes_on(mcts: &mut Mcts<ConnectFour>, state: &ConnectFour) {
    mcts.audit().unwrap();
    if let Some(root) = mcts.node_of(state, 7) {
        assert!(root.branches.iter().all(|branch| branch.in_flight == 0), "{root:?}");
    }
    mcts.search(state, &Budget::simulations(500)).unwrap();
    mcts.audit().unwrap();
}

#[test]
fn a_wrong_answer_or_a_panic_ends_the_search_and_no_other() {
    let state = late();
    let budget = Budget::simulations(20_000);
    let parallelisms =
        [Parallelism::Shared, Parallelism::Rounds, Parallelism::Simulated { workers: 3 }];
    let sizes = [RoundSize::default(), RoundSize::Fixed(1), RoundSize::Fixed(64)];
    let settings = parallelisms.map(|parallelism| sizes.map(|size| (parallelism, size))).concat();
    for (parallelism, size) in settings {
        // Several workers that ask a network gather rounds for one call.
        for (fault, asks) in FAULTS.iter().flat_map(|&fault| [(fault, false), (fault, true)]) {
            let builder = own(Faulty::new(fault, 100)).parallelism(parallelism).threads(3);
            let builder = if asks { builder.network(Noise) } else { builder };
            let mut mcts = builder.round_size(size).oversubscribe(true).build().unwrap();
            match panic::catch_unwind(AssertUnwindSafe(|| mcts.search(&state, &budget))) {
                Err(payload) => {
                    assert_eq!(fault, Fault::Panic);
                    assert_eq!(payload.downcast_ref(), Some(&"the policy panics"));
                }
                Ok(Err(error)) => assert_is(&error, fault),
                Ok(Ok(report)) => panic!("{fault:?} {size:?} {parallelism:?}: {report:?}"),
            }
            goes_on(&mut mcts, &state);
        }
    }
}

#[test]
fn it_ends_searches_in_steps_in_the_background_and_with_questions() {
    let (state, budget) = (late(), Budget::simulations(20_000));
    for fault in FAULTS {
        let build = |builder: MctsBuilder<ConnectFour>| builder.build().unwrap();
        let faulty = || own(Faulty::new(fault, 100));
        let is_panic = fault == Fault::Panic;

        let mut mcts = build(faulty());
        let mut steps = mcts.begin(&state, &budget).unwrap();
        let stepped = panic::catch_unwind(AssertUnwindSafe(|| {
            while steps.step(10)? {}
            Ok(())
        }));
        assert_eq!(stepped.is_err(), is_panic);
        stepped.into_iter().for_each(|ended| assert_is(&ended.unwrap_err(), fault));
        drop(steps);
        goes_on(&mut mcts, &state);

        let mut handle = build(faulty()).start(&state, &budget);
        let ended = panic::catch_unwind(AssertUnwindSafe(|| handle.wait()));
        assert_eq!(ended.is_err(), is_panic);
        ended.into_iter().for_each(|ended| assert_is(&ended.unwrap_err(), fault));
        goes_on(&mut handle.into_engine(), &state);

        let mut mcts = build(faulty().network(Elsewhere::new(4)));
        let asked = panic::catch_unwind(AssertUnwindSafe(|| {
            let mut asking = mcts.begin_asking(&state, &budget)?;
            while asking.ask()? {
                asking.answer(|questions, answers| Noise.evaluate(questions, answers))?;
            }
            asking.finish()
        }));
        assert_eq!(asked.is_err(), is_panic);
        asked.into_iter().for_each(|ended| assert_is(&ended.unwrap_err(), fault));
        mcts.audit().unwrap();
    }
}

#[test]
fn settings_that_do_not_go_with_it_are_refused() {
    let needs = |builder: MctsBuilder<ConnectFour>| match builder.build() {
        Err(ConfigError::Needs { setting, needs }) => (setting, needs),
        other => panic!("{other:?}"),
    };
    let greedy = || own(EpsilonGreedy(0.1));
    let both = greedy().selection(Selection::default());
    let text = "selection: expected no select_by beside it, found one";
    assert_eq!(both.clone().build().unwrap_err().to_string(), text);
    assert_eq!(needs(both), (Setting::Selection, Requirement::NoSelectBy));
    let urgent = greedy().cut_off(0, NoEvaluation).first_play_urgency(0.1);
    assert_eq!(needs(urgent), (Setting::FirstPlayUrgency, Requirement::NoSelectBy));
    let lost = greedy().in_flight(InFlight::VirtualLoss { weight: 1.0 });
    assert_eq!(needs(lost), (Setting::InFlight, Requirement::NoSelectBy));
    let prior = own(squares()).prior(1, NoEvaluation);
    assert_eq!(needs(prior), (Setting::Prior, Requirement::NoSquares));
    // What goes with it: an evaluation, which is no reason for an urgency then.
    greedy().cut_off(0, NoEvaluation).build().unwrap();
    greedy().prior(1, NoEvaluation).build().unwrap();
}
