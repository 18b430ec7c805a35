//! playtree and its peers, measured in one run.
fn main() {}
