//! Answers as JSON.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::messages::Refusal;

/// After how many seconds one who was refused for want of room may ask again.
const RETRY_AFTER: &str = "1";

/// A value as JSON.
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let body = serde_json::to_string(&self.0).expect("plain data is JSON");
        json(body)
    }
}

/// A text that is JSON.
pub(super) fn json(body: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A refusal, with the status that its kind or its place has.
pub(super) struct Refused {
    status: StatusCode,
    refusal: Refusal,
}

impl Refused {
    pub(super) fn new(status: StatusCode, code: &str, message: impl std::fmt::Display) -> Self {
        Self { status, refusal: Refusal::wrong(code, message) }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        let status = StatusCode::from_u16(refusal.kind.status()).expect("each is one");
        Self { status, refusal }
    }
}

#[derive(Serialize)]
struct Envelope {
    error: Refusal,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(Envelope { error: self.refusal })).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER));
        }
        response
    }
}
