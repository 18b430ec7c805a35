//! Serves the page from a program of your own: on the port that is given, 8080 without one. A
//! folder behind it has the files of the page, for those who change them.

use std::net::{Ipv4Addr, SocketAddr};

use playtree_page::server::{Options, serve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let port = arguments.next().map_or(Ok(8080), |port| port.parse())?;
    let options = Options { web: arguments.next().map(Into::into), ..Options::default() };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    serve(&options, address, |address| eprintln!("the page is on http://{address}"))?;
    Ok(())
}
