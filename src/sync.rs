//! The one place that names the atomics and threads of std, so that loom can stand in.
