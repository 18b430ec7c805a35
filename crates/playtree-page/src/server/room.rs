//! The sessions that there are: found by numbers that cannot be guessed, freed when they are left
//! alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::answer::Refused;
use super::rate::Rate;
use crate::desk::{Desk, Live};
use crate::messages::{Kind, NewSession, Refusal, View};
use crate::share::Share;

/// Requests of a session a second, and at once.
const REQUESTS: (u32, u32) = (50, 200);
/// New sessions a second, of all who ask.
const NEW_SESSIONS: u32 = 20;
/// The most listeners of a session.
const MOST_LISTENERS: usize = 8;
/// How many times longer a session may be left alone while a page listens to it.
const LISTENED_TIMES: u32 = 12;

/// The part of the idle time after which a session to which no page listens gives its place to a
/// new one, where there is no other.
const LOST_PART: u32 = 60;

/// A session.
pub(super) struct Room {
    id: String,
    /// `None` once it is closed.
    desk: Arc<tokio::sync::Mutex<Option<Seat>>>,
    live: Arc<Live>,
    /// Counts the orders; closed with the session.
    changes: watch::Sender<u64>,
    used: Mutex<Instant>,
    rate: Rate,
    listeners: Arc<AtomicUsize>,
}

/// A desk, and the place that it takes.
struct Seat {
    desk: Desk,
    _place: OwnedSemaphorePermit,
}

/// What a listener needs. It does not keep the session.
pub(super) struct Listener {
    pub(super) id: String,
    pub(super) live: Arc<Live>,
    pub(super) changes: watch::Receiver<u64>,
    listeners: Arc<AtomicUsize>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Room {
    /// The session as a page sees it.
    pub(super) fn named(&self, view: View) -> View {
        View { session: self.id.clone(), ..view }
    }

    pub(super) fn live(&self) -> &Arc<Live> {
        &self.live
    }

    /// Does something at the desk, in a thread where it may take its time, and says that there is
    /// news.
    pub(super) async fn order<T: Send + 'static>(
        &self,
        order: impl FnOnce(&mut Desk) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refused> {
        let done = self.ask(order).await;
        self.changes.send_modify(|changes| *changes += 1);
        done
    }

    /// Asks something at the desk.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        order: impl FnOnce(&mut Desk) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refused> {
        let mut desk = Arc::clone(&self.desk).lock_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let seat = desk.as_mut().ok_or_else(missing)?;
            order(&mut seat.desk)
        });
        match done.await {
            Ok(done) => Ok(done?),
            Err(_) => {
                let message = "a search or its game has failed";
                Err(Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message))
            }
        }
    }

    /// One more who listens.
    pub(super) fn listen(&self) -> Result<Listener, Refusal> {
        let add = |count| (count < MOST_LISTENERS).then_some(count + 1);
        if self.listeners.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_err() {
            let message = format!("expected at most {MOST_LISTENERS} listeners of a session");
            return Err(Refusal::new(Kind::Full, "listeners", message));
        }
        Ok(Listener {
            id: self.id.clone(),
            live: Arc::clone(&self.live),
            changes: self.changes.subscribe(),
            listeners: Arc::clone(&self.listeners),
        })
    }

    fn unused_for(&self, now: Instant) -> Duration {
        now.saturating_duration_since(*self.used.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends the search and frees the engine; what still waits for it is refused.
    async fn close(room: Arc<Self>) {
        room.live.stop();
        let mut desk = Arc::clone(&room.desk).lock_owned().await;
        let _ = tokio::task::spawn_blocking(move || drop(desk.take())).await;
    }
}

/// All sessions.
pub(super) struct Rooms {
    share: Share,
    idle: Duration,
    places: Arc<Semaphore>,
    rate: Rate,
    all: RwLock<HashMap<String, Arc<Room>>>,
}

impl Rooms {
    pub(super) fn new(share: Share, sessions: usize, idle: Duration) -> Arc<Self> {
        let at_once = u32::try_from(sessions).unwrap_or(u32::MAX).max(NEW_SESSIONS);
        Arc::new(Self {
            share,
            idle,
            places: Arc::new(Semaphore::new(sessions.min(Semaphore::MAX_PERMITS))),
            rate: Rate::new(NEW_SESSIONS, at_once),
            all: RwLock::default(),
        })
    }

    /// A new session.
    pub(super) async fn open(&self, new: NewSession) -> Result<Arc<Room>, Refused> {
        if !self.rate.passes(Instant::now()) {
            return Err(full("at most 20 new sessions a second").into());
        }
        let place = match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                self.make_room().await;
                let place = Arc::clone(&self.places).try_acquire_owned();
                place.map_err(|_| full("a free place for a session"))?
            }
        };
        let share = self.share.clone();
        let desk = tokio::task::spawn_blocking(move || Desk::new(&new, share)).await;
        let desk = desk.map_err(|_| {
            Refused::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "a game has failed")
        })??;
        let room = Arc::new(Room {
            id: id(),
            live: desk.live(),
            desk: Arc::new(tokio::sync::Mutex::new(Some(Seat { desk, _place: place }))),
            changes: watch::Sender::new(0),
            used: Mutex::new(Instant::now()),
            rate: Rate::new(REQUESTS.0, REQUESTS.1),
            listeners: Arc::default(),
        });
        let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(room.id.clone(), Arc::clone(&room));
        Ok(room)
    }

    /// Frees the session that has been left alone longest without a page that listens, if one seems
    /// to be lost: a browser that crashes does not say so.
    async fn make_room(&self) {
        let (now, lost) = (Instant::now(), self.idle / LOST_PART);
        let gone = {
            let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
            let unheard = all.values().filter(|room| room.listeners.load(Ordering::Relaxed) == 0);
            let longest = unheard.map(|room| (room.unused_for(now), room.id.clone())).max();
            let longest = longest.filter(|(unused, _)| *unused >= lost);
            longest.and_then(|(_, id)| all.remove(&id))
        };
        if let Some(room) = gone {
            Room::close(room).await;
        }
    }

    /// The session of this number, which is used now.
    pub(super) fn find(&self, id: &str) -> Result<Arc<Room>, Refusal> {
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        let room = all.get(id).cloned().ok_or_else(missing)?;
        let now = Instant::now();
        if !room.rate.passes(now) {
            return Err(full("at most 50 requests a second of a session"));
        }
        *room.used.lock().unwrap_or_else(PoisonError::into_inner) = now;
        Ok(room)
    }

    /// Ends a session.
    pub(super) async fn close(&self, id: &str) -> Result<(), Refusal> {
        let room = self.all.write().unwrap_or_else(PoisonError::into_inner).remove(id);
        Room::close(room.ok_or_else(missing)?).await;
        Ok(())
    }

    /// Stops and frees what was left alone.
    async fn sweep(&self) {
        let now = Instant::now();
        let mut gone = Vec::new();
        {
            let mut all = self.all.write().unwrap_or_else(PoisonError::into_inner);
            all.retain(|_, room| {
                let unused = room.unused_for(now);
                let listened = room.listeners.load(Ordering::Relaxed) > 0;
                if unused < self.idle {
                    return true;
                }
                room.live.stop();
                let keep = listened && unused < self.idle * LISTENED_TIMES;
                if !keep {
                    gone.push(Arc::clone(room));
                }
                keep
            });
        }
        for room in gone {
            Room::close(room).await;
        }
    }
}

/// Sweeps from time to time, as long as there are sessions to be swept.
pub(super) fn sweep(rooms: &Arc<Rooms>) {
    const LEAST: Duration = Duration::from_millis(50);
    const MOST: Duration = Duration::from_secs(10);
    let between = (rooms.idle / 4).clamp(LEAST, MOST);
    let rooms = Arc::downgrade(rooms);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(between).await;
            let Some(rooms) = rooms.upgrade() else { break };
            rooms.sweep().await;
        }
    });
}

/// A number of 128 random bits.
fn id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn missing() -> Refusal {
    Refusal::new(Kind::Missing, "no-session", "expected the number of a session, found none of it")
}

fn full(expected: &str) -> Refusal {
    Refusal::new(Kind::Full, "full", format!("expected {expected}, found none left: try again"))
}
