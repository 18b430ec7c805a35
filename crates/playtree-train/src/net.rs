//! The network in candle: what it says of positions, and how its weights are to change.

mod convolution;
mod filter;
mod form;
mod product;
mod tiles;

use std::sync::Arc;

use candle_core::{Device, Tensor, Var};
use playtree_planes::Outputs;

use crate::batch::Batch;
use crate::weights::{Kind, Layer, Size};
use convolution::{Convolution, Filters};
use tiles::Tiles;

/// A network with its weights.
///
/// A plane of a batch of positions is a row of a matrix: the first square of all positions, then
/// the second, and so on. So all squares of a position, which the heads need, are a column.
#[derive(Clone, Debug)]
pub struct Net {
    size: Size,
    layers: Vec<(Layer, Var)>,
    /// The weights of its convolutions, as they are multiplied with.
    filters: Vec<Arc<Filters>>,
}

/// What a batch has cost: the sum over its positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Cross-entropy of the policy, in nats.
    pub policy: f64,
    /// Cross-entropy of the value, in nats.
    pub value: f64,
}

/// An error of candle.
#[derive(Debug, thiserror::Error)]
#[error("expected the network to compute, found: {0}")]
pub struct NetError(#[from] candle_core::Error);

impl Net {
    /// The network of this size with these numbers.
    ///
    /// # Errors
    /// If it is another number of them.
    pub fn new(size: Size, numbers: &[f32]) -> Result<Self, NetError> {
        if numbers.len() != size.numbers() {
            let (expected, found) = (size.numbers(), numbers.len());
            let text = format!("{found} weights, expected {expected}");
            return Err(NetError(candle_core::Error::Msg(text)));
        }
        let layers = size.layers();
        let convolutions = layers.iter().filter(|layer| layer.kind == Kind::Squares);
        let filters = |layer: &Layer| {
            Arc::new(Filters::new(&numbers[layer.range()], layer.outputs, layer.inputs))
        };
        let filters = convolutions.map(filters).collect();
        let layers = layers.into_iter().map(|layer| {
            let shape = (layer.outputs, layer.row());
            let var = Var::from_slice(&numbers[layer.range()], shape, &Device::Cpu)?;
            Ok((layer, var))
        });
        Ok(Self { size, layers: layers.collect::<Result<_, candle_core::Error>>()?, filters })
    }

    /// The size.
    #[must_use]
    pub fn size(&self) -> &Size {
        &self.size
    }

    /// What it says of positions, whose planes lie one position after another.
    ///
    /// # Errors
    /// If candle cannot compute it.
    pub fn evaluate(&self, planes: &[f32]) -> Result<Outputs, NetError> {
        if planes.is_empty() {
            return Ok(Outputs { values: Vec::new(), logits: Vec::new() });
        }
        let (values, logits) = self.forward(planes, |var| var.as_detached_tensor())?;
        let values = values.flatten_all()?.to_vec1::<f32>()?;
        Ok(Outputs {
            values: values.into_iter().map(|value| 1.0 / (1.0 + (-value).exp())).collect(),
            logits: logits.flatten_all()?.to_vec1()?,
        })
    }

    /// The loss of a batch, and the gradient of its sum by each weight.
    ///
    /// # Errors
    /// If candle cannot compute it.
    pub fn gradient(&self, batch: &Batch) -> Result<(Loss, Vec<f32>), NetError> {
        let count = batch.values.len();
        if count == 0 {
            return Ok((Loss::default(), vec![0.0; self.size.numbers()]));
        }
        let tensor =
            |numbers: &[f32], width| Tensor::from_slice(numbers, (count, width), &Device::Cpu);
        let (value, logits) = self.forward(&batch.planes, |var| var.as_tensor().clone())?;
        let targets = tensor(&batch.policies, self.size.form.moves)?;
        let logits = logits.broadcast_sub(&logits.max_keepdim(1)?.detach())?;
        let shares = logits.broadcast_sub(&logits.exp()?.sum_keepdim(1)?.log()?)?;
        let policy = (targets * shares)?.sum_all()?.neg()?;
        // -z ln s(v) - (1 - z) ln (1 - s(v)), without a logarithm of 0.
        let scores = tensor(&batch.values, 1)?;
        let far = (value.abs()?.neg()?.exp()? + 1.0)?.log()?;
        let value = ((value.relu()? - (value * scores)?)? + far)?.sum_all()?;

        let loss = Loss {
            policy: f64::from(policy.to_scalar::<f32>()?),
            value: f64::from(value.to_scalar::<f32>()?),
        };
        let gradients = (policy + value)?.backward()?;
        let mut all = Vec::with_capacity(self.size.numbers());
        for (layer, var) in &self.layers {
            match gradients.get(var) {
                Some(gradient) => all.extend(gradient.flatten_all()?.to_vec1::<f32>()?),
                None => all.resize(all.len() + layer.outputs * layer.row(), 0.0),
            }
        }
        Ok((loss, all))
    }

    /// The values before the sigmoid, and the logits, a row for each position.
    fn forward(
        &self,
        planes: &[f32],
        weights: impl Fn(&Var) -> Tensor,
    ) -> Result<(Tensor, Tensor), candle_core::Error> {
        let form = self.size.form;
        let (inputs, squares) = (form.planes, form.squares());
        let positions = planes.len() / form.inputs();
        let mut layers = self.layers.iter().map(|(layer, var)| (layer, weights(var)));
        let mut next = || layers.next().expect("the layers of the size");
        let tiles = Tiles { rows: form.rows, columns: form.columns, positions };
        let mut filters = self.filters.iter();
        let mut convolution = || {
            let filters = filters.next().expect("those of each convolution").clone();
            Convolution { tiles, filters }
        };
        let full = |(layer, weights): (&Layer, Tensor), input: &Tensor| {
            let bias = weights.narrow(1, layer.weights(), 1)?;
            weights.narrow(1, 0, layer.weights())?.matmul(input)?.broadcast_add(&bias)
        };
        // A column for each position, of all squares of each plane.
        let planes_of = |(layer, weights): (&Layer, Tensor), input: &Tensor| {
            let planes = full((layer, weights), input)?.relu()?;
            planes.reshape((layer.outputs * squares, positions))
        };

        let input = Tensor::from_slice(planes, (positions, inputs * squares), &Device::Cpu)?;
        let input = input.t()?.contiguous()?.reshape((inputs, squares * positions))?;
        let mut trunk = input.apply_op2(&next().1, convolution())?;
        for _ in 0..self.size.blocks {
            let inner = trunk.apply_op2(&next().1, convolution())?;
            trunk = inner.apply_op3(&next().1, &trunk, convolution())?;
        }
        let policy = planes_of(next(), &trunk)?;
        let logits = full(next(), &policy)?;
        let value = planes_of(next(), &trunk)?;
        let hidden = full(next(), &value)?.relu()?;
        let value = full(next(), &hidden)?;
        Ok((value.t()?, logits.t()?))
    }
}
