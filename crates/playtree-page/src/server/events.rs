//! What a page gets of its session while it looks on.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

use super::room::Listener;
use crate::messages::View;

/// Between two events of a search.
const BETWEEN: Duration = Duration::from_millis(100);
/// Between two signs of life.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Events until the session ends or the page has left.
pub(super) fn events(
    listener: Listener,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(tell(listener, Teller(sender)));
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

struct Teller(mpsc::Sender<Result<Event, Infallible>>);

/// The page has left.
struct Left;

impl Teller {
    async fn tell(&self, name: &str, what: &impl Serialize) -> Result<(), Left> {
        let text = serde_json::to_string(what).expect("plain data is JSON");
        self.0.send(Ok(Event::default().event(name).data(text))).await.map_err(|_| Left)
    }
}

async fn tell(mut listener: Listener, teller: Teller) {
    // That the page has left is no error.
    let _ = follow(&mut listener, &teller).await;
}

async fn follow(listener: &mut Listener, teller: &Teller) -> Result<(), Left> {
    let live = Arc::clone(&listener.live);
    let view = |id: &str| View { session: id.to_owned(), ..live.view() };
    listener.changes.mark_unchanged();
    let mut version = live.version();
    teller.tell("view", &view(&listener.id)).await?;
    // Of the searches before, the last one is news.
    let before = live.ends_after(0).iter().rev().nth(1).map_or(0, |search| search.search);
    let (mut sent, mut seen, mut news) = (before, (0, 0), None);
    let mut ticks = tokio::time::interval(BETWEEN);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        for search in live.ends_after(sent) {
            sent = search.search;
            teller.tell("end", &search).await?;
        }
        if live.version() != version {
            version = live.version();
            teller.tell("view", &view(&listener.id)).await?;
        }
        // The end of a search that was not sent yet; for ever if there is none.
        let ended = live.ended().filter(|_| live.last_search() > Some(sent));
        let is_thinking = ended.is_some();
        let ended = async {
            match ended {
                Some(ended) => ended.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = teller.0.closed() => return Err(Left),
            () = ended => {}
            changed = listener.changes.changed() => {
                if changed.is_err() {
                    return teller.tell("bye", &()).await;
                }
            }
            _ = ticks.tick(), if is_thinking => {
                if let Some(mut search) = live.search().filter(|search| search.thinking) {
                    let found = (search.search, search.progress());
                    // One that has its turns waits between them, too.
                    search.waiting &= found == seen;
                    seen = found;
                    if news != Some((found, search.waiting)) {
                        news = Some((found, search.waiting));
                        teller.tell("search", &search).await?;
                    }
                }
            }
        }
    }
}
