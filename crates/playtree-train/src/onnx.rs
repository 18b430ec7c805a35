//! The file of a network: ONNX, as [`playtree_planes`] says.

mod graph;
mod protobuf;

pub use graph::model;
