//! The graph of operators of a network, and the file around it.
//!
//! Between layers a square of a position is a row, with a number for each plane. So a convolution
//! gathers the rows of the neighbours of each square, whole rows at a time, and is one product of
//! matrices. `Conv` would be shorter to write; readers that bring together the neighbours number by
//! number take four times as long for it.

use std::iter;

use playtree_planes::{POLICY, POSITION, VALUE};

use super::protobuf::Message;
use crate::weights::{Kind, Layer, NEIGHBOURS, Size};

/// The version of the set of operators.
const OPERATORS: u64 = 13;
/// The version of the format of the file that came with it.
const FORMAT: u64 = 7;
/// The code of 32-bit floats.
const FLOAT: u64 = 1;
/// The code of whole numbers of 64 bits.
const INTEGER: u64 = 7;

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
        self.initializer(name, shape, FLOAT, &bytes);
    }

    /// Adds a list of whole numbers.
    fn integers(&mut self, name: &str, numbers: &[i64]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        self.initializer(name, &[numbers.len()], INTEGER, &bytes);
    }

    fn initializer(&mut self, name: &str, shape: &[usize], code: u64, bytes: &[u8]) {
        let shape = shape.iter().fold(Message::default(), |all, &d| all.number(1, d as u64));
        self.initializers.push(shape.number(2, code).text(8, name).bytes(9, bytes));
    }

    /// Adds a node that gives the numbers of `input` a shape; the first dimension is what is left.
    fn reshape(&mut self, others: &[usize], input: &str, output: &str) {
        let shape = format!("{output}.shape");
        let others = others.iter().map(|&dimension| dimension as i64);
        self.integers(&shape, &iter::once(-1).chain(others).collect::<Vec<_>>());
        self.node("Reshape", &[input, &shape], output, vec![]);
    }

    /// Adds what gathers, in the row of a square, the planes of its nine neighbours, one neighbour
    /// after another: [`WHICH`] says which, and one row more, of zeros, is beyond the board.
    fn neighbours(&mut self, (squares, planes): (usize, usize), input: &str, output: &str) {
        let [boards, padded, gathered] =
            ["boards", "padded", "gathered"].map(|step| format!("{output}.{step}"));
        self.reshape(&[squares, planes], input, &boards);
        self.node("Pad", &[&boards, BEYOND], &padded, vec![]);
        self.node("Gather", &[&padded, WHICH], &gathered, vec![integer("axis", 1)]);
        self.reshape(&[NEIGHBOURS.len() * planes], &gathered, output);
    }

    /// Adds the product of the rows of `input` with the weights of a layer, and its biases.
    ///
    /// A row has `planes` numbers for each of some squares or neighbours, where the layer has these
    /// for each of its planes.
    fn product(
        &mut self,
        layer: &Layer,
        (numbers, planes): (&[f32], usize),
        input: &str,
        output: &str,
    ) {
        let (weights, bias) = (format!("{}.weights", layer.name), format!("{}.bias", layer.name));
        let (count, places) = (layer.weights(), layer.weights() / planes);
        let rows: Vec<&[f32]> = numbers[layer.range()].chunks_exact(layer.row()).collect();
        let of_input = |at: usize| {
            let place = at % planes * places + at / planes;
            rows.iter().map(move |row| row[place])
        };
        self.tensor(&weights, &[count, layer.outputs], (0..count).flat_map(of_input));
        self.tensor(&bias, &[layer.outputs], rows.iter().map(|row| row[count]));
        self.node("Gemm", &[input, &weights, &bias], output, vec![]);
    }
}

/// The names of the two lists of numbers for [`Graph::neighbours`].
const WHICH: &str = "neighbours";
const BEYOND: &str = "beyond";

/// The neighbours of each square; `rows * columns` for one beyond the board.
fn neighbours(rows: usize, columns: usize) -> Vec<i64> {
    let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let number = |row: usize, column: usize| {
        let is_on = row < rows && column < columns;
        (if is_on { row * columns + column } else { rows * columns }) as i64
    };
    let all = squares.flat_map(|(row, column)| {
        NEIGHBOURS.map(|(down, right)| {
            number(row.wrapping_add_signed(down), column.wrapping_add_signed(right))
        })
    });
    all.collect()
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
    let form = size.form;
    let squares = form.squares();
    let mut graph = Graph::default();
    graph.integers(WHICH, &neighbours(form.rows, form.columns));
    // One square more, behind the others.
    graph.integers(BEYOND, &[0, 0, 0, 0, 1, 0]);
    // The planes of a square side by side.
    graph.node("Transpose", &[POSITION], "squares", vec![integers("perm", &[0, 2, 3, 1])]);
    for layer in size.layers() {
        let part = layer.name.split_once('.').map_or("", |(_, part)| part);
        let mut add = |planes: usize, input: &str, output: &str| {
            graph.product(&layer, (numbers, planes), input, output);
        };
        match (layer.kind, layer.name.as_str(), part) {
            (Kind::Squares, name, part) => {
                let block = block_of(name);
                let input = match part {
                    "" => "squares".to_owned(),
                    "a" => format!("trunk{block}"),
                    _ => format!("block{block}.a.positive"),
                };
                let rows = format!("{name}.neighbours");
                graph.neighbours((squares, layer.inputs), &input, &rows);
                graph.product(&layer, (numbers, layer.inputs), &rows, name);
                match part {
                    "" => graph.node("Relu", &[name], "trunk0", vec![]),
                    "a" => graph.node("Relu", &[name], &format!("{name}.positive"), vec![]),
                    _ => {
                        let (sum, from) = (format!("block{block}.sum"), format!("trunk{block}"));
                        graph.node("Add", &[name, &from], &sum, vec![]);
                        graph.node("Relu", &[&sum], &format!("trunk{}", block + 1), vec![]);
                    }
                }
            }
            (Kind::Planes, ..) => {
                let [planes, positive, flat] =
                    ["planes", "positive", "flat"].map(|step| layer.name.replace("planes", step));
                add(layer.inputs, &format!("trunk{}", size.blocks), &planes);
                graph.node("Relu", &[&planes], &positive, vec![]);
                graph.reshape(&[squares * layer.outputs], &positive, &flat);
            }
            (Kind::Full, "policy.moves", _) => add(Size::POLICY_CHANNELS, "policy.flat", POLICY),
            (Kind::Full, "value.hidden", _) => {
                add(Size::VALUE_CHANNELS, "value.flat", "value.hidden");
                graph.node("Relu", &["value.hidden"], "value.inner", vec![]);
            }
            (Kind::Full, ..) => {
                add(1, "value.inner", "value.logit");
                graph.node("Sigmoid", &["value.logit"], VALUE, vec![]);
            }
        }
    }
    use Dimension::{Batch, Of};
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
