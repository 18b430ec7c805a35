//! Ctrl-C: the first one stops a search, which then says what it knows; the second one ends the
//! program.

use std::io;
use std::process;

use playtree::StopToken;

use crate::error::CliError;

/// As a shell reports a program that Ctrl-C has ended: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// A token that is set by the first Ctrl-C. To be called once.
///
/// # Errors
/// If the system does not let the program handle it.
pub(crate) fn stop_token() -> Result<StopToken, CliError> {
    let token = StopToken::new();
    let stopped = token.clone();
    ctrlc::set_handler(move || {
        if stopped.is_stopped() {
            process::exit(INTERRUPTED);
        }
        stopped.stop();
    })
    .map_err(|error| CliError::Io(io::Error::other(error)))?;
    Ok(token)
}
