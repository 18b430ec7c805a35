//! Hostile games for `trace`.

use crate::dice::Dice;

use super::Target;

pub(super) fn attack(target: &Target) {
    let mut dice = Dice::new(target.seed);
    let mut noise = String::new();
    for _ in 0..10_000 {
        noise.push_str(&format!("{:x}{:x}\n", dice.next(), dice.next()));
    }
    let small = ["trace", "tictactoe"];
    let bad: [(&str, Vec<u8>); 5] = [
        ("trace: noise", noise.into_bytes()),
        ("trace: wrong types", br#"{"position": "XX.OO....", "moves": ["3","x",5,null]}"#.to_vec()),
        ("trace: deep JSON", vec![b'['; 1_000_000]),
        ("trace: no UTF-8", b"{\"moves\":[\"\xff\"]}\n{\"moves\":[\"1\"]}\n".to_vec()),
        ("trace: NUL", b"\0\n".to_vec()),
    ];
    for (name, input) in bad {
        target.call(small).named(name).input(input).most_mib(300).run();
    }
    let many = format!("{{\"moves\":[{}\"1\"]}}\n", "\"1\",".repeat(1_000_000));
    target.call(small).named("trace: a million moves").input(many).run();
    let games = "{\"moves\":[\"1\",\"2\"]}\n".repeat(20_000);
    target.call(["trace", "connect4"]).named("trace: 20 000 games").input(games).run();
}
