//! The file of a network, read by onnxruntime where Python has it.

use std::process::Command;
use std::{env, fs};

use playtree::Rng;
use playtree::games::{ConnectFour, OthelloBoard};
use playtree_planes::Planes;
use playtree_train::net::Net;
use playtree_train::onnx;
use playtree_train::weights::Size;

/// Prints the game of the file, and the outputs for the planes in a file of 32-bit floats.
const SCRIPT: &str = "
import sys, numpy, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1])
shape = [-1] + session.get_inputs()[0].shape[1:]
planes = numpy.fromfile(sys.argv[2], numpy.float32).reshape(shape)
print(session.get_modelmeta().custom_metadata_map['playtree.game'])
for output in session.run(['value', 'policy'], {'position': planes}):
    print(*output.reshape(-1).tolist())
";

fn python(arguments: &[&str]) -> Option<String> {
    let program = env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(program).arg("-c").args(arguments).output().ok()?;
    if !output.status.success() && arguments.len() > 1 {
        panic!("{}", String::from_utf8_lossy(&output.stderr));
    }
    output.status.success().then(|| String::from_utf8(output.stdout).expect("it prints text"))
}

fn outputs_are_those_of_the_network<G: Planes + Default>(count: usize) {
    let size = Size { form: G::FORM, blocks: 2, channels: 8 };
    // No weight is small: all of them matter.
    let mut rng = Rng::from_seed(1);
    let numbers: Vec<f32> =
        size.begin(1).iter().map(|w| w + 0.2 * (rng.unit() as f32 - 0.5)).collect();
    let (mut planes, mut state) = (Vec::new(), G::default());
    while planes.len() < count * G::FORM.inputs() {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if moves.is_empty() {
            state = G::default();
            continue;
        }
        playtree_planes::write(&state, &mut planes);
        state = state.apply(&moves[rng.below(moves.len())]);
    }
    let folder =
        env::temp_dir().join(format!("playtree-onnx-{}-{}", G::FORM.columns, std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (net, input) = (folder.join("net.onnx"), folder.join("input"));
    fs::write(&net, onnx::model(&size, &numbers)).unwrap();
    fs::write(&input, planes.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>()).unwrap();
    let [net, input] = [net, input].map(|path| path.display().to_string());
    let printed = python(&[SCRIPT, &net, &input]).expect("it was there before");
    fs::remove_dir_all(&folder).unwrap();

    let mut lines = printed.lines();
    assert_eq!(lines.next(), Some(G::FORM.game));
    let mut next = || -> Vec<f32> {
        let line = lines.next().expect("a line for each output");
        line.split(' ').map(|number| number.parse().expect("a number")).collect()
    };
    let (values, logits) = (next(), next());
    let expected = Net::new(size, &numbers).unwrap().evaluate(&planes).unwrap();
    assert_eq!((values.len(), logits.len()), (count, count * G::FORM.moves));
    let largest = expected.logits.iter().copied().fold(0.0, |most: f32, l| most.max(l.abs()));
    for (found, expected) in values.iter().zip(&expected.values) {
        assert!((found - expected).abs() < 1e-5, "{found}, expected {expected}");
    }
    for (found, expected) in logits.iter().zip(&expected.logits) {
        assert!((found - expected).abs() < 1e-5 * largest.max(1.0), "{found}, expected {expected}");
    }
}

#[test]
fn a_reader_gives_the_outputs_of_the_network() {
    if python(&["import numpy, onnxruntime"]).is_none() {
        println!("not looked at: Python has no onnxruntime");
        return;
    }
    outputs_are_those_of_the_network::<ConnectFour>(40);
    outputs_are_those_of_the_network::<OthelloBoard<6>>(1);
    outputs_are_those_of_the_network::<OthelloBoard<6>>(70);
}
