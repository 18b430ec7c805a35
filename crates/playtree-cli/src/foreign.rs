//! What the clients and programs of a protocol say otherwise than we do, for the sides of it that speak
//! to a client and to a program. What is a matter of notation is read by `playtree_session::foreign`.

pub(crate) mod hex;
pub(crate) mod xiangqi;
