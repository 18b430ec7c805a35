//! The weights of a network: plain numbers, layer by layer.

use playtree::Rng;
use playtree_planes::Form;

/// How large a network is: a trunk of residual blocks, and two heads.
///
/// The first layer makes `channels` planes of those of the position. A block adds to its input two
/// convolutions of 3x3 of it. The head of the policy has [`POLICY_CHANNELS`](Self::POLICY_CHANNELS)
/// planes and a layer to all moves; that of the value has
/// [`VALUE_CHANNELS`](Self::VALUE_CHANNELS), a layer of [`HIDDEN`](Self::HIDDEN) and one to the
/// value. Between layers negative numbers become 0; the value ends with a sigmoid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The game.
    pub form: Form,
    /// The residual blocks.
    pub blocks: usize,
    /// The planes of the trunk.
    pub channels: usize,
}

/// What a layer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A convolution of 3x3, with zeros beyond the board: of each input a weight for each of the
    /// [`NEIGHBOURS`].
    Squares,
    /// A convolution of 1x1.
    Planes,
    /// A matrix.
    Full,
}

/// The steps from a square to its nine neighbours, the fifth being itself: rows, and columns.
pub const NEIGHBOURS: [(isize, isize); 9] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A layer: a row for each output, with the weights of its inputs and last the bias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Its name in files.
    pub name: String,
    /// What it does.
    pub kind: Kind,
    /// Output planes, or numbers.
    pub outputs: usize,
    /// Input planes, or numbers.
    pub inputs: usize,
    /// Where its first number is among those of the network.
    first: usize,
}

impl Layer {
    /// The weights of an output, without the bias.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.inputs * if self.kind == Kind::Squares { NEIGHBOURS.len() } else { 1 }
    }

    /// The numbers of an output: its weights and the bias.
    #[must_use]
    pub fn row(&self) -> usize {
        self.weights() + 1
    }

    /// Where its numbers are among those of the network.
    #[must_use]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.outputs * self.row()
    }
}

impl Size {
    /// The planes of the head of the policy.
    pub const POLICY_CHANNELS: usize = 8;

    /// The planes of the head of the value.
    pub const VALUE_CHANNELS: usize = 4;

    /// The numbers of the hidden layer of the value.
    pub const HIDDEN: usize = 48;

    /// All layers, from the position to the value.
    #[must_use]
    pub fn layers(&self) -> Vec<Layer> {
        let Self { form, blocks, channels } = *self;
        let squares = form.squares();
        let mut layers: Vec<Layer> = Vec::new();
        let mut add = |name: String, kind, outputs, inputs| {
            let first = layers.last().map_or(0, |layer| layer.range().end);
            layers.push(Layer { name, kind, outputs, inputs, first });
        };
        add("first".to_owned(), Kind::Squares, channels, form.planes);
        for block in 0..blocks {
            add(format!("block{block}.a"), Kind::Squares, channels, channels);
            add(format!("block{block}.b"), Kind::Squares, channels, channels);
        }
        let [policy, value, hidden] = [Self::POLICY_CHANNELS, Self::VALUE_CHANNELS, Self::HIDDEN];
        add("policy.planes".to_owned(), Kind::Planes, policy, channels);
        add("policy.moves".to_owned(), Kind::Full, form.moves, policy * squares);
        add("value.planes".to_owned(), Kind::Planes, value, channels);
        add("value.hidden".to_owned(), Kind::Full, hidden, value * squares);
        add("value.value".to_owned(), Kind::Full, 1, hidden);
        layers
    }

    /// The number of all weights and biases.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.layers().last().map_or(0, |layer| layer.range().end)
    }

    /// Weights to begin with: those of a layer are such that its outputs are as large as its inputs
    /// (He and others 2015), the last of each block and of each head smaller, so that a block
    /// changes little, no move looks better than another one and no position better than even.
    #[must_use]
    pub fn begin(&self, seed: u64) -> Vec<f32> {
        let mut rng = Rng::from_seed(seed);
        let mut numbers = vec![0.0; self.numbers()];
        for layer in self.layers() {
            let is_last = layer.name.ends_with(".b")
                || layer.name == "policy.moves"
                || layer.name == "value.value";
            let scale = if is_last { 0.1 } else { 1.0 };
            let deviation = scale * (2.0 / layer.weights() as f64).sqrt();
            for row in numbers[layer.range()].chunks_mut(layer.row()) {
                let weights = layer.weights();
                row[..weights].iter_mut().for_each(|w| *w = (deviation * normal(&mut rng)) as f32);
            }
        }
        numbers
    }
}

/// About a number of the normal distribution: the sum of twelve uniform ones (Irwin and Hall).
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use playtree::games::ConnectFour;
    use playtree_planes::Planes;

    use super::{Kind, Size};

    #[test]
    fn layers_lie_one_after_another() {
        let size = Size { form: ConnectFour::FORM, blocks: 2, channels: 16 };
        let layers = size.layers();
        assert_eq!(layers.len(), 1 + 2 * 2 + 5);
        let mut end = 0;
        for layer in &layers {
            assert_eq!(layer.range().start, end);
            end = layer.range().end;
        }
        assert_eq!((size.numbers(), layers[0].row()), (end, 5 * 9 + 1));
        assert_eq!(
            layers[6],
            super::Layer {
                name: "policy.moves".to_owned(),
                kind: Kind::Full,
                outputs: 7,
                inputs: 8 * 42,
                first: layers[6].first,
            }
        );
        let weights = size.begin(1);
        assert_eq!(weights.len(), size.numbers());
        assert_eq!(weights, size.begin(1));
        assert_ne!(weights, size.begin(2));
        let squares =
            |range: std::ops::Range<usize>| weights[range].iter().map(|w| w * w).sum::<f32>();
        let first = squares(layers[1].range());
        assert!((first / 16.0 / 2.0 - 1.0).abs() < 0.2, "{first}: He's variance is 2 for a row");
    }
}
