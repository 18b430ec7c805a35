//! UCI, the Universal Chess Interface (S. Meyer-Kahlen and R. Huber 2006), for games of chess's
//! family, and what UCCI has in common with it.

use std::fmt;
use std::time::Duration;

use playtree::Notation;

use super::{Limits, Talk, legal_move};
use crate::player::{Answer, Failure, ForfeitKind, Player, Record, Seat, Work};
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
    time: |time| format!("movetime {}", time.as_millis().max(1)),
    threads: "Threads",
    first_xiangqi_rank: 1,
};

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.hello)
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
        let xiangqi = seat.game.name == "xiangqi";
        // UCCI is for Xiangqi alone.
        let known = xiangqi || (dialect.option_words && seat.game.name == "breakthrough");
        if !known {
            let spoken = if dialect.option_words { "xiangqi or breakthrough" } else { "xiangqi" };
            return Err(talk.refuse(&format!(
                "expected {spoken}, which {} can be spoken about, found {}",
                dialect.hello, seat.game.name
            )));
        }
        talk.say(dialect.hello);
        let mut introduction = Introduction::default();
        talk.greet(
            &format!("'{}' in answer to '{}'", dialect.hello_answer, dialect.hello),
            |line| {
                if line.starts_with("option ") {
                    introduction.options.push(line.to_owned());
                }
                (line.trim() == dialect.hello_answer).then_some(())
            },
        )?;
        let set = |name: &str, value: &str| match dialect.option_words {
            true => format!("setoption name {name} value {value}"),
            false => format!("setoption {name} {value}"),
        };
        let variant = settings.variant.as_deref().unwrap_or(seat.game.name);
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

/// Adds to and takes from each number in a move.
fn shift_ranks(text: &str, add: u32, take: u32) -> String {
    let mut shifted = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits =
            rest[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - start);
        let (number, after) = rest[start..].split_at(digits);
        shifted.push_str(&rest[..start]);
        match number.parse::<u32>().ok().and_then(|rank| (rank + add).checked_sub(take)) {
            Some(rank) => shifted.push_str(&rank.to_string()),
            // Left as it is, to be refused as a move.
            None => shifted.push_str(number),
        }
        rest = after;
    }
    shifted + rest
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

impl<G: Notation> Player<G> for Uci {
    fn choose(&mut self, record: &Record<G>) -> Result<Answer<G::Move>, Failure> {
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
        self.talk.say(&go);
        let mut work = Work::default();
        let answer = self.talk.listen("'bestmove'", self.limits.timeout, |line| {
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
            return Err(Failure::forfeit(ForfeitKind::Protocol, detail));
        }
        Ok(Answer::Move(legal_move(record.last(), &self.to_ours(&answer))?, work))
    }
}

#[cfg(test)]
mod tests {
    use super::{fen, number_after, shift_ranks};

    #[test]
    fn ranks_begin_with_0_or_1() {
        assert_eq!(shift_ranks("h2e2", 1, 0), "h3e3");
        assert_eq!(shift_ranks("h9g7", 1, 0), "h10g8");
        assert_eq!(shift_ranks("a10b9", 0, 1), "a9b8");
        assert_eq!(shift_ranks("a0b1", 0, 1), "a0b0");
        assert_eq!(shift_ranks("resign", 0, 1), "resign");
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
