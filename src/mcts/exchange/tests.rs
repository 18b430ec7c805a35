use super::lines::Layout;
use super::{Exchange, Lines, add};
use crate::budget::Budget;
use crate::game::GameState;
use crate::games::{ConnectFour, Hex};
use crate::mcts::{Mcts, MctsBuilder};

fn engines<G: GameState>(builder: impl Fn() -> MctsBuilder<G>) -> [Mcts<G>; 2] {
    [1, 2].map(|seed| builder().threads(1).seed(seed).build().unwrap())
}

/// An exchange of the lines of the first engine. `look` sees each share.
fn exchange<G: GameState>(
    exchanges: &mut [Exchange; 2],
    engines: &mut [Mcts<G>; 2],
    at_most: usize,
    mut look: impl FnMut(&Lines, &[i64]),
) {
    let lines = exchanges[0].lines(&mut engines[0], at_most).unwrap();
    let mut sum = vec![0; lines.words()];
    for (exchange, engine) in exchanges.iter_mut().zip(&mut *engines) {
        let share = exchange.share(engine, &lines).unwrap();
        look(&lines, &share);
        add(&mut sum, &share);
    }
    for (exchange, engine) in exchanges.iter_mut().zip(engines) {
        exchange.absorb(engine, &sum).unwrap();
        engine.audit().unwrap();
    }
}

/// Whatever comes and goes meanwhile: what was found since the last share are the simulations since
/// then, and each passes a position at most once.
#[test]
fn a_position_that_is_made_again_says_nothing_twice() {
    const SLICE: u64 = 150;
    let small = || Mcts::builder().memory_limit(Some(150_000));
    let (mut engines, mut exchanges) = (engines(small), [Exchange::new(), Exchange::new()]);
    let (start, mut evicted, mut said) = (ConnectFour::new(), 0, 0);
    for _ in 0..300 {
        for engine in &mut engines {
            evicted += engine.search(&start, &Budget::simulations(SLICE)).unwrap().evicted;
        }
        exchange(&mut exchanges, &mut engines, 1 << 12, |lines, share| {
            let layout = Layout::of(lines).unwrap();
            for (line, place) in lines.places.iter().enumerate() {
                let groups = layout.parts(line, place, share).groups;
                let visits: i64 = groups.iter().step_by(layout.stride).sum();
                assert!(visits <= SLICE as i64, "line {line}: {visits} visits");
                assert!(place.goes_on || visits == 0, "line {line} is new");
                said += if line > 0 { visits } else { 0 };
            }
        });
    }
    assert!(evicted > 2_000 && said > 100_000, "{evicted} evicted, {said} visits");
}

/// Of each table the engines have counted the same rollouts, in which the same moves were played.
#[test]
fn tables_of_later_moves_hold_what_all_have_counted() {
    let start = Hex::new(5).unwrap();
    let builder = || Mcts::builder().proofs(false);
    let (mut engines, mut exchanges) = (engines(builder), [Exchange::new(), Exchange::new()]);
    for _ in 0..10 {
        for engine in &mut engines {
            engine.search(&start, &Budget::simulations(400)).unwrap();
        }
        exchange(&mut exchanges, &mut engines, 50, |_, _| ());
    }
    let words = engines.each_ref().map(|engine| {
        let root = engine.tree.node(engine.last_root.unwrap());
        let mut words = Vec::new();
        engine.tree.amaf(root).unwrap().read_words(&mut words);
        words
    });
    assert!(words[0][0] > 7_000, "{} rollouts", words[0][0]);
    assert_eq!(words[0], words[1]);
}
