//! The ranges of the numbers in settings: a builder refuses what is outside, and so does reading a
//! serialized form.

use crate::error::{ConfigError, Number, Setting};
use crate::helpers::WORKERS_LIMIT;

/// The greatest exploration constant, bias, and weight of a virtual loss or of progressive history.
const CONSTANT_LIMIT: f64 = 1e6;

/// The most visits for the exploration constant of PUCT to grow.
const MOST_GROWTH: f64 = 1e12;

/// The most shards of the table.
const SHARDS_LIMIT: usize = 1 << 16;

/// The most simulations of a round.
const ROUND_SIMULATIONS_LIMIT: u32 = 4096;

/// A check for each number, and in `read` a function that reads the number and checks it.
macro_rules! ranges {
    ($($name:ident($found:ident: $number:ty) $check:expr;)+) => {
        $(pub(in crate::mcts) fn $name($found: $number) -> Result<(), ConfigError> {
            $check
        })+

        pub(super) mod read {
            use serde::de::Error;
            use serde::{Deserialize, Deserializer};

            $(pub(in super::super) fn $name<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$number, D::Error> {
                let found = <$number>::deserialize(deserializer)?;
                super::$name(found).map_err(D::Error::custom)?;
                Ok(found)
            })+
        }
    };
}

ranges! {
    exploration(found: f64)
        ConfigError::check_range(Setting::Exploration, found, 0.0..=CONSTANT_LIMIT);
    bias(found: f64) ConfigError::check_range(Setting::Bias, found, 0.0..=CONSTANT_LIMIT);
    history_weight(found: f64)
        ConfigError::check_range(Setting::HistoryWeight, found, 0.0..=CONSTANT_LIMIT);
    growth(found: f64) ConfigError::check_range(Setting::Growth, found, 1.0..=MOST_GROWTH);
    reduction(found: f64) ConfigError::check_range(Setting::Reduction, found, 0.0..=1.0);
    temperature(found: f64)
        ConfigError::check_range(Setting::PolicyTemperature, found, 0.01..=100.0);
    alpha(found: f64) ConfigError::check_range(Setting::RootNoise, found, 0.001..=1000.0);
    share(found: f64) ConfigError::check_range(Setting::RootShare, found, 0.0..=1.0);
    considered(found: u32) ConfigError::check_least(Setting::RootMoves, found, 1);
    scale(found: f64) ConfigError::check_range(Setting::RootScale, found, 0.001..=1000.0);
    extra_visits(found: f64) ConfigError::check_range(Setting::RootVisits, found, 0.0..=1e6);
    noise(found: f64) ConfigError::check_range(Setting::RootNoise, found, 0.0..=10.0);
    from_visit(found: u32) ConfigError::check_least(Setting::Expansion, found, 1);
    shards(found: usize) ConfigError::check_range(Setting::Table, found, 1..=SHARDS_LIMIT);
    greedy_share(found: f64)
        ConfigError::check_range(Setting::RolloutShare, found, 0.0..=1.0);
    gibbs_temperature(found: f64)
        ConfigError::check_range(Setting::RolloutTemperature, found, 0.01..=100.0);
    least_visits(found: u32) ConfigError::check_least(Setting::RolloutVisits, found, 1);
    weight(found: f64) check_weight(found);
    round(found: u32)
        ConfigError::check_range(Setting::RoundSize, found, 1..=ROUND_SIMULATIONS_LIMIT);
    workers(found: usize)
        ConfigError::check_range(Setting::Parallelism, found, 1..=WORKERS_LIMIT);
}

/// A weight of nothing would be another setting.
fn check_weight(found: f64) -> Result<(), ConfigError> {
    if found > 0.0 && found <= CONSTANT_LIMIT {
        return Ok(());
    }
    Err(ConfigError::OutOfRange {
        setting: Setting::InFlight,
        least: Number::Real(0.0),
        most: Some(Number::Real(CONSTANT_LIMIT)),
        found: Number::Real(found),
    })
}
