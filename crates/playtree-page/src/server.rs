//! The server: sessions behind HTTP, and the files of the page.

mod answer;
mod body;
mod connections;
mod events;
mod files;
mod guard;
mod rate;
mod room;
mod routes;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use playtree::Pool;

use crate::games;
use crate::messages::{About, GameAbout};
use crate::networks::Networks;
use crate::share::{LEAST_MEMORY, LONGEST_SEARCH, Share};
use connections::Connections;
use room::Rooms;

/// What the server has, and gives.
///
/// # Examples
/// ```
/// use playtree_page::server::Options;
///
/// let options = Options { sessions: 200, memory: 2 << 30, ..Options::default() };
/// assert_eq!(options.share()?.memory, (2 << 30) / 200);
/// assert!(Options { sessions: 0, ..options }.share().is_err());
/// # Ok::<(), playtree_page::server::OptionsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The threads that search at a time, over all sessions.
    pub workers: usize,
    /// The memory of all engines together, in bytes; each session has an equal share of it.
    pub memory: usize,
    /// The most sessions at a time.
    pub sessions: usize,
    /// How long a session may be left alone.
    pub idle: Duration,
    /// Names under which the server may be called, besides `localhost` and numeric addresses: those
    /// of a proxy in front of it.
    pub hosts: Vec<String>,
    /// The networks that engines may ask.
    pub networks: Networks,
    /// A folder with the files of the page, read again at each request, in place of those that the
    /// program has in itself: for those who change the page.
    pub web: Option<PathBuf>,
}

impl Default for Options {
    /// All cores, 2 GiB, 16 sessions, half an hour.
    fn default() -> Self {
        Self {
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            memory: 2 << 30,
            sessions: 16,
            idle: Duration::from_secs(1800),
            hosts: Vec::new(),
            networks: Networks::default(),
            web: None,
        }
    }
}

impl Options {
    /// What one session may have, with a pool for all of them.
    ///
    /// # Errors
    /// If there is not enough for one.
    pub fn share(&self) -> Result<Share, OptionsError> {
        let memory = self.memory.checked_div(self.sessions).ok_or(OptionsError::Sessions)?;
        if memory < LEAST_MEMORY {
            return Err(OptionsError::Memory { sessions: self.sessions, found: self.memory });
        }
        let pool = Pool::new(self.workers).map_err(|_| OptionsError::Workers(self.workers))?;
        let networks = self.networks.clone();
        Ok(Share { threads: self.workers, memory, pool: Some(pool), in_steps: false, networks })
    }
}

/// Why a server cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionsError {
    /// It has no session.
    Sessions,
    /// There is no such number of threads.
    Workers(usize),
    /// Its sessions have too little memory.
    Memory {
        /// How many there are.
        sessions: usize,
        /// The memory of all.
        found: usize,
    },
}

impl std::fmt::Display for OptionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sessions => write!(f, "expected at least one session, found 0"),
            Self::Workers(found) => write!(f, "expected 1 to 1024 workers, found {found}"),
            Self::Memory { sessions, found } => {
                let least = sessions.saturating_mul(LEAST_MEMORY);
                write!(f, "expected at least {least} bytes for {sessions} sessions, found {found}")
            }
        }
    }
}

impl std::error::Error for OptionsError {}

/// What every request can reach.
struct App {
    rooms: Arc<Rooms>,
    about: About,
    games: Vec<GameAbout>,
    web: Option<PathBuf>,
}

/// The routes, to be served by a program that has a server of its own. Needs a runtime of tokio.
///
/// # Errors
/// If the options contradict each other.
pub fn app(options: &Options) -> Result<Router, OptionsError> {
    let share = options.share()?;
    let (workers, memory_bytes) = (share.threads, share.memory);
    let rooms = Rooms::new(share, options.sessions, options.idle);
    room::sweep(&rooms);
    let about = About {
        version: env!("CARGO_PKG_VERSION").into(),
        workers,
        memory_bytes,
        sessions: options.sessions,
        idle_seconds: options.idle.as_secs(),
        longest_search_seconds: LONGEST_SEARCH.as_secs(),
    };
    let games = games::offering(&options.networks);
    let app = Arc::new(App { rooms, about, games, web: options.web.clone() });
    Ok(guard::guarded(routes::routes(app), &options.hosts))
}

/// Serves until the program ends. `ready` is given the address as soon as the server answers there.
///
/// # Errors
/// If the options contradict each other, or the address cannot be had.
pub fn serve(
    options: &Options,
    address: SocketAddr,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_io()
        .enable_time()
        .thread_name("playtree-page")
        .build()?;
    runtime.block_on(async {
        let app =
            app(options).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        ready(listener.local_addr()?);
        let connections = Connections::of_sessions(listener, options.sessions);
        axum::serve(connections, app).await
    })
}
