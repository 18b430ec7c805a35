//! One call of the command line: its input, the signals it gets, how it ends, and what must be so
//! then.

use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::faults::{doing, fault};

static CALLS: AtomicU64 = AtomicU64::new(0);

/// The calls made.
pub(super) fn calls() -> u64 {
    CALLS.load(Ordering::Relaxed)
}

/// How a call has ended.
pub(super) struct Ended {
    pub(super) status: Option<ExitStatus>,
    pub(super) out: Vec<u8>,
    pub(super) err: Vec<u8>,
}

/// Writes the input of a call.
type Feed = Box<dyn FnOnce(&mut dyn Write) -> std::io::Result<()> + Send>;

/// A call that is not made yet.
pub(super) struct Call {
    name: String,
    command: Command,
    input: Feed,
    keep_input_open: bool,
    signals: Vec<(Duration, i32)>,
    timeout: Duration,
    most_mib: u64,
}

impl Call {
    pub(super) fn new(binary: &Path, folder: &Path, args: Vec<String>) -> Self {
        let mut command = Command::new(binary);
        // A group of its own: signals to it do not reach this program.
        command.args(&args).current_dir(folder).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self {
            name: args.join(" "),
            command,
            input: Box::new(|_| Ok(())),
            keep_input_open: false,
            signals: Vec::new(),
            timeout: Duration::from_secs(20),
            most_mib: 1_000,
        }
    }

    /// Another name for messages than the arguments.
    pub(super) fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// With this input, and then its end.
    pub(super) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        self.input = Box::new(move |pipe| pipe.write_all(&bytes));
        self
    }

    /// With `count` times these bytes, then `rest`, and then its end.
    pub(super) fn flood(mut self, bytes: Vec<u8>, count: usize, rest: &'static [u8]) -> Self {
        self.input = Box::new(move |pipe| {
            (0..count).try_for_each(|_| pipe.write_all(&bytes))?;
            pipe.write_all(rest)
        });
        self
    }

    /// The input has no end.
    pub(super) fn without_end(mut self) -> Self {
        self.keep_input_open = true;
        self
    }

    /// Sends `signal` at the time `after` from the start.
    pub(super) fn signal(mut self, after: Duration, signal: i32) -> Self {
        self.signals.push((after, signal));
        self
    }

    pub(super) fn timeout(mut self, seconds: u64) -> Self {
        self.timeout = Duration::from_secs(seconds);
        self
    }

    /// A multiple of the time: for a program that is not optimised.
    pub(super) fn patient(mut self, times: u32) -> Self {
        self.timeout *= times;
        self
    }

    /// The most memory it may take.
    pub(super) fn most_mib(mut self, mib: u64) -> Self {
        self.most_mib = mib;
        self
    }

    /// Makes the call. It may not hang, panic, or take too much memory.
    pub(super) fn run(self) -> Ended {
        let Self { name, mut command, input, keep_input_open, mut signals, timeout, most_mib } =
            self;
        doing(name.clone());
        CALLS.fetch_add(1, Ordering::Relaxed);
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("piped");
        let feeder = std::thread::spawn(move || {
            // A child that does not read its input any more has not failed for it.
            drop(input(&mut stdin));
            drop(stdin.flush());
            keep_input_open.then_some(stdin)
        });
        let readers = [reader(child.stdout.take()), reader(child.stderr.take())];
        let begin = Instant::now();
        let mut most_resident = 0;
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                break Some(status);
            }
            most_resident = resident_mib(&child).max(most_resident);
            signals.retain(|&(after, signal)| {
                let due = begin.elapsed() >= after;
                if due {
                    send(child.id(), signal);
                }
                !due
            });
            if begin.elapsed() > timeout {
                fault!("{name}: hangs for {timeout:?}");
                send(child.id(), libc::SIGKILL);
                drop(child.wait());
                break None;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let [out, err] = readers.map(|reader| reader.join().expect("reads to the end"));
        // Its input may be one that nothing reads any more: it ends when this is dropped.
        drop(feeder);
        let ended = Ended { status, out, err };
        if most_resident > most_mib {
            fault!("{name}: took {most_resident} MiB");
        }
        if ended.err_text().contains("panicked at") {
            fault!("{name}: {}", ended.err_text());
        }
        println!("{name}: {ended}");
        ended
    }

    /// Makes a call that must be refused: with status 2 and a short message.
    pub(super) fn run_refused(self) -> Ended {
        let name = self.name.clone();
        let ended = self.run();
        if ended.status.is_some_and(|status| status.code() != Some(2)) {
            fault!("{name}: expected status 2, found {ended}");
        }
        let lines = ended.err_text().lines().count();
        if !(1..=6).contains(&lines) {
            fault!("{name}: expected a short message, found {lines} lines");
        }
        ended
    }
}

impl Ended {
    pub(super) fn err_text(&self) -> String {
        String::from_utf8_lossy(&self.err).into_owned()
    }

    pub(super) fn out_text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.status.map(|status| (status.code(), status.signal())) {
            Some((Some(code), _)) => write!(f, "status {code}")?,
            Some((_, Some(signal))) => write!(f, "signal {signal}")?,
            _ => write!(f, "killed")?,
        }
        let last: Vec<u8> = self.err.iter().rev().take(160).rev().copied().collect();
        write!(f, ", {:?}", String::from_utf8_lossy(&last))
    }
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    let mut pipe = pipe.expect("piped");
    std::thread::spawn(move || {
        let mut all = Vec::new();
        drop(pipe.read_to_end(&mut all));
        all
    })
}

fn resident_mib(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1_024
}

/// Sends a signal to a process.
pub(super) fn send(process: u32, signal: i32) {
    // SAFETY: `kill` has no duties; the process is a child that was not waited for.
    unsafe { libc::kill(process as i32, signal) };
}
