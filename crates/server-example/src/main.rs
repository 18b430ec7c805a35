//! Serves Othello searches on the port that is given, 3000 without one, for this machine alone.

use playtree::Pool;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port: u16 = std::env::args().nth(1).map_or(Ok(3000), |port| port.parse())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let pool = Pool::builder().threads(cores).memory(512 << 20).engines(20).build()?;
    eprintln!("serving on http://{}, {cores} threads search", listener.local_addr()?);
    Ok(axum::serve(listener, server_example::app(pool)).await?)
}
