//! The options that a client may set.

use std::time::Duration;

use super::dialect::Dialect;
use crate::protocols::Table;

/// What a client may set besides the searcher itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// How many of the best moves get a line each.
    pub(super) lines: usize,
    /// What the first rank of Xiangqi is called, in UCI.
    pub(super) first_rank: u32,
    /// Of the times of UCCI.
    pub(super) unit: Duration,
}

impl Default for Settings {
    /// Times in milliseconds: a client that means seconds then gets its moves too soon, and no
    /// clock runs out.
    fn default() -> Self {
        Self { lines: 1, first_rank: 1, unit: Duration::from_millis(1) }
    }
}

/// The most worker threads.
const MOST_THREADS: usize = 1024;
/// The most memory, in MiB.
const MOST_MEBIBYTES: usize = 1 << 20;
const MEBIBYTE: usize = 1 << 20;

/// The options as they are declared, in a dialect.
pub(super) fn declared(dialect: Dialect, table: &mut Table) -> Vec<String> {
    let threads = table.threads();
    let mebibytes = (table.bytes() / MEBIBYTE).max(1);
    let (spec, game) = (table.spec(), table.game.name());
    let numbers = |name: &str, least: usize, most: usize, default: usize| {
        format!("{name} type spin default {default} min {least} max {most}")
    };
    let mut options = match dialect {
        Dialect::Uci => vec![
            numbers("Threads", 1, MOST_THREADS, threads),
            numbers("Hash", 1, MOST_MEBIBYTES, mebibytes),
            "Clear Hash type button".into(),
            "Ponder type check default false".into(),
            numbers("MultiPV", 1, 500, 1),
            numbers("Move Overhead", 0, 60_000, 50),
            format!("Searcher type string default {spec}"),
            format!("UCI_Variant type combo default {game} var {game}"),
        ],
        Dialect::Ucci => vec![
            "usemillisec type check default true".into(),
            numbers("threads", 1, MOST_THREADS, threads),
            numbers("hashsize", 1, MOST_MEBIBYTES, mebibytes),
            "ponder type check default false".into(),
            "newgame type button".into(),
            numbers("multipv", 1, 500, 1),
            format!("searcher type string default {spec}"),
        ],
    };
    if dialect == Dialect::Uci && game == "xiangqi" {
        options.push("FirstRank type combo default 1 var 0 var 1".into());
    }
    let word = if dialect == Dialect::Uci { "option name" } else { "option" };
    options.into_iter().map(|option| format!("{word} {option}")).collect()
}

/// Sets what the words after `setoption` say.
///
/// # Errors
/// If there is no such option, or it has no such value: what was expected and what was found.
pub(super) fn set(
    words: &[&str],
    settings: &mut Settings,
    table: &mut Table,
) -> Result<(), String> {
    let (name, value) = name_and_value(words);
    let number = |least: usize, most: usize| {
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            format!("expected a number from {least} to {most} for {name}, found '{value}'")
        })
    };
    let is_on = || match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(format!("expected true or false for {name}, found '{value}'")),
    };
    match name.to_ascii_lowercase().as_str() {
        "threads" => table.set_threads(number(1, MOST_THREADS)?),
        "hash" | "hashsize" => table.set_bytes(number(1, MOST_MEBIBYTES)? * MEBIBYTE),
        "clear hash" | "newgame" => {
            table.forget();
            Ok(())
        }
        // That it may ponder is said by 'go ponder'.
        "ponder" => is_on().map(drop),
        "multipv" => {
            settings.lines = number(1, 500)?;
            Ok(())
        }
        "move overhead" => {
            table.set_lag(Duration::from_millis(number(0, 60_000)? as u64));
            Ok(())
        }
        "searcher" => table.set_spec(&value),
        "uci_variant" if value == table.game.name() => Ok(()),
        "uci_variant" => {
            Err(format!("expected the variant {}, found '{value}'", table.game.name()))
        }
        "firstrank" => {
            settings.first_rank = number(0, 1)? as u32;
            Ok(())
        }
        "usemillisec" => {
            let unit = if is_on()? { Duration::from_millis(1) } else { Duration::from_secs(1) };
            settings.unit = unit;
            Ok(())
        }
        _ => Err(format!("expected an option that was declared, found '{name}'")),
    }
}

/// Both with the words `name` and `value`, as UCI has them, or without, as UCCI.
fn name_and_value(words: &[&str]) -> (String, String) {
    if let Some((&"name", words)) = words.split_first() {
        let mut halves = words.splitn(2, |word| *word == "value");
        let half = |words: Option<&[&str]>| words.unwrap_or_default().join(" ");
        return (half(halves.next()), half(halves.next()));
    }
    let (name, value) = words.split_first().map_or(("", &[][..]), |(name, value)| (*name, value));
    (name.to_owned(), value.join(" "))
}
