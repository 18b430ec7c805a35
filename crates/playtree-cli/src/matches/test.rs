//! How the test that may end a match early is written on the command line.

use playtree::statistics::Sprt;

use crate::error::Refusal;
use crate::options::values;

/// `0,10` or `0,10,0.05,0.05`.
pub(super) fn parse(text: &str) -> Result<Sprt, Refusal> {
    const EXPECTED: &str = "ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA such as 0,10 or -5,5,0.05,0.05, ELO0 \
                            below ELO1 and the chances between 0 and 0.5";
    read(text).ok_or_else(|| Refusal::value(EXPECTED, text))
}

fn read(text: &str) -> Option<Sprt> {
    let numbers: Vec<f64> =
        text.split(',').map(|part| values::real(part.trim()).ok()).collect::<Option<_>>()?;
    let (elo0, elo1, alpha, beta) = match *numbers {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => return None,
    };
    let chance = |chance: f64| chance > 0.0 && chance < 0.5;
    let good = elo0 < elo1 && elo0.abs().max(elo1.abs()) <= 1000.0 && chance(alpha) && chance(beta);
    good.then_some(Sprt { elo0, elo1, alpha, beta })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_has_two_or_four_numbers() {
        let test = Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        assert_eq!(parse("-5,5"), Ok(test));
        assert_eq!(parse("-5, 5, 0.1, 0.01"), Ok(Sprt { alpha: 0.1, beta: 0.01, ..test }));
        for text in ["", "5", "5,0", "0,5,0.05", "0,5,0,0.05", "0,5,0.05,0.5", "0,x", "0,2000"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
