//! The network in candle: what it says of positions, and how its weights are to change.

mod shift;

use candle_core::{Device, Tensor, Var};
use playtree_planes::Outputs;

use crate::batch::Batch;
use crate::weights::{Layer, Size};
use shift::Neighbours;

/// A network with its weights.
///
/// A plane of a batch of positions is a row of a matrix, so that a convolution is one product with
/// the matrix of the neighbours of every square.
#[derive(Clone, Debug)]
pub struct Net {
    size: Size,
    layers: Vec<(Layer, Var)>,
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
        let layers = size.layers().into_iter().map(|layer| {
            let shape = (layer.outputs, layer.row());
            let var = Var::from_slice(&numbers[layer.range()], shape, &Device::Cpu)?;
            Ok((layer, var))
        });
        Ok(Self { size, layers: layers.collect::<Result<_, candle_core::Error>>()? })
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
        let count = planes.len() / form.inputs();
        let mut layers = self.layers.iter().map(|(layer, var)| (layer, weights(var)));
        let mut next = || layers.next().expect("the layers of the size");
        let neighbours = Neighbours { rows: form.rows, columns: form.columns };
        let squares_of = |(_, weights): (&Layer, Tensor), input: &Tensor| {
            weights.matmul(&input.apply_op1(neighbours)?)
        };
        // A row for each position, of all squares of each plane.
        let planes_of = |(layer, weights): (&Layer, Tensor), input: &Tensor| {
            let planes = affine(layer, &weights, input)?.relu()?;
            let planes = planes.reshape((layer.outputs, count, squares))?.transpose(0, 1)?;
            planes.contiguous()?.reshape((count, layer.outputs * squares))
        };
        let full = |(layer, weights): (&Layer, Tensor), input: &Tensor| {
            affine(layer, &weights, &input.t()?)?.t()
        };

        let input = Tensor::from_slice(planes, (count, inputs, squares), &Device::Cpu)?;
        let input = input.transpose(0, 1)?.contiguous()?.reshape((inputs, count * squares))?;
        let mut trunk = squares_of(next(), &input)?.relu()?;
        for _ in 0..self.size.blocks {
            let inner = squares_of(next(), &trunk)?.relu()?;
            trunk = (squares_of(next(), &inner)? + trunk)?.relu()?;
        }
        let policy = planes_of(next(), &trunk)?;
        let logits = full(next(), &policy)?;
        let value = planes_of(next(), &trunk)?;
        let hidden = full(next(), &value)?.relu()?;
        let value = full(next(), &hidden)?;
        Ok((value, logits))
    }
}

/// The product of the weights of a layer with columns of inputs, and the biases.
fn affine(layer: &Layer, rows: &Tensor, input: &Tensor) -> Result<Tensor, candle_core::Error> {
    let weights = rows.narrow(1, 0, layer.weights())?;
    let bias = rows.narrow(1, layer.weights(), 1)?;
    weights.matmul(input)?.broadcast_add(&bias)
}
