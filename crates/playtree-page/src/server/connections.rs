//! Connections: a number of them at most, and none that says nothing for long.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until};

/// The connections of a session: a page has one for its events and some for requests.
const OF_A_SESSION: usize = 8;
/// Those beyond them.
const OTHERS: usize = 256;
/// How long one may say nothing. Events have a sign of life more often.
const SILENCE: Duration = Duration::from_secs(30);

/// Accepts connections while there are not too many.
pub(super) struct Connections {
    listener: TcpListener,
    places: Arc<Semaphore>,
    silence: Duration,
}

impl Connections {
    /// For a server with this number of sessions.
    pub(super) fn of_sessions(listener: TcpListener, sessions: usize) -> Self {
        let most = sessions.saturating_mul(OF_A_SESSION).saturating_add(OTHERS);
        Self::new(listener, most, SILENCE)
    }

    fn new(listener: TcpListener, most: usize, silence: Duration) -> Self {
        let places = Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        Self { listener, places, silence }
    }
}

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let place = Arc::clone(&self.places).acquire_owned().await.expect("it is never closed");
        // It waits where the system has no more.
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Events are short and late ones are of no use; a system that cannot do it is slower.
        let _ = stream.set_nodelay(true);
        let quiet = Box::pin(sleep_until(Instant::now() + self.silence));
        (Connection { stream, silence: self.silence, quiet, _place: place }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when nothing is read or written for some time.
pub(super) struct Connection {
    stream: TcpStream,
    silence: Duration,
    /// The end of the silence.
    quiet: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    /// What the stream says, or the end of a silence that was too long.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        ask: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        match ask(Pin::new(&mut self.stream), context) {
            Poll::Ready(done) => {
                let end = Instant::now() + self.silence;
                self.quiet.as_mut().reset(end);
                Poll::Ready(done)
            }
            Poll::Pending => {
                ready!(self.quiet.as_mut().poll(context));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.watch(context, |stream, context| stream.poll_read(context, buffer))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.watch(context, |stream, context| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.watch(context, |stream, context| stream.poll_write_vectored(context, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use axum::Router;
    use axum::routing::get;
    use tokio::net::TcpListener;

    use super::Connections;

    /// Asks once: whether there is an answer.
    fn ask(stream: &mut std::net::TcpStream) -> bool {
        use std::io::{Read, Write};
        let request = b"GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n";
        let mut answer = String::new();
        let asked = stream.write_all(request).and_then(|()| stream.read_to_string(&mut answer));
        asked.is_ok() && answer.starts_with("HTTP/1.1 200 OK")
    }

    #[test]
    fn those_that_say_nothing_give_their_places_to_others() {
        const SILENCE: Duration = Duration::from_millis(300);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Connections::new(listener, 2, SILENCE);
        let routes = Router::new().route("/", get(|| async { "here" }));
        runtime.spawn(async { axum::serve(connections, routes).await });
        let began = Instant::now();
        let silent = [(); 2].map(|()| std::net::TcpStream::connect(address).unwrap());
        // On a busy machine it may itself be taken for silent: then it comes again.
        let mut others = (0..20).map(|_| std::net::TcpStream::connect(address).unwrap());
        assert!(others.any(|mut stream| ask(&mut stream)), "it has its turn");
        assert!(began.elapsed() >= SILENCE, "there were two places only");
        for mut stream in silent {
            assert!(!ask(&mut stream), "it was silent for too long");
        }
    }
}
