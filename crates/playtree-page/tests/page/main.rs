//! The server as a page and as an attacker ask it: real requests to a real port.

mod boards;
mod client;
mod events;
mod files;
mod games;
mod hostile;
mod limits;
mod local;
mod networks;
mod pondering;
mod routes;
mod sessions;
mod tree;
