//! Ctrl-C: the first one stops a search, which then says what it knows; the second one ends the
//! program.

use std::io;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use playtree::StopToken;

use crate::error::CliError;

/// As a shell reports a program that Ctrl-C has ended: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// A token that is set by the first Ctrl-C. To be called once.
///
/// # Errors
/// If the system does not let the program handle it.
pub(crate) fn stop_token() -> Result<StopToken, CliError> {
    Ok(Interrupt::listen()?.token())
}

/// What Ctrl-C stops, for a program that goes on afterwards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<Mutex<StopToken>>);

impl Interrupt {
    /// Listens to Ctrl-C. To be called once.
    ///
    /// # Errors
    /// If the system does not let the program handle it.
    pub(crate) fn listen() -> Result<Self, CliError> {
        let interrupt = Self::default();
        let current = interrupt.clone();
        ctrlc::set_handler(move || {
            let token = current.token();
            if token.is_stopped() {
                process::exit(INTERRUPTED);
            }
            token.stop();
        })
        .map_err(|error| CliError::Io(io::Error::other(error)))?;
        Ok(interrupt)
    }

    /// The token that the next Ctrl-C sets, or that the last one has set.
    pub(crate) fn token(&self) -> StopToken {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Forgets the last Ctrl-C: the next one sets another token.
    pub(crate) fn renew(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = StopToken::new();
    }
}

#[cfg(test)]
mod tests {
    use super::Interrupt;

    #[test]
    fn a_new_token_is_not_set_and_the_old_one_stays_set() {
        let interrupt = Interrupt::default();
        let first = interrupt.token();
        interrupt.clone().token().stop();
        assert!(first.is_stopped() && interrupt.token().is_stopped());
        interrupt.renew();
        assert!(first.is_stopped() && !interrupt.token().is_stopped());
    }
}
