//! A session of every game with every searcher.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use playtree::budget::{CannotBeOvertaken, Depth};
use playtree::games::GAMES;
use playtree::{Budget, GameState, Pool, StopReason};
use playtree_session::settings::{AlphaBetaSettings, MctsSettings, Settings, SolverSettings};
use playtree_session::{Error, Game, Record, Report, Root, Session};

fn mcts() -> Settings {
    MctsSettings { threads: Some(1), ..MctsSettings::default() }.into()
}

/// One thread of each searcher that the game has.
fn searchers(game: Game) -> Vec<Settings> {
    let alphabeta = AlphaBetaSettings { threads: Some(1), ..AlphaBetaSettings::default() };
    let solver = SolverSettings { threads: Some(1), ..SolverSettings::default() };
    let mut all = vec![mcts(), alphabeta.into()];
    if game.is_solvable() {
        all.push(solver.into());
    }
    all
}

#[test]
fn every_game_is_searched_by_every_searcher() {
    for info in GAMES {
        let (game, start) = Game::open(info.name, None).unwrap();
        let record = Record::new(start);
        for settings in searchers(game) {
            let mut engine = game.engine(&settings).unwrap();
            let budget = Budget::nodes(2_000).and_simulations(500);
            let budget = if engine.name() == "mcts" { budget } else { Budget::nodes(2_000) };
            let report = engine.search(&record, &budget, &Root::new()).unwrap();
            let name = engine.name();
            let mv = record.position().parse_move(report.best_move());
            assert!(mv.is_ok(), "{} by {name}: {report:?}", info.name);
            // In a thread of its own too.
            engine.think(&record, &budget, &Root::new()).unwrap();
            let again = engine.wait().unwrap();
            assert!(record.position().parse_move(again.best_move()).is_ok());
            assert!(!engine.is_thinking());
        }
    }
}

#[test]
fn a_search_in_a_thread_says_what_one_in_this_thread_says() {
    let (game, start) = Game::open("connect4", Some("4453")).unwrap();
    let record = Record::new(start);
    let budget = Budget::simulations(5_000);
    let visits = |report: Report| {
        let Report::Mcts(report) = report else { panic!("a Monte Carlo search") };
        report.moves.into_iter().map(|found| (found.mv, found.visits)).collect::<Vec<_>>()
    };
    let here = game.engine(&mcts()).unwrap().search(&record, &budget, &Root::new()).unwrap();
    let mut engine = game.engine(&mcts()).unwrap();
    engine.think(&record, &budget, &Root::new()).unwrap();
    assert_eq!(visits(engine.wait().unwrap()), visits(here));
}

#[test]
fn a_game_is_played_looked_at_and_taken_back() {
    let mut session = Session::new("tictactoe", None, &mcts()).unwrap();
    session.play("5").unwrap();
    session.play("1").unwrap();
    assert_eq!(session.moves(), ["5", "1"]);
    assert_eq!(session.mover(), 0);
    assert!(!session.legal_moves().contains(&"5".to_owned()));
    let error = session.play("5").unwrap_err();
    assert_eq!(error.code(), "notation");
    session.think(&Budget::simulations(2_000)).unwrap();
    let report = session.wait().unwrap();
    assert_eq!(
        session.report().map(|report| report.best_move().to_owned()).as_deref(),
        Some(report.best_move())
    );
    let node = session.node(&[], 100).unwrap().unwrap();
    assert_eq!(node.branch_count, 7);
    let reply = session.node(&[report.best_move()], 2).unwrap().unwrap();
    assert!(reply.branches.len() <= 2 && reply.mover == 1);
    assert!(session.node(&["5"], 2).is_err());
    session.undo().unwrap();
    session.undo().unwrap();
    assert!(matches!(session.undo(), Err(Error::NoMove)));
    assert_eq!(session.legal_moves().len(), 9);
}

#[test]
fn a_move_ends_the_search_and_reports_come_meanwhile() {
    let mut session = Session::new("othello", None, &mcts()).unwrap();
    let calls = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&calls);
    session.on_report(
        Duration::from_millis(1),
        Box::new(move |report| {
            assert!(!report.best_move().is_empty());
            count.fetch_add(1, Ordering::Relaxed);
        }),
    );
    session.ponder().unwrap();
    assert!(session.is_thinking());
    while calls.load(Ordering::Relaxed) == 0 {
        thread::yield_now();
    }
    // Others look on without the session.
    let watcher = session.watcher().unwrap();
    let seen = watcher.snapshot().unwrap();
    assert_eq!(seen.position, session.position());
    assert!(watcher.is_thinking() && !watcher.wait_for(Duration::ZERO));
    session.play("d3").unwrap();
    assert!(watcher.wait_for(Duration::from_secs(60)));
    let ended = std::pin::pin!(watcher.ended());
    let now = ended.poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(now, Poll::Ready(Ok(end)) if end.search == seen.search));
    assert!(!session.is_thinking());
    session.think(&Budget::simulations(300)).unwrap();
    assert!(session.legal_moves().contains(&session.wait().unwrap().best_move().to_owned()));
}

#[test]
fn some_moves_only_and_a_history_are_the_searcher_s_to_know() {
    let mut session = Session::new("connect4", None, &mcts()).unwrap();
    session.think_of(&Budget::simulations(500), Some(&["1", "7"]), &["1"]).unwrap();
    assert_eq!(session.wait().unwrap().best_move(), "7");
    assert!(session.think_of(&Budget::simulations(5), Some(&["9"]), &[]).is_err());
}

#[test]
fn what_cannot_be_is_an_error_with_a_code() {
    let code = |error: Error| error.code();
    assert_eq!(code(Session::new("go", None, &mcts()).unwrap_err()), "session.unknown-game");
    assert_eq!(code(Session::new("hex", Some("1:"), &mcts()).unwrap_err()), "notation");
    let prior: Settings = MctsSettings { prior: Some(1), ..MctsSettings::default() }.into();
    assert_eq!(code(Session::new("hex", None, &prior).unwrap_err()), "session.no-evaluation");
    let solver = SolverSettings::default().into();
    assert_eq!(code(Session::new("xiangqi", None, &solver).unwrap_err()), "session.not-solvable");
    let mut session = Session::new("nim", None, &mcts()).unwrap();
    assert_eq!(code(session.wait().unwrap_err()), "session.no-search");
    // A position of another game, and of the same game on a board of other code.
    let others = [("connect4", None), ("hex", Some("19:"))];
    for (other, position) in others.into_iter().take(1 + usize::from(cfg!(feature = "sizes"))) {
        let (_, start) = Game::open(other, position).unwrap();
        let (hex, _) = Game::open("hex", None).unwrap();
        let mut engine = hex.engine(&mcts()).unwrap();
        let error =
            engine.search(&Record::new(start.clone()), &Budget::simulations(1), &Root::new());
        assert_eq!(code(error.unwrap_err()), "session.other-game");
        assert_eq!(code(hex.perft(&start, 1).unwrap_err()), "session.other-game");
    }
}

#[test]
fn a_table_is_saved_and_loaded_and_a_strategy_written() {
    let path = std::env::temp_dir().join(format!("playtree-session-{}", std::process::id()));
    let (game, start) = Game::open("nim", Some("1,2,3")).unwrap();
    let record = Record::new(start.clone());
    let budget = Budget::unlimited();
    let settings = SolverSettings { threads: Some(1), ..SolverSettings::default() };
    let mut solver = game.solver(&settings).unwrap();
    let report = solver.search(&record, &budget, &Root::new()).unwrap();
    assert!(matches!(report, Report::Solver(ref solution) if solution.points() == Some(-1)));
    let info = solver.save(&path, &start, &Default::default()).unwrap();
    let mut other = game.solver(&settings).unwrap();
    assert_eq!(other.load(&path, &start).unwrap().info, info);
    std::fs::remove_file(&path).unwrap();
    let strategy = other.strategy(&start, &Default::default(), &budget).unwrap();
    assert!(strategy.is_complete() && strategy.len() > 1);
    let json = serde_json::to_string(&strategy).unwrap();
    assert!(json.contains("positions"), "{json}");
    let reply = other.reply(&start, &budget).unwrap();
    assert!(start.parse_move(&reply.mv).is_ok());
    assert_eq!(start.plies(), 0);
}

#[test]
fn settings_are_read_as_they_are_written() {
    use playtree::mcts::{RoundSize, Selection};
    let mcts = MctsSettings {
        threads: Some(2),
        selection: Some(Selection::grave()),
        round_size: Some(RoundSize::Fixed(8)),
        contempt: Some((1, 0.25)),
        ..MctsSettings::default()
    };
    let alphabeta = AlphaBetaSettings {
        mode: Some(playtree::alphabeta::ParallelMode::SharedTable),
        no_table: true,
        aspiration: Some(30),
        ..AlphaBetaSettings::default()
    };
    let solver = SolverSettings { memory_limit: Some(1 << 20), ..SolverSettings::default() };
    for settings in [Settings::default(), mcts.into(), alphabeta.into(), solver.into()] {
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings, "{text}");
    }
    assert_eq!(serde_json::to_string(&Settings::default()).unwrap(), r#"{"mcts":{}}"#);
    for (text, wrong) in [
        (r#"{"mcts":{"thread":2}}"#, "unknown field `thread`"),
        (r#"{"mcts":{"round_size":{"fixed":0}}}"#, "expected 1 to 4096 simulations"),
        (r#"{"minimax":{}}"#, "unknown variant `minimax`"),
    ] {
        let error = serde_json::from_str::<Settings>(text).unwrap_err().to_string();
        assert!(error.contains(wrong), "{error}");
    }
}

/// Every searcher asks for two threads; in a pool of one they take turns.
#[test]
fn engines_of_a_pool_take_turns() {
    let pool = Pool::new(1).unwrap();
    let mut sessions = Vec::new();
    let alphabeta = AlphaBetaSettings { threads: Some(2), ..AlphaBetaSettings::default() };
    let solver = SolverSettings { threads: Some(2), ..SolverSettings::default() };
    let mcts = MctsSettings { threads: Some(2), ..MctsSettings::default() };
    for settings in [Settings::from(mcts), alphabeta.into(), solver.into()] {
        let mut session = Session::in_pool("connect4", None, &settings, &pool).unwrap();
        // Another engine is in the same pool.
        session.set_engine(&settings).unwrap();
        session.ponder().unwrap();
        sessions.push(session);
    }
    let begin = Instant::now();
    let mut most_waiting = 0;
    // Every search has a thread at least that waits for the others.
    while most_waiting < 3 {
        assert!(pool.searching() <= 1);
        most_waiting = most_waiting.max(pool.waiting());
        assert!(begin.elapsed() < Duration::from_secs(60), "{most_waiting} threads wait");
    }
    for session in &mut sessions {
        session.stop().unwrap();
    }
    assert_eq!((pool.searching(), pool.waiting()), (0, 0));
}

/// Steps until the search is over, by a clock that stands still.
fn steps(session: &mut Session) -> Report {
    while session.step(Duration::from_millis(2), Duration::ZERO).unwrap() {
        assert!(session.is_thinking());
        assert_eq!(session.report().unwrap().stop_reason(), StopReason::Running);
    }
    assert!(!session.is_thinking());
    session.report().unwrap()
}

#[test]
fn a_session_in_steps_plays_every_game() {
    for info in GAMES {
        let (game, _) = Game::open(info.name, None).unwrap();
        for settings in searchers(game) {
            let mut session = Session::in_steps(info.name, None, &settings).unwrap();
            assert!(matches!(session.wait(), Err(Error::NoSearch)));
            let budget = if let Settings::Mcts(_) = settings {
                Budget::simulations(3_000)
            } else {
                Budget::nodes(3_000)
            };
            session.think(&budget).unwrap();
            let report = steps(&mut session);
            if let Report::Mcts(report) = &report
                && report.proven.is_none()
            {
                assert_eq!(report.simulations, 3_000, "{}", info.name);
                assert_eq!(report.stop_reason, StopReason::Simulations);
            }
            session.play(report.best_move()).unwrap();
        }
    }
}

#[test]
fn steps_end_by_the_clock_of_the_caller() {
    let mut session = Session::in_steps("hex", None, &mcts()).unwrap();
    session.think(&Budget::time(Duration::from_secs(3_000))).unwrap();
    let (slice, start) = (Duration::from_millis(2), Duration::from_secs(70));
    for seconds in 0..5 {
        assert!(session.step(slice, start + Duration::from_secs(seconds)).unwrap());
    }
    let Some(Report::Mcts(report)) = session.report() else { panic!("a Monte Carlo search") };
    assert!(report.elapsed >= Duration::from_secs(4) && report.elapsed < Duration::from_secs(6));
    assert!(!session.step(slice, start + Duration::from_secs(3_000)).unwrap());
    assert_eq!(session.report().unwrap().stop_reason(), StopReason::Time);
}

#[test]
fn rules_of_a_budget_go_on_from_step_to_step() {
    const SIMULATIONS: u64 = 20_000;
    let mut session = Session::in_steps("connect4", Some("4453"), &mcts()).unwrap();
    let budget = Budget::simulations(SIMULATIONS).and(CannotBeOvertaken::EXACT);
    session.think(&budget).unwrap();
    let Report::Mcts(report) = steps(&mut session) else { panic!("a Monte Carlo search") };
    let mut visits: Vec<u64> = report.moves.iter().map(|found| found.visits).collect();
    visits.sort_unstable_by(|one, other| other.cmp(one));
    let left = SIMULATIONS - report.simulations;
    let is_ahead = visits[0] - visits[1] > left;
    assert!(is_ahead || report.stop_reason == StopReason::Simulations, "{report:?}");

    // The time of a step is not that of the search.
    let step = Duration::from_millis(2);
    let mut session = Session::in_steps("connect4", Some("4453"), &mcts()).unwrap();
    session.think(&Budget::soft_time(10 * step, Duration::from_secs(3_600))).unwrap();
    let mut now = Duration::ZERO;
    while session.step(step, now).unwrap() {
        now += step;
        assert!(now < Duration::from_secs(60));
    }
    assert_eq!(session.report().unwrap().stop_reason(), StopReason::SoftTime);
    assert!(now >= 9 * step, "{now:?}");
}

#[test]
fn steps_end_where_the_tree_grows_no_more() {
    let settings = MctsSettings { threads: Some(1), proofs: Some(false), ..Default::default() };
    let mut session = Session::in_steps("tictactoe", Some("XOXO....."), &settings.into()).unwrap();
    session.think(&Budget::nodes(1 << 20)).unwrap();
    for _ in 0..30_000 {
        if !session.step(Duration::from_millis(1), Duration::ZERO).unwrap() {
            break;
        }
    }
    assert!(!session.is_thinking(), "{:?}", session.report());
    assert_eq!(session.report().unwrap().stop_reason(), StopReason::Exhausted);
}

#[test]
fn a_search_in_steps_that_is_waited_for_can_be_ended() {
    let mut session = Session::in_steps("othello", None, &mcts()).unwrap();
    session.ponder().unwrap();
    let watcher = session.watcher().unwrap();
    let report = thread::scope(|scope| {
        let waits = scope.spawn(|| session.wait());
        while watcher.snapshot().is_none() {
            thread::yield_now();
        }
        watcher.stop();
        waits.join().unwrap()
    });
    assert_eq!(report.unwrap().stop_reason(), StopReason::Stopped);
}

#[test]
fn a_search_in_steps_can_be_waited_for_in_another_thread() {
    let mut session = Session::in_steps("othello", None, &mcts()).unwrap();
    session.ponder().unwrap();
    let watcher = session.watcher().unwrap();
    let time = Duration::from_millis(30);
    let begin = Instant::now();
    assert!(!watcher.wait_for(time), "it goes on");
    assert!(begin.elapsed() >= time);
    session.think(&Budget::simulations(20_000)).unwrap();
    thread::scope(|scope| {
        let waits = scope.spawn(|| watcher.wait_for(Duration::from_secs(60)));
        steps(&mut session);
        assert!(waits.join().unwrap());
    });
}

#[test]
fn a_search_in_steps_ends_when_its_session_is_dropped() {
    let mut session = Session::in_steps("othello", None, &mcts()).unwrap();
    session.ponder().unwrap();
    let watcher = session.watcher().unwrap();
    session.step(Duration::from_millis(5), Duration::ZERO).unwrap();
    thread::scope(|scope| {
        let waits = scope.spawn(|| watcher.wait_for(Duration::from_secs(60)));
        thread::sleep(Duration::from_millis(20));
        drop(session);
        assert!(waits.join().unwrap(), "nothing is searched any more");
    });
    assert!(!watcher.is_thinking() && watcher.node(&[], 9).is_none());
    let seen = watcher.snapshot().unwrap();
    assert_eq!(seen.report.stop_reason(), StopReason::Stopped);
    let mut context = Context::from_waker(Waker::noop());
    assert!(matches!(watcher.ended().as_mut().poll(&mut context), Poll::Ready(Ok(_))));

    // Before its first step it has found nothing.
    let mut session = Session::in_steps("othello", None, &mcts()).unwrap();
    session.ponder().unwrap();
    let watcher = session.watcher().unwrap();
    drop(session);
    watcher.stop();
    let ended = watcher.ended().as_mut().poll(&mut context);
    let Poll::Ready(Err(error)) = ended else { panic!("an error") };
    assert_eq!(error.code(), "search.abandoned");
}

#[test]
fn what_steps_have_found_can_be_looked_at_and_stays() {
    let mut session = Session::in_steps("othello", None, &mcts()).unwrap();
    session.ponder().unwrap();
    let watcher = session.watcher().unwrap();
    assert!(watcher.is_thinking() && watcher.snapshot().is_none());
    assert!(session.node(&[], 9).unwrap().is_none(), "nothing is known of it yet");
    let visits = |session: &Session, line: &[&str]| session.node(line, 9).unwrap().unwrap().visits;
    let mut before = 0;
    for _ in 0..4 {
        assert!(session.step(Duration::from_millis(5), Duration::ZERO).unwrap());
        let now = visits(&session, &[]);
        assert!(now > before);
        before = now;
    }
    let below = visits(&session, &["d3"]);
    assert!(below > 0 && below < before);
    let report = session.stop().unwrap();
    assert_eq!(report.stop_reason(), StopReason::Stopped);
    let seen = watcher.snapshot().unwrap();
    assert_eq!((seen.search.get(), seen.report.best_move()), (1, report.best_move()));
    session.play("d3").unwrap();
    session.think(&Budget::simulations(100)).unwrap();
    let Report::Mcts(report) = steps(&mut session) else { panic!("a Monte Carlo search") };
    assert_eq!(report.simulations, 100);
    assert!(report.visits() >= below, "{} known of {below}", report.visits());
    // One that is stopped before its first step has a move all the same.
    session.ponder().unwrap();
    assert!(!session.stop().unwrap().best_move().is_empty());
}

#[test]
fn alphabeta_and_the_solver_go_on_where_a_step_ended() {
    let engine = |settings: Settings, game: &str, budget: &Budget| {
        let mut steps_of = Session::in_steps(game, None, &settings).unwrap();
        steps_of.think(budget).unwrap();
        let stepped = steps(&mut steps_of);
        let mut whole = Session::new(game, None, &settings).unwrap();
        whole.think(budget).unwrap();
        (stepped, whole.wait().unwrap())
    };
    let alphabeta = AlphaBetaSettings { threads: Some(1), ..AlphaBetaSettings::default() };
    let (stepped, whole) = engine(alphabeta.into(), "othello", &Budget::unlimited().and(Depth(7)));
    let (Report::AlphaBeta(stepped), Report::AlphaBeta(whole)) = (stepped, whole) else {
        panic!("two searches of alpha-beta")
    };
    assert_eq!((stepped.depth, stepped.stop_reason), (7, StopReason::Depth));
    assert_eq!((stepped.score, whole.depth), (whole.score, 7));
    let solver = SolverSettings { threads: Some(1), ..SolverSettings::default() };
    let (stepped, whole) = engine(solver.into(), "tictactoe", &Budget::unlimited());
    let (Report::Solver(stepped), Report::Solver(whole)) = (stepped, whole) else {
        panic!("two solutions")
    };
    assert!(stepped.is_complete);
    assert_eq!(stepped.limits, whole.limits);
}

/// Boards that are searched by other code than those of the usual size.
const RARE: [(&str, &str); 6] = [
    ("othello", "-----OX--XO----- X"),
    ("othello", "--------------OX----XO-------------- X"),
    ("hex", "12:"),
    ("hex", "19:"),
    ("gomoku", "16:"),
    ("gomoku", "20: h8"),
];

#[test]
#[cfg(feature = "sizes")]
fn sizes_that_are_rare_are_searched_by_every_searcher() {
    for (game, position) in RARE {
        let solver = Settings::from(SolverSettings::default());
        for settings in [mcts(), Settings::from(AlphaBetaSettings::default()), solver] {
            let mut session = Session::new(game, Some(position), &settings).unwrap();
            session.think(&Budget::nodes(50)).unwrap();
            let report = session.wait().unwrap();
            assert!(session.legal_moves().contains(&report.best_move().to_owned()), "{position}");
        }
    }
}

#[test]
#[cfg(not(feature = "sizes"))]
fn sizes_that_are_not_built_are_refused_by_an_error_that_says_how_to_have_them() {
    for (game, position) in RARE {
        let error = Session::new(game, Some(position), &mcts()).unwrap_err();
        assert_eq!(error.code(), "notation");
        let error = Game::open(game, Some(position)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "expected a size that this build has (for others: --features sizes), found '{position}'"
            )
        );
    }
}
