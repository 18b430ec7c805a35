//! SIGINT and SIGTERM in the middle of every command: it ends soon.

use std::time::Duration;

use super::Target;

const COMMANDS: [&[&str]; 13] = [
    &["analyze", "connect4", "--threads", "1"],
    &["analyze", "hex", "--threads", "2", "--json"],
    &["solve", "connect4"],
    &["perft", "othello", "--depth", "14"],
    &["bench", "connect4", "--threads", "1"],
    &["bench", "othello", "--alphabeta", "--depth", "14"],
    &["bench", "--latency"],
    &["autotune", "othello"],
    &["match", "connect4", "--a", "mcts", "--b", "mcts", "--time", "1s", "--games", "10"],
    &["trace", "tictactoe"],
    &["solve", "nim", "--position", "3,4,5", "--walk"],
    &["table", "/dev/zero"],
    &["gtp", "hex", "mcts:time=30s"],
];

pub(super) fn attack(target: &Target) {
    let (first, second) = (Duration::from_millis(700), Duration::from_millis(1_200));
    for command in COMMANDS {
        for (name, signal) in [("SIGINT", libc::SIGINT), ("SIGTERM", libc::SIGTERM)] {
            let call = target.call(command.iter().copied()).without_end().signal(first, signal);
            let call =
                if command[0] == "gtp" { call.input("genmove b\n").without_end() } else { call };
            call.named(format!("{} and {name}", command.join(" "))).timeout(12).run();
        }
    }
    for command in [COMMANDS[3], COMMANDS[9], COMMANDS[10]] {
        let call = target.call(command.iter().copied()).without_end();
        let call = call.signal(first, libc::SIGINT).signal(second, libc::SIGINT);
        call.named(format!("{} and SIGINT twice", command.join(" "))).timeout(12).run();
    }
}
