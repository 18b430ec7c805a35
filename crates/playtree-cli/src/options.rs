//! Options that commands share.

pub(crate) mod values;
