//! Searches whose questions the caller answers.

use std::panic::{self, AssertUnwindSafe};

use playtree::evaluate::{Elsewhere, Network, NetworkError};
use playtree::games::connect4::Column;
use playtree::games::{ConnectFour, Hex, Othello, TicTacToe};
use playtree::mcts::{Asking, Options, Report, Root};
use playtree::{Budget, GameState, GameTag, Mcts, MctsBuilder, SearchError, save};

use super::Noise;

fn builder<G: GameState>() -> MctsBuilder<G> {
    Mcts::builder().threads(1).seed(7)
}

/// Answers all questions of a search as `Noise` does, and counts those of the largest batch.
fn answer_all<G: GameState>(asking: &mut Asking<'_, G>) -> Result<usize, SearchError> {
    let mut most = 0;
    while asking.ask()? {
        most = most.max(asking.questions().len());
        asking.answer(|questions, answers| Noise.evaluate(questions, answers))?;
    }
    assert!(asking.questions().is_empty());
    Ok(most)
}

/// What two reports have to have alike: all but the calls of the network and the time.
fn assert_same<G: GameState>(asked: &Report<G::Move>, searched: &Report<G::Move>)
where
    G::Move: PartialEq + std::fmt::Debug,
{
    assert_eq!(asked.simulations, searched.simulations);
    assert_eq!(asked.nodes, searched.nodes);
    assert_eq!(asked.moves, searched.moves);
    assert_eq!(asked.best_move, searched.best_move);
    assert_eq!(asked.stop_reason, searched.stop_reason);
    let evaluations = |report: &Report<_>| report.network.map(|network| network.evaluations);
    assert_eq!(evaluations(asked), evaluations(searched));
}

/// A game of four moves by searches of both kinds, with trees kept.
fn compare<G: GameState>(
    start: &G,
    root: Root,
    options: impl Fn(&G) -> Options<G>,
) -> Result<(), Box<dyn std::error::Error>>
where
    G::Move: PartialEq + std::fmt::Debug,
{
    let mut searching = builder().network(Noise).root(root).build()?;
    let mut asking = builder().network(Elsewhere::new(16)).root(root).build()?;
    let mut state = start.clone();
    for simulations in [1, 60, 1_000, 3_000] {
        let (budget, options) = (Budget::simulations(simulations), options(&state));
        let searched = searching.search_with(&state, &budget, &options)?;
        let mut steps = asking.begin_asking_with(&state, &budget, &options)?;
        let most = answer_all(&mut steps)?;
        assert!(most <= 16, "{most} questions");
        assert!(simulations < 1_000 || most > 8, "{most} questions");
        let asked = steps.finish()?;
        assert_same::<G>(&asked, &searched);
        asking.audit()?;
        state = state.apply(&searched.best_move);
    }
    Ok(())
}

#[test]
fn the_same_is_found_as_by_asking_a_network() -> Result<(), Box<dyn std::error::Error>> {
    let dirichlet = Root::dirichlet();
    for root in [Root::Plain, Root::gumbel(), dirichlet] {
        compare(&ConnectFour::new(), root, |_| Options::default())?;
        compare(&Othello::new(), root, |_| Options::default())?;
    }
    compare(&Hex::new(5).expect("a size"), Root::Plain, |_| Options::default())?;
    // A root that stands in for some of the moves, which is asked about on its own.
    compare(&ConnectFour::new(), Root::gumbel(), |state| {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        Options::default().except(moves[..1].to_vec())
    })
}

#[test]
fn what_comes_from_a_file_is_asked_about_alone() -> Result<(), Box<dyn std::error::Error>> {
    let start = ConnectFour::new();
    let budget = Budget::simulations(500);
    let mut first = builder().network(Noise).build()?;
    first.search(&start, &budget)?;
    let path = std::env::temp_dir().join(format!("playtree-asking-{}", std::process::id()));
    let game = GameTag::new("connect4", 1);
    first.save(&path, &game, &save::Options::default())?;
    let mut searching = builder().network(Noise).build()?;
    let mut asking = builder().network(Elsewhere::new(16)).build()?;
    searching.load(&path, &game)?;
    asking.load(&path, &game)?;
    std::fs::remove_file(&path)?;
    let searched = searching.search(&start, &budget)?;
    let mut steps = asking.begin_asking(&start, &budget)?;
    let mut alone = 0;
    while steps.ask()? {
        alone += usize::from(steps.questions().len() == 1);
        steps.answer(|questions, answers| Noise.evaluate(questions, answers))?;
    }
    assert!(alone > 50, "{alone} questions came alone, and 500 positions from the file");
    let asked = steps.finish()?;
    assert_eq!(asked.simulations, searched.simulations);
    // Without an answer all of them would look alike.
    let priors = |report: &Report<Column>| {
        let of_each = report.moves.iter().map(|found| (found.mv.index(), found.prior));
        let mut priors: Vec<_> = of_each.collect();
        priors.sort_by_key(|&(column, _)| column);
        priors
    };
    assert_eq!(priors(&asked), priors(&searched));
    asking.audit()?;
    Ok(())
}

#[test]
fn questions_that_are_dropped_leave_nothing_behind() -> Result<(), Box<dyn std::error::Error>> {
    let start = Othello::new();
    let mut mcts = builder().network(Elsewhere::new(8)).build()?;
    // After none, one, two, ... answers: the root's first.
    for answers in 0..40 {
        let mut asking = mcts.begin_asking(&start, &Budget::unlimited())?;
        assert!(asking.goes_on() && asking.questions().is_empty());
        for _ in 0..answers {
            assert!(asking.ask()?);
            asking.answer(|questions, answers| Noise.evaluate(questions, answers))?;
        }
        assert!(asking.ask()?);
        assert!(asking.ask()?, "they wait");
        assert!(!asking.questions().is_empty());
        drop(asking);
        mcts.audit()?;
        mcts.forget();
    }
    // A search to its end, which would wait for ever for positions that are still asked about.
    let mut asking = mcts.begin_asking(&start, &Budget::simulations(2_000))?;
    answer_all(&mut asking)?;
    assert_eq!(asking.finish()?.simulations, 2_000);
    mcts.audit()?;
    Ok(())
}

#[test]
fn answers_that_fail_end_the_search() -> Result<(), Box<dyn std::error::Error>> {
    let start = TicTacToe::new();
    let budget = Budget::simulations(200);
    let mut mcts = builder().network(Elsewhere::new(4)).build()?;
    for answered in [0, 1, 7] {
        let begin = |mcts: &mut Mcts<TicTacToe>, fail: &dyn Fn(&mut Asking<'_, TicTacToe>)| {
            let mut asking = mcts.begin_asking(&start, &budget).expect("a network");
            for _ in 0..answered {
                assert!(asking.ask().expect("no error"));
                asking.answer(|questions, answers| Noise.evaluate(questions, answers)).unwrap();
            }
            assert!(asking.ask().expect("no error"));
            fail(&mut asking);
            assert!(!asking.goes_on());
            assert_eq!(asking.ask(), Ok(false), "it is over");
            drop(asking);
            mcts.audit().expect("no marks are left");
            mcts.forget();
        };
        begin(&mut mcts, &|asking| {
            let error = asking.answer(|_, _| Err(NetworkError::new("the device is gone")));
            let error = error.expect_err("it has failed");
            assert_eq!(error.code(), "search.network");
            assert!(error.to_string().ends_with("the device is gone"), "{error}");
        });
        begin(&mut mcts, &|asking| {
            let error = asking.answer(|_, _| Ok(())).expect_err("there is no value");
            assert_eq!(error.code(), "search.network-scores");
        });
        begin(&mut mcts, &|asking| {
            let answer = AssertUnwindSafe(|| asking.answer(|_, _| panic!("on purpose")));
            assert!(panic::catch_unwind(answer).is_err());
        });
    }
    let mut asking = mcts.begin_asking(&start, &budget)?;
    answer_all(&mut asking)?;
    asking.finish()?;
    Ok(())
}

#[test]
fn who_asks_nothing_and_who_asks_here_are_told() -> Result<(), Box<dyn std::error::Error>> {
    let (start, budget) = (TicTacToe::new(), Budget::simulations(10));
    let mut plain = builder().build()?;
    let error = plain.begin_asking(&start, &budget).expect_err("there is no network");
    assert_eq!(error.code(), "search.no-network");
    let mut elsewhere = builder().network(Elsewhere::new(1)).build()?;
    let error = elsewhere.search(&start, &budget).expect_err("no caller answers");
    assert!(error.to_string().contains("Mcts::begin_asking"), "{error}");
    let finished = "1 2 4 5 7".split(' ').fold(start, |state, text| {
        state.apply(&playtree::Notation::parse_move(&state, text).expect("a move"))
    });
    let mut asking = elsewhere.begin_asking(&finished, &budget)?;
    assert!(matches!(asking.ask(), Err(SearchError::GameOver(_))));
    assert_eq!(asking.ask(), Ok(false));
    Ok(())
}

#[test]
fn what_is_known_so_far_can_be_read_while_questions_wait() -> Result<(), SearchError> {
    let start = ConnectFour::new();
    let mut mcts = builder().network(Elsewhere::new(1)).build().expect("it can be built");
    let mut asking = mcts.begin_asking(&start, &Budget::simulations(50))?;
    let mut seen = Vec::new();
    while asking.ask()? {
        seen.push(asking.report()?.simulations);
        asking.answer(|questions, answers| Noise.evaluate(questions, answers))?;
    }
    assert!(seen.is_sorted() && seen[0] == 0 && seen.last() == Some(&49), "{seen:?}");
    Ok(())
}
