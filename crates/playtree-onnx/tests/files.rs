//! Files as the training program writes them, whole, damaged, and for something else.

use std::fs;

use playtree::evaluate::{Answers, Network, Question};
use playtree::games::{ConnectFour, Othello, OthelloBoard};
use playtree::mcts::Root;
use playtree::{Budget, GameState, Mcts, Rng};
use playtree_onnx::{FileFault, OnnxNetwork};
use playtree_planes::Planes;
use playtree_train::onnx;
use playtree_train::weights::Size;

/// The file of a small network whose numbers are those of this seed.
fn file<G: Planes>(seed: u64) -> Vec<u8> {
    let size = Size { form: G::FORM, blocks: 2, channels: 8 };
    onnx::model(&size, &size.begin(seed))
}

/// Positions of random games.
fn positions<G: GameState>(start: &G, count: usize) -> Vec<G> {
    let mut rng = Rng::from_seed(1);
    let (mut found, mut state) = (Vec::new(), start.clone());
    while found.len() < count {
        let mut moves = Vec::new();
        if state.outcome().is_none() {
            found.push(state.clone());
            state.moves(&mut moves);
        }
        state = match moves.is_empty() {
            true => start.clone(),
            false => state.apply(&moves[rng.below(moves.len())]),
        };
    }
    found
}

fn fault<G: Planes>(bytes: Vec<u8>) -> FileFault {
    OnnxNetwork::<G>::parse(bytes).expect_err("it is no network for the game")
}

#[test]
fn a_position_is_answered_alike_alone_and_in_a_batch() {
    let network = OnnxNetwork::<ConnectFour>::parse(file::<ConnectFour>(3)).unwrap();
    let states = positions(&ConnectFour::new(), 33);
    let mut numbers = Vec::new();
    states.iter().for_each(|state| playtree_planes::write(state, &mut numbers));
    let all = network.outputs(&numbers).unwrap();
    assert_eq!((all.values.len(), all.logits.len()), (33, 33 * 7));
    for (number, own) in numbers.chunks(5 * 6 * 7).enumerate() {
        let alone = network.outputs(own).unwrap();
        assert!((alone.values[0] - all.values[number]).abs() < 1e-5);
        for (one, other) in alone.logits.iter().zip(&all.logits[7 * number..]) {
            assert!((one - other).abs() < 1e-5, "{one} {other}");
        }
    }
    // The answers are those of its moves, in their order.
    let mut moves = Vec::new();
    states[7].moves(&mut moves);
    let questions = [Question { state: &states[7], moves: &moves }];
    let mut answers = Answers::of(&questions);
    network.evaluate(&questions, &mut answers).unwrap();
    for (mv, logit) in moves.iter().zip(answers.policy_of(0)) {
        assert!((logit - all.logits[7 * 7 + mv.index()]).abs() < 1e-5);
    }
    let own = answers.scores_of(0)[states[7].mover()];
    assert!((own - all.values[7]).abs() < 1e-5);
}

#[test]
fn a_search_finds_the_same_twice_and_asks_from_many_threads() {
    let start = OthelloBoard::<6>::new();
    let search = |threads, root| {
        let network = OnnxNetwork::parse(file::<OthelloBoard<6>>(5)).unwrap().batch(8);
        let builder = Mcts::builder().threads(threads).oversubscribe(true).root(root);
        let mut mcts = builder.network(network).build().unwrap();
        mcts.search(&start, &Budget::simulations(300)).unwrap()
    };
    for root in [Root::Plain, Root::gumbel()] {
        assert_eq!(search(1, root).moves, search(1, root).moves);
        assert_eq!(search(4, root).simulations, 300);
    }
}

#[test]
fn files_for_something_else_are_refused() {
    let error = fault::<Othello>(file::<ConnectFour>(1)).to_string();
    assert_eq!(
        error,
        "expected a network for 'othello' (5 planes of 8x8, 65 moves, version 1), found one with \
         playtree.game 'connect4'"
    );
    let error = fault::<Othello>(file::<OthelloBoard<6>>(1)).to_string();
    assert!(error.contains("found one with playtree.game 'othello 6'"), "{error}");
    for bytes in [&b""[..], b"{}", b"GIF89a", &[0; 4096], &[0xff; 4096]] {
        let error = fault::<ConnectFour>(bytes.to_vec()).to_string();
        assert!(
            error.starts_with("expected an ONNX file") || error.contains("metadata"),
            "{error}"
        );
    }
    let folder = std::env::temp_dir();
    let missing = folder.join("playtree-no-such-network.onnx");
    let error = OnnxNetwork::<ConnectFour>::open(&missing).unwrap_err();
    assert!(matches!(error.fault, FileFault::Read(_)));
    assert!(error.to_string().starts_with(&missing.display().to_string()), "{error}");
    let found = folder.join(format!("playtree-network-{}.onnx", std::process::id()));
    fs::write(&found, file::<ConnectFour>(1)).unwrap();
    let opened = OnnxNetwork::<ConnectFour>::open(&found);
    fs::remove_file(&found).unwrap();
    assert!(opened.is_ok());
}

/// Cut off anywhere, and with a byte changed anywhere, a file is an error or a network that answers
/// with numbers.
#[test]
fn damaged_files_are_errors_or_networks() {
    let whole = file::<ConnectFour>(1);
    let ask = |bytes: Vec<u8>| {
        let network = OnnxNetwork::<ConnectFour>::parse(bytes).ok()?;
        let outputs = network.outputs(&[0.0; 5 * 6 * 7]).expect("it has answered once");
        assert_eq!((outputs.values.len(), outputs.logits.len()), (1, 7));
        Some(outputs)
    };
    let expected = ask(whole.clone()).expect("a network");
    let mut rng = Rng::from_seed(4);
    let mut refused = 0;
    for number in 0..300 {
        let at = rng.below(whole.len());
        let mut bytes = whole.clone();
        if number % 2 == 0 {
            bytes.truncate(at);
            assert!(ask(bytes).is_none(), "cut off after {at} of {} bytes", whole.len());
        } else {
            // The structure is at the beginning and between the numbers.
            let at = if number % 4 == 1 { at } else { rng.below(600) };
            bytes[at] ^= 1 << rng.below(8);
            refused += usize::from(ask(bytes).is_none());
        }
    }
    assert!(refused > 10, "{refused}");
    assert_eq!(ask(whole), Some(expected));
}
