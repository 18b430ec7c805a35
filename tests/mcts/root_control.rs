//! What one search can be asked to do at its root: which moves, how much about each, which of them
//! to play; and what a draw is worth.

#![cfg(feature = "games")]

use std::collections::HashSet;

use playtree::error::Setting;
use playtree::games::{ConnectFour, NormalNim, Othello, TicTacToe};
use playtree::mcts::{self, Parallelism, Selection};
use playtree::{
    Budget, GameState, Mcts, MctsBuilder, Notation, Outcome, Proven, Scores, SearchError,
    StopReason,
};

fn moves_of<G: GameState>(state: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves
}

/// The exact score of the side to move, by exhaustion, where the sides move in turn.
fn minimax<G: GameState>(state: &G) -> f64 {
    match state.outcome() {
        Some(outcome) => outcome.score(state.mover()),
        None => best_of(state, &moves_of(state)),
    }
}

fn best_of<G: GameState>(state: &G, moves: &[G::Move]) -> f64 {
    moves.iter().map(|mv| 1.0 - minimax(&state.apply(mv))).fold(0.0, f64::max)
}

fn simulations(count: u64) -> Budget {
    Budget::simulations(count)
}

// Some moves only.

#[test]
fn without_the_best_move_the_others_are_compared() {
    let state = NormalNim::parse_position("3,4,5").unwrap();
    let winning = state.parse_move("1-2").unwrap();
    let mut mcts = Mcts::builder().threads(1).seed(1).build().unwrap();
    let without = mcts::Options::new().except([winning]);
    // By Bouton's rule it is the only move that wins.
    let report = mcts.search_with(&state, &simulations(200_000), &without).unwrap();
    assert!(matches!(report.proven, Some(Proven::Loss { .. })), "{report:?}");
    assert_eq!((report.win_rate, report.stop_reason), (0.0, StopReason::Proven));
    assert!(report.moves.iter().all(|found| found.mv != winning));
    assert_eq!(report.moves.len(), 11);
    mcts.audit().unwrap();

    let report = mcts.search(&state, &simulations(200_000)).unwrap();
    assert_eq!(report.best_move, winning);
    assert!(matches!(report.proven, Some(Proven::Win { .. })), "{report:?}");
}

#[test]
fn one_move_that_is_left_is_searched_and_played() {
    let state = ConnectFour::new();
    let mut mcts = Mcts::builder().threads(2).oversubscribe(true).build().unwrap();
    for mv in moves_of(&state) {
        let others = moves_of(&state).into_iter().filter(|&other| other != mv);
        for options in
            [mcts::Options::new().only([mv]), mcts::Options::new().except(others.clone())]
        {
            let report = mcts.search_with(&state, &simulations(500), &options).unwrap();
            assert_eq!((report.best_move, report.moves.len()), (mv, 1));
            assert_eq!(report.simulations, 500);
            mcts.audit().unwrap();
        }
        // The second of the two went on from the first.
        let options = mcts::Options::new().only([mv]);
        let report = mcts.search_with(&state, &simulations(0), &options).unwrap();
        assert_eq!(report.moves[0].visits, 1_000);
    }
}

#[test]
fn proofs_of_some_moves_are_those_of_the_best_of_them() {
    // Every subset of the moves of positions with five and six free squares: one engine, so
    // that each search meets what the others have left.
    for (position, threads) in
        [("XO.O.X...", 1), ("XOX......", 2), ("XO.OX....", 2), ("OX..X....", 1)]
    {
        let state = TicTacToe::parse_position(position).unwrap();
        let moves = moves_of(&state);
        let builder = Mcts::builder().threads(threads).oversubscribe(true);
        let mut mcts = builder.seed(3).build().unwrap();
        for subset in 1..1usize << moves.len() {
            let allowed = moves.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
            let allowed: Vec<_> = allowed.map(|(_, &mv)| mv).collect();
            let options = mcts::Options::new().only(allowed.iter().copied());
            let report = mcts.search_with(&state, &simulations(100_000), &options).unwrap();
            let exact = best_of(&state, &allowed);
            assert_eq!(report.proven.map(Proven::score), Some(exact), "{position} {allowed:?}");
            assert_eq!(report.win_rate, exact);
            assert_eq!(best_of(&state, &[report.best_move]), exact);
            let reported: HashSet<_> = report.moves.iter().map(|found| found.mv).collect();
            assert_eq!(reported, allowed.into_iter().collect());
            mcts.audit().unwrap();
        }
        let report = mcts.search(&state, &simulations(100_000)).unwrap();
        assert_eq!(report.proven.map(Proven::score), Some(minimax(&state)), "{position}");
        assert_eq!(report.moves.len(), moves.len());
        mcts.audit().unwrap();
    }
}

#[test]
fn a_search_of_some_moves_leaves_the_root_as_it_was() {
    let state = ConnectFour::parse_position("44").unwrap();
    let mut mcts = Mcts::builder().threads(1).seed(5).build().unwrap();
    let before = mcts.search(&state, &simulations(2_000)).unwrap();
    // The corners are the worst moves, whoever answers.
    let corners = mcts::Options::new().only([moves_of(&state)[0], moves_of(&state)[6]]);
    let report = mcts.search_with(&state, &simulations(20_000), &corners).unwrap();
    assert!(report.win_rate < before.win_rate - 0.03, "{} {}", report.win_rate, before.win_rate);
    let after = mcts.search(&state, &simulations(0)).unwrap();
    assert_eq!(after.win_rate, before.win_rate);
    let visits = |report: &mcts::Report<_>| -> Vec<_> {
        report.moves.iter().map(|found| (found.mv, found.visits)).collect()
    };
    assert_eq!(visits(&after), visits(&before));
}

/// Two sides in turn push a stone along a lane; at either end one of them has won. The same
/// positions come again and again.
#[derive(Clone)]
struct Lane {
    at: i32,
    plies: u32,
}

impl GameState for Lane {
    type Key = (i32, usize);
    type Move = i32;
    fn key(&self) -> (i32, usize) {
        (self.at, self.mover())
    }
    fn mover(&self) -> usize {
        self.plies as usize % 2
    }
    fn plies(&self) -> u32 {
        self.plies
    }
    fn moves(&self, moves: &mut Vec<i32>) {
        moves.extend([-1, 0, 1]);
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.at.abs() == 4).then(|| Outcome::Win(usize::from(self.at > 0)))
    }
    fn apply(&self, step: &i32) -> Self {
        Self { at: self.at + step, plies: self.plies + 1 }
    }
}

#[test]
fn the_root_may_come_again_below_itself() {
    let state = Lane { at: 0, plies: 0 };
    for threads in [1, 2] {
        let builder = Mcts::builder().threads(threads).oversubscribe(true).rollout_limit(50);
        let mut mcts = builder.build().unwrap();
        for allowed in [vec![0], vec![-1, 1], vec![0, 1], vec![-1, 0, 1], vec![1]] {
            let options = mcts::Options::new().only(allowed.clone());
            let report = mcts.search_with(&state, &simulations(3_000), &options).unwrap();
            assert_eq!((report.simulations, report.moves.len()), (3_000, allowed.len()));
            mcts.audit().unwrap();
        }
    }
}

#[test]
fn the_memory_limit_is_kept_whatever_is_left_out() {
    let limit = 300_000;
    let mut mcts = Mcts::builder().threads(1).memory_limit(Some(limit)).build().unwrap();
    let mut state = Othello::new();
    let mut evicted = 0;
    for _ in 0..12 {
        for mv in moves_of(&state) {
            let options = mcts::Options::new().except([mv]);
            match mcts.search_with(&state, &simulations(3_000), &options) {
                Ok(report) => {
                    assert!(report.bytes <= limit as u64, "{} bytes", report.bytes);
                    assert_ne!(report.best_move, mv);
                    evicted += report.evicted;
                    mcts.audit().unwrap();
                }
                Err(error) => assert_eq!(error, SearchError::NothingAllowed { legal: 1 }),
            }
        }
        state = state.apply(&moves_of(&state)[0]);
    }
    assert!(evicted > 0, "the limit was never reached");
}

#[test]
fn what_cannot_be_followed_is_an_error() {
    let state = TicTacToe::parse_position("X........").unwrap();
    let moves = moves_of(&state);
    let taken = moves_of(&TicTacToe::parse_position(".........").unwrap())[0];
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    let mut error = |options: mcts::Options<_>| {
        mcts.search_with(&state, &simulations(10), &options).unwrap_err()
    };
    for options in
        [mcts::Options::new().only([moves[0], taken]), mcts::Options::new().except([taken])]
    {
        assert!(matches!(error(options), SearchError::IllegalMove { plies: 1, .. }));
    }
    for options in [
        mcts::Options::new().only([]),
        mcts::Options::new().except(moves.clone()),
        mcts::Options::new().only([moves[0]]).except([moves[0]]),
    ] {
        assert_eq!(error(options), SearchError::NothingAllowed { legal: 8 });
    }
    for temperature in [-0.1, f64::NAN, f64::INFINITY] {
        let found = error(mcts::Options::new().temperature(temperature));
        assert!(matches!(found, SearchError::Temperature { .. }), "{found:?}");
        assert!(found.to_string().contains("expected a temperature"));
    }
    // The engine is as usable as before.
    assert_eq!(mcts.search(&state, &simulations(10)).unwrap().simulations, 10);
}

#[test]
fn options_are_followed_the_same_way_by_any_number_of_workers() {
    let state = Othello::new();
    let report = |threads| {
        let builder = Mcts::builder().threads(threads).oversubscribe(true).seed(9);
        let mut mcts = builder.parallelism(Parallelism::Rounds).build().unwrap();
        let options =
            mcts::Options::new().except([moves_of(&state)[1]]).visit_floor(300).temperature(0.8);
        let report = mcts.search_with(&state, &simulations(3_000), &options).unwrap();
        (report.best_move, format!("{:?}", report.moves))
    };
    let one = report(1);
    assert_eq!(report(2), one);
    assert_eq!(report(3), one);
}

// How much about each.

#[test]
fn each_detailed_move_gets_its_visits() {
    let state = ConnectFour::new();
    let plain = Mcts::builder().threads(1).seed(2).build().unwrap();
    let mut plain = plain;
    let report = plain.search(&state, &simulations(4_000)).unwrap();
    assert!(report.moves[2].visits < 600, "the floor would change nothing: {report:?}");
    for (threads, parallelism) in
        [(1, Parallelism::Shared), (2, Parallelism::Shared), (2, Parallelism::Rounds)]
    {
        let builder = Mcts::builder().threads(threads).oversubscribe(true).seed(2);
        let builder = builder.parallelism(parallelism);
        for (detailed, floor) in [(3, 600), (1, 100), (7, 250), (100, 250)] {
            let mut mcts = builder.clone().build().unwrap();
            let options = mcts::Options::new().detailed(detailed).visit_floor(floor);
            let report = mcts.search_with(&state, &simulations(4_000), &options).unwrap();
            assert_eq!(report.simulations, 4_000);
            for found in report.moves.iter().take(detailed) {
                assert!(found.visits >= u64::from(floor), "{detailed} {floor}: {report:?}");
            }
            mcts.audit().unwrap();
        }
    }
}

#[test]
fn a_line_of_play_is_given_for_the_detailed_moves() {
    let state = ConnectFour::new();
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    let options = mcts::Options::new().detailed(2);
    let report = mcts.search_with(&state, &simulations(5_000), &options).unwrap();
    let lengths: Vec<_> = report.moves.iter().map(|found| found.pv.len()).collect();
    assert!(lengths[0] > 1 && lengths[1] > 1, "{lengths:?}");
    assert_eq!(lengths[2..], [1; 5]);
    assert!(report.moves.iter().all(|found| found.pv[0] == found.mv));
}

// Which of them to play.

/// One move of the first player, which ends the game with one of these scores.
#[derive(Clone)]
struct Arms {
    scores: &'static [f64],
    chosen: Option<usize>,
}

impl GameState for Arms {
    type Key = Option<usize>;
    type Move = usize;
    fn key(&self) -> Option<usize> {
        self.chosen
    }
    fn mover(&self) -> usize {
        usize::from(self.chosen.is_some())
    }
    fn plies(&self) -> u32 {
        u32::from(self.chosen.is_some())
    }
    fn moves(&self, moves: &mut Vec<usize>) {
        moves.extend(0..self.scores.len());
    }
    fn outcome(&self) -> Option<Outcome> {
        let score = self.scores[self.chosen?];
        Some(Outcome::Scores(Scores::new(&[score, 1.0 - score]).expect("a score")))
    }
    fn apply(&self, arm: &usize) -> Self {
        Self { chosen: Some(*arm), ..self.clone() }
    }
}

const fn arms(scores: &'static [f64]) -> Arms {
    Arms { scores, chosen: None }
}

#[test]
fn the_temperature_sets_how_often_each_move_is_played() {
    // 99.9 % quantiles of the chi-square distribution with 1 to 4 degrees of freedom.
    const QUANTILES: [f64; 4] = [10.83, 13.82, 16.27, 18.47];
    const DRAWS: u32 = 4_000;
    let state = arms(&[0.62, 0.6, 0.55, 0.45, 0.3]);
    // Enough visits for the worst arm to be drawn a few times.
    let selection = Selection::Ucb1 { exploration: 0.5 };
    let mut mcts = Mcts::builder().threads(1).seed(4).selection(selection).build().unwrap();
    let report = mcts.search(&state, &simulations(400)).unwrap();
    for temperature in [0.5, 1.0, 2.0] {
        let options = mcts::Options::new().temperature(temperature);
        let mut drawn = [0u32; 5];
        for _ in 0..DRAWS {
            // Without a simulation the visits stay what they are; each search has random
            // numbers of its own.
            let report = mcts.search_with(&state, &simulations(0), &options).unwrap();
            drawn[report.best_move] += 1;
        }
        let weights = report.moves.iter().map(|m| (m.visits as f64).powf(1.0 / temperature));
        let all: f64 = weights.clone().sum();
        let expected: Vec<_> = weights.map(|weight| f64::from(DRAWS) * weight / all).collect();
        let chi_square: f64 = report
            .moves
            .iter()
            .zip(&expected)
            .map(|(found, expected)| (f64::from(drawn[found.mv]) - expected).powi(2) / expected)
            .sum();
        assert!(expected.iter().all(|&n| n > 5.0), "{expected:?}");
        assert!(chi_square < QUANTILES[3], "{temperature}: {drawn:?}, expected {expected:?}");
    }
    // At 0 it is the best, whatever the random numbers.
    for _ in 0..20 {
        assert_eq!(mcts.best_move(&state, &simulations(0)).unwrap(), report.moves[0].mv);
    }
}

#[test]
fn a_temperature_plays_no_proven_loss_and_every_proven_win() {
    let hot = mcts::Options::new().temperature(1e6);
    let play = |state: &Arms, seed| {
        let mut mcts = Mcts::builder().threads(1).seed(seed).build().unwrap();
        mcts.search_with(state, &simulations(100), &hot).unwrap().best_move
    };
    let played = |state: Arms| (0..60).map(|seed| play(&state, seed)).collect::<HashSet<_>>();
    assert_eq!(played(arms(&[0.4, 1.0, 0.6])), HashSet::from([1]));
    assert_eq!(played(arms(&[0.4, 0.0, 0.6])), HashSet::from([0, 2]));
    assert_eq!(played(arms(&[0.0, 0.5, 0.0])), HashSet::from([1]));
}

#[test]
fn equal_moves_are_told_apart_by_the_seed() {
    // Three wins in one ply, and nothing else to tell them apart.
    let state = arms(&[1.0, 0.2, 1.0, 1.0]);
    let play = |seed| {
        let mut mcts = Mcts::builder().threads(1).seed(seed).build().unwrap();
        let report = mcts.search(&state, &simulations(100)).unwrap();
        assert_eq!(report.moves[0].mv, report.best_move);
        report.best_move
    };
    let mut played = [0; 4];
    for seed in 0..300 {
        assert_eq!(play(seed), play(seed));
        played[play(seed)] += 1;
    }
    // Each has mean 100 and standard deviation 8.2.
    assert_eq!(played[1], 0);
    assert!([0, 2, 3].iter().all(|&arm| (67..134).contains(&played[arm])), "{played:?}");
}

// What a draw is worth.

fn with_contempt<G: GameState>(player: usize, contempt: f64) -> MctsBuilder<G> {
    Mcts::builder().threads(1).seed(6).contempt(player, contempt)
}

#[test]
fn contempt_avoids_draws_and_its_contrary_seeks_them() {
    // A draw, and something a little worse or better.
    for (scores, player, contempt, expected) in [
        (&[0.5, 0.45], 0, 0.0, 0),
        (&[0.5, 0.45], 0, 0.1, 1),
        (&[0.5, 0.45], 0, -0.1, 0),
        (&[0.5, 0.55], 0, 0.0, 1),
        (&[0.5, 0.55], 0, -0.1, 0),
        // The other side's contempt makes draws worth more to this one.
        (&[0.5, 0.55], 1, 0.1, 0),
        (&[0.5, 0.45], 1, -0.1, 1),
    ] {
        for (proofs, selection) in [
            (true, Selection::default()),
            (false, Selection::default()),
            (true, Selection::Ucb1Tuned),
        ] {
            let builder = with_contempt(player, contempt).proofs(proofs).selection(selection);
            let mut mcts = builder.build().unwrap();
            let report = mcts.search(&arms(scores), &simulations(2_000)).unwrap();
            assert_eq!(report.best_move, expected, "{scores:?} {player} {contempt} {report:?}");
            let draw = report.moves.iter().find(|found| found.mv == 0).unwrap();
            let worth = if player == 0 { 0.5 - contempt } else { 0.5 + contempt };
            assert!((draw.win_rate.unwrap() - worth).abs() < 1e-6, "{draw:?}");
            if proofs {
                assert_eq!(draw.proven, Some(Proven::Draw));
            }
            mcts.audit().unwrap();
        }
    }
}

#[test]
fn a_proven_draw_is_a_draw_whatever_it_is_worth() {
    let state = TicTacToe::parse_position("X...O....").unwrap();
    for (player, worth) in [(0, 0.2), (1, 0.8)] {
        for threads in [1, 2] {
            let builder = with_contempt(player, 0.3).threads(threads).oversubscribe(true);
            let mut mcts = builder.build().unwrap();
            let report = mcts.search(&state, &simulations(200_000)).unwrap();
            assert_eq!(report.proven, Some(Proven::Draw));
            assert!((report.win_rate - worth).abs() < 1e-6, "{}", report.win_rate);
            assert!((report.scores[0] + report.scores[1] - 1.0).abs() < 1e-9);
            for found in report.moves.iter().filter(|found| found.proven.is_some()) {
                assert_eq!(found.lcb, found.win_rate);
            }
            mcts.audit().unwrap();
        }
    }
}

#[test]
fn the_same_games_are_won_and_lost_with_contempt() {
    for position in ["XO.......", "X.O...O.X", "XX.OO....", "XOX.O...."] {
        let state = TicTacToe::parse_position(position).unwrap();
        let mut mcts = with_contempt(0, 0.4).build().unwrap();
        let report = mcts.search(&state, &simulations(300_000)).unwrap();
        assert_eq!(report.proven.map(Proven::score), Some(minimax(&state)), "{position}");
        assert_eq!(best_of(&state, &[report.best_move]), minimax(&state), "{position}");
        mcts.audit().unwrap();
    }
}

#[test]
fn a_contempt_out_of_range_is_named() {
    for (player, contempt) in [(2, 0.1), (0, 0.6), (0, -0.6), (0, f64::NAN)] {
        let error = with_contempt::<TicTacToe>(player, contempt).build().unwrap_err();
        assert_eq!(error.setting(), Some(Setting::Contempt), "{error}");
    }
}
