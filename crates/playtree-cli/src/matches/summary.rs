//! The result of a match, for people and as JSON. The order of the fields is part of that.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;

use playtree::GameState;
use playtree::dynamic::{AnyKey, AnyMove};
use playtree::statistics::{Estimate, MatchScore, Sprt, Verdict};
use serde::Serialize;

use super::play::{Game, Plan, Reason, Spent};
use super::series::Series;
use crate::error::CliError;
use crate::output::{self, Align, Table};

/// The whole result.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    game: &'static str,
    position: String,
    a: String,
    b: String,
    /// As it was written.
    clock: Option<String>,
    seed: u64,
    openings: usize,
    /// Whether `--openings-plies` says how long the openings are.
    #[serde(skip)]
    plies_are_set: bool,
    wins: usize,
    draws: usize,
    losses: usize,
    score: Interval,
    elo: Interval,
    /// Openings by the score of `a` in both games: 0, 1/2, 1, 3/2, 2.
    pairs: [usize; 5],
    sprt: Option<Test>,
    stopped: bool,
    players: [Total; 2],
    games: Vec<Game>,
}

/// A number and its 95 % interval; null in JSON where it is infinite.
#[derive(Clone, Copy, Debug, Serialize)]
struct Interval {
    value: f64,
    low: f64,
    high: f64,
}

impl From<Estimate> for Interval {
    fn from(Estimate { value, low, high }: Estimate) -> Self {
        Self { value, low, high }
    }
}

/// What the test says at the end.
#[derive(Clone, Copy, Debug, Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    accepted: Option<&'static str>,
}

impl Test {
    fn new(test: Sprt, pairs: &[f64]) -> Self {
        let (lower, upper) = test.bounds();
        let accepted = match test.verdict(pairs) {
            Verdict::Elo0 => Some("elo0"),
            Verdict::Elo1 => Some("elo1"),
            Verdict::Undecided => None,
        };
        let Sprt { elo0, elo1, alpha, beta } = test;
        Self { elo0, elo1, alpha, beta, llr: test.llr(pairs), lower, upper, accepted }
    }
}

/// What a player has spent in all games.
#[derive(Clone, Copy, Debug, Serialize)]
struct Total {
    moves: u64,
    seconds_per_move: Option<f64>,
    longest_seconds: f64,
    simulations_per_move: Option<f64>,
    nodes_per_move: Option<f64>,
    depth_per_move: Option<f64>,
    /// Games lost on time.
    losses_on_time: usize,
    /// Games lost by a fault of the program.
    forfeits: usize,
}

impl Total {
    fn new(games: &[Game], spent: impl Fn(&Game) -> Spent, lost: f64) -> Self {
        let all = games.iter().map(spent).fold(Spent::default(), Spent::and);
        let mean =
            |sum: Option<f64>| sum.filter(|_| all.moves > 0).map(|sum| sum / all.moves as f64);
        let count = |sum: Option<u64>| mean(sum.map(|sum| sum as f64));
        let losses = |by: fn(Reason) -> bool| {
            games.iter().filter(|game| by(game.reason) && game.score == lost).count()
        };
        Self {
            moves: all.moves,
            seconds_per_move: mean(Some(all.seconds)),
            longest_seconds: all.longest_seconds,
            simulations_per_move: count(all.simulations),
            nodes_per_move: count(all.nodes),
            depth_per_move: count(all.depths),
            losses_on_time: losses(|reason| reason == Reason::OnTime),
            forfeits: losses(|reason| reason >= Reason::Crash),
        }
    }
}

impl Summary {
    /// The result of these games.
    pub(super) fn new(plan: &Plan<'_>, series: Series) -> Self {
        let [wins, draws, losses] = series.counts();
        let score = MatchScore::of_pairs(series.openings());
        let pairs = series.pairs();
        let mut levels = [0; 5];
        for pair in &pairs {
            levels[(pair * 4.0).round().clamp(0.0, 4.0) as usize] += 1;
        }
        let games = series.games;
        Self {
            game: plan.game.name(),
            position: plan.before.last().position_text(),
            a: plan.specs[0].to_string(),
            b: plan.specs[1].to_string(),
            clock: plan.args.clock.as_ref().map(|clock| clock.text.clone()),
            seed: plan.args.seed,
            openings: played_openings(plan, &games),
            plies_are_set: plan.args.openings_plies.is_some(),
            wins,
            draws,
            losses,
            score: score.score().into(),
            elo: score.elo().into(),
            pairs: levels,
            sprt: plan.args.sprt.map(|test| Test::new(test, &pairs)),
            stopped: series.stopped,
            players: [
                Total::new(&games, |game| game.a, 0.0),
                Total::new(&games, |game| game.b, 1.0),
            ],
            games,
        }
    }

    /// Writes the result for people.
    pub(super) fn write(&self, out: &mut impl Write) -> Result<(), CliError> {
        let counted = |count: usize, what| format!("{count} {}", output::noun(count as u64, what));
        let games = counted(self.games.len(), "game");
        write!(out, "{}, {games} from {}", self.game, counted(self.openings, "opening"))?;
        match &self.clock {
            Some(clock) => writeln!(out, ", each side {clock} on the clock")?,
            None => writeln!(out)?,
        }
        writeln!(out, "a  {}\nb  {}\n", self.a, self.b)?;
        let Interval { value, low, high } = self.score;
        writeln!(
            out,
            "a: {} won, {} drawn, {} lost, score {} [{}, {}]",
            self.wins,
            self.draws,
            self.losses,
            output::percent(value),
            output::percent(low),
            output::percent(high)
        )?;
        let Interval { value, low, high } = self.elo;
        writeln!(out, "Elo difference {}, 95 % intervals", Estimate { value, low, high })?;
        if 2 * self.openings < self.games.len() {
            let mut line = "The openings came again, and players without chance play alike then: \
                            the intervals may be too narrow."
                .to_owned();
            if self.plies_are_set {
                line.push_str(" More --openings-plies give more openings.");
            }
            output::write_wrapped(out, &line, 0)?;
        }
        writeln!(
            out,
            "pairs with 0, 1/2, 1, 3/2, 2 points: {}",
            self.pairs.map(|n| n.to_string()).join(", ")
        )?;
        if let Some(test) = &self.sprt {
            let accepted = match test.accepted {
                Some("elo0") => format!("accepted: {:+} Elo", test.elo0),
                Some(_) => format!("accepted: {:+} Elo", test.elo1),
                None => "undecided".into(),
            };
            let line = format!(
                "SPRT of {:+} against {:+} Elo: log-likelihood ratio {:.2} in [{:.2}, {:.2}], {accepted}",
                test.elo0, test.elo1, test.llr, test.lower, test.upper
            );
            output::write_wrapped(out, &line, 2)?;
        }
        if self.stopped {
            writeln!(out, "stopped by Ctrl-C")?;
        }
        let mut reasons: BTreeMap<Reason, usize> = BTreeMap::new();
        for game in &self.games {
            *reasons.entry(game.reason).or_default() += 1;
        }
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{} {count}", reason.text())).collect();
        output::write_wrapped(out, &format!("ends: {}", reasons.join(", ")), 2)?;
        writeln!(out)?;
        let whole = |value: Option<f64>| {
            value.map_or_else(|| "-".into(), |value| output::grouped(value.round() as u64))
        };
        let tenths = |value: Option<f64>| value.map_or_else(|| "-".into(), |v| format!("{v:.1}"));
        let mut table =
            Table::new(&[("player", Align::Left), ("a", Align::Right), ("b", Align::Right)]);
        let mut row = |what: &str, cell: &dyn Fn(&Total) -> String| {
            let [a, b] = &self.players;
            table.row([what.into(), cell(a), cell(b)]);
        };
        row("moves", &|total| output::grouped(total.moves));
        row("milliseconds a move", &|total| tenths(total.seconds_per_move.map(|s| s * 1e3)));
        row("longest move, milliseconds", &|total| tenths(Some(total.longest_seconds * 1e3)));
        row("simulations a move", &|total| whole(total.simulations_per_move));
        row("nodes a move", &|total| whole(total.nodes_per_move));
        row("depth a move", &|total| tenths(total.depth_per_move));
        row("games lost on time", &|total| total.losses_on_time.to_string());
        row("games lost by a fault", &|total| total.forfeits.to_string());
        output::write_table(out, table)?;
        for game in self.games.iter().filter(|game| game.detail.is_some()).take(FAULTS_SHOWN) {
            let detail = game.detail.as_deref().unwrap_or_default();
            let line = format!("game {}, ply {}: {detail}", game.number, game.plies);
            output::write_wrapped(out, &line, 2)?;
        }
        Ok(())
    }
}

/// Faults that the text tells; the JSON form has all.
const FAULTS_SHOWN: usize = 5;

/// How many positions the games have begun from.
fn played_openings(plan: &Plan<'_>, games: &[Game]) -> usize {
    let numbers = games.iter().map(|game| (game.number - 1) / 2);
    let lines = numbers.map(|number| &plan.openings[number]);
    let end = |line: &Vec<AnyMove>| {
        line.iter().fold(plan.before.last().clone(), |state, mv| state.apply(mv))
    };
    let keys: HashSet<AnyKey> = lines.map(|line| end(line).key()).collect();
    keys.len()
}
