//! The ways to count what a move has lost.

/// A way to count what a move has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Whether the position is still won, drawn or lost as it was: a move that is not as good as
    /// that loses 100, so that a mean is a share in percent.
    Value,
    /// Whether not one disc was lost, in percent likewise.
    EveryDisc,
    /// The number of discs lost.
    Discs,
}

impl Measure {
    /// What a move loses, at least 0, that is worth `worth` where the best one is worth `best`.
    pub(super) fn loss(self, best: i32, worth: i32) -> f64 {
        let share = |is_kept| if is_kept { 0.0 } else { 100.0 };
        match self {
            Measure::Value => share(worth.signum() == best.signum()),
            Measure::EveryDisc => share(worth == best),
            Measure::Discs => f64::from(best - worth),
        }
    }

    /// The least that a move can lose, if it loses anything. Discs are lost by twos.
    pub(super) fn least_loss(self) -> f64 {
        match self {
            Measure::Value | Measure::EveryDisc => 100.0,
            Measure::Discs => 2.0,
        }
    }

    /// Whether it is a share, to be shown as that of the moves that lose nothing.
    pub(super) fn is_share(self) -> bool {
        self != Measure::Discs
    }

    /// The heading of a table.
    pub(super) fn title(self) -> &'static str {
        match self {
            Measure::Value => "Moves that keep the value",
            Measure::EveryDisc => "Moves that lose no disc",
            Measure::Discs => "Discs lost by a move",
        }
    }

    /// What a difference is counted in.
    pub(super) fn unit(self) -> &'static str {
        if self.is_share() { "points of percent" } else { "discs" }
    }

    /// Digits after the point.
    pub(super) fn decimals(self) -> usize {
        if self.is_share() { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::Measure;

    #[test]
    fn losses() {
        let losses = |best, worth| {
            [Measure::Value, Measure::EveryDisc, Measure::Discs].map(|way| way.loss(best, worth))
        };
        assert_eq!(losses(10, 10), [0.0, 0.0, 0.0]);
        assert_eq!(losses(10, 4), [0.0, 100.0, 6.0]);
        assert_eq!(losses(10, -2), [100.0, 100.0, 12.0]);
        assert_eq!(losses(2, 0), [100.0, 100.0, 2.0]);
        assert_eq!(losses(-2, -8), [0.0, 100.0, 6.0]);
    }
}
