//! Who may ask, and what a browser may do with the answer.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::answer::Refused;
use crate::messages::{Kind, Refusal};

/// What a browser may load for the page: its own files and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; font-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The most bytes of all headers of a request.
const LONGEST_HEADERS: usize = 16 << 10;
/// The most bytes of a path with its query.
const LONGEST_PATH: usize = 4 << 10;

/// Headers of every answer.
const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"),
];

/// The routes for those who may ask.
pub(super) fn guarded(routes: Router, hosts: &[String]) -> Router {
    let hosts: Arc<[String]> = hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
    routes.layer(middleware::from_fn_with_state(hosts, guard))
}

async fn guard(State(hosts): State<Arc<[String]>>, request: Request, next: Next) -> Response {
    let checked = check_length(&request).and_then(|()| Ok(check(&request, &hosts)?));
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// What a browser sends is much shorter.
fn check_length(request: &Request) -> Result<(), Refused> {
    let length = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len();
    let headers: usize = request.headers().iter().map(length).sum();
    if headers > LONGEST_HEADERS {
        let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        let message =
            format!("expected at most {LONGEST_HEADERS} bytes of headers, found {headers}");
        return Err(Refused::new(status, "header", message));
    }
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    if path > LONGEST_PATH {
        let message = format!("expected a path of at most {LONGEST_PATH} bytes, found {path}");
        return Err(Refused::new(StatusCode::URI_TOO_LONG, "path", message));
    }
    Ok(())
}

fn check(request: &Request, hosts: &[String]) -> Result<(), Refusal> {
    let headers = request.headers();
    let host = one(headers, &header::HOST)?.or(request.uri().authority().map(|host| host.as_str()));
    let host = host.filter(|host| is_allowed(host, hosts)).ok_or_else(|| {
        let message = "expected localhost, an address or a name given by --host as the host";
        Refusal::new(Kind::Forbidden, "host", message)
    })?;
    let Some(origin) = one(headers, &header::ORIGIN)? else { return from_here(headers) };
    // Behind a proxy that has the certificate the page is https and this server http.
    let own =
        ["http://", "https://"].iter().any(|scheme| origin.strip_prefix(scheme) == Some(host));
    if own { from_here(headers) } else { Err(other_origin()) }
}

/// Browsers say themselves whether a request comes from another site.
fn from_here(headers: &HeaderMap) -> Result<(), Refusal> {
    let site = one(headers, &HeaderName::from_static("sec-fetch-site"))?;
    let mode = one(headers, &HeaderName::from_static("sec-fetch-mode"))?;
    // A link of another site to the page is welcome.
    let followed = mode == Some("navigate");
    match site {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if followed => Ok(()),
        Some(_) => Err(other_origin()),
    }
}

fn other_origin() -> Refusal {
    let message = "expected a request of this page, found one of another origin";
    Refusal::new(Kind::Forbidden, "origin", message)
}

/// The value of a header that may be there once.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next(), values.next());
    let wrong = || Refusal::wrong("header", format!("expected one text as {name}"));
    match (first, second) {
        (_, Some(_)) => Err(wrong()),
        (None, None) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| wrong()),
    }
}

/// Whether this is a name of the server. A page of another site can have a name that leads here,
/// but no address.
fn is_allowed(host: &str, hosts: &[String]) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) if port.is_empty() || is_port(port) => name,
            _ => return false,
        },
        None => match host.split_once(':') {
            Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
            Some(_) => return false,
            None => host,
        },
    };
    let name = name.to_ascii_lowercase();
    name == "localhost" || name.parse::<IpAddr>().is_ok() || hosts.contains(&name)
}

fn is_port(text: &str) -> bool {
    text.strip_prefix(':').is_some_and(|port| port.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn names_of_others_that_lead_here_are_no_hosts() {
        let hosts = ["play.example".to_owned()];
        for host in ["localhost", "LocalHost:8080", "127.0.0.1:80", "[::1]:9", "[::1]", "10.0.0.7"]
        {
            assert!(is_allowed(host, &hosts), "{host}");
        }
        assert!(is_allowed("play.example", &hosts) && is_allowed("Play.Example:443", &hosts));
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::1"]
        {
            assert!(!is_allowed(host, &hosts), "{host}");
        }
        for host in ["localhost:80@evil.example", "localhost:x", "[::1]x", "127.0.0.1/", "play"] {
            assert!(!is_allowed(host, &hosts), "{host}");
        }
    }
}
