//! A program as a child process whose lines can be waited for, and that never outlives its
//! owner.
//!
//! A signal may end this program at any moment, and no destructor runs then. So each program has a
//! **guard**: a shell that waits for the end of its own input, which comes with the end of this
//! process, whatever ends it, and then ends the program with all that it has started.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use playtree::StopToken;

use crate::harmless::harmless;

/// Where Debian puts games, which is not on every user's path.
const GAME_FOLDERS: [&str; 2] = ["/usr/games", "/usr/local/games"];
/// Lines that wait to be read; a program that says more is made to wait.
const LINES_AHEAD: usize = 1024;
/// Bytes of a line; a longer one is broken. All lines that wait take 16 MiB at most.
const LONGEST_LINE: u64 = 1 << 14;
/// The time in which a program that was asked to quit must end.
const QUIT_TIME: Duration = Duration::from_millis(500);
/// Between two looks at what cannot be waited for.
const LOOK: Duration = Duration::from_millis(20);

/// A program that is running, or has ended and is not yet buried.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    guard: Guard,
    /// To the thread that writes: a program that does not read must not block us.
    to: Option<Sender<String>>,
    from: Receiver<String>,
    /// What makes it go.
    farewell: &'static str,
}

/// Why there is no line.
#[derive(Debug)]
pub(super) enum Silence {
    /// The time is over.
    Late,
    /// The program has closed its output: how it ended, in words.
    Ended(String),
    /// Ctrl-C.
    Stopped,
}

impl Process {
    /// Starts a program by its name, in the folders of the path and those where Debian keeps
    /// games, or by its path. What it writes to stderr is not kept.
    pub(super) fn start(program: &str, args: &[String]) -> io::Result<Self> {
        let mut command = Command::new(find(program));
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        // A group of its own, so that what it starts can be ended with it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let guard = Guard::of(&child);
        let (to, lines) = channel::<String>();
        let (said, from) = sync_channel(LINES_AHEAD);
        if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            // If the system has no thread left, the guard ends the program.
            thread::Builder::new().spawn(move || write_lines(stdin, &lines))?;
            thread::Builder::new().spawn(move || read_lines(stdout, &said))?;
        }
        Ok(Self { child, guard, to: Some(to), from, farewell: "quit" })
    }

    /// Sends a line. Never blocks, and does not fail: that the program has ended shows when it
    /// is listened to.
    pub(super) fn say(&mut self, line: &str) {
        if let Some(to) = &self.to {
            let _ = to.send(line.to_owned());
        }
    }

    /// The next line, without its end. Blocks until there is one, at most until `deadline`.
    pub(super) fn line(&mut self, deadline: Instant, stop: &StopToken) -> Result<String, Silence> {
        loop {
            if stop.is_stopped() {
                return Err(Silence::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.from.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(self.ending())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How the program has ended, now that it says nothing more.
    fn ending(&mut self) -> String {
        match self.wait(QUIT_TIME) {
            Some(status) => status,
            None => "it has closed its output".into(),
        }
    }

    /// Waits for the end; what it was.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    // What it has started goes with it.
                    self.guard.strike();
                    return Some(status.to_string());
                }
                Err(error) => return Some(error.to_string()),
                Ok(None) if Instant::now() >= deadline => return None,
                Ok(None) => thread::sleep(LOOK.min(patience)),
            }
        }
    }

    /// Ends the program and all that it has started.
    fn kill(&mut self) {
        self.guard.strike();
        // Without a shell the program itself is still ended. An error says that it has ended
        // already.
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    /// Asks the program to quit, and ends it if it does not. Blocks for a moment.
    fn drop(&mut self) {
        self.say(self.farewell);
        // Closes its input.
        self.to = None;
        if self.wait(QUIT_TIME).is_none() {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

/// Ends the process group of a program at [`strike`](Self::strike), and when this process ends.
#[derive(Debug)]
struct Guard {
    /// `None` once it has done its work, or if there is no shell.
    shell: Option<Child>,
}

/// What the shell does: it waits for the end of its input, whatever signal comes to it. The signal
/// is a number: that is how each shell takes one for a group.
#[cfg(unix)]
const WATCH: &str = r#"trap "" HUP INT TERM; read -r line; kill -9 "-$1""#;

impl Guard {
    #[cfg(unix)]
    fn of(program: &Child) -> Self {
        use std::os::unix::process::CommandExt;
        let mut shell = Command::new("sh");
        shell.args(["-c", WATCH, "sh", &program.id().to_string()]).stdin(Stdio::piped());
        // The terminal's Ctrl-C is for a group, and this one must stay.
        shell.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        Self { shell: shell.spawn().ok() }
    }

    #[cfg(not(unix))]
    fn of(_: &Child) -> Self {
        Self { shell: None }
    }

    /// Ends what is left of the group. Blocks for a moment.
    fn strike(&mut self) {
        if let Some(mut shell) = self.shell.take() {
            drop(shell.stdin.take());
            // An error says that it has ended already.
            let _ = shell.wait();
        }
    }
}

/// The program as it can be started: a bare name that is in one of the folders of games only
/// is found there.
fn find(program: &str) -> PathBuf {
    let bare = !program.contains(std::path::MAIN_SEPARATOR);
    let on_path = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    };
    if bare && !on_path() {
        let games = GAME_FOLDERS.iter().map(|folder| Path::new(folder).join(program));
        if let Some(found) = games.into_iter().find(|path| path.is_file()) {
            return found;
        }
    }
    program.into()
}

/// Writes each line of `lines` until their sender is gone or the program closes its input.
fn write_lines(mut to: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(to, "{line}").and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

/// Hands lines on until the program closes its output or the receiver is gone.
fn read_lines(from: impl Read, said: &SyncSender<String>) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    loop {
        line.clear();
        match from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        // Whatever becomes of it, it may reach a terminal.
        let text = harmless(text.trim_end_matches(['\n', '\r'])).into_owned();
        if said.send(text).is_err() {
            return;
        }
    }
}
