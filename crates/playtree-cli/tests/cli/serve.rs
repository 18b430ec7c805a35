//! `playtree serve`.

#[cfg(feature = "serve")]
mod network;

use crate::run;

#[cfg(not(feature = "serve"))]
#[test]
fn a_build_without_the_page_says_how_to_get_one_that_has_it() {
    let run = run(&["serve", "--port", "0"]);
    assert_eq!(run.code, Some(2));
    let expected =
        "playtree: no page in this build: cargo run --release --features serve -- serve\n";
    assert_eq!(run.stderr, expected);
}

#[cfg(feature = "serve")]
#[test]
fn the_page_is_served_where_it_says() {
    let server = Server::start(&[]);
    let page = server.ask("GET", "/", "");
    let taken = run(&["serve", "--port", server.address.rsplit_once(':').expect("a port").1]);
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<title>playtree"), "{page}");
    assert_eq!(taken.code, Some(2));
    assert!(taken.stderr.contains("expected a port that is free"), "{}", taken.stderr);
}

/// A server on a port of its own, which ends with its value.
#[cfg(feature = "serve")]
struct Server {
    child: std::process::Child,
    address: String,
}

#[cfg(feature = "serve")]
impl Server {
    /// One with a thread, and with these arguments.
    fn start(more: &[&str]) -> Self {
        use std::io::{BufRead, BufReader};

        let arguments = [&["serve", "--port", "0", "--workers", "1"], more].concat();
        let mut child = crate::command(&arguments).spawn().expect("it starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line.trim_end().strip_prefix("the page is on http://").expect("the address");
        Self { child, address: address.to_owned() }
    }

    /// The whole answer to a request, its head too.
    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        use std::io::{Read, Write};

        let address = &self.address;
        let mut stream = std::net::TcpStream::connect(address).expect("it answers");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }
}

#[cfg(feature = "serve")]
impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended by itself is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_wrong_option_of_the_server_is_refused() {
    for (option, value, expected) in [
        ("--port", "65536", "--port: expected a port from 0 to 65535, found '65536'"),
        (
            "--listen",
            "here",
            "--listen: expected an address such as 127.0.0.1 or ::1, found 'here'",
        ),
        ("--workers", "0", "--workers: expected a number of threads from 1 to 1024, found '0'"),
    ] {
        let run = run(&["serve", option, value]);
        assert_eq!(run.code, Some(2));
        assert_eq!(run.stderr, format!("playtree: {expected}\n"));
    }
    #[cfg(feature = "serve")]
    {
        for (option, value, expected) in [
            ("--memory", "1MiB", "expected at least 67108864 bytes for 16 sessions, found 1048576"),
            ("--listen", "192.0.2.1", "expected an address of this machine, found '192.0.2.1'"),
        ] {
            let run = run(&["serve", "--port", "0", option, value]);
            assert_eq!(run.code, Some(2));
            let last = run.stderr.lines().last().expect("a line");
            assert_eq!(last, format!("playtree: {option}: {expected}"));
        }
    }
}
