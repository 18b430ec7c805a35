//! Hostile input for the GTP server.

use crate::dice::Dice;
use crate::faults::fault;

use super::Target;

pub(super) fn attack(target: &Target) {
    let random = ["gtp", "hex", "random"];
    target.call(random).named("gtp: no input").run();
    let inputs: [(&str, &[u8]); 6] = [
        ("gtp: NUL", b"\0\0\0name\0\n1 na\0me\nquit\n"),
        ("gtp: no UTF-8", b"name\n\xff\xfe\xfd\n2 name\nquit\n"),
        ("gtp: Latin-1 in a comment", b"1 play w e7 # caf\xe9\n2 name\nquit\n"),
        ("gtp: byte order mark", b"\xef\xbb\xbf1 name\n2 name\nquit\n"),
        ("gtp: half a line", b"2 name"),
        ("gtp: numbers out of range", NUMBERS),
    ];
    for (name, input) in inputs {
        let ended = target.call(random).named(name).input(input).run();
        if ended.status.is_none_or(|status| !status.success()) {
            fault!("{name}: ended early: {ended}");
        }
        if !ended.out_text().contains("=2 ") && input.windows(6).any(|part| part == b"2 name") {
            fault!("{name}: the command after it has no answer: {:?}", ended.out_text());
        }
    }
    let mut dice = Dice::new(target.seed);
    let noise: Vec<u8> = (0..200_000).map(|_| dice.next() as u8).collect();
    target.call(random).named("gtp: noise").input(noise).run();
    let text: Vec<u8> = (0..200_000)
        .map(|_| if dice.one_in(19) { b'\n' } else { 32 + dice.below(95) as u8 })
        .collect();
    let player = ["gtp", "hex", "mcts:simulations=10"];
    target.call(player).named("gtp: random text").input(text).run();
    let long = target.call(random).named("gtp: a line of 300 MB").timeout(60).most_mib(200);
    let ended = long.flood(vec![b'x'; 1 << 20], 300, b"\n2 name\nquit\n").run();
    if !ended.out_text().contains("=2 ") {
        fault!("gtp: no answer after a line of 300 MB");
    }
    let nul = target.call(random).named("gtp: 300 MB of NUL").timeout(60).most_mib(200);
    nul.flood(vec![0; 1 << 20], 300, b"").run();
    let comments = target.call(random).named("gtp: 200 000 comments");
    comments.flood(b"# a\n".to_vec(), 200_000, b"name\nquit\n").run();
}

const NUMBERS: &[u8] = b"99999999999999999999999 name\n-1 name\nboardsize 99999999999999999999\n\
boardsize -1\nboardsize 1\nboardsize 2\nplay black zz99\nplay purple a1\nplay\n\
time_settings 1e99 1 1\ntime_settings -1 0 0\ntime_left b 1 1\nkomi nan\nkomi inf\ngenmove\n\
undo\nundo\n2 name\nquit\n";
