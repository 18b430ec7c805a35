//! The commands that answer a client, as the client sees them.

mod analysis;
mod matches;
mod piskvork;
mod ucci;
mod uci;
mod xboard;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::command;

/// More than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A session under way.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    fn start(args: &[&str]) -> Self {
        let mut child = command(args).spawn().expect("it starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.expect("stdout is UTF-8")).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, lines }
    }

    /// Sends lines.
    fn say(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        writeln!(stdin, "{text}").and_then(|()| stdin.flush()).expect("it listens");
    }

    /// The next line.
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    /// The lines up to the first that begins like this, it included.
    fn until(&self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => line,
                Err(error) => panic!("expected '{beginning}', found {error} after {lines:?}"),
            };
            let is_last = line.starts_with(beginning);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// The last line of what is said to this, the first that begins like that.
    fn ask(&mut self, text: &str, beginning: &str) -> String {
        self.say(text);
        self.until(beginning).pop().expect("a line")
    }

    /// All lines of this time.
    fn during(&self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => return lines,
                Err(RecvTimeoutError::Disconnected) => panic!("it has ended after {lines:?}"),
            }
        }
    }

    /// Ends the session by this word: what is still said.
    fn end(mut self, word: &str) -> Vec<String> {
        self.say(word);
        self.expect_end();
        self.lines.iter().collect()
    }

    /// Closes the input, and sees that the session ends well.
    fn expect_end(&mut self) {
        self.stdin = None;
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                assert_eq!(status.code(), Some(0));
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("expected an end of the session, found none");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that has failed leaves none behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word that follows `word` in a line.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.find(|found| *found == word)?;
    words.next()
}
