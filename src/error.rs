//! What can go wrong, said as what was expected and what was found.
//!
//! What code may ask of an error is typed; words are for a person. The errors of saved tables are
//! in [`save`](crate::save), those of positions and moves as text in [`game`](crate::game).

mod config;
mod search;
mod setting;

pub use config::{ConfigError, GamePart};
pub use search::SearchError;
pub use setting::{Number, Requirement, Setting};

#[cfg(all(test, feature = "games", not(loom)))]
mod tests {
    use super::{ConfigError, Number, Setting};
    use crate::games::{ConnectFour, ConnectFourEvaluation};
    use crate::{AlphaBeta, Budget, Mcts, Solver};

    /// More than any machine has; a million million may be there, on some.
    const TOO_LARGE: [usize; 3] = [usize::MAX, isize::MAX as usize, 1 << 56];
    const LARGE: usize = 1_000_000_000_000;

    fn refused<T>(built: Result<T, ConfigError>, setting: Setting) -> ConfigError {
        let error = built.err().expect("an error");
        assert_eq!(error.setting(), Some(setting), "{error}");
        error
    }

    #[test]
    fn tables_for_which_there_is_no_memory_are_refused() {
        let alphabeta = || AlphaBeta::builder(ConnectFourEvaluation::default()).threads(1);
        let mcts = || Mcts::<ConnectFour>::builder().threads(1);
        for bytes in TOO_LARGE {
            let table = refused(alphabeta().table_bytes(Some(bytes)).build(), Setting::TableBytes);
            let oracles = [
                refused(alphabeta().endgames(bytes).build(), Setting::Endgames),
                refused(mcts().endgames(bytes).build(), Setting::Endgames),
            ];
            assert_eq!(table, ConfigError::NoMemory { setting: Setting::TableBytes, bytes });
            for oracle in oracles {
                assert_eq!(oracle, ConfigError::NoMemory { setting: Setting::Endgames, bytes });
            }
        }
        let error = alphabeta().table_bytes(Some(usize::MAX)).build().expect_err("too large");
        let expected = "table_bytes: expected no more bytes than there is memory for, found ";
        assert!(error.to_string().starts_with(expected), "{error}");
        // No panic, whatever the system says.
        drop((alphabeta().table_bytes(Some(LARGE)).build(), mcts().endgames(LARGE).build()));
    }

    #[test]
    fn a_limit_may_be_larger_than_the_memory_that_there_is() {
        let start = ConnectFour::new();
        for limit in [usize::MAX, isize::MAX as usize, 1 << 56, LARGE] {
            let builder = Mcts::builder().threads(1).memory_limit(Some(limit));
            let report = builder.build().unwrap().search(&start, &Budget::simulations(100));
            assert_eq!(report.unwrap().simulations, 100);
            let mut solver = Solver::builder().threads(1).memory_limit(limit).build().unwrap();
            assert!(solver.solve(&start, &Budget::nodes(1_000)).is_ok());
        }
    }

    #[test]
    fn numbers_of_threads_are_refused_at_their_ends() {
        for threads in [0, 1025, usize::MAX] {
            let alphabeta = AlphaBeta::builder(ConnectFourEvaluation::default()).threads(threads);
            let mcts = Mcts::<ConnectFour>::builder().threads(threads);
            let solver = Solver::<ConnectFour>::builder().threads(threads);
            for error in [
                refused(alphabeta.build(), Setting::Threads),
                refused(mcts.build(), Setting::Threads),
                refused(solver.build(), Setting::Threads),
            ] {
                let found = Number::from(threads);
                assert!(matches!(error, ConfigError::OutOfRange { found: it, .. } if it == found));
                let text = format!("threads: expected 1 to 1024, found {threads}");
                assert_eq!(error.to_string(), text);
            }
        }
        let mcts = Mcts::<ConnectFour>::builder().threads(1024).oversubscribe(true);
        assert_eq!(mcts.build().unwrap().workers(), 1024);
    }
}
