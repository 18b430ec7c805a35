//! `playtree serve`: the page in the browser.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

#[cfg(feature = "serve")]
use crate::error::Part;
use crate::error::{CliError, Refusal};
use crate::options::values;

/// Play and watch the search in the browser.
///
/// The page is served for this machine alone, on http://127.0.0.1:8080 unless an option says
/// otherwise, until Ctrl-C. It has every game and every searcher, and loads nothing from anywhere
/// else.
#[derive(Args, Debug)]
#[cfg_attr(not(feature = "serve"), allow(dead_code, reason = "it is said how to get it"))]
pub(crate) struct ServeArgs {
    /// The port, 0 for one that is free.
    #[arg(long, value_name = "N", default_value = "8080", value_parser = port)]
    #[arg(allow_hyphen_values = true)]
    port: u16,
    /// The address of this machine to serve at; any but the default lets others in.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    #[arg(allow_hyphen_values = true)]
    listen: IpAddr,
    /// A name that a proxy in front calls it by; can be given several times.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// The threads that search at a time, over all sessions [default: all cores].
    #[arg(long, value_name = "N", value_parser = values::threads, allow_hyphen_values = true)]
    workers: Option<usize>,
    /// The memory of all engines together; each session has an equal share of it.
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = values::size)]
    #[arg(allow_hyphen_values = true)]
    memory: usize,
    /// The most games at a time.
    #[arg(long, value_name = "N", default_value = "16", value_parser = values::count)]
    #[arg(allow_hyphen_values = true)]
    sessions: usize,
    /// After how long a game that is left alone is stopped and freed.
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = values::interval)]
    #[arg(allow_hyphen_values = true)]
    idle: Duration,
    /// An ONNX file of a network that engines of its game may ask; can be given several times.
    #[arg(long, value_name = "FILE")]
    network: Vec<PathBuf>,
    /// A folder with the files of the page, for those who change them.
    #[arg(long, value_name = "FOLDER", hide = true)]
    web: Option<PathBuf>,
}

fn port(text: &str) -> Result<u16, Refusal> {
    text.parse().map_err(|_| Refusal::value("a port from 0 to 65535", text))
}

fn address(text: &str) -> Result<IpAddr, Refusal> {
    text.parse().map_err(|_| Refusal::value("an address such as 127.0.0.1 or ::1", text))
}

/// Why there is no page with the networks that were named.
#[cfg(feature = "serve")]
fn network_error(error: playtree_session::Error) -> CliError {
    match error {
        playtree_session::Error::NetworksLeftOut => CliError::at(
            "--network",
            "no networks in this build: cargo run --release --features serve,network -- serve ...",
        ),
        error => CliError::at("--network", error),
    }
}

/// Says how to get it.
#[cfg(not(feature = "serve"))]
pub(crate) fn run(_: &ServeArgs, _: &mut impl Write) -> Result<(), CliError> {
    Err(CliError::usage("no page in this build: cargo run --release --features serve -- serve"))
}

/// Serves until the program is ended.
#[cfg(feature = "serve")]
pub(crate) fn run(args: &ServeArgs, out: &mut impl Write) -> Result<(), CliError> {
    use std::io;
    use std::net::SocketAddr;

    use playtree_page::networks::Networks;
    use playtree_page::server::{self, Options};

    let mut options = Options {
        memory: args.memory,
        sessions: args.sessions,
        idle: args.idle,
        hosts: args.host.clone(),
        networks: Networks::open(&args.network).map_err(network_error)?,
        web: args.web.clone(),
        ..Options::default()
    };
    if let Some(workers) = args.workers {
        options.workers = workers;
    }
    if !args.listen.is_loopback() {
        // Nothing is left to be done if stderr is closed.
        let _ = writeln!(
            io::stderr(),
            "playtree: warning: others can reach the page on {}; put a server with\n\
             encryption and passwords in front of it (docs/page.md)",
            args.listen
        );
    }
    // The other options were looked at when they were read.
    options.share().map_err(|error| CliError::at("--memory", error))?;
    let address = SocketAddr::from((args.listen, args.port));
    let served = server::serve(&options, address, |address| {
        // One who cannot read it knows the address already.
        let _ = writeln!(out, "the page is on http://{address}").and_then(|()| out.flush());
    });
    served.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => CliError::usage(error),
        io::ErrorKind::AddrNotAvailable => {
            Refusal::value("an address of this machine", &args.listen.to_string())
                .at(Part::option("listen"))
                .into()
        }
        _ => CliError::at(
            "--port",
            format_args!("expected a port that is free at {address}: {error}"),
        ),
    })
}
