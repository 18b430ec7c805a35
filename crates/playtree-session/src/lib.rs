//! The reference games and the searchers by name: what a program needs that lets a person choose.
//!
//! The library's searchers are generic over the game. Here a [`Game`] is found by its name, a
//! [`Position`] is one of whichever game, moves are texts or [`AnyMove`](playtree::dynamic::AnyMove)s,
//! and an [`Engine`] is an object made from plain [settings]. Inside, each game is searched
//! by its own type, so nothing of this costs the search time: it costs a call for each search, report
//! or move of a game.
//!
//! - [`Session`] is a game that is played, searched and looked at: for a page, a protocol, another
//!   language.
//! - [`Game`] makes positions and engines: for programs that hold many of either.
//!
//! All code that is generic over the games is in the crates below this one. A command line over it is
//! compiled once, not once for each game.
//!
//! # Examples
//! ```
//! use playtree::Budget;
//! use playtree_session::Session;
//! use playtree_session::settings::{MctsSettings, Settings};
//!
//! let settings = MctsSettings { threads: Some(1), ..MctsSettings::default() };
//! let mut session = Session::new("connect4", Some("44"), &Settings::from(settings))?;
//! session.play("3")?;
//! session.think(&Budget::simulations(2_000))?;
//! let report = session.wait()?;
//! println!("{}\n{report}", session.board());
//! assert!(session.legal_moves().contains(&report.best_move().to_owned()));
//! # Ok::<(), playtree_session::Error>(())
//! ```

pub mod foreign;
mod game;
mod session;

pub use game::Game;
pub use playtree_engines::{Engine, Error, Position, Record, Report, Root, engine, settings};
pub use session::Session;
