//! A page in the browser for playtree: play, watch the search think, look into its tree.
//!
//! In layers, each of use without the ones below it:
//!
//! - [`messages`] is what page and server say to each other, as plain data. [`look`] makes boards
//!   and moves of positions, [`games`] lists what can be played.
//! - [`desk`] is a session: a game, an engine and all that is asked of them. It knows no server
//!   and no runtime, so that a page that has its engine with it can use the same. [`share`] says
//!   what one may have of the machine, and [`networks`] which neural networks there are.
//! - [`local`] has several of them in one thread, and answers as the server does, without one.
//! - `server` has many of them behind HTTP, with the files of the page. It is a feature, on by
//!   default.

pub mod desk;
pub mod games;
pub mod local;
pub mod look;
pub mod messages;
pub mod networks;
#[cfg(feature = "server")]
pub mod server;
pub mod share;
