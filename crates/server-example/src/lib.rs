//! A server of Othello searches: any number of games at once, on the threads and in the memory of
//! one pool. The routes stand in [`app`].

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use playtree::games::Othello;
use playtree::{Budget, Handle, Mcts, Notation, Pool, Snapshot, Watcher};
use serde::Deserialize;
use tokio_stream::wrappers::IntervalStream;
use tokio_stream::{Stream, StreamExt};

/// Between two events.
const BETWEEN_EVENTS: Duration = Duration::from_millis(100);

type Engine = Mcts<Othello>;
type Refused = (StatusCode, String);

fn refused(error: impl ToString) -> Refused {
    (StatusCode::BAD_REQUEST, error.to_string())
}

/// What is to be searched. Without a limit it is searched until it is stopped.
#[derive(Deserialize)]
struct Search {
    position: Option<String>,
    seconds: Option<f64>,
    simulations: Option<u64>,
}

impl Search {
    fn read(&self) -> Result<(Othello, Budget), Refused> {
        let position = self.position.as_deref().map_or(Ok(Othello::new()), Othello::parse_position);
        let mut budget = Budget::unlimited();
        if let Some(seconds) = self.seconds {
            budget = budget.and_time(Duration::try_from_secs_f64(seconds).map_err(refused)?);
        }
        if let Some(simulations) = self.simulations {
            budget = budget.and_simulations(simulations);
        }
        Ok((position.map_err(refused)?, budget))
    }
}

/// A game: the handle is for who gives orders, the watcher for all others.
struct Game {
    handle: Mutex<Handle<Engine>>,
    watcher: Watcher<Engine>,
}

struct Games {
    pool: Pool,
    /// How many there were, and those that there are.
    games: RwLock<(u64, HashMap<u64, Arc<Game>>)>,
}

impl Games {
    fn find(&self, number: u64) -> Result<Arc<Game>, Refused> {
        let games = self.games.read().unwrap_or_else(PoisonError::into_inner);
        let error = || (StatusCode::NOT_FOUND, format!("expected a game, found none of {number}"));
        games.1.get(&number).cloned().ok_or_else(error)
    }
}

type App = State<Arc<Games>>;

/// The server, with the threads and the memory of a pool for all searches.
pub fn app(pool: Pool) -> Router {
    Router::new()
        .route("/games", post(begin)) // a Search; the number of the new game
        .route("/games/{number}/think", post(think)) // a Search; its number
        .route("/games/{number}/events", get(events)) // what is known, ten times a second
        .route("/games/{number}/stop", post(stop)) // the report, when the search has ended
        .route("/games/{number}/memory", post(memory)) // bytes, or null for a share of the pool
        .route("/games/{number}", delete(end))
        .with_state(Arc::new(Games { pool, games: RwLock::default() }))
}

async fn begin(State(games): App, Json(search): Json<Search>) -> Result<Json<u64>, Refused> {
    let (state, budget) = search.read()?;
    let engine = Mcts::builder().threads(1).pool(&games.pool).build().map_err(refused)?;
    let handle = engine.start(&state, &budget);
    let game = Game { watcher: handle.watcher(), handle: Mutex::new(handle) };
    let mut all = games.games.write().unwrap_or_else(PoisonError::into_inner);
    all.0 += 1;
    let number = all.0;
    all.1.insert(number, Arc::new(game));
    Ok(Json(number))
}

async fn think(
    State(games): App,
    Path(number): Path<u64>,
    Json(search): Json<Search>,
) -> Result<Json<u64>, Refused> {
    let ((state, budget), game) = (search.read()?, games.find(number)?);
    let mut handle = game.handle.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Json(handle.think(&state, &budget).get())) // it does not block
}

async fn events(
    State(games): App,
    Path(number): Path<u64>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refused> {
    let watcher = games.find(number)?.watcher.clone();
    let ticks = IntervalStream::new(tokio::time::interval(BETWEEN_EVENTS));
    Ok(Sse::new(ticks.map(move |_| {
        // Microseconds, whatever the search does.
        let text = watcher.snapshot().map_or_else(|| "null".into(), |seen| text(&seen));
        Ok(Event::default().data(text))
    })))
}

/// A report with the number of its search, as JSON.
fn text(seen: &Snapshot<Engine>) -> String {
    let report = seen.report.in_notation(&*seen.state);
    serde_json::json!({ "search": seen.search.get(), "report": report }).to_string()
}

async fn stop(State(games): App, Path(number): Path<u64>) -> Result<String, Refused> {
    let watcher = games.find(number)?.watcher.clone();
    watcher.stop();
    let end = watcher.ended().await; // and no thread is blocked meanwhile
    end.map(|seen| text(&seen)).map_err(|error| refused(format!("{}: {error}", error.code())))
}

async fn memory(
    State(games): App,
    Path(number): Path<u64>,
    Json(bytes): Json<Option<usize>>,
) -> Result<(), Refused> {
    games.find(number)?.watcher.set_memory_limit(bytes).map_err(refused) // while it searches
}

async fn end(State(games): App, Path(number): Path<u64>) {
    let game = games.games.write().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
    // Waits for the threads of the search: elsewhere.
    let _ = tokio::task::spawn_blocking(move || drop(game)).await;
}
