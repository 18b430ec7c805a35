//! What a session waits for, in one queue: the lines of the client, and the end of a search.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::task::{Wake, Waker};
use std::thread;
use std::time::Instant;

use super::line::{self, Line};

/// Lines that wait to be answered; a client that says more is made to wait.
const LINES_AHEAD: usize = 64;

/// What a session waits for.
#[derive(Debug)]
pub(crate) enum Event {
    Line(Line),
    /// The client has closed the input, or it cannot be read.
    Closed,
    /// Something may have ended.
    Woken,
}

/// The queue.
#[derive(Debug)]
pub(crate) struct Events {
    queue: Receiver<io::Result<Event>>,
    bell: Bell,
}

/// What wakes a session.
#[derive(Clone, Debug)]
pub(crate) struct Bell(SyncSender<io::Result<Event>>);

impl Events {
    /// The lines of the input, read by a thread of its own: the session goes on meanwhile. What
    /// follows `comment` in a line is dropped.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub(crate) fn listen(
        mut input: impl BufRead + Send + 'static,
        comment: Option<u8>,
    ) -> io::Result<Self> {
        let (sender, queue) = sync_channel(LINES_AHEAD);
        let bell = Bell(sender.clone());
        let read = move || {
            loop {
                let event = match line::read(&mut input, comment) {
                    Ok(Some(line)) => Ok(Event::Line(line)),
                    Ok(None) => Ok(Event::Closed),
                    Err(error) => Err(error),
                };
                let is_last = !matches!(event, Ok(Event::Line(_)));
                if sender.send(event).is_err() || is_last {
                    return;
                }
            }
        };
        thread::Builder::new().spawn(read)?;
        Ok(Self { queue, bell })
    }

    /// What comes next; `None` if that is nothing until then. Blocks.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn next(&self, until: Option<Instant>) -> io::Result<Option<Event>> {
        let next = match until {
            None => self.queue.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => self.queue.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        match next {
            Ok(event) => event.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            // The bell is here, so there is always a sender.
            Err(RecvTimeoutError::Disconnected) => Ok(Some(Event::Closed)),
        }
    }

    /// What wakes the session.
    pub(crate) fn bell(&self) -> Bell {
        self.bell.clone()
    }
}

impl Bell {
    /// As a future wants it.
    pub(super) fn waker(&self) -> Waker {
        Waker::from(Arc::new(self.clone()))
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        // A full queue wakes the session too. A session that is over needs no waking.
        let _ = self.0.try_send(Ok(Event::Woken));
    }
}
