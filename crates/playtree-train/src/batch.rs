//! What a network learns from: positions, the policy of the search there, and how the game ended.

use playtree_planes::{Form, PLANES, Symmetry, write_planes};

/// A position of a game, and what was found of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The planes of the position.
    pub planes: [u64; PLANES],
    /// The score of its side to move that the network is to expect.
    pub value: f32,
    /// The share that the search gave each move of the game; 0 where it is not legal.
    pub policy: Vec<f32>,
}

/// Samples as the numbers that a network is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// The planes, position after position.
    pub planes: Vec<f32>,
    /// The shares of the moves, position after position.
    pub policies: Vec<f32>,
    /// The scores of the sides to move.
    pub values: Vec<f32>,
}

impl Batch {
    /// Adds a sample, turned over.
    pub fn push(&mut self, sample: &Sample, symmetry: Symmetry, form: &Form) {
        write_planes(&symmetry.planes(&sample.planes, form), form, &mut self.planes);
        let first = self.policies.len();
        self.policies.resize(first + form.moves, 0.0);
        for (number, &share) in sample.policy.iter().enumerate() {
            self.policies[first + symmetry.move_number(number, form)] = share;
        }
        self.values.push(sample.value);
    }
}

#[cfg(test)]
mod tests {
    use playtree::Notation;
    use playtree::games::ConnectFour;
    use playtree_planes::{Planes, Symmetry};

    use super::{Batch, Sample};

    #[test]
    fn a_sample_turned_over_is_that_of_the_position_turned_over() {
        let of = |moves: &str, policy: [f32; 7]| Sample {
            planes: ConnectFour::parse_position(moves).unwrap().planes(),
            value: 0.75,
            policy: policy.to_vec(),
        };
        let one = of("1223", [0.0, 0.1, 0.2, 0.3, 0.4, 0.0, 0.0]);
        let other = of("7665", [0.0, 0.0, 0.4, 0.3, 0.2, 0.1, 0.0]);
        let batch = |sample: &Sample, symmetry| {
            let mut batch = Batch::default();
            batch.push(sample, symmetry, &ConnectFour::FORM);
            batch
        };
        assert_eq!(batch(&one, Symmetry::MIRRORED), batch(&other, Symmetry::NONE));
        assert_ne!(batch(&one, Symmetry::NONE), batch(&other, Symmetry::NONE));
    }
}
