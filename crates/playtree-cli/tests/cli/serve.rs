//! `playtree serve`.

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
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;

    use crate::command;

    let mut child =
        command(&["serve", "--port", "0", "--workers", "1"]).spawn().expect("it starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("stdout is piped");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("the page is on http://").expect("the address");
    let mut stream = TcpStream::connect(address).expect("it answers");
    let request = format!("GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it listens");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("a page");
    let taken = run(&["serve", "--port", address.rsplit_once(':').expect("a port").1]);
    child.kill().expect("it ends");
    child.wait().expect("it has ended");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<title>playtree"), "{page}");
    assert_eq!(taken.code, Some(2));
    assert!(taken.stderr.contains("expected a port that is free"), "{}", taken.stderr);
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
        let run = run(&["serve", "--port", "0", "--memory", "1MiB"]);
        assert_eq!(run.code, Some(2));
        let expected =
            "playtree: expected at least 67108864 bytes for 16 sessions, found 1048576\n";
        assert_eq!(run.stderr, expected);
    }
}
