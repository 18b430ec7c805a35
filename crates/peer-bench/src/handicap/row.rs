//! A row of the table: finds the peer's constant, and plays until the interval is narrow enough.

use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use playtree::statistics::MatchScore;

use super::cost::{game_seconds, games_left, span};
use super::design::{Next, nearest, next};
use super::fit::{Fit, Group, Pair, groups};
use super::record::{Line, Pairing, PlayedPair, Record, Setting, Tuning};
use super::{HandicapArgs, print_row};
use crate::Failure;
use crate::engine::{Game, Limit};
use crate::games::GameName;
use crate::matches::play::{Contest, Played, Side, Work};
use crate::matches::tune::{self, PAIRINGS, Tuned};
use crate::table::short;

/// Our times per move of the single points.
const POINT_TIMES: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(1)];

/// What a row is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) name: GameName,
    /// Our time per move.
    pub(super) time: Duration,
    /// Workers of each side.
    pub(super) threads: usize,
}

/// Shown as `connect4, 10 ms, 1 worker(s)`.
impl Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, time, threads } = self;
        write!(f, "{}, {} ms, {threads} worker(s)", name.name(), time.as_millis())
    }
}

/// Seconds that a row is expected to take.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub(super) tuning: f64,
    /// Games of the row that are still to be played.
    pub(super) games: usize,
    pub(super) playing: f64,
    pub(super) points: f64,
}

impl Row {
    /// What the row is expected to take, less what the record has.
    pub(super) fn cost(&self, args: &HandicapArgs, record: &Record) -> Cost {
        let constant = self.known_constant(args, record);
        let (games, factor) = match args.at.map(nearest) {
            Some(factor) => (self.point_games_left(args, record, constant, factor), factor),
            None => {
                let pairs = constant.map(|constant| pairs(record, &self.setting(args, constant)));
                let fit = Fit::of(pairs.as_deref().unwrap_or_default());
                let played = 2 * pairs.map_or(0, |pairs| pairs.len());
                let games = games_left(&fit, played, args.within, args.batch_pairs(self.threads));
                (games.min(args.most_games.saturating_sub(played)), factor_expected(&fit, args))
            }
        };
        let at_once = args.concurrency(self.threads) as f64;
        Cost {
            tuning: self.tuning_seconds(args, record) / at_once,
            games,
            playing: games as f64 * game_seconds(self.name, self.time, factor) / at_once,
            points: self.point_seconds(args, record, constant, rounded(factor)) / at_once,
        }
    }

    /// Seconds of the pairings that are still to be played, one game at a time.
    fn tuning_seconds(&self, args: &HandicapArgs, record: &Record) -> f64 {
        if args.peer_c.is_some() || !args.against.has_exploration() {
            return 0.0;
        }
        let tuning = self.tuning(args);
        let games = PAIRINGS.saturating_sub(record.pairings(&tuning).count()) * args.tune_games;
        // Both sides are the peer.
        games as f64 * game_seconds(self.name, Duration::from_micros(tuning.peer_time_us), 1.0)
    }

    /// Seconds of the single points that are still to be played at this factor, one game at a time.
    fn point_seconds(
        &self,
        args: &HandicapArgs,
        record: &Record,
        constant: Option<Option<f64>>,
        factor: f64,
    ) -> f64 {
        if !args.points {
            return 0.0;
        }
        let seconds = |row: Row| {
            let games = row.point_games_left(args, record, constant, factor);
            games as f64 * game_seconds(row.name, row.time, factor)
        };
        self.point_rows().map(seconds).sum()
    }

    /// Games at this factor that are still to be played for a single point.
    fn point_games_left(
        &self,
        args: &HandicapArgs,
        record: &Record,
        constant: Option<Option<f64>>,
        factor: f64,
    ) -> usize {
        let pairs = constant.map(|constant| pairs(record, &self.setting(args, constant)));
        let at_factor = pairs.into_iter().flatten().filter(|pair| pair.factor == factor);
        args.point_games.saturating_sub(2 * at_factor.count())
    }

    /// The same at our times of the single points.
    fn point_rows(self) -> impl Iterator<Item = Row> {
        let times = POINT_TIMES.into_iter().filter(move |time| *time != self.time);
        times.map(move |time| Row { time, ..self })
    }

    /// What marks the pairs of this row in the record.
    fn setting(&self, args: &HandicapArgs, peer_c: Option<f64>) -> Setting {
        Setting {
            game: self.name.name(),
            our_time_us: self.time.as_micros() as u64,
            threads: self.threads,
            against: args.against.name(),
            our_c: args.ours_c,
            peer_c,
            seed: args.seed,
        }
    }

    /// What marks the pairings of this row in the record.
    fn tuning(&self, args: &HandicapArgs) -> Tuning {
        Tuning {
            game: self.name.name(),
            peer_time_us: self.time.mul_f64(nearest(args.first_factor)).as_micros() as u64,
            threads: self.threads,
            peer: args.against.name(),
            games: args.tune_games,
            seed: args.seed,
        }
    }

    /// The peer's constant, with `None` in it if it has a fixed one; `None` if the record does not
    /// say yet which is the best.
    fn known_constant(&self, args: &HandicapArgs, record: &Record) -> Option<Option<f64>> {
        if args.peer_c.is_some() {
            return Some(args.peer_c);
        }
        let tuning = self.tuning(args);
        let known = |first, second| record.pairing(&tuning, constants(first, second)).ok_or(());
        let tuned = tune::best(args.against, known).ok()?;
        Some(tuned.map(|tuned| tuned.best))
    }

    /// Completes the row and prints it, and its single points.
    pub(super) fn complete<G: Game>(
        self,
        args: &HandicapArgs,
        start: &G,
        record: &mut Record,
    ) -> Result<(), Failure> {
        args.against.check::<G>()?;
        let peer_c = match args.peer_c {
            Some(constant) => Some(constant),
            None => self.tune(args, start, record)?.map(|tuned| tuned.best),
        };
        let mut series = Series::new(self, args, start, peer_c, record);
        if let Some(factor) = args.at.map(nearest) {
            series.play_point(factor)?;
            print_row(&series.point_cells(factor));
            return Ok(());
        }
        let fit = series.play_to_the_end()?;
        print_row(&series.cells(&fit));
        if !args.points {
            return Ok(());
        }
        if fit.speed.uncertainty().is_none() {
            eprintln!("handicap: {self}: no single points, since the interval is open");
            return Ok(());
        }
        let factor = rounded(fit.speed.value);
        for row in self.point_rows() {
            let mut series = Series::new(row, args, start, peer_c, series.record);
            series.play_point(factor)?;
            print_row(&series.point_cells(factor));
        }
        Ok(())
    }

    /// The peer's best constant, `None` if it has a fixed one. Plays the pairings that the record
    /// does not have.
    fn tune<G: Game>(
        &self,
        args: &HandicapArgs,
        start: &G,
        record: &mut Record,
    ) -> Result<Option<Tuned>, Failure> {
        let tuning = self.tuning(args);
        let time = Limit::Time(Duration::from_micros(tuning.peer_time_us));
        let contest = Contest {
            start,
            limits: [time; 2],
            games: args.tune_games,
            first_pair: 0,
            threads: self.threads,
            concurrency: args.concurrency(self.threads),
            seed: args.seed,
            fresh: false,
        };
        let tuned = tune::best(args.against, |first, second| -> Result<f64, Failure> {
            let constants = constants(first, second);
            if let Some(score) = record.pairing(&tuning, constants) {
                return Ok(score);
            }
            let score = contest.play(first, second).score().score().value;
            eprintln!("handicap: {self}: {first} - {second}: {:.0} %", 100.0 * score);
            let pairing = Pairing { tuning: tuning.clone(), constants, score };
            record.append([Line::Pairing(pairing)])?;
            Ok(score)
        })?;
        if let Some(tuned) = &tuned {
            eprintln!("handicap: {self}: {}: {tuned}", args.against.name());
        }
        Ok(tuned)
    }
}

/// The constants of two sides that are the same engine.
fn constants(first: Side, second: Side) -> [f64; 2] {
    [first, second].map(|side| side.exploration.unwrap_or(f64::NAN))
}

/// What the record's pairs of a setting say.
fn pairs(record: &Record, setting: &Setting) -> Vec<Pair> {
    record.pairs(setting).map(PlayedPair::pair).collect()
}

/// The effective speed, or the first factor while the interval is open.
fn factor_expected(fit: &Fit, args: &HandicapArgs) -> f64 {
    match fit.speed.uncertainty() {
        Some(_) => fit.speed.value,
        None => nearest(args.first_factor),
    }
}

/// A factor to two significant digits.
fn rounded(factor: f64) -> f64 {
    // By way of text: a factor from the record, where it is text, must be the same number.
    format!("{factor:.1e}").parse().unwrap_or(factor)
}

/// The games of a row.
struct Series<'a, G> {
    row: Row,
    args: &'a HandicapArgs,
    start: &'a G,
    sides: [Side; 2],
    setting: Setting,
    record: &'a mut Record,
    begun: Instant,
    /// What the batches of this run were expected to take, in seconds.
    expected_seconds: f64,
}

impl<'a, G: Game> Series<'a, G> {
    fn new(
        row: Row,
        args: &'a HandicapArgs,
        start: &'a G,
        peer_c: Option<f64>,
        record: &'a mut Record,
    ) -> Self {
        let ours = Side { entry: args.against.ours_beside(), exploration: args.ours_c };
        Self {
            row,
            args,
            start,
            sides: [ours, Side { entry: args.against, exploration: peer_c }],
            setting: row.setting(args, peer_c),
            record,
            begun: Instant::now(),
            expected_seconds: 0.0,
        }
    }

    fn pairs(&self) -> Vec<Pair> {
        pairs(self.record, &self.setting)
    }

    /// Plays until the interval is narrow enough, the games are used up, or the effective speed
    /// lies outside of the range of factors.
    fn play_to_the_end(&mut self) -> Result<Fit, Failure> {
        let batch = self.args.batch_pairs(self.row.threads);
        loop {
            let pairs = self.pairs();
            let fit = Fit::of(&pairs);
            let left = (self.args.most_games / 2).saturating_sub(pairs.len());
            let narrow = fit.speed.uncertainty().is_some_and(|found| found <= self.args.within);
            let next = next(&pairs, &fit, self.args.first_factor);
            let Next::Factor(factor) = next else { return Ok(fit) };
            if narrow || left == 0 {
                return Ok(fit);
            }
            self.play(factor, batch.min(left))?;
            self.report();
        }
    }

    /// Plays at one factor until there are enough games for a single point.
    fn play_point(&mut self, factor: f64) -> Result<(), Failure> {
        loop {
            let played = self.at(factor).map_or(0, |group| group.pairs);
            let left = (self.args.point_games / 2).saturating_sub(played);
            if left == 0 {
                return Ok(());
            }
            self.play(factor, left.min(self.args.batch_pairs(self.row.threads)))?;
            if let Some(group) = self.at(factor) {
                eprintln!("handicap: {}: {group}", self.row);
            }
        }
    }

    /// The pairs at one factor.
    fn at(&self, factor: f64) -> Option<Group> {
        groups(&self.pairs()).into_iter().find(|group| group.factor == factor)
    }

    /// Plays a batch and records it.
    fn play(&mut self, factor: f64, pairs: usize) -> Result<(), Failure> {
        let first_pair = self.record.next_pair(&self.setting);
        let our_time = self.row.time;
        let contest = Contest {
            start: self.start,
            limits: [our_time, our_time.mul_f64(factor)].map(Limit::Time),
            games: 2 * pairs,
            first_pair,
            threads: self.row.threads,
            concurrency: self.args.concurrency(self.row.threads),
            seed: self.args.seed,
            fresh: false,
        };
        let [ours, peer] = self.sides;
        let games = contest.play(ours, peer).games;
        let setting = &self.setting;
        let played: &[[Played; 2]] = games.as_chunks().0;
        let lines = played.iter().enumerate().map(|(number, [first, second])| {
            Line::Pair(PlayedPair {
                setting: setting.clone(),
                factor,
                pair: first_pair + number,
                scores: [first.score, second.score],
                work: [0, 1].map(|side| first.work[side].sum(second.work[side])),
            })
        });
        self.record.append(lines)?;
        let seconds = game_seconds(self.row.name, our_time, factor) * games.len() as f64;
        self.expected_seconds += seconds / contest.concurrency as f64;
        Ok(())
    }

    /// Says on standard error how far the row is.
    fn report(&self) {
        let pairs = self.pairs();
        let fit = Fit::of(&pairs);
        let scores: Vec<String> = groups(&pairs).iter().map(ToString::to_string).collect();
        let elapsed = self.begun.elapsed().as_secs_f64();
        eprintln!(
            "handicap: {}: {} games ({}): {}, slope {:.2}; {} gone, about {} left",
            self.row,
            2 * pairs.len(),
            scores.join(", "),
            fit.speed,
            fit.slope,
            span(elapsed),
            span(self.seconds_left(&fit, 2 * pairs.len()))
        );
    }

    /// What is left, at the speed of the batches so far.
    fn seconds_left(&self, fit: &Fit, played: usize) -> f64 {
        let batch = self.args.batch_pairs(self.row.threads);
        let games = games_left(fit, played, self.args.within, batch)
            .min(self.args.most_games.saturating_sub(played));
        let factor = factor_expected(fit, self.args);
        let seconds = games as f64 * game_seconds(self.row.name, self.row.time, factor);
        let slowness = self.begun.elapsed().as_secs_f64() / self.expected_seconds;
        slowness * seconds / self.args.concurrency(self.row.threads) as f64
    }

    /// The cells of the row.
    fn cells(&self, fit: &Fit) -> Vec<String> {
        let pairs = self.pairs();
        let near = nearest_groups(&groups(&pairs), fit.speed.value);
        self.with_ends(fit.speed.to_string(), 2 * pairs.len(), &near)
    }

    /// The cells of a single point.
    fn point_cells(&self, factor: f64) -> Vec<String> {
        let means = self.pairs().into_iter().filter(|pair| pair.factor == factor);
        let score = MatchScore::of_pairs(means.map(|pair| pair.score)).score();
        let [value, low, high] = [score.value, score.low, score.high].map(|part| 100.0 * part);
        let speed = format!("at {factor}: score {value:.0} % [{low:.0}, {high:.0}]");
        let near: Vec<Group> = self.at(factor).into_iter().collect();
        self.with_ends(speed, near.iter().map(Group::games).sum(), &near)
    }

    /// A row with this cell for the effective speed, and what the games of the `near` factors say.
    fn with_ends(&self, speed: String, games: usize, near: &[Group]) -> Vec<String> {
        let [ours, peer] = self.work(near);
        let of = |work: Option<f64>| work.map_or_else(|| "?".to_owned(), short);
        let ratio = ours.simulations_per_second().zip(peer.simulations_per_second());
        vec![
            self.row.name.title().to_owned(),
            self.row.time.as_millis().to_string(),
            self.row.threads.to_string(),
            self.sides[1].to_string(),
            speed,
            games.to_string(),
            near.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
            format!("{:.2} / {:.2}", ours.milliseconds_per_move(), peer.milliseconds_per_move()),
            format!("{} / {}", of(ours.simulations_per_move()), of(peer.simulations_per_move())),
            of(ratio.map(|(ours, peer)| ours / peer)),
        ]
    }

    /// What both sides have spent at these factors.
    fn work(&self, near: &[Group]) -> [Work; 2] {
        let is_near = |pair: &&PlayedPair| near.iter().any(|group| group.factor == pair.factor);
        let pairs = self.record.pairs(&self.setting).filter(is_near);
        pairs.fold([Work::default(); 2], |[ours, peer], pair| {
            [ours.sum(pair.work[0]), peer.sum(pair.work[1])]
        })
    }
}

/// The highest factor played below the effective speed, and the lowest above it.
fn nearest_groups(groups: &[Group], speed: f64) -> Vec<Group> {
    let below = groups.iter().rfind(|group| group.factor <= speed);
    let above = groups.iter().find(|group| group.factor > speed);
    below.into_iter().chain(above).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::record::{Line, Pairing, Record};
    use super::{Pair, Row, groups, nearest_groups, rounded};
    use crate::games::GameName;
    use crate::handicap::tests::args;
    use crate::matches::tune::PAIRINGS;

    #[test]
    fn the_nearest_factors_are_those_beside_the_speed() {
        let pairs = [2.0, 6.0, 12.0, 32.0].map(|factor| Pair { factor, score: 0.5 });
        let near = |speed| -> Vec<f64> {
            nearest_groups(&groups(&pairs), speed).iter().map(|group| group.factor).collect()
        };
        assert_eq!(near(8.1), [6.0, 12.0]);
        assert_eq!(near(12.0), [12.0, 32.0]);
        assert_eq!((near(1.0), near(99.0)), (vec![2.0], vec![32.0]));
        assert_eq!([8.149, 0.0627, 132.0].map(rounded), [8.1, 0.063, 130.0]);
    }

    #[test]
    fn the_record_takes_away_from_the_cost() {
        let args = args(&["connect4", "--time-ms", "10", "--threads", "1", "--points"]);
        let row = Row { name: GameName::Connect4, time: Duration::from_millis(10), threads: 1 };
        let mut record = Record::default();
        let whole = row.cost(&args, &record);
        // 400 games of 14 moves of 80 ms each side, two at a time.
        assert!((whole.tuning - 448.0).abs() < 1e-6, "{whole:?}");
        // 100 games of 14 moves of 1.001 s and 8.008 s, two at a time.
        assert!((whole.points - 6306.3).abs() < 1e-6, "{whole:?}");
        let pairing = Pairing { tuning: row.tuning(&args), constants: [0.3, 0.5], score: 1.0 };
        record.append([Line::Pairing(pairing)]).unwrap();
        assert_eq!(record.pairings(&row.tuning(&args)).count(), 1);
        let left = row.cost(&args, &record);
        let tenths = PAIRINGS as f64 * left.tuning / whole.tuning;
        assert!((tenths - (PAIRINGS - 1) as f64).abs() < 1e-9, "{left:?}");
        assert_eq!(left.games, whole.games);
    }
}
