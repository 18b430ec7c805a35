//! What one session may have of the machine.

use std::time::Duration;

use playtree::budget::Depth;
use playtree::{Budget, Pool};
use playtree_session::settings::Settings;

use crate::messages::{Refusal, Think};
use crate::networks::Networks;

/// The longest time that a request can ask for, and the end of a search without a limit.
pub const LONGEST_SEARCH: Duration = Duration::from_secs(3600);
/// The most simulations or nodes that a request can ask for.
pub const MOST_SIMULATIONS: u64 = 1_000_000_000_000;
/// The greatest depth that a request can ask for, in plies.
pub const GREATEST_DEPTH: u32 = 1_000;
/// The least memory of an engine, in bytes.
pub const LEAST_MEMORY: usize = 4 << 20;

/// What one session may have: threads and memory of its engine.
#[derive(Clone, Debug)]
pub struct Share {
    /// The most threads.
    pub threads: usize,
    /// The most memory, in bytes, of all tables of the engine together.
    pub memory: usize,
    /// What all sessions search in, if there are several.
    pub pool: Option<Pool>,
    /// Whether sessions search [in steps](crate::desk::Desk::step), where there is one thread.
    pub in_steps: bool,
    /// The networks that their engines may ask.
    pub networks: Networks,
}

impl Share {
    /// These settings within the share: what is not given is as much as there is.
    ///
    /// # Errors
    /// If they ask for more.
    pub fn fit(&self, settings: &Settings) -> Result<Settings, Refusal> {
        let mut settings = settings.clone();
        let (threads, memory, endgames) = match &mut settings {
            Settings::Mcts(own) => (&mut own.threads, &mut own.memory_limit, own.endgames),
            Settings::AlphaBeta(own) => (&mut own.threads, &mut own.table_bytes, own.endgames),
            Settings::Solver(own) => (&mut own.threads, &mut own.memory_limit, None),
            _ => {
                return Err(Refusal::wrong("settings", "expected a searcher that this page knows"));
            }
        };
        let found = *threads.get_or_insert(self.threads);
        if found > self.threads {
            let expected = format!("at most {} for threads", self.threads);
            return Err(Refusal::wrong("settings.threads", refused(&expected, found)));
        }
        let left = self.memory.saturating_sub(endgames.unwrap_or(0));
        let found = *memory.get_or_insert(left);
        if found > left || left < LEAST_MEMORY {
            let expected = format!("at most {} bytes of memory in all", self.memory);
            let found = found.saturating_add(endgames.unwrap_or(0));
            return Err(Refusal::wrong("settings.memory", refused(&expected, found)));
        }
        Ok(settings)
    }
}

fn refused(expected: &str, found: impl std::fmt::Display) -> String {
    format!("expected {expected}, found {found}")
}

/// The limit of a search by an engine with these settings.
///
/// # Errors
/// If a limit is out of its range, or not one that the searcher counts.
pub(crate) fn budget(think: &Think, settings: &Settings) -> Result<Budget, Refusal> {
    let (counts_simulations, counts_depth) =
        (matches!(settings, Settings::Mcts(_)), matches!(settings, Settings::AlphaBeta(_)));
    let wrong = |message: String| Refusal::wrong("think.limit", message);
    let time = match think.seconds {
        None => LONGEST_SEARCH,
        Some(seconds) => Duration::try_from_secs_f64(seconds)
            .ok()
            .filter(|time| !time.is_zero() && *time <= LONGEST_SEARCH)
            .ok_or_else(|| {
                let expected = format!("seconds above 0, at most {}", LONGEST_SEARCH.as_secs());
                wrong(refused(&expected, seconds))
            })?,
    };
    let mut budget = Budget::time(time);
    let count = |found: u64| {
        let expected = format!("a limit from 1 to {MOST_SIMULATIONS}");
        let fits = (1..=MOST_SIMULATIONS).contains(&found);
        if fits { Ok(found) } else { Err(wrong(refused(&expected, found))) }
    };
    if let Some(simulations) = think.simulations {
        if !counts_simulations {
            return Err(wrong(refused("simulations of the Monte Carlo search only", simulations)));
        }
        budget = budget.and_simulations(count(simulations)?);
    }
    if let Some(nodes) = think.nodes {
        budget = budget.and_nodes(count(nodes)?);
    }
    if let Some(depth) = think.depth {
        if !counts_depth {
            return Err(wrong(refused("a depth of alpha-beta only", depth)));
        }
        if !(1..=GREATEST_DEPTH).contains(&depth) {
            let expected = format!("a depth from 1 to {GREATEST_DEPTH}");
            return Err(wrong(refused(&expected, depth)));
        }
        budget = budget.and(Depth(depth));
    }
    Ok(budget)
}
