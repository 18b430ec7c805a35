//! What is special about the root of one search: noise in its priors, or sequential halving.
//!
//! Both go by a copy of what the root says, made when the search begins, and by random numbers of
//! their own: the node is shared with all other searches, and learns nothing of it.

mod halving;
mod noise;

use crate::rng::{Rng, mix};

use super::config::Root;
use super::tree::node::{Edge, Node};
use super::tree::value::ONE;

pub(crate) use halving::{Halving, Seen};

/// What a search keeps of its [`Root`], unless that is plain.
#[derive(Debug)]
pub(crate) enum AtRoot {
    /// The priors to be used instead of the root's own, in fixed point.
    Priors(Vec<u32>),
    Halving(Halving),
}

/// The random numbers of the root, beside those of the workers.
const ROOT: u64 = u64::MAX - 1;

impl AtRoot {
    /// For a search with this seed from a root with these priors, in fixed point, whose budget has
    /// a number of simulations or none.
    pub(crate) fn new(
        root: Root,
        priors: &[u32],
        seed: u64,
        simulations: Option<u64>,
    ) -> Option<Self> {
        let mut rng = Rng::from_seed(mix(seed, ROOT));
        match root {
            Root::Plain => None,
            Root::Dirichlet(noise) => Some(Self::Priors(noise::mixed(noise, priors, &mut rng))),
            Root::Gumbel(gumbel) => {
                Some(Self::Halving(Halving::new(gumbel, priors, simulations, &mut rng)))
            }
        }
    }

    /// The halving, if it is one.
    pub(crate) fn halving(&self) -> Option<&Halving> {
        match self {
            Self::Halving(halving) => Some(halving),
            Self::Priors(_) => None,
        }
    }
}

/// What is known of each branch of a node, and what the network says of it: the mean of what the
/// node has not from its branches, if anything.
pub(crate) fn look(node: &Node, edges: &[Edge]) -> (Vec<Seen>, Option<f32>) {
    let to_mean = |score: f64| (score / f64::from(ONE)).clamp(0.0, 1.0) as f32;
    let (own, mut score) = (node.own(), node.score());
    let seen = edges.iter().map(|edge| {
        let stats = edge.stats();
        let of_edge = u64::from(stats.visits) * u64::from(stats.value.score());
        // While others write, the two may not belong together: then this is a little off.
        score = score.saturating_sub(of_edge);
        let mean = to_mean(f64::from(stats.value.score()));
        Seen { visits: stats.visits, mean, is_exact: stats.value.is_exact() }
    });
    let seen = seen.collect();
    let value = (own > 0).then(|| to_mean(score as f64 / f64::from(own)));
    (seen, value)
}

/// The natural logarithm of a number from 0 to 1, not below -87.
fn ln_of_share(share: f32) -> f32 {
    -crate::maths::ln(1.0 / share.max(f32::MIN_POSITIVE))
}
