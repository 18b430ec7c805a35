//! What can be asked for.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::answer::{Json, Refused, json};
use super::body::Body;
use super::{App, events, files};
use crate::messages::{
    Begun, Closed, ExportFormat, ExportQuery, Kind, MoveText, NewEngine, NewPosition, NewSession,
    Node, NodeQuery, Nothing, Plies, Refusal, Stopped, Think, View,
};

type Shared = State<Arc<App>>;
type Answer<T> = Result<Json<T>, Refused>;

pub(super) fn routes(app: Arc<App>) -> Router {
    let session = Router::new()
        .route("/", get(view).delete(close))
        .route("/play", post(play))
        .route("/undo", post(undo))
        .route("/redo", post(redo))
        .route("/position", post(position))
        .route("/think", post(think))
        .route("/stop", post(stop))
        .route("/engine", post(engine))
        .route("/node", post(node))
        .route("/export", get(export))
        .route("/events", get(listen));
    Router::new()
        .route("/", get(index))
        .route("/web/{*name}", get(file))
        .route("/api/about", get(about))
        .route("/api/games", get(list))
        .route("/api/sessions", post(open))
        .nest("/api/sessions/{id}", session)
        .fallback(nothing)
        .method_not_allowed_fallback(no_method)
        .with_state(app)
}

async fn index(State(app): Shared) -> Response {
    files::file(files::INDEX, app.web.as_deref())
}

async fn file(State(app): Shared, Path(name): Path<String>) -> Response {
    files::file(&name, app.web.as_deref())
}

async fn about(State(app): Shared) -> Response {
    Json(&app.about).into_response()
}

async fn list(State(app): Shared) -> Response {
    Json(&app.games).into_response()
}

async fn open(State(app): Shared, Body(new): Body<NewSession>) -> Answer<View> {
    let room = app.rooms.open(new).await?;
    Ok(Json(room.named(room.live().view())))
}

async fn view(State(app): Shared, Path(id): Path<String>) -> Answer<View> {
    let room = app.rooms.find(&id)?;
    Ok(Json(room.named(room.live().view())))
}

async fn close(State(app): Shared, Path(id): Path<String>) -> Answer<Closed> {
    app.rooms.close(&id).await?;
    Ok(Json(Closed {}))
}

async fn play(
    State(app): Shared,
    Path(id): Path<String>,
    Body(mv): Body<MoveText>,
) -> Answer<View> {
    let room = app.rooms.find(&id)?;
    let view = room.order(move |desk| desk.play(&mv.mv)).await?;
    Ok(Json(room.named(view)))
}

async fn undo(
    State(app): Shared,
    Path(id): Path<String>,
    Body(plies): Body<Plies>,
) -> Answer<View> {
    let room = app.rooms.find(&id)?;
    let view = room.order(move |desk| desk.undo(plies.plies)).await?;
    Ok(Json(room.named(view)))
}

async fn redo(
    State(app): Shared,
    Path(id): Path<String>,
    Body(plies): Body<Plies>,
) -> Answer<View> {
    let room = app.rooms.find(&id)?;
    let view = room.order(move |desk| desk.redo(plies.plies)).await?;
    Ok(Json(room.named(view)))
}

async fn position(
    State(app): Shared,
    Path(id): Path<String>,
    Body(new): Body<NewPosition>,
) -> Answer<View> {
    let room = app.rooms.find(&id)?;
    let view = room.order(move |desk| desk.set_position(&new)).await?;
    Ok(Json(room.named(view)))
}

async fn think(
    State(app): Shared,
    Path(id): Path<String>,
    Body(think): Body<Think>,
) -> Answer<Begun> {
    let room = app.rooms.find(&id)?;
    Ok(Json(room.order(move |desk| desk.think(&think)).await?))
}

async fn stop(
    State(app): Shared,
    Path(id): Path<String>,
    Body(Nothing {}): Body<Nothing>,
) -> Answer<Stopped> {
    let room = app.rooms.find(&id)?;
    let live = Arc::clone(room.live());
    let none = || Refusal::new(Kind::Unready, "session.no-search", "expected a search, found none");
    let ended = live.ended().ok_or_else(none)?;
    live.stop();
    ended.await;
    let search = live.search().ok_or_else(none)?;
    match (search.report, search.error) {
        (Some(report), _) => Ok(Json(Stopped { search: search.search, report })),
        (None, Some(error)) => Err(error.into()),
        (None, None) => Err(none().into()),
    }
}

async fn engine(
    State(app): Shared,
    Path(id): Path<String>,
    Body(new): Body<NewEngine>,
) -> Answer<View> {
    let room = app.rooms.find(&id)?;
    let view = room.order(move |desk| desk.set_engine(&new)).await?;
    Ok(Json(room.named(view)))
}

async fn node(
    State(app): Shared,
    Path(id): Path<String>,
    Body(query): Body<NodeQuery>,
) -> Answer<Node> {
    let room = app.rooms.find(&id)?;
    Ok(Json(room.ask(move |desk| desk.node(&query)).await?))
}

async fn export(
    State(app): Shared,
    Path(id): Path<String>,
    query: Result<Query<ExportQuery>, QueryRejection>,
) -> Result<Response, Refused> {
    let Query(query) =
        query.map_err(|error| Refused::new(StatusCode::BAD_REQUEST, "query", error.body_text()))?;
    let room = app.rooms.find(&id)?;
    let text = room.ask(move |desk| desk.export(query)).await?;
    Ok(match query.format {
        ExportFormat::Json => json(text),
        ExportFormat::Dot => {
            ([(header::CONTENT_TYPE, "text/vnd.graphviz; charset=utf-8")], text).into_response()
        }
    })
}

async fn listen(State(app): Shared, Path(id): Path<String>) -> Result<Response, Refused> {
    let room = app.rooms.find(&id)?;
    Ok(events::events(room.listen()?).into_response())
}

async fn nothing() -> Refused {
    let message = "expected a file of the page or a request of its list, found neither";
    Refusal::new(Kind::Missing, "no-route", message).into()
}

async fn no_method() -> Refused {
    let message = "expected another method for this request";
    Refused::new(StatusCode::METHOD_NOT_ALLOWED, "method", message)
}
