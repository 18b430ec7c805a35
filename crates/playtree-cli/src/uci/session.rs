//! The commands of UCI and UCCI.

use std::io::Write;

use playtree_session::{Game, Root};

use super::dialect::Dialect;
use super::go::Go;
use super::options::{self, Settings};
use crate::error::CliError;
use crate::foreign::xiangqi::shift_ranks;
use crate::games::read_move;
use crate::harmless::shortened;
use crate::protocols::{Finding, Flow, LONGEST_LINE, Line, Protocol, Table, Variation};

/// Characters of what is quoted of a client's line.
const LONGEST_QUOTE: usize = 60;

/// A session with a client.
pub(super) struct Uci {
    dialect: Dialect,
    table: Table,
    settings: Settings,
    /// What was asked for and is not answered.
    go: Option<Go>,
    /// What was found, whose answer waits for `stop` or `ponderhit`; without a move where there is
    /// none.
    held: Option<Result<Finding, String>>,
    /// Moves that the referee has ruled out in this position.
    banned: Vec<String>,
    /// Why the last position cannot be searched.
    broken: Option<String>,
}

/// The words of a position: its text, `None` for the start, and the moves, as the client writes
/// them.
fn position_of<'a>(words: &[&'a str]) -> Result<(Option<String>, Vec<&'a str>), String> {
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words.get(end + 1..).unwrap_or_default().to_vec();
    match &words[..end] {
        ["startpos"] => Ok((None, moves)),
        ["fen", text @ ..] => Ok((Some(text.join(" ")), moves)),
        other => Err(format!("expected 'startpos' or 'fen', found '{}'", other.join(" "))),
    }
}

impl Uci {
    pub(super) fn new(table: Table) -> Self {
        Self {
            dialect: Dialect::Uci,
            table,
            settings: Settings::default(),
            go: None,
            held: None,
            banned: Vec::new(),
            broken: None,
        }
    }

    /// What the first rank is called, where ranks are counted from another number than ours.
    fn first_rank(&self) -> u32 {
        match self.dialect {
            Dialect::Uci if self.table.game.name() == "xiangqi" => self.settings.first_rank,
            _ => 0,
        }
    }

    /// A move of the client as we write it; a notation without ranks is left as it is.
    fn to_ours(&self, text: &str) -> String {
        let is_coordinates = text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().filter(u8::is_ascii_alphabetic).count() == 2;
        if self.first_rank() > 0 && is_coordinates {
            shift_ranks(text, 0, self.first_rank())
        } else {
            text.to_owned()
        }
    }

    /// A move of ours as the client writes it.
    fn to_theirs(&self, text: &str) -> String {
        match self.first_rank() {
            0 => text.to_owned(),
            first => shift_ranks(text, first, 0),
        }
    }

    fn say(&self, what: &str, out: &mut dyn Write) -> Result<(), CliError> {
        Ok(writeln!(out, "info string {what}")?)
    }

    fn introduce(&mut self, dialect: Dialect, out: &mut dyn Write) -> Result<(), CliError> {
        self.dialect = dialect;
        writeln!(out, "id name playtree {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "id author the playtree authors")?;
        for option in options::declared(dialect, &mut self.table) {
            writeln!(out, "{option}")?;
        }
        Ok(writeln!(out, "{}", dialect.ok())?)
    }

    /// A start that the client names.
    fn start(&self, text: Option<&str>) -> Result<(Game, playtree_session::Position), String> {
        let name = self.table.game.name();
        Game::open(name, text).map_err(|error| error.to_string())
    }

    /// Sets the position up.
    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        self.banned.clear();
        let (text, moves) = position_of(words)?;
        let (game, start) = self.start(text.as_deref())?;
        self.table.set_start(game, start);
        for (number, text) in (1..).zip(moves) {
            let played = self.table.play(&self.to_ours(text));
            played.map_err(|error| format!("move {number}: {error}"))?;
        }
        Ok(())
    }

    /// What `searchmoves` and `banmoves` make of the moves of the position.
    fn root(&self, only: &[String], out: &mut dyn Write) -> Result<Root, CliError> {
        let position = self.table.position();
        let mut read = |texts: &[String]| -> Result<Vec<_>, CliError> {
            let mut moves = Vec::new();
            for text in texts {
                match read_move(position, &self.to_ours(text)) {
                    Ok(mv) => moves.push(mv),
                    Err(error) => self.say(&error, out)?,
                }
            }
            Ok(moves)
        };
        let mut root = Root::new();
        root.only = Some(read(only)?).filter(|moves| !moves.is_empty());
        root.except = read(&self.banned)?;
        // A referee that rules everything out has left it to us.
        if root.except.len() >= position.legal_moves().len() {
            root.except.clear();
        }
        Ok(root)
    }

    /// Begins to search.
    fn begin(&mut self, go: Go, out: &mut dyn Write) -> Result<(), CliError> {
        for refused in &go.refused {
            self.say(refused, out)?;
        }
        if let Some(broken) = &self.broken {
            self.say(broken, out)?;
            return Ok(writeln!(out, "{}", self.dialect.no_move())?);
        }
        let waits = go.is_infinite || go.is_ponder;
        if self.table.is_over() {
            self.go = Some(go);
            return if waits {
                self.held = Some(Ok(Finding::default()));
                Ok(())
            } else {
                self.answer(Ok(Finding::default()), out)
            };
        }
        let root = self.root(&go.only, out)?;
        let begun =
            if waits { self.table.think_on(root) } else { self.table.think(&go.allowance, root) };
        self.go = Some(go);
        match begun {
            Ok(()) => Ok(()),
            Err(error) => self.answer(Err(error), out),
        }
    }

    /// What was expected has been played: the search is now one for a move.
    fn ponder_hit(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let Some(mut go) = self.go.take().filter(|go| go.is_ponder) else {
            return self.say("expected a 'go ponder' under way, found none", out);
        };
        go.is_ponder = false;
        if go.is_infinite {
            self.go = Some(go);
            return Ok(());
        }
        if let Some(found) = self.held.take() {
            self.go = Some(go);
            return self.answer(found, out);
        }
        // What was found stays in the searcher's table.
        go.refused.clear();
        self.table.stop();
        self.begin(go, out)
    }

    /// Ends the search under way, if there is one, and answers.
    fn finish(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        if self.go.is_none() {
            return Ok(());
        }
        match self.held.take().or_else(|| self.table.stop()) {
            Some(found) => self.answer(found, out),
            None => Ok(()),
        }
    }

    fn answer(
        &mut self,
        found: Result<Finding, String>,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        self.go = None;
        let finding = match found {
            Ok(finding) => finding,
            Err(error) => {
                self.say(&error, out)?;
                return Ok(writeln!(out, "{}", self.dialect.no_move())?);
            }
        };
        let Some(best) = finding.best() else {
            return Ok(writeln!(out, "{}", self.dialect.no_move())?);
        };
        self.show(&finding, out)?;
        write!(out, "bestmove {}", self.to_theirs(best.mv()))?;
        if let Some(reply) = best.line.get(1) {
            write!(out, " ponder {}", self.to_theirs(reply))?;
        }
        Ok(writeln!(out)?)
    }

    /// The `info` lines of what was found.
    fn show(&self, finding: &Finding, out: &mut dyn Write) -> Result<(), CliError> {
        for (number, variation) in (1..=self.settings.lines).zip(&finding.variations) {
            writeln!(out, "{}", self.info(number, finding, variation))?;
        }
        Ok(())
    }

    fn info(&self, number: usize, finding: &Finding, variation: &Variation) -> String {
        let Finding { depth, selective_depth, nodes, nodes_per_second, elapsed, .. } = finding;
        let mut info = format!("info depth {depth}");
        if self.dialect == Dialect::Uci {
            info.push_str(&format!(" seldepth {selective_depth} multipv {number}"));
        } else if self.settings.lines > 1 {
            info.push_str(&format!(" multipv {number}"));
        }
        let millis = elapsed.as_millis();
        info.push_str(&format!(
            " {} nodes {nodes} nps {nodes_per_second} time {millis}",
            self.dialect.score(variation)
        ));
        if let Some(used) = finding.table_used {
            info.push_str(&format!(" hashfull {used}"));
        }
        info.push_str(" pv");
        for mv in &variation.line {
            info.push(' ');
            info.push_str(&self.to_theirs(mv));
        }
        info
    }

    /// What the tree knows of a position that follows the one searched.
    fn probe(&self, words: &[&str]) -> Result<Option<String>, String> {
        let (text, moves) = position_of(words)?;
        let (_, start) = self.start(text.as_deref())?;
        let moves: Vec<String> = moves.iter().map(|mv| self.to_ours(mv)).collect();
        Ok(self.table.known_after(&start.position_text(), &moves))
    }
}

impl Protocol for Uci {
    fn table(&mut self) -> &mut Table {
        &mut self.table
    }

    fn line(&mut self, line: &Line, out: &mut dyn Write) -> Result<Flow, CliError> {
        if line.is_cut {
            let expected = format!("expected a line of at most {LONGEST_LINE} bytes, found more");
            self.say(&expected, out)?;
            return Ok(Flow::GoOn);
        }
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let Some((&name, words)) = words.split_first() else { return Ok(Flow::GoOn) };
        let is_ucci = self.dialect == Dialect::Ucci;
        match name {
            "uci" => self.introduce(Dialect::Uci, out)?,
            "ucci" if self.table.game.name() == "xiangqi" => {
                self.introduce(Dialect::Ucci, out)?;
            }
            "isready" => writeln!(out, "readyok")?,
            "setoption" => {
                self.finish(out)?;
                if let Err(error) = options::set(words, &mut self.settings, &mut self.table) {
                    self.say(&error, out)?;
                }
            }
            "ucinewgame" => {
                self.finish(out)?;
                self.table.forget();
            }
            "position" => {
                self.finish(out)?;
                self.broken = self.set_position(words).err();
                if let Some(error) = &self.broken {
                    self.say(error, out)?;
                }
            }
            "banmoves" if is_ucci => {
                self.banned = words.iter().map(|mv| (*mv).to_owned()).collect();
            }
            "go" => {
                self.finish(out)?;
                let is_white = playtree::GameState::mover(self.table.position()) == 0;
                let go = Go::read(words, self.dialect, is_white, self.settings.unit);
                self.begin(go, out)?;
            }
            "ponderhit" => self.ponder_hit(out)?,
            "stop" => self.finish(out)?,
            "probe" if is_ucci => match self.probe(words) {
                Ok(Some(mv)) => writeln!(out, "pophash bestmove {mv}")?,
                Ok(None) => writeln!(out, "pophash")?,
                Err(error) => self.say(&error, out)?,
            },
            "quit" => {
                if is_ucci {
                    writeln!(out, "bye")?;
                }
                return Ok(Flow::Quit);
            }
            "debug" | "register" => {}
            other => {
                let other = shortened(other, LONGEST_QUOTE);
                self.say(&format!("unknown command '{other}'"), out)?;
            }
        }
        Ok(Flow::GoOn)
    }

    fn found(&mut self, finding: &Finding, out: &mut dyn Write) -> Result<(), CliError> {
        self.show(finding, out)
    }

    fn ended(
        &mut self,
        found: Result<Finding, String>,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        if self.go.as_ref().is_some_and(|go| go.is_infinite || go.is_ponder) {
            if let Ok(finding) = &found {
                self.show(finding, out)?;
            }
            self.held = Some(found);
            return Ok(());
        }
        self.answer(found, out)
    }

    fn closed(&mut self, out: &mut dyn Write) -> Result<bool, CliError> {
        if self.go.as_ref().is_some_and(|go| go.is_infinite || go.is_ponder) {
            self.finish(out)?;
        }
        Ok(self.table.is_searching())
    }
}
