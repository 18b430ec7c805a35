//! UCI, the Universal Chess Interface (S. Meyer-Kahlen and R. Huber 2006), for games of chess's
//! family, and what UCCI has in common with it.

use std::fmt;
use std::time::Duration;

use playtree::GameState;
use playtree::budget::GameClock;

use super::{Limits, Talk, legal_move};
use crate::foreign::xiangqi::shift_ranks;
use crate::player::{Answer, Clocks, Failure, ForfeitKind, Player, Record, Seat, Work};
use crate::spec::ProgramSettings;

/// Where UCI and UCCI differ.
#[derive(Clone, Copy)]
pub(super) struct Dialect {
    /// What the program is greeted with.
    pub(super) hello: &'static str,
    /// What it ends its introduction with.
    pub(super) hello_answer: &'static str,
    /// Whether options have the words `name` and `value`.
    pub(super) option_words: bool,
    /// What begins a new game.
    pub(super) new_game: Option<&'static str>,
    /// The limit of time, after `go`.
    pub(super) time: fn(Duration) -> String,
    /// The clocks, after `go`, and whether the program is the first player; `None` of a clock for
    /// which there are no words. A clock for each move is sent as a limit of time.
    pub(super) clock: fn(Clocks, bool) -> Option<String>,
    /// The names of the options for the number of threads.
    pub(super) threads: &'static str,
    /// What the first rank of Xiangqi is called: 0 in our notation.
    pub(super) first_xiangqi_rank: u32,
}

/// UCI itself. Fairy-Stockfish counts the ranks of Xiangqi from 1.
pub(super) const UCI: Dialect = Dialect {
    hello: "uci",
    hello_answer: "uciok",
    option_words: true,
    new_game: Some("ucinewgame"),
    time: |time| format!("movetime {}", millis(time)),
    clock,
    threads: "Threads",
    first_xiangqi_rank: 1,
};

/// Milliseconds, at least one: none would be no limit.
pub(super) fn millis(time: Duration) -> u128 {
    time.as_millis().max(1)
}

/// The clocks of both sides as UCI tells them.
fn clock(clocks: Clocks, first: bool) -> Option<String> {
    let Clocks { own, other, .. } = clocks;
    let (white, black) = if first { (own, other) } else { (other, own) };
    let [white, black] = [white, black].map(|clock| millis(clock.remaining()));
    let times = format!("wtime {white} btime {black}");
    match own {
        GameClock::SuddenDeath { .. } => Some(times),
        GameClock::Fischer { increment, .. } => {
            let increment = increment.as_millis();
            Some(format!("{times} winc {increment} binc {increment}"))
        }
        GameClock::MovesToGo { moves, .. } => Some(format!("{times} movestogo {moves}")),
        _ => None,
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.hello)
    }
}

impl Dialect {
    /// What is said of the clocks after `go`, if there are words for it.
    fn clock_text(&self, clocks: Clocks, first: bool) -> Option<String> {
        match clocks.own {
            // The program does not know what a move costs beyond its thinking.
            GameClock::PerMove { .. } => Some((self.time)(clocks.limit())),
            _ => (self.clock)(clocks, first),
        }
    }
}

/// A program that speaks UCI or UCCI.
#[derive(Debug)]
pub(super) struct Uci {
    talk: Talk,
    limits: Limits,
    dialect: Dialect,
    xiangqi: bool,
}

/// Options of a program that are kept.
const MOST_OPTIONS: usize = 1024;

/// What the introduction of a program says.
#[derive(Debug, Default)]
struct Introduction {
    /// The last line of its words before it says that it is ready.
    options: Vec<String>,
}

impl Introduction {
    /// The line that declares the option of this name.
    fn option(&self, name: &str) -> Option<&str> {
        let declared = |line: &&String| {
            let words = line.strip_prefix("option").unwrap_or_default().trim_start();
            let words = words.strip_prefix("name ").unwrap_or(words);
            words.split(" type ").next().is_some_and(|found| found.trim() == name)
        };
        self.options.iter().find(declared).map(String::as_str)
    }
}

impl Uci {
    pub(super) fn start(
        dialect: Dialect,
        mut talk: Talk,
        settings: &ProgramSettings,
        limits: Limits,
        seat: Seat<'_>,
    ) -> Result<Self, Failure> {
        let xiangqi = seat.game.name() == "xiangqi";
        // UCCI is for Xiangqi alone.
        let known = xiangqi || (dialect.option_words && seat.game.name() == "breakthrough");
        if !known {
            let games = if dialect.option_words { "xiangqi, breakthrough" } else { "xiangqi" };
            return Err(talk.refuse(&format!(
                "expected a game that can be played over {} ({games}), found {}",
                dialect.hello,
                seat.game.name()
            )));
        }
        talk.say(dialect.hello);
        let mut introduction = Introduction::default();
        talk.greet(
            &format!("'{}' in answer to '{}'", dialect.hello_answer, dialect.hello),
            |line| {
                if line.starts_with("option ") && introduction.options.len() < MOST_OPTIONS {
                    introduction.options.push(line.to_owned());
                }
                (line.trim() == dialect.hello_answer).then_some(())
            },
        )?;
        let set = |name: &str, value: &str| match dialect.option_words {
            true => format!("setoption name {name} value {value}"),
            false => format!("setoption {name} {value}"),
        };
        let variant = settings.variant.as_deref().unwrap_or(seat.game.name());
        match introduction.option("UCI_Variant") {
            Some(line) if !line.split(' ').any(|word| word == variant) => {
                return Err(talk.refuse(&format!(
                    "expected a program that knows the variant {variant}, found '{}'",
                    line.chars().take(200).collect::<String>()
                )));
            }
            Some(_) => talk.say(&set("UCI_Variant", variant)),
            // A program for one game.
            None if settings.variant.is_none() => {}
            None => return Err(talk.refuse("expected an option UCI_Variant, found none")),
        }
        if introduction.option("usemillisec").is_some() {
            talk.say(&set("usemillisec", "true"));
        }
        if let Some(threads) = settings.threads {
            talk.say(&set(dialect.threads, &threads.to_string()));
        }
        for (name, value) in settings.options.iter().flat_map(|options| &options.0) {
            if introduction.option(name).is_none() {
                return Err(talk.refuse(&format!("expected an option of its own, found '{name}'")));
            }
            talk.say(&set(name, value));
        }
        if let Some(new_game) = dialect.new_game {
            talk.say(new_game);
        }
        if let Some(clocks) = seat.clocks
            && dialect.clock_text(clocks, true).is_none()
        {
            let expected =
                "a clock such as 5m, 5m+3s, 5m/40 or 10s/move, as this protocol tells it";
            return Err(talk.refuse_clock(expected));
        }
        talk.say("isready");
        talk.greet("'readyok' in answer to 'isready'", |line| {
            (line.trim() == "readyok").then_some(())
        })?;
        Ok(Self { talk, limits, dialect, xiangqi })
    }

    /// A move of ours as the program writes it.
    fn to_theirs(&self, text: &str) -> String {
        if self.xiangqi {
            shift_ranks(text, self.dialect.first_xiangqi_rank, 0)
        } else {
            text.into()
        }
    }

    /// A move of the program as we write it.
    fn to_ours(&self, text: &str) -> String {
        if self.xiangqi {
            shift_ranks(text, 0, self.dialect.first_xiangqi_rank)
        } else {
            text.into()
        }
    }
}

/// A position as these protocols want it: all six fields of FEN.
pub(super) fn fen(position: &str) -> String {
    let mut fields: Vec<&str> = position.split_whitespace().collect();
    for field in ["", "w", "-", "-", "0", "1"].iter().skip(fields.len()) {
        fields.push(field);
    }
    fields.join(" ")
}

/// The number behind a word of an `info` line.
fn number_after(line: &str, word: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    words.find(|found| *found == word)?;
    words.next()?.parse().ok()
}

impl Player for Uci {
    fn choose(&mut self, record: &Record, clocks: Option<Clocks>) -> Result<Answer, Failure> {
        let mut position = format!("position fen {}", fen(&record.states()[0].position_text()));
        if record.len() > 0 {
            position.push_str(" moves");
        }
        for text in record.texts_from(0) {
            position.push(' ');
            position.push_str(&self.to_theirs(&text));
        }
        self.talk.say(&position);
        let mut go = String::from("go");
        if let Some(depth) = self.limits.depth {
            go.push_str(&format!(" depth {depth}"));
        }
        if let Some(nodes) = self.limits.nodes {
            go.push_str(&format!(" nodes {nodes}"));
        }
        if let Some(time) = self.limits.time {
            go.push(' ');
            go.push_str(&(self.dialect.time)(time));
        }
        let first = record.last().mover() == 0;
        if let Some(text) = clocks.and_then(|clocks| self.dialect.clock_text(clocks, first)) {
            go.push(' ');
            go.push_str(&text);
        }
        self.talk.say(&go);
        let mut work = Work::default();
        let answer = self.talk.listen("'bestmove'", self.limits.patience(clocks), |line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => Some(words.next().unwrap_or_default().to_owned()),
                Some("nobestmove") => Some(String::new()),
                Some("info") => {
                    work.nodes = number_after(line, "nodes").or(work.nodes);
                    let depth = number_after(line, "depth").and_then(|depth| depth.try_into().ok());
                    work.depth = depth.or(work.depth);
                    None
                }
                _ => None,
            }
        })?;
        if ["", "(none)", "0000", "null"].contains(&answer.as_str()) {
            let detail = format!("expected a move, found '{answer}'");
            return Err(Failure::forfeit(ForfeitKind::Protocol, &detail));
        }
        Ok(Answer::Move(legal_move(record.last(), &self.to_ours(&answer))?, work))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use playtree::budget::{GameClock, TimeManager};

    use super::{UCI, fen, number_after};
    use crate::player::Clocks;

    #[test]
    fn clocks_are_told_in_milliseconds_by_colour() {
        let s = Duration::from_secs;
        let text = |own, other, first| {
            UCI.clock_text(Clocks { own, other, manager: TimeManager::new() }, first)
        };
        let sudden = |remaining| GameClock::SuddenDeath { remaining: s(remaining) };
        assert_eq!(text(sudden(9), sudden(8), true).as_deref(), Some("wtime 9000 btime 8000"));
        assert_eq!(text(sudden(9), sudden(8), false).as_deref(), Some("wtime 8000 btime 9000"));
        let fischer = |remaining| GameClock::Fischer { remaining: s(remaining), increment: s(2) };
        let said = "wtime 9000 btime 8000 winc 2000 binc 2000";
        assert_eq!(text(fischer(9), fischer(8), true).as_deref(), Some(said));
        let session = |moves| GameClock::MovesToGo {
            remaining: s(9),
            moves,
            session_time: s(60),
            session_moves: 40,
        };
        let said = "wtime 9000 btime 9000 movestogo 7";
        assert_eq!(text(session(7), session(8), false).as_deref(), Some(said));
        // Less the lag of a move.
        let each = GameClock::PerMove { time: s(1) };
        assert_eq!(text(each, each, true).as_deref(), Some("movetime 970"));
        let byo_yomi = GameClock::ByoYomi { remaining: s(9), period: s(9), periods: 2 };
        assert_eq!(text(byo_yomi, byo_yomi, true), None);
    }

    #[test]
    fn a_position_gets_the_fields_it_lacks() {
        assert_eq!(fen("8/8 b"), "8/8 b - - 0 1");
        assert_eq!(fen("8/8 w - - 7 9"), "8/8 w - - 7 9");
    }

    #[test]
    fn numbers_are_found_by_their_word() {
        let line = "info depth 7 seldepth 10 nodes 2388 time 37 pv h1g3";
        assert_eq!(number_after(line, "nodes"), Some(2388));
        assert_eq!(number_after(line, "depth"), Some(7));
        assert_eq!(number_after(line, "pv"), None);
    }
}
