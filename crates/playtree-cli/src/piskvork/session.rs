//! The commands of the protocol.

use std::io::Write;
use std::time::Duration;

use playtree_session::{Game, Root};

use super::board::{Board, Field, field, in_order};
use crate::error::CliError;
use crate::harmless::shortened;
use crate::protocols::{Allowance, Finding, Flow, Line, Protocol, Table, clock};

/// Characters of what is quoted of a client's line.
const LONGEST_QUOTE: usize = 60;
/// The time of a move that the manager wants as soon as possible.
const QUICK: Duration = Duration::from_millis(40);
/// The time of a move where the manager says nothing, after the protocol.
const USUAL_TURN: Duration = Duration::from_secs(30);
/// More than any match has: the manager writes 2^31 - 1 ms for no limit.
const NO_LIMIT: u64 = 2_000_000_000;
/// Memory of the program without its table.
const OWN_BYTES: u64 = 24 << 20;

/// A session with a manager.
pub(super) struct Piskvork {
    table: Table,
    board: Board,
    has_started: bool,
    /// The stones that `BOARD` has named so far.
    setting_up: Option<Vec<(Field, bool)>>,
    /// Of a turn and of a match; zero of a turn is as quick as possible.
    turn: Duration,
    left: Option<Duration>,
}

type Done = Result<(), String>;

impl Piskvork {
    pub(super) fn new(table: Table) -> Self {
        Self {
            table,
            board: Board { columns: 15, rows: 15, is_exact: false },
            has_started: false,
            setting_up: None,
            turn: USUAL_TURN,
            left: None,
        }
    }

    /// An empty board.
    fn restart(&mut self) -> Done {
        let (game, start) = Game::open("gomoku", Some(&self.board.start()))
            .map_err(|error| format!("unsupported board: {error}"))?;
        self.table.set_start(game, start);
        self.has_started = true;
        Ok(())
    }

    fn start(&mut self, columns: usize, rows: usize) -> Done {
        let board = Board { columns, rows, ..self.board };
        if !board.fits() {
            return Err(format!("unsupported size: expected 5 to 20, found {columns}x{rows}"));
        }
        self.board = board;
        self.table.forget();
        self.restart()
    }

    fn expect_board(&self) -> Done {
        match self.has_started {
            true => Ok(()),
            false => Err("expected START before, found none".into()),
        }
    }

    fn play(&mut self, at: Field) -> Done {
        let (column, row) = at;
        let mv = self.board.to_ours(at);
        let mv =
            mv.ok_or_else(|| format!("expected a field of the board, found {column},{row}"))?;
        self.table.play(&mv).map_err(|_| format!("expected an empty field, found {column},{row}"))
    }

    fn think(&mut self) -> Done {
        if self.table.is_over() {
            return Err("expected a game that goes on, found one that is over".into());
        }
        let time = if self.turn.is_zero() { QUICK } else { self.turn };
        let clock = self.left.map(|left| clock(left, Duration::ZERO, 0));
        let allowance = Allowance { time: Some(time), clock, ..Allowance::default() };
        self.table.think(&allowance, Root::new())
    }

    fn turn(&mut self, text: &str) -> Done {
        self.expect_board()?;
        let at = field(text).ok_or_else(|| format!("expected TURN X,Y, found '{text}'"))?;
        self.play(at)?;
        self.think()
    }

    /// `BOARD` with what followed, up to `DONE`.
    fn set_up(&mut self, stones: &[(Field, bool)]) -> Done {
        self.restart()?;
        for at in in_order(stones)? {
            self.play(at)?;
        }
        self.think()
    }

    fn take_back(&mut self, text: &str) -> Done {
        self.expect_board()?;
        let at = field(text).ok_or_else(|| format!("expected TAKEBACK X,Y, found '{text}'"))?;
        let last = self.table.moves().last().and_then(|mv| self.board.to_theirs(mv));
        if last != Some(at) {
            return Err(format!("expected the last move, found {text}"));
        }
        self.table.take_back(1);
        Ok(())
    }

    /// What the manager says by the way; a word that is not known is none of ours.
    fn inform(&mut self, key: &str, value: &str) -> Done {
        // GomocupJudge counts parts of a millisecond.
        let whole = match value.split_once('.') {
            Some((whole, part)) if part.bytes().all(|byte| byte.is_ascii_digit()) => whole,
            _ => value,
        };
        let number = whole.parse::<i64>().ok().map(|number| u64::try_from(number).unwrap_or(0));
        let number = number.ok_or_else(|| format!("expected a number for {key}, found '{value}'"));
        match key {
            "timeout_turn" => self.turn = Duration::from_millis(number?),
            "timeout_match" | "time_left" => {
                let limit = number?;
                // No match is no limit; no time left is none.
                let is_limit = limit < NO_LIMIT && (limit > 0 || key == "time_left");
                self.left = is_limit.then(|| Duration::from_millis(limit));
            }
            "max_memory" => match number? {
                0 => {}
                bytes => {
                    let table = bytes.saturating_sub(OWN_BYTES).max(bytes / 4);
                    let set = self.table.set_bytes(usize::try_from(table).unwrap_or(usize::MAX));
                    // The table's own words are about a part of the number.
                    set.map_err(|_| {
                        format!("expected another number for max_memory, found '{value}'")
                    })?;
                }
            },
            "rule" => {
                let rule = number?;
                self.board.is_exact = rule & 1 == 1;
                if self.has_started && self.table.moves().is_empty() {
                    self.restart()?;
                }
                if rule > 1 {
                    let expected = "expected rule 0 (five or more) or 1 (exactly five)";
                    return Err(format!("{expected}, found {rule}"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A line between `BOARD` and `DONE`.
    fn set_stone(&mut self, text: &str) -> Done {
        let expected = || format!("expected X,Y,WHO or DONE, found '{text}'");
        let (at, who) = text.rsplit_once(',').ok_or_else(expected)?;
        let at = field(at).ok_or_else(expected)?;
        let is_own = match who.trim() {
            "1" => true,
            "2" => false,
            _ => return Err(expected()),
        };
        if let Some(stones) = &mut self.setting_up {
            stones.push((at, is_own));
        }
        Ok(())
    }

    fn obey(&mut self, name: &str, rest: &str, out: &mut dyn Write) -> Result<Done, CliError> {
        let says_ok = matches!(name, "START" | "RECTSTART" | "RESTART" | "TAKEBACK");
        let done = match name {
            "START" => match rest.parse() {
                Ok(size) => self.start(size, size),
                Err(_) => Err(format!("expected START SIZE, found '{rest}'")),
            },
            "RECTSTART" => match field(rest) {
                Some((columns, rows)) => self.start(columns, rows),
                None => Err(format!("expected RECTSTART COLUMNS,ROWS, found '{rest}'")),
            },
            "RESTART" => self.expect_board().and_then(|()| {
                self.table.forget();
                self.restart()
            }),
            "BEGIN" => self.expect_board().and_then(|()| match self.table.moves() {
                [] => self.think(),
                _ => Err("expected an empty board, found stones".into()),
            }),
            "TURN" => self.turn(rest),
            "TAKEBACK" => self.take_back(rest),
            "BOARD" => self.expect_board().map(|()| self.setting_up = Some(Vec::new())),
            "ABOUT" => {
                let version = env!("CARGO_PKG_VERSION");
                writeln!(out, "name=\"playtree\", version=\"{version}\", author=\"playtree\"")?;
                Ok(())
            }
            _ => {
                let name = shortened(name, LONGEST_QUOTE);
                writeln!(out, "UNKNOWN command {name}")?;
                Ok(())
            }
        };
        if says_ok && done.is_ok() {
            writeln!(out, "OK")?;
        }
        Ok(done)
    }

    fn refuse(&self, error: &str, out: &mut dyn Write) -> Result<(), CliError> {
        Ok(writeln!(out, "ERROR {}", shortened(error, 4 * LONGEST_QUOTE))?)
    }
}

impl Protocol for Piskvork {
    fn table(&mut self) -> &mut Table {
        &mut self.table
    }

    fn line(&mut self, line: &Line, out: &mut dyn Write) -> Result<Flow, CliError> {
        let text = line.text.trim();
        if text.is_empty() {
            return Ok(Flow::GoOn);
        }
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (name, rest) = (name.to_ascii_uppercase(), rest.trim());
        if name == "END" {
            self.table.stop();
            return Ok(Flow::Quit);
        }
        // A manager waits for its answer before it goes on; one that does not gets it now.
        if name != "INFO"
            && name != "ABOUT"
            && let Some(found) = self.table.stop()
        {
            self.ended(found, out)?;
        }
        if self.setting_up.is_some() {
            let done = match name.as_str() {
                "DONE" => {
                    let stones = self.setting_up.take().unwrap_or_default();
                    self.set_up(&stones)
                }
                _ => self.set_stone(text),
            };
            if let Err(error) = done {
                self.setting_up = None;
                self.refuse(&error, out)?;
            }
            return Ok(Flow::GoOn);
        }
        if name == "INFO" {
            // It has no answer.
            let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
            if let Err(error) = self.inform(&key.to_ascii_lowercase(), value.trim()) {
                writeln!(out, "MESSAGE {}", shortened(&error, 4 * LONGEST_QUOTE))?;
            }
            return Ok(Flow::GoOn);
        }
        if let Err(error) = self.obey(&name, rest, out)? {
            self.refuse(&error, out)?;
        }
        Ok(Flow::GoOn)
    }

    /// A manager shows what comes behind `MESSAGE` to a person; that would be too much here.
    fn found(&mut self, finding: &Finding, out: &mut dyn Write) -> Result<(), CliError> {
        let Some(best) = finding.best() else { return Ok(()) };
        let percent = 100.0 * best.win_rate;
        Ok(writeln!(
            out,
            "DEBUG depth {} win {percent:.1} % nodes {} pv {}",
            finding.depth,
            finding.nodes,
            best.line.join(" ")
        )?)
    }

    fn ended(
        &mut self,
        found: Result<Finding, String>,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        let best = found.and_then(|finding| {
            let best = finding.best().map(|best| best.mv().to_owned());
            best.ok_or_else(|| "expected a move, found none".to_owned())
        });
        let played = best.and_then(|mv| self.table.play(&mv).map(|()| mv));
        let field = played.map(|mv| self.board.to_theirs(&mv));
        match field {
            Ok(Some((column, row))) => Ok(writeln!(out, "{column},{row}")?),
            Ok(None) => self.refuse("expected a field of the board, found none", out),
            Err(error) => self.refuse(&error, out),
        }
    }

    fn closed(&mut self, _: &mut dyn Write) -> Result<bool, CliError> {
        Ok(self.table.is_searching())
    }
}
