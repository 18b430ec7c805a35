//! The command line of playtree.
fn main() {}
