//! What is special about the root: noise in its priors, and sequential halving.

use super::*;
use playtree::mcts::{Dirichlet, Gumbel, Root};

/// Knows what each position is worth, and nothing of its moves.
#[derive(Clone)]
struct NoisyMoves(Exact);

impl Network<TicTacToe> for NoisyMoves {
    fn evaluate(
        &self,
        questions: &[Question<'_, TicTacToe>],
        answers: &mut Answers,
    ) -> Result<(), NetworkError> {
        self.0.evaluate(questions, answers)?;
        for (at, question) in questions.iter().enumerate() {
            for (branch, logit) in (1..).zip(answers.policy(at)) {
                *logit = 3.0 * number(&question.state.key(), branch);
            }
        }
        Ok(())
    }
}

#[test]
fn gumbel_improves_on_the_policy_with_every_number_of_simulations() {
    let exact = Exact { known: Arc::new(solved()), knows_moves: false };
    let network = NoisyMoves(exact.clone());
    let mut positions: Vec<_> = exact.known.values().map(|(state, _)| *state).collect();
    positions.sort_by_key(|state| state.position_text());
    let positions: Vec<_> = positions.into_iter().step_by(27).collect();
    // The policy alone: a move drawn by its shares.
    let mut shares = vec![0.0];
    for state in &positions {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let key = state.key();
        let weight = |branch: u64| (3.0 * f64::from(number(&key, branch))).exp();
        let weights: Vec<f64> = (1..).take(moves.len()).map(weight).collect();
        let keeping = moves.iter().zip(&weights).filter(|(mv, _)| exact.keeps(state, mv));
        shares[0] += keeping.map(|(_, weight)| weight).sum::<f64>() / weights.iter().sum::<f64>();
    }
    shares[0] /= positions.len() as f64;
    for simulations in [2, 4, 16, 64] {
        let mut kept = 0;
        for seed in 0..10 {
            let builder = with(network.clone()).seed(seed).root(Root::gumbel());
            let mut mcts = builder.proofs(false).reuse(false).build().unwrap();
            let budget = Budget::simulations(simulations);
            for state in &positions {
                let best = mcts.best_move(state, &budget).unwrap();
                kept += usize::from(exact.keeps(state, &best));
            }
        }
        shares.push(kept as f64 / (10 * positions.len()) as f64);
    }
    // Four simulations see what four moves lead to, exactly; sixteen blur it with what follows.
    let [policy, two, four, sixteen, many] = shares[..] else { unreachable!() };
    assert!(two > policy + 0.15 && four > two + 0.1, "{shares:?}");
    assert!(sixteen > two + 0.1 && many > four.max(sixteen) + 0.01, "{shares:?}");
}

#[test]
fn noise_leaves_the_priors_of_the_position_alone() {
    let state = ConnectFour::new();
    let budget = Budget::simulations(200);
    let search = |root| {
        let mut mcts = with::<ConnectFour>(Noise).root(root).build().unwrap();
        let report = mcts.search(&state, &budget).unwrap();
        mcts.audit().unwrap();
        let node = mcts.node(&[], 7).unwrap();
        let mut branches: Vec<_> = node.branches.iter().map(|b| (b.mv, b.prior.unwrap())).collect();
        branches.sort_by_key(|(mv, _)| mv.index());
        let mut visits: Vec<_> = report.moves.iter().map(|m| (m.mv.index(), m.visits)).collect();
        visits.sort_unstable();
        (branches, visits)
    };
    let plain = search(Root::Plain);
    let alone = search(Root::Dirichlet(Dirichlet { share: 0.0, ..Dirichlet::default() }));
    assert_eq!(plain, alone);
    let (priors, visits) = search(Root::Dirichlet(Dirichlet { alpha: 0.1, share: 0.9 }));
    assert_eq!(priors, plain.0);
    assert_ne!(visits, plain.1);
}

#[test]
fn the_same_seed_gives_the_same_report_with_noise() {
    let state = ConnectFour::new();
    let run = |root, seed, parallelism, workers| {
        let builder = with::<ConnectFour>(Noise).root(root).seed(seed).oversubscribe(true);
        let mut mcts = builder.parallelism(parallelism).threads(workers).build().unwrap();
        let mut reports = Vec::new();
        for _ in 0..2 {
            let mut report = mcts.search(&state, &Budget::simulations(300)).unwrap();
            mcts.audit().unwrap();
            assert_eq!(report.simulations, 300);
            (report.elapsed, report.workers) = (Duration::ZERO, 0);
            reports.push(format!("{report:?}"));
        }
        reports
    };
    for root in [Root::dirichlet(), Root::gumbel()] {
        let first = run(root, 1, Parallelism::Shared, 1);
        assert_eq!(first, run(root, 1, Parallelism::Shared, 1));
        assert_ne!(first, run(root, 2, Parallelism::Shared, 1));
        let rounds = run(root, 1, Parallelism::Rounds, 1);
        assert_eq!(rounds, run(root, 1, Parallelism::Rounds, 3));
        run(root, 1, Parallelism::Shared, 3);
        run(root, 1, Parallelism::Simulated { workers: 3 }, 1);
    }
}

#[test]
fn the_report_has_the_improved_policy() {
    let state = ConnectFour::new();
    let root = Root::Gumbel(Gumbel { considered: 4, ..Gumbel::default() });
    let mut mcts = with::<ConnectFour>(Noise).root(root).build().unwrap();
    let report = mcts.search(&state, &Budget::simulations(16)).unwrap();
    let mut visits: Vec<_> = report.moves.iter().map(|found| found.visits).collect();
    visits.sort_unstable();
    // Four moves twice each, then two of them four times each.
    assert_eq!(visits, [0, 0, 0, 2, 2, 6, 6]);
    assert_eq!(report.moves[0].mv, report.best_move);
    assert_eq!(report.moves[0].visits, 6);
    let policy: f64 = report.moves.iter().map(|found| found.policy.unwrap()).sum();
    assert!((policy - 1.0).abs() < 1e-9, "{policy}");
    // Beside the prior the highest win rate has gained most.
    let known = report.moves.iter().filter(|found| found.visits > 0);
    let gain = |found: &playtree::mcts::MoveReport<_>| found.policy.unwrap() / found.prior.unwrap();
    let by_gain = known.clone().max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap();
    let by_rate = known.max_by(|a, b| a.win_rate.partial_cmp(&b.win_rate).unwrap()).unwrap();
    assert_eq!(by_gain.mv, by_rate.mv);

    // A budget without a number of simulations has one series after another.
    let report = mcts.search(&state, &Budget::nodes(500)).unwrap();
    assert!(report.simulations > 200, "{report:?}");
    mcts.audit().unwrap();
    let mut plain = with::<ConnectFour>(Noise).build().unwrap();
    let report = plain.search(&state, &Budget::simulations(16)).unwrap();
    assert!(report.moves.iter().all(|found| found.policy.is_none()));
}

#[test]
fn the_policy_has_the_win_that_is_proven_before_the_network_is_asked() {
    // Three stones of the first player lie in column 4.
    let state = ConnectFour::parse_position("414243").unwrap();
    let mut mcts = Mcts::builder().threads(1).network(Noise).root(Root::gumbel()).build().unwrap();
    let report = mcts.search(&state, &Budget::simulations(32)).unwrap();
    assert_eq!(report.proven, Some(Proven::Win { plies: 1 }));
    let best = report.moves.iter().find(|found| found.mv == report.best_move).unwrap();
    assert_eq!(state.move_text(&best.mv), "4");
    assert!(best.policy > Some(0.9), "{best:?}");
}

#[test]
fn a_root_of_its_own_needs_a_network_with_priors() {
    let plain = || Mcts::<ConnectFour>::builder().threads(1);
    for root in [Root::gumbel(), Root::dirichlet()] {
        let ucb1 = plain().network(Noise).selection(Selection::default());
        for builder in [plain(), ucb1] {
            let error = builder.root(root).build().unwrap_err();
            assert_eq!(error.to_string(), "root: expected a network with PUCT, found none");
        }
    }
    for root in [
        Root::Gumbel(Gumbel { considered: 0, ..Gumbel::default() }),
        Root::Gumbel(Gumbel { scale: 0.0, ..Gumbel::default() }),
        Root::Gumbel(Gumbel { visits: -1.0, ..Gumbel::default() }),
        Root::Gumbel(Gumbel { noise: f64::NAN, ..Gumbel::default() }),
        Root::Dirichlet(Dirichlet { alpha: 0.0, ..Dirichlet::default() }),
        Root::Dirichlet(Dirichlet { share: 1.5, ..Dirichlet::default() }),
    ] {
        let built = plain().network(Noise).root(root).build();
        assert!(matches!(built, Err(ConfigError::OutOfRange { .. })), "{root:?}");
    }
}
