//! The node lock: one atomic word, spin-based, many readers or one writer.
