//! The attacks, one to a file.

pub(crate) mod cli;
pub(crate) mod deep;
pub(crate) mod dropwake;
pub(crate) mod evil;
pub(crate) mod extremes;
pub(crate) mod files;
pub(crate) mod limits;
pub(crate) mod memory;
pub(crate) mod panics;
pub(crate) mod small;
pub(crate) mod spawnfail;
pub(crate) mod thinking;
pub(crate) mod treehang;
pub(crate) mod uaf;
pub(crate) mod uaf_min;
