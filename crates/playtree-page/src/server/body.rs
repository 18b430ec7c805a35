//! What a request has in its body.

use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use super::answer::Refused;

/// The longest body, in bytes.
const LONGEST_BODY: usize = 64 << 10;
/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// A body that is JSON of this form, and no more than that. An empty one is `{}`.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for Body<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refused> {
        // A form of another site cannot say that it is JSON without asking first.
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().is_none_or(|kind| kind.trim() != "application/json") {
            let message = "expected a body of type application/json, found another type";
            return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "body.type", message));
        }
        let bytes = tokio::time::timeout(PATIENCE, to_bytes(request.into_body(), LONGEST_BODY));
        let bytes = bytes.await.map_err(|_| {
            let message = format!("expected the body within {} s", PATIENCE.as_secs());
            Refused::new(StatusCode::REQUEST_TIMEOUT, "body.slow", message)
        })?;
        let bytes = bytes.map_err(|_| {
            let message = format!("expected a body of at most {LONGEST_BODY} bytes, found more");
            Refused::new(StatusCode::PAYLOAD_TOO_LARGE, "body.too-long", message)
        })?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        let read = serde_json::from_slice(text);
        read.map(Self).map_err(|error| Refused::new(StatusCode::BAD_REQUEST, "body", error))
    }
}
