//! The effective speed that games at several factors show, and its 95 % interval.
//!
//! The model: with `F` times our time for the peer, our expected score is
//! `s(F) = 1 / (1 + exp(-(a - b ln F)))`. The effective speed is `exp(a / b)`, where that is one
//! half. Written with `t = a / b`, the logarithm of the effective speed:
//! `s = 1 / (1 + exp(-b (t - ln F)))`, and `b` is the *slope*.
//!
//! **Fit.** Maximum quasi-likelihood (Wedderburn 1974; McCullagh and Nelder 1989, chapter 9), so
//! that a draw counts as half a game won. The likelihood is concave in `a` and `b`, hence on the
//! way to its maximum there is no other one, neither in `b` for a fixed `t` nor then in `t`.
//!
//! **Prior.** `ln b - b / B` is added to the logarithm of the likelihood, a gamma distribution with
//! its mode at [`TYPICAL_SLOPE`] `B` and 95 % of its weight between `B / 4` and `5.6 B`. It keeps
//! `b` above 0 and finite while all games are won or lost, and is concave as well. It says nothing
//! about `t`. Later it does not matter: it is worth about one observation of the slope, and
//! since the games give equal information on both sides of the effective speed, the estimate of `t`
//! does not depend on the slope.
//!
//! **Interval.** The two games of a pair share their opening, and draws reduce the variance: the
//! variance of a pair's mean score is `d s (1 - s) / 2` with the dispersion `d`, which is 1 for
//! independent games without draws. It is estimated by the squared residuals of the pairs over
//! what they would be with `d = 1`, with the weight of [`PRIOR_PAIRS`] pairs for 1. In the interval
//! lie all `t` for which twice the logarithm of the likelihood, at the best `b` for this `t`, is
//! less than `d` times the square of Student's 97.5 % quantile below its maximum: the profile
//! likelihood (Venzon and Moolgavkar 1988). It is open on a side if that holds as far as four times
//! beyond the range of factors: the interval of a ratio has no limit where the games do not show
//! that its divisor is not zero (Fieller 1954). Since the factors follow the results, it covers a
//! little less than its rate: 93 to 95 % of synthetic matches of 24 to 250 pairs.

use std::fmt::{self, Display};

use super::design::{HIGHEST, LOWEST};

/// What the slope is taken for while the games do not show it: about 100 Elo for twice the time.
pub(super) const TYPICAL_SLOPE: f64 = 0.8;

/// Standard errors of a 95 % interval on each side, for a great number of games.
pub(super) const STANDARD_ERRORS: f64 = 1.96;

/// Pairs of independent games that the estimate of the dispersion begins with.
const PRIOR_PAIRS: f64 = 8.0;

/// The variance of the mean score of two independent games without draws at an expected score of
/// one half.
const LARGEST_VARIANCE: f64 = 0.125;

/// By this factor an effective speed is looked for outside the range of the factors played.
const MARGIN: f64 = 4.0;

/// Steps of a search on a line: each divides the line by 1.6 or more.
const LINE_STEPS: usize = 30;

/// The most steps of Newton's method; it needs about eight.
const NEWTON_STEPS: usize = 40;

/// A finished pair of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// The peer's time per move over ours.
    pub(super) factor: f64,
    /// Our mean score, in `[0, 1]`.
    pub(super) score: f64,
}

/// All the pairs at one factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    pub(super) factor: f64,
    pub(super) pairs: usize,
    /// The sum of the pairs' mean scores.
    points: f64,
}

impl Group {
    /// Our mean score, in `[0, 1]`.
    pub(super) fn score(&self) -> f64 {
        self.points / self.pairs as f64
    }

    /// Two of each pair.
    pub(super) fn games(&self) -> usize {
        2 * self.pairs
    }
}

/// Shown as `8: 62 % of 40`, the factor, the score and the number of games.
impl Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:.0} % of {}", self.factor, 100.0 * self.score(), self.games())
    }
}

/// The pairs by factor, the lowest first.
pub(super) fn groups(pairs: &[Pair]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for pair in pairs {
        let place = match groups.binary_search_by(|group| group.factor.total_cmp(&pair.factor)) {
            Ok(place) => place,
            Err(place) => {
                groups.insert(place, Group { factor: pair.factor, pairs: 0, points: 0.0 });
                place
            }
        };
        groups[place].pairs += 1;
        groups[place].points += pair.score;
    }
    groups
}

/// An effective speed with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Speed {
    /// The estimate; without a meaning while the interval is open.
    pub(super) value: f64,
    /// The lower limit, `None` if the games set none.
    pub(super) low: Option<f64>,
    /// The upper limit, `None` if the games set none.
    pub(super) high: Option<f64>,
}

impl Speed {
    /// The larger factor between the estimate and a limit, `None` if the interval is open.
    pub(super) fn uncertainty(&self) -> Option<f64> {
        let (low, high) = (self.low?, self.high?);
        Some((self.value / low).max(high / self.value))
    }
}

/// Shown as `8.1 [6.6, 9.9]`, or `> 4.1` or `< 0.5` while the interval is open.
impl Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (Some(low), Some(high)) => {
                write!(f, "{} [{}, {}]", shown(self.value), shown(low), shown(high))
            }
            (Some(low), None) => write!(f, "> {}", shown(low)),
            (None, Some(high)) => write!(f, "< {}", shown(high)),
            (None, None) => write!(f, "unknown"),
        }
    }
}

/// A factor as people read it, with about two significant digits.
fn shown(factor: f64) -> String {
    let decimals = match factor {
        f if f >= 10.0 => 0,
        f if f >= 1.0 => 1,
        f if f >= 0.1 => 2,
        _ => 3,
    };
    format!("{factor:.decimals$}")
}

/// What the games say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) speed: Speed,
    /// Of the expected score's logit on the logarithm of the factor, with its sign changed.
    pub(super) slope: f64,
    /// Whether more information comes from factors above the estimate than from those below it.
    pub(super) leans_high: bool,
}

impl Fit {
    /// Fits the model to the pairs.
    pub(super) fn of(pairs: &[Pair]) -> Self {
        let likelihood = Likelihood::of(pairs);
        let ends = [(LOWEST / MARGIN).ln(), (HIGHEST * MARGIN).ln()];
        let best = highest(ends, |place| likelihood.profile(place));
        let slope = likelihood.slope(best);
        let score = |factor: f64| logistic(slope * (best - factor.ln()));
        let drop = 0.5 * student(pairs.len()).powi(2) * dispersion(pairs, score);
        let lowest_in = likelihood.profile(best) - drop;
        let limit = |end: f64| {
            let outside = likelihood.profile(end) < lowest_in;
            outside.then(|| crossing(end, best, |place| likelihood.profile(place) < lowest_in))
        };
        let lean: f64 = (likelihood.groups.iter())
            .map(|group| {
                let score = score(group.factor);
                group.games() as f64 * score * (1.0 - score) * (group.factor.ln() - best)
            })
            .sum();
        Self {
            speed: Speed {
                value: best.exp(),
                low: limit(ends[0]).map(f64::exp),
                high: limit(ends[1]).map(f64::exp),
            },
            slope,
            leans_high: lean > 0.0,
        }
    }
}

/// The 97.5 % quantile of Student's distribution for two parameters fitted to this number of pairs;
/// to 1 % with seven pairs or more.
fn student(pairs: usize) -> f64 {
    let freedom = pairs.saturating_sub(2).max(3) as f64;
    STANDARD_ERRORS + 2.37 / freedom + 2.8 / freedom.powi(2)
}

/// The dispersion `d`; `score` gives the expected score at a factor.
fn dispersion(pairs: &[Pair], score: impl Fn(f64) -> f64) -> f64 {
    let (mut squares, mut expected) = (0.0, 0.0);
    for pair in pairs {
        let score = score(pair.factor);
        squares += (pair.score - score).powi(2);
        expected += 0.5 * score * (1.0 - score);
    }
    let count = pairs.len() as f64;
    // Two parameters are fitted.
    let freedom = (count - 2.0).max(0.0) / count.max(1.0);
    let prior = PRIOR_PAIRS * LARGEST_VARIANCE;
    (squares + prior) / (freedom * expected + prior)
}

/// The logarithm of the quasi-likelihood and the prior, but for a constant.
struct Likelihood {
    groups: Vec<Group>,
}

impl Likelihood {
    fn of(pairs: &[Pair]) -> Self {
        Self { groups: groups(pairs) }
    }

    /// With the best slope for this logarithm of the effective speed.
    fn profile(&self, log_speed: f64) -> f64 {
        let slope = self.slope(log_speed);
        let games: f64 = (self.groups.iter())
            .map(|group| {
                let logit = slope * (log_speed - group.factor.ln());
                let won = 2.0 * group.points;
                let lost = group.games() as f64 - won;
                -won * log_one_plus_exp(-logit) - lost * log_one_plus_exp(logit)
            })
            .sum();
        games + slope.ln() - slope / TYPICAL_SLOPE
    }

    /// The best slope for this logarithm of the effective speed: the root of a derivative that
    /// falls, by Newton's method, and by bisection where that would leave the bracket.
    fn slope(&self, log_speed: f64) -> f64 {
        let (mut low, mut high) = (1e-4f64, 1e4f64);
        let mut slope = TYPICAL_SLOPE;
        for _ in 0..NEWTON_STEPS {
            let (first, second) = self.derivatives(log_speed, slope);
            if first > 0.0 {
                low = slope;
            } else {
                high = slope;
            }
            let newton = slope - first / second;
            let next = if newton > low && newton < high { newton } else { (low * high).sqrt() };
            let step = (next - slope).abs();
            slope = next;
            if step < 1e-10 * slope {
                break;
            }
        }
        slope
    }

    /// The first and the second derivative by the slope.
    fn derivatives(&self, log_speed: f64, slope: f64) -> (f64, f64) {
        let prior = (1.0 / slope - 1.0 / TYPICAL_SLOPE, -1.0 / slope.powi(2));
        self.groups.iter().fold(prior, |(first, second), group| {
            let distance = log_speed - group.factor.ln();
            let score = logistic(slope * distance);
            let games = group.games() as f64;
            (
                first + (2.0 * group.points - games * score) * distance,
                second - games * score * (1.0 - score) * distance.powi(2),
            )
        })
    }
}

/// `1 / (1 + exp(-logit))`.
pub(super) fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// `ln(1 + exp(x))` without overflow.
fn log_one_plus_exp(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// Where a function that rises and then falls is highest between two ends, by the golden section.
fn highest([mut low, mut high]: [f64; 2], of: impl Fn(f64) -> f64) -> f64 {
    let ratio = 0.5 * (5f64.sqrt() - 1.0);
    let inner = |low: f64, high: f64| [high - ratio * (high - low), low + ratio * (high - low)];
    let [mut left, mut right] = inner(low, high);
    let [mut of_left, mut of_right] = [of(left), of(right)];
    for _ in 0..LINE_STEPS {
        if of_left < of_right {
            low = left;
            (left, of_left) = (right, of_right);
            right = inner(low, high)[1];
            of_right = of(right);
        } else {
            high = right;
            (right, of_right) = (left, of_left);
            left = inner(low, high)[0];
            of_left = of(left);
        }
    }
    0.5 * (low + high)
}

/// Where `is_outside` changes between a place outside and one inside, by bisection.
fn crossing(mut outside: f64, mut inside: f64, is_outside: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..LINE_STEPS {
        let middle = 0.5 * (outside + inside);
        if is_outside(middle) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use playtree::Rng;

    use super::super::design::{Next, next};
    use super::{Fit, Pair, Speed, groups, logistic};

    /// How synthetic games are drawn.
    #[derive(Clone, Copy, Debug)]
    struct Games {
        /// What moving first adds to the logit of the expected score.
        first: f64,
        /// What the opening adds or takes away, the same in both games of a pair.
        opening: f64,
    }

    /// A pair tells what two games tell.
    const INDEPENDENT: Games = Games { first: 0.0, opening: 0.0 };
    /// Many pairs are level.
    const FIRST_AHEAD: Games = Games { first: 1.5, opening: 0.0 };
    /// Often one side wins both games.
    const UNEVEN_OPENINGS: Games = Games { first: 0.0, opening: 1.0 };

    /// A pair at a factor, the effective speed `speed`.
    fn drawn(rng: &mut Rng, games: Games, speed: f64, slope: f64, factor: f64) -> Pair {
        let sign = if rng.unit() < 0.5 { 1.0 } else { -1.0 };
        let logit = slope * (speed / factor).ln() + sign * games.opening;
        let won = [games.first, -games.first].map(|first| rng.unit() < logistic(logit + first));
        Pair { factor, score: 0.5 * won.map(|won| f64::from(u8::from(won))).iter().sum::<f64>() }
    }

    /// Pairs at the factors that the design asks for, in batches of four.
    fn played(seed: u64, games: Games, speed: f64, slope: f64, count: usize) -> Vec<Pair> {
        let mut rng = Rng::from_seed(seed);
        let mut pairs: Vec<Pair> = Vec::new();
        while pairs.len() < count {
            let Next::Factor(factor) = next(&pairs, &Fit::of(&pairs), 8.0) else { break };
            pairs.extend((0..4).map(|_| drawn(&mut rng, games, speed, slope, factor)));
        }
        pairs
    }

    #[test]
    fn a_known_speed_and_slope_are_found() {
        for (speed, slope) in [(7.0, 0.8), (0.4, 1.2), (60.0, 0.5)] {
            let fit = Fit::of(&played(1, INDEPENDENT, speed, slope, 1000));
            let error = (fit.speed.value / speed).ln().abs();
            assert!(error < 0.2, "{} for {speed}", fit.speed);
            assert!((fit.slope / slope).ln().abs() < 0.3, "slope {} for {slope}", fit.slope);
            assert!(fit.speed.uncertainty().is_some_and(|factor| factor < 1.3), "{}", fit.speed);
        }
    }

    #[test]
    fn the_interval_covers_at_its_rate() {
        for games in [INDEPENDENT, FIRST_AHEAD, UNEVEN_OPENINGS] {
            let covers = |seed: &u64| {
                let Speed { low, high, .. } = Fit::of(&played(*seed, games, 7.0, 0.8, 60)).speed;
                low.is_none_or(|low| low <= 7.0) && high.is_none_or(|high| high >= 7.0)
            };
            let covering = (0..200).filter(covers).count();
            assert!((180..=200).contains(&covering), "{covering} of 200, {games:?}");
        }
    }

    #[test]
    fn level_pairs_make_the_interval_narrower() {
        // A score of 60 % below and of 40 % above. Of ten pairs two go to the better side; the
        // other eight are level, or four go to each side.
        let pairs = |level: bool| -> Vec<Pair> {
            let score = |number: usize| match number % 10 {
                0 | 1 => 1.0,
                _ if level => 0.5,
                number => f64::from(u8::from(number % 2 == 0)),
            };
            let below = (0..100).map(|number| Pair { factor: 6.0, score: score(number) });
            let above = (0..100).map(|number| Pair { factor: 12.0, score: 1.0 - score(number) });
            below.chain(above).collect()
        };
        let [level, spread] = [true, false].map(|level| Fit::of(&pairs(level)).speed);
        assert!(level.uncertainty() < spread.uncertainty(), "{level} and {spread}");
    }

    #[test]
    fn games_that_are_all_won_or_lost_leave_a_side_open() {
        let sweep = |score| vec![Pair { factor: 8.0, score }; 8];
        let won = Fit::of(&sweep(1.0)).speed;
        assert!(won.low.is_some_and(|low| low > 4.0 && low < 40.0), "{won}");
        assert_eq!((won.high, won.uncertainty()), (None, None));
        assert!(won.to_string().starts_with("> "), "{won}");
        let lost = Fit::of(&sweep(0.0)).speed;
        assert!(lost.high.is_some_and(|high| high > 1.6 && high < 16.0), "{lost}");
        assert_eq!(lost.low, None);
        assert!(lost.to_string().starts_with("< "), "{lost}");
        assert_eq!(Fit::of(&[]).speed.to_string(), "unknown");
    }

    #[test]
    fn pairs_are_grouped_by_factor() {
        let pairs =
            [(8.0, 1.0), (2.0, 0.5), (8.0, 0.5)].map(|(factor, score)| Pair { factor, score });
        let shown: Vec<String> = groups(&pairs).iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["2: 50 % of 2", "8: 75 % of 4"]);
    }
}
