//! What the protocols share in which another program asks for moves: GTP, UCI, UCCI, Piskvork and
//! xboard.
//!
//! A protocol is a [`Protocol`]: it answers the lines of its client, and says what a search has
//! found. [`serve`] waits for whichever comes first: a line, the end of the search, or the time to
//! say what was found so far. So no client waits for its `stop`, and everything is written by one
//! thread.

mod allowance;
mod events;
mod finding;
pub(crate) mod line;
mod settings;
mod table;

use std::io::Write;
use std::time::{Duration, Instant};

pub(crate) use self::allowance::{Allowance, clock};
pub(crate) use self::events::{Bell, Event, Events};
pub(crate) use self::finding::{Finding, Variation};
pub(crate) use self::line::{LONGEST_LINE, Line};
pub(crate) use self::settings::PlayerArgs;
pub(crate) use self::table::Table;
use crate::error::CliError;

/// Between two reports of a search under way.
const BETWEEN_REPORTS: Duration = Duration::from_millis(250);

/// Whether a session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    GoOn,
    Quit,
}

/// How a client is spoken to.
pub(crate) trait Protocol {
    /// The game and the search that goes on.
    fn table(&mut self) -> &mut Table;

    /// Answers a line.
    fn line(&mut self, line: &Line, out: &mut dyn Write) -> Result<Flow, CliError>;

    /// Says what the search under way has found so far.
    fn found(&mut self, finding: &Finding, out: &mut dyn Write) -> Result<(), CliError>;

    /// Says what the search has found, which has ended by itself.
    fn ended(
        &mut self,
        found: Result<Finding, String>,
        out: &mut dyn Write,
    ) -> Result<(), CliError>;

    /// There are no more lines. Whether the session goes on until the search has ended: it ends by
    /// itself, and its answer is awaited.
    fn closed(&mut self, out: &mut dyn Write) -> Result<bool, CliError>;
}

/// Answers a client until it quits, or until its input ends.
pub(crate) fn serve(
    protocol: &mut impl Protocol,
    events: &Events,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let mut next_report = Instant::now() + BETWEEN_REPORTS;
    let mut is_closed = false;
    loop {
        let until = protocol.table().is_searching().then_some(next_report);
        match events.next(until)? {
            Some(Event::Line(line)) => {
                let was_searching = protocol.table().is_searching();
                if protocol.line(&line, out)? == Flow::Quit {
                    return Ok(out.flush()?);
                }
                if !was_searching {
                    next_report = Instant::now() + BETWEEN_REPORTS;
                }
            }
            Some(Event::Closed) => {
                is_closed = true;
                if !protocol.closed(out)? {
                    return Ok(out.flush()?);
                }
            }
            Some(Event::Woken) => {}
            None => {
                next_report = Instant::now() + BETWEEN_REPORTS;
                if let Some(finding) = protocol.table().finding() {
                    protocol.found(&finding, out)?;
                }
            }
        }
        if let Some(found) = protocol.table().ended() {
            protocol.ended(found, out)?;
        }
        out.flush()?;
        if is_closed && !protocol.table().is_searching() {
            return Ok(());
        }
    }
}
