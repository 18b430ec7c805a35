//! The commands of the protocol.

use std::io::Write;
use std::time::Instant;

use playtree::GameState;
use playtree_session::{Game, Root};

use super::clocks::Clocks;
use crate::error::CliError;
use crate::games;
use crate::harmless::shortened;
use crate::protocols::{Finding, Flow, Line, Protocol, Table};

/// Characters of what is quoted of a client's line.
const LONGEST_QUOTE: usize = 60;
/// What a win that is certain is worth, and one move more for each move until then.
const MATE: i64 = 100_000;
const MEBIBYTE: usize = 1 << 20;

/// Commands that say nothing to this engine.
const NO_MATTER: [&str; 15] = [
    "xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "bk", "pause",
    "resume", "egtpath", "white", "black", "nps",
];

/// What the search under way is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Move,
    /// In the other side's time.
    Ponder,
    Analysis,
}

/// A session with a client.
pub(super) struct Xboard {
    table: Table,
    clocks: Clocks,
    /// The side that the engine plays; `None` in force mode.
    side: Option<usize>,
    purpose: Option<Purpose>,
    analyses: bool,
    ponders: bool,
    /// Whether it says what it thinks.
    posts: bool,
    /// When the move under way was asked for.
    begun: Instant,
    /// The answer to its last move that the engine expects.
    expected: Option<String>,
}

impl Xboard {
    pub(super) fn new(table: Table) -> Self {
        Self {
            table,
            clocks: Clocks::default(),
            side: Some(1),
            purpose: None,
            analyses: false,
            ponders: false,
            posts: false,
            begun: Instant::now(),
            expected: None,
        }
    }

    fn introduce(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(out, "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=0")?;
        writeln!(out, "feature sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 ics=0 name=0 nps=0")?;
        writeln!(out, "feature memory=1 smp=1 pause=0 variants=\"xiangqi\"")?;
        writeln!(out, "feature myname=\"playtree {version}\"")?;
        writeln!(out, "feature option=\"Searcher -string {}\"", self.table.spec())?;
        Ok(writeln!(out, "feature done=1")?)
    }

    /// Ends the search under way without an answer.
    fn end(&mut self) {
        self.purpose = None;
        self.table.stop();
    }

    fn new_game(&mut self, text: Option<&str>) -> Result<(), String> {
        let opened = Game::open(self.table.game.name(), text);
        let (game, start) = opened.map_err(|error| error.to_string())?;
        self.end();
        self.expected = None;
        self.table.set_start(game, start);
        Ok(())
    }

    /// Begins to search for a move, if it is the engine's turn; or to analyze.
    fn go_on(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let begun = if self.table.is_over() {
            if self.analyses { Ok(()) } else { return self.say_result(out) }
        } else if self.analyses {
            self.purpose = Some(Purpose::Analysis);
            self.table.think_on(Root::new())
        } else if self.side == Some(self.table.position().mover()) {
            self.purpose = Some(Purpose::Move);
            self.begun = Instant::now();
            let made = self.table.moves().len() as u32 / 2;
            self.table.think(&self.clocks.allowance(made), Root::new())
        } else {
            Ok(())
        };
        if let Err(error) = begun {
            self.purpose = None;
            writeln!(out, "tellusererror {error}")?;
        }
        Ok(())
    }

    /// How the game has ended, if it has: as the board says, and not the referee.
    fn say_result(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let Some(outcome) = self.table.position().outcome() else { return Ok(()) };
        let result = match games::winner(&outcome) {
            Some(0) => "1-0 {Red wins}",
            Some(_) => "0-1 {Black wins}",
            None => "1/2-1/2 {Draw}",
        };
        Ok(writeln!(out, "{result}")?)
    }

    /// A move of the other side, or of either in force mode.
    fn user_move(&mut self, text: &str, out: &mut dyn Write) -> Result<(), CliError> {
        self.end();
        if let Err(error) = self.table.play(text) {
            let text = shortened(text, LONGEST_QUOTE);
            let reason = shortened(&error, 2 * LONGEST_QUOTE);
            writeln!(out, "Illegal move ({reason}): {text}")?;
        }
        self.go_on(out)
    }

    fn undo(&mut self, name: &str, count: usize, out: &mut dyn Write) -> Result<(), CliError> {
        self.end();
        if !self.table.take_back(count) {
            writeln!(out, "Error (no move to take back): {name}")?;
        }
        if self.analyses { self.go_on(out) } else { Ok(()) }
    }

    /// Plays the move that was found.
    fn answer(
        &mut self,
        found: Result<Finding, String>,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        self.purpose = None;
        let finding = match found {
            Ok(finding) => finding,
            Err(error) => return Ok(writeln!(out, "tellusererror {error}")?),
        };
        let Some(best) = finding.best() else { return self.say_result(out) };
        if self.posts {
            writeln!(out, "{}", thought(&finding))?;
        }
        writeln!(out, "move {}", best.mv())?;
        self.clocks.after_move(self.begun.elapsed());
        self.expected = best.line.get(1).cloned();
        if let Err(error) = self.table.play(best.mv()) {
            return Ok(writeln!(out, "tellusererror {error}")?);
        }
        if self.table.is_over() {
            return self.say_result(out);
        }
        if self.ponders && self.table.think_on(Root::new()).is_ok() {
            self.purpose = Some(Purpose::Ponder);
        }
        Ok(())
    }

    /// `option NAME=VALUE`.
    fn set_option(&mut self, text: &str) -> Result<(), String> {
        match text.split_once('=') {
            Some(("Searcher", spec)) => self.table.set_spec(spec),
            _ => Err(format!("expected Searcher=SPEC, found '{text}'")),
        }
    }

    /// Obeys a command that is not about a move. Whether it is known.
    fn obey(
        &mut self,
        name: &str,
        words: &[&str],
        rest: &str,
        out: &mut dyn Write,
    ) -> Result<bool, CliError> {
        let number = words.first().and_then(|word| word.parse::<usize>().ok());
        let mut refused = None;
        match (name, number) {
            ("protover", _) => self.introduce(out)?,
            ("new", _) => {
                self.clocks.restart();
                self.analyses = false;
                refused = self.new_game(None).err();
                self.table.forget();
                self.side = Some(1);
            }
            ("variant", _) if rest == "xiangqi" => {}
            ("variant", _) => writeln!(out, "Error (unsupported variant): {rest}")?,
            ("setboard", _) => {
                if let Err(error) = self.new_game(Some(rest)) {
                    let error = shortened(&error, 2 * LONGEST_QUOTE);
                    writeln!(out, "tellusererror Illegal position: {error}")?;
                }
                if self.analyses {
                    self.go_on(out)?;
                }
            }
            ("force", _) => {
                self.end();
                self.side = None;
            }
            ("result", _) => {
                self.end();
                self.side = None;
            }
            ("go", _) => {
                self.end();
                self.side = Some(self.table.position().mover());
                self.go_on(out)?;
            }
            ("playother", _) => {
                self.end();
                self.side = Some(1 - self.table.position().mover());
            }
            ("ping", _) => writeln!(out, "pong {rest}")?,
            ("hard", _) => self.ponders = true,
            ("easy", _) => {
                self.ponders = false;
                if self.purpose == Some(Purpose::Ponder) {
                    self.end();
                }
            }
            ("post", _) => self.posts = true,
            ("nopost", _) => self.posts = false,
            ("undo", _) => self.undo(name, 1, out)?,
            ("remove", _) => self.undo(name, 2, out)?,
            ("?", _) if self.purpose == Some(Purpose::Move) => {
                if let Some(found) = self.table.stop() {
                    self.answer(found, out)?;
                }
            }
            ("?", _) => {}
            ("hint", _) => {
                let best = self.table.finding().filter(|_| self.purpose == Some(Purpose::Ponder));
                let best = best.and_then(|found| Some(found.best()?.mv().to_owned()));
                if let Some(hint) = best.or_else(|| self.expected.clone()) {
                    writeln!(out, "Hint: {hint}")?;
                }
            }
            ("draw", _) => {}
            ("analyze", _) => {
                self.end();
                (self.analyses, self.side, self.posts) = (true, None, true);
                self.go_on(out)?;
            }
            ("exit", _) => {
                self.end();
                self.analyses = false;
            }
            (".", _) => {
                if let Some(finding) = self.table.finding().filter(|_| self.analyses) {
                    let (time, nodes) = (finding.elapsed.as_millis() / 10, finding.nodes);
                    writeln!(out, "stat01: {time} {nodes} {} 0 0", finding.depth)?;
                }
            }
            ("cores", Some(cores @ 1..)) => refused = self.table.set_threads(cores).err(),
            ("memory", Some(mebibytes @ 1..=1_048_576)) => {
                refused = self.table.set_bytes(mebibytes * MEBIBYTE).err();
            }
            ("cores" | "memory", _) => writeln!(out, "Error (no such number): {name} {rest}")?,
            ("option", _) => refused = self.set_option(rest).err(),
            ("level" | "st" | "sd" | "time" | "otim", _) => {
                if !self.clocks.take(name, words) {
                    writeln!(out, "Error (no such time): {name} {rest}")?;
                }
            }
            (name, _) => return Ok(NO_MATTER.contains(&name)),
        }
        if let Some(error) = refused {
            writeln!(out, "Error ({}): {name}", shortened(&error, 2 * LONGEST_QUOTE))?;
        }
        Ok(true)
    }
}

/// A line of thinking: plies, hundredths of a pawn, hundredths of a second, nodes, line of play.
fn thought(finding: &Finding) -> String {
    let Some(best) = finding.best() else { return String::new() };
    let score = match best.moves_to_mate() {
        Some(moves) => moves.signum() * MATE + moves,
        None => best.centipawns().into(),
    };
    let time = finding.elapsed.as_millis() / 10;
    format!("{} {score} {time} {} {}", finding.depth, finding.nodes, best.line.join(" "))
}

/// Whether a word is two points, as a move without `usermove` before it.
fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 4
        && bytes[0].is_ascii_lowercase()
        && bytes[1].is_ascii_digit()
        && bytes[2].is_ascii_lowercase()
        && bytes[3].is_ascii_digit()
}

impl Protocol for Xboard {
    fn table(&mut self) -> &mut Table {
        &mut self.table
    }

    fn line(&mut self, line: &Line, out: &mut dyn Write) -> Result<Flow, CliError> {
        let text = line.text.trim();
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        let words: Vec<&str> = rest.split_whitespace().collect();
        match name {
            "" => {}
            _ if line.is_cut => writeln!(out, "Error (line too long): {name}")?,
            "quit" => {
                self.end();
                return Ok(Flow::Quit);
            }
            "usermove" => self.user_move(rest, out)?,
            name if is_move(name) => self.user_move(name, out)?,
            name => {
                if !self.obey(name, &words, rest, out)? {
                    let name = shortened(name, LONGEST_QUOTE);
                    writeln!(out, "Error (unknown command): {name}")?;
                }
            }
        }
        Ok(Flow::GoOn)
    }

    fn found(&mut self, finding: &Finding, out: &mut dyn Write) -> Result<(), CliError> {
        if self.posts && self.purpose != Some(Purpose::Ponder) {
            writeln!(out, "{}", thought(finding))?;
        }
        Ok(())
    }

    fn ended(
        &mut self,
        found: Result<Finding, String>,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        match self.purpose {
            Some(Purpose::Move) => self.answer(found, out),
            Some(Purpose::Analysis) => match &found {
                Ok(finding) => self.found(finding, out),
                Err(error) => Ok(writeln!(out, "tellusererror {error}")?),
            },
            // What was found before the other side has moved is in the table.
            _ => Ok(()),
        }
    }

    fn closed(&mut self, _: &mut dyn Write) -> Result<bool, CliError> {
        // No move of another side will come.
        self.ponders = false;
        if self.purpose != Some(Purpose::Move) {
            self.end();
        }
        Ok(self.table.is_searching())
    }
}
