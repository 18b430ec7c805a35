//! Lines that a person types, awaited so that Ctrl-C ends the wait.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use playtree::StopToken;

use crate::error::CliError;

/// The most bytes of a line that are kept at a time.
const LONGEST_LINE: u64 = 1 << 16;

/// What some programs write in front of a text: it says that the text is UTF-8, and is no part of
/// it.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// How long it may take until Ctrl-C is noticed while a line is awaited.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// The lines of an input.
#[derive(Debug)]
pub(crate) struct Lines(Receiver<io::Result<String>>);

impl Lines {
    /// Lines of the input, read by a thread of its own: nothing but another line ends such a wait.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub(crate) fn read(mut input: impl BufRead + Send + 'static) -> io::Result<Self> {
        let (sender, lines) = mpsc::sync_channel(0);
        let read = move || {
            let mut is_first = true;
            while let Some(line) = read_line(&mut input).transpose() {
                let is_error = line.is_err();
                let line = line.map(|line| match line.strip_prefix(BYTE_ORDER_MARK) {
                    Some(rest) if is_first => rest.to_owned(),
                    _ => line,
                });
                is_first = false;
                if sender.send(line).is_err() || is_error {
                    return;
                }
            }
        };
        thread::Builder::new().spawn(read)?;
        Ok(Self(lines))
    }

    /// Waits for a line; `None` at the end of the input and at Ctrl-C.
    pub(crate) fn next(&self, stop: &StopToken) -> Result<Option<String>, CliError> {
        while !stop.is_stopped() {
            match self.0.recv_timeout(BETWEEN_LOOKS) {
                Ok(line) => return Ok(Some(line?)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(None)
    }
}

/// Reads a line as text, whatever its bytes are; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    // A longer line is taken for several.
    let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}
