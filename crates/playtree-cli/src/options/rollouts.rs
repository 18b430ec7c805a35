//! How rollouts choose their moves, as words joined by `+`.

use playtree::mcts::{BaseMoves, Choice, Decisive, Learned, Mast, Nst, Replies, RolloutMoves};

use super::values;
use crate::error::Refusal;

/// What the option takes.
const EXPECTED: &str = "default, uniform, decisive, anti-decisive, lgr, lgr1, mast[:S], \
                        mast-gibbs[:T], nst[:S], nst-gibbs[:T], or some joined by +";

/// How rollouts choose their moves: `decisive+mast`.
pub(super) fn rollouts(text: &str) -> Result<RolloutMoves, Refusal> {
    let mut moves = RolloutMoves::default();
    for part in text.split('+') {
        add(&mut moves, part).map_err(|expected| Refusal::value(expected, part))?;
    }
    Ok(moves)
}

/// Adds a part, or says what was expected.
fn add(moves: &mut RolloutMoves, part: &str) -> Result<(), String> {
    let (name, number) = match part.split_once(':') {
        Some((name, number)) => (name, Some(number)),
        None => (part, None),
    };
    let number = number.map(values::real).transpose();
    let number = number.map_err(|_| format!("a number behind {name}:"))?;
    let choice = match (name.ends_with("-gibbs"), number) {
        (false, None) => Choice::default(),
        (false, Some(share)) => Choice::Greedy { share },
        (true, temperature) => Choice::Gibbs { temperature: temperature.unwrap_or(TEMPERATURE) },
    };
    let is_learned = matches!(name, "mast" | "mast-gibbs" | "nst" | "nst-gibbs");
    if number.is_some() && !is_learned {
        return Err("no number but behind mast, mast-gibbs, nst and nst-gibbs".into());
    }
    let given = match name {
        "default" => moves.base == BaseMoves::Uniform,
        "uniform" => {
            moves.base = BaseMoves::Uniform;
            false
        }
        "decisive" | "anti-decisive" => {
            let decisive =
                if name == "decisive" { Decisive::Wins } else { Decisive::WinsAndThreats };
            std::mem::replace(&mut moves.decisive, decisive) != Decisive::Off
        }
        "lgr" | "lgr1" => {
            let replies = if name == "lgr" { Replies::ToTwo } else { Replies::ToOne };
            std::mem::replace(&mut moves.replies, replies) != Replies::Off
        }
        "mast" | "mast-gibbs" | "nst" | "nst-gibbs" => {
            let learned = if name.starts_with("mast") {
                Learned::Mast(Mast { choice })
            } else {
                Learned::Nst(Nst { choice, ..Nst::default() })
            };
            std::mem::replace(&mut moves.learned, learned) != Learned::Nothing
        }
        _ => return Err(EXPECTED.into()),
    };
    if given { Err("each kind of moves once".into()) } else { Ok(()) }
}

/// The temperature, if none is given.
const TEMPERATURE: f64 = 0.1;

#[cfg(test)]
mod tests {
    use playtree::mcts::{BaseMoves, Choice, Decisive, Learned, Nst, Replies, RolloutMoves};

    use super::rollouts;

    #[test]
    fn words_are_joined() {
        let all = RolloutMoves {
            base: BaseMoves::Uniform,
            decisive: Decisive::WinsAndThreats,
            replies: Replies::ToOne,
            learned: Learned::Nst(Nst { choice: Choice::Greedy { share: 0.5 }, least: 7 }),
        };
        assert_eq!(rollouts("lgr1+nst:0.5+anti-decisive+uniform").unwrap(), all);
        assert_eq!(rollouts("default").unwrap(), RolloutMoves::default());
        for wrong in
            ["", "mast+", "mast+nst", "decisive+decisive", "lgr:2", "mast:x", "uniform+default"]
        {
            assert!(rollouts(wrong).is_err(), "{wrong}");
        }
    }
}
