//! The graph of operators of a network, and the file around it.

use playtree_planes::{POLICY, POSITION, VALUE};

use super::protobuf::Message;
use crate::weights::{Kind, Layer, Size};

/// The version of the set of operators.
const OPERATORS: u64 = 13;
/// The version of the format of the file that came with it.
const FORMAT: u64 = 7;
/// The code of 32-bit floats.
const FLOAT: u64 = 1;

/// Fields of `ModelProto`.
mod of_model {
    pub(super) const FORMAT: u64 = 1;
    pub(super) const PRODUCER: u64 = 2;
    pub(super) const PRODUCER_VERSION: u64 = 3;
    pub(super) const GRAPH: u64 = 7;
    pub(super) const OPERATORS: u64 = 8;
    pub(super) const METADATA: u64 = 14;
}

/// Fields of `GraphProto`.
mod of_graph {
    pub(super) const NODE: u64 = 1;
    pub(super) const NAME: u64 = 2;
    pub(super) const INITIALIZER: u64 = 5;
    pub(super) const INPUT: u64 = 11;
    pub(super) const OUTPUT: u64 = 12;
}

/// The nodes and the numbers of a graph.
#[derive(Default)]
struct Graph {
    nodes: Vec<Message>,
    initializers: Vec<Message>,
}

/// A dimension of an input or output: the batch, or a number.
enum Dimension {
    Batch,
    Of(usize),
}

impl Graph {
    /// Adds a node; what it gives has the name `output`.
    fn node(&mut self, operator: &str, inputs: &[&str], output: &str, attributes: Vec<Message>) {
        let inputs = inputs.iter().fold(Message::default(), |node, name| node.text(1, name));
        let node = inputs.text(2, output).text(3, output).text(4, operator);
        self.nodes.push(node.messages(5, attributes));
    }

    /// Adds numbers.
    fn tensor(&mut self, name: &str, shape: &[usize], numbers: impl Iterator<Item = f32>) {
        let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
        let shape = shape.iter().fold(Message::default(), |all, &d| all.number(1, d as u64));
        self.initializers.push(shape.number(2, FLOAT).text(8, name).bytes(9, &bytes));
    }

    /// Adds a layer with its numbers: `output` is what it makes of `input`.
    fn layer(&mut self, layer: &Layer, numbers: &[f32], input: &str, output: &str) {
        let (weights, bias) = (format!("{}.weights", layer.name), format!("{}.bias", layer.name));
        let rows = || numbers[layer.range()].chunks_exact(layer.row());
        let side = if layer.kind == Kind::Squares { 3 } else { 1 };
        let shape = [layer.outputs, layer.inputs, side, side];
        let dimensions = if layer.kind == Kind::Full { 2 } else { 4 };
        let of_row = |row: &[f32]| row[..layer.weights()].to_vec();
        self.tensor(&weights, &shape[..dimensions], rows().flat_map(of_row));
        self.tensor(&bias, &[layer.outputs], rows().map(|row| row[layer.weights()]));
        let (operator, attributes) = match layer.kind {
            Kind::Squares => {
                ("Conv", vec![integers("kernel_shape", &[3, 3]), integers("pads", &[1, 1, 1, 1])])
            }
            Kind::Planes => ("Conv", vec![integers("kernel_shape", &[1, 1])]),
            Kind::Full => ("Gemm", vec![integer("transB", 1)]),
        };
        self.node(operator, &[input, &weights, &bias], output, attributes);
    }
}

/// An attribute that is a number.
fn integer(name: &str, number: u64) -> Message {
    Message::default().text(1, name).number(3, number).number(20, 2)
}

/// An attribute that is a list of numbers.
fn integers(name: &str, numbers: &[u64]) -> Message {
    let all = numbers.iter().fold(Message::default().text(1, name), |all, &n| all.number(8, n));
    all.number(20, 7)
}

/// An input or output.
fn value(name: &str, shape: &[Dimension]) -> Message {
    let dimensions = shape.iter().map(|dimension| match dimension {
        Dimension::Batch => Message::default().text(2, "batch"),
        Dimension::Of(number) => Message::default().number(1, *number as u64),
    });
    let shape = Message::default().messages(1, dimensions);
    let tensor = Message::default().number(1, FLOAT).message(2, shape);
    Message::default().text(1, name).message(2, Message::default().message(1, tensor))
}

/// The bytes of the file of a network.
///
/// # Panics
/// If there is not a number for each weight.
#[must_use]
pub fn model(size: &Size, numbers: &[f32]) -> Vec<u8> {
    assert_eq!(numbers.len(), size.numbers(), "a number for each weight");
    let mut graph = Graph::default();
    for layer in size.layers() {
        let mut add = |input: &str, output: &str| graph.layer(&layer, numbers, input, output);
        let part = layer.name.split_once('.').map_or("", |(_, part)| part);
        match (layer.name.as_str(), part) {
            ("first", _) => {
                add(POSITION, "first");
                graph.node("Relu", &["first"], "trunk0", vec![]);
            }
            ("policy.planes" | "value.planes", _) => {
                let [planes, positive, flat] =
                    ["planes", "positive", "flat"].map(|step| layer.name.replace("planes", step));
                add(&format!("trunk{}", size.blocks), &planes);
                graph.node("Relu", &[&planes], &positive, vec![]);
                graph.node("Flatten", &[&positive], &flat, vec![integer("axis", 1)]);
            }
            ("policy.moves", _) => add("policy.flat", POLICY),
            ("value.hidden", _) => {
                add("value.flat", "value.hidden");
                graph.node("Relu", &["value.hidden"], "value.inner", vec![]);
            }
            ("value.value", _) => {
                add("value.inner", "value.logit");
                graph.node("Sigmoid", &["value.logit"], VALUE, vec![]);
            }
            (name, "a") => {
                let block: usize = block_of(name);
                add(&format!("trunk{block}"), name);
                graph.node("Relu", &[name], &format!("{name}.positive"), vec![]);
            }
            (name, _) => {
                let block: usize = block_of(name);
                let (sum, from) = (format!("block{block}.sum"), format!("trunk{block}"));
                add(&format!("block{block}.a.positive"), name);
                graph.node("Add", &[name, &from], &sum, vec![]);
                graph.node("Relu", &[&sum], &format!("trunk{}", block + 1), vec![]);
            }
        }
    }
    use Dimension::{Batch, Of};
    let form = size.form;
    let shape = [Batch, Of(form.planes), Of(form.rows), Of(form.columns)];
    let graph = Message::default()
        .messages(of_graph::NODE, graph.nodes)
        .text(of_graph::NAME, form.game)
        .messages(of_graph::INITIALIZER, graph.initializers)
        .message(of_graph::INPUT, value(POSITION, &shape))
        .message(of_graph::OUTPUT, value(VALUE, &[Batch, Of(1)]))
        .message(of_graph::OUTPUT, value(POLICY, &[Batch, Of(form.moves)]));
    let metadata = form.metadata().into_iter();
    let metadata = metadata.map(|(name, text)| Message::default().text(1, name).text(2, &text));
    Message::default()
        .number(of_model::FORMAT, FORMAT)
        .text(of_model::PRODUCER, "playtree-train")
        .text(of_model::PRODUCER_VERSION, env!("CARGO_PKG_VERSION"))
        .message(of_model::GRAPH, graph)
        .message(of_model::OPERATORS, Message::default().text(1, "").number(2, OPERATORS))
        .messages(of_model::METADATA, metadata)
        .finish()
}

/// The number of a block, from the name of one of its layers.
fn block_of(name: &str) -> usize {
    let digits = name.trim_start_matches("block").split('.').next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
