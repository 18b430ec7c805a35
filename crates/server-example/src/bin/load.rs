//! A load test of the server: twenty games at once, each with a reader of its events.
//! `cargo run --release -p server-example --bin load -- [GAMES [SECONDS]]`

use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use playtree::Pool;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Threads that search.
const THREADS: usize = 2;

/// Bytes of all games.
const MEMORY: u64 = 320 << 20;

/// Sends a request; what comes back is read from the stream.
async fn send(at: SocketAddr, method: &str, path: &str, body: &str) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(at).await?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    Ok(stream)
}

/// The body of an answer.
async fn ask(at: SocketAddr, method: &str, path: &str, body: &str) -> Result<String> {
    let mut answer = String::new();
    send(at, method, path, body).await?.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("expected a body")?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("expected an answer, found {answer}").into());
    }
    Ok(body.to_owned())
}

/// What one reader has seen.
struct Seen {
    gaps: Vec<Duration>,
    simulations: f64,
    bytes: f64,
}

/// Reads the events of a game for a time.
async fn read(at: SocketAddr, game: u64, time: Duration) -> Result<Seen> {
    let stream = send(at, "GET", &format!("/games/{game}/events"), "").await?;
    let mut lines = BufReader::new(stream).lines();
    let (begun, mut last) = (Instant::now(), None);
    let mut seen = Seen { gaps: Vec::new(), simulations: 0.0, bytes: 0.0 };
    while begun.elapsed() < time {
        let line = lines.next_line().await?.ok_or("expected events, found their end")?;
        let Some(data) = line.strip_prefix("data: ") else { continue };
        seen.gaps.extend(last.replace(Instant::now()).map(|last: Instant| last.elapsed()));
        let data: Value = serde_json::from_str(data)?;
        let number = |field| data["report"][field].as_f64().unwrap_or(0.0);
        (seen.simulations, seen.bytes) = (number("simulations"), number("bytes"));
    }
    Ok(seen)
}

/// The value below which this share of them lies.
fn quantile(values: &mut [Duration], share: f64) -> Duration {
    values.sort();
    values[((values.len() - 1) as f64 * share) as usize]
}

/// The most memory that this process has had, as the system says.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".into(), |peak| peak.trim().to_owned())
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().map_or(Ok(20), |games| games.parse())?;
    let seconds: u64 = arguments.next().map_or(Ok(20), |seconds| seconds.parse())?;
    let time = Duration::from_secs(seconds);

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let at = listener.local_addr()?;
    let pool = Pool::builder().threads(THREADS).memory(MEMORY).engines(games as usize).build()?;
    let server = axum::serve(listener, server_example::app(pool.clone()));
    tokio::spawn(async move { server.await });

    let mut readers = Vec::new();
    for _ in 0..games {
        let game: u64 = ask(at, "POST", "/games", "{}").await?.parse()?;
        readers.push((game, tokio::spawn(read(at, game, time))));
    }
    // The most that the engines have had, as the pool has counted it.
    let most_used = tokio::spawn({
        let pool = pool.clone();
        async move {
            let (begun, mut most) = (Instant::now(), 0);
            while begun.elapsed() < time {
                most = pool.memory_used().max(most);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            most
        }
    });
    let (mut gaps, mut done, mut held) = (Vec::new(), Vec::new(), Vec::new());
    let mut numbers = Vec::new();
    for (game, reader) in readers {
        let seen = reader.await??;
        gaps.extend(seen.gaps);
        done.push(seen.simulations);
        held.push(seen.bytes);
        numbers.push(game);
    }
    let mean = done.iter().sum::<f64>() / done.len() as f64;
    let ends = |values: &[f64]| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        (least, values.iter().copied().fold(0.0, f64::max))
    };
    let (least, most) = ends(&done);
    let each = gaps.len() as f64 / games as f64 / seconds as f64;
    println!("{games} games on {THREADS} threads, {seconds} s: {pool:?}");
    println!("events: {each:.1} a second for each game");
    println!(
        "between two events: median {:.1?}, 99 % within {:.1?}",
        quantile(&mut gaps, 0.5),
        quantile(&mut gaps, 0.99)
    );
    println!(
        "simulations: mean {mean:.0}, {:+.1} % to {:+.1} %",
        100.0 * (least / mean - 1.0),
        100.0 * (most / mean - 1.0)
    );

    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    let (least, most) = ends(&held);
    println!(
        "memory: at most {:.1} of {:.0} MiB, a game has {:.1} to {:.1} MiB",
        mib(most_used.await?),
        mib(MEMORY),
        mib(least as u64),
        mib(most as u64)
    );

    // Half of their shares while they search.
    let (half, begun) = (MEMORY / games / 2, Instant::now());
    for &game in &numbers {
        ask(at, "POST", &format!("/games/{game}/memory"), &half.to_string()).await?;
    }
    // What is not in a tree is a little beside it.
    while pool.memory_used() > (half + half / 64) * games && begun.elapsed() < time {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let (now, took) = (mib(pool.memory_used()), begun.elapsed());
    println!("memory with half the limits: {now:.1} MiB after {took:.1?}");
    for &game in &numbers {
        ask(at, "POST", &format!("/games/{game}/memory"), "null").await?;
    }

    let mut stops = Vec::new();
    for &game in &numbers {
        let begun = Instant::now();
        ask(at, "POST", &format!("/games/{game}/stop"), "").await?;
        stops.push(begun.elapsed());
        // Another limit, while the others go on.
        ask(at, "POST", &format!("/games/{game}/think"), r#"{"simulations":1000}"#).await?;
    }
    println!(
        "stop: median {:.1?}, 99 % within {:.1?}",
        quantile(&mut stops, 0.5),
        quantile(&mut stops, 0.99)
    );
    for &game in &numbers {
        ask(at, "DELETE", &format!("/games/{game}"), "").await?;
    }
    println!("memory at most {}", peak_memory());
    Ok(())
}
