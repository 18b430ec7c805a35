//! `match` against programs that hang, flood, lie and die: the match ends with an error or a lost
//! game, and no program outlives it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::faults::fault;
use crate::process::wait_until;

use super::Target;
use super::child::{Ended, send};

/// Programs for both protocols, as Python.
const ANY: [(&str, &str); 12] = [
    ("hangs", "import time\nwhile True: time.sleep(100)\n"),
    (
        "ignores_signals",
        "import time, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
         while True: time.sleep(100)\n",
    ),
    ("floods", "import sys\nwhile True: sys.stdout.write('= x\\n\\n' * 1000)\n"),
    ("floods_long", "import sys\nwhile True: sys.stdout.write('x' * (1 << 20))\n"),
    ("floods_lines", "import sys\nwhile True: sys.stdout.write('y' * ((1 << 20) - 2) + '\\n')\n"),
    ("dies", "import os\nos.abort()\n"),
    ("exits", "raise SystemExit(3)\n"),
    ("closes_output", "import os, time\nos.close(1)\ntime.sleep(100)\n"),
    (
        "closes_input",
        "import os, time\nos.close(0)\nprint('= x\\n', flush=True)\ntime.sleep(100)\n",
    ),
    ("noise", "import sys, os\nwhile True: sys.stdout.buffer.write(os.urandom(1000))\n"),
    (
        "spawns_child",
        "import subprocess, time\nsubprocess.Popen(['sleep', '97531'])\n\
         while True: time.sleep(100)\n",
    ),
    ("escapes", "import sys\nprint('\\x1b[2J\\x1b]0;title\\x07' * 99, flush=True)\n"),
];

const GTP_HEAD: &str = "import sys, time, os
def say(text): sys.stdout.write(text); sys.stdout.flush()
for line in sys.stdin:
  words = line.split()
  if not words: continue
  if words[0] == 'list_commands':
    say('= name\\nlist_commands\\nclear_board\\nboardsize\\nkomi\\nplay\\ngenmove\\n'
        'time_settings\\ntime_left\\nquit\\n\\n')
    continue
  if words[0] == 'quit': say('= \\n\\n'); break
  if words[0] != 'genmove': say('= \\n\\n'); continue
";

/// What a GTP program says when it is asked for a move.
const GTP: [(&str, &str); 12] = [
    ("illegal", "  say('= zz99\\n\\n')\n"),
    ("resigns", "  say('= resign\\n\\n')\n"),
    ("passes", "  say('= pass\\n\\n')\n"),
    ("empty", "  say('= \\n\\n')\n"),
    ("error", "  say('? no\\n\\n')\n"),
    ("nul", "  sys.stdout.buffer.write(b'= \\0\\xff\\x1b[2J\\n\\n'); sys.stdout.flush()\n"),
    ("slow", "  time.sleep(100)\n"),
    ("aborts", "  os.abort()\n"),
    ("closes", "  os.close(1); time.sleep(100)\n"),
    ("flood", "  while True: say('= 1\\n\\n' * 1000)\n"),
    ("long", "  say('= ' + '9' * 3000000 + '\\n\\n')\n"),
    ("twice", "  say('= 1\\n\\n= 2\\n\\n')\n"),
];

const UCI_HEAD: &str = "import sys, time, os
for line in sys.stdin:
  words = line.split()
  if not words: continue
  if words[0] == 'uci':
    print('id name x\\noption name UCI_Variant type combo default xiangqi var xiangqi\\nuciok',
          flush=True)
  elif words[0] == 'isready': print('readyok', flush=True)
  elif words[0] == 'quit': break
  elif words[0] == 'go':
";

/// What a UCI program says when it is asked for a move.
const UCI: [(&str, &str); 6] = [
    ("illegal", "    print('bestmove zz99', flush=True)\n"),
    ("none", "    print('bestmove', flush=True)\n"),
    ("nul", "    sys.stdout.buffer.write(b'bestmove \\0\\xff\\n'); sys.stdout.flush()\n"),
    ("slow", "    time.sleep(100)\n"),
    ("aborts", "    os.abort()\n"),
    ("info", "    while True: print('info depth 1 score cp 99999999999999999999', flush=True)\n"),
];

const CONNECT4: [&str; 7] =
    ["match", "connect4", "--a", "mcts:simulations=50", "--games", "2", "--time"];

pub(super) fn attack(target: &Target) {
    for (name, text) in ANY {
        let program = write_program(target, &format!("any_{name}"), text);
        for protocol in ["gtp", "uci"] {
            play(target, &CONNECT4, &format!("{protocol}:{program}"));
        }
    }
    for (name, text) in GTP {
        let program = write_program(target, &format!("gtp_{name}"), &format!("{GTP_HEAD}{text}"));
        play(target, &CONNECT4, &format!("gtp:{program}"));
    }
    let xiangqi = ["match", "xiangqi", "--a", "mcts:simulations=20", "--games", "2", "--time"];
    for (name, text) in UCI {
        let program = write_program(target, &format!("uci_{name}"), &format!("{UCI_HEAD}{text}"));
        play(target, &xiangqi, &format!("uci:{program}"));
    }
    fs::create_dir_all(target.path("folder")).expect("a folder of its own");
    fs::write(target.path("no_program"), "x").expect("a folder of its own");
    for program in ["./missing", "./folder", "./no_program"] {
        play(target, &CONNECT4, &format!("gtp:{program}"));
    }
    for (signals, name) in [
        (&[libc::SIGINT][..], "SIGINT"),
        (&[libc::SIGTERM], "SIGTERM"),
        (&[libc::SIGHUP], "SIGHUP"),
        (&[libc::SIGINT, libc::SIGINT], "SIGINT twice"),
        (&[libc::SIGKILL], "SIGKILL"),
    ] {
        for program in ["hangs", "ignores_signals", "floods", "spawns_child"] {
            let player = format!("gtp:./any_{program}");
            let args = CONNECT4.into_iter().chain(["100ms", "--b", &player]);
            let mut call = target.call(args).named(format!("match, {program}, {name}")).timeout(15);
            for (number, &signal) in (0..).zip(signals) {
                call = call.signal(Duration::from_millis(1_000 + 200 * number), signal);
            }
            call.run();
            // What a program has started itself can be ended with it, but not after SIGKILL.
            let may_be_left = program == "spawns_child" && signals == [libc::SIGKILL];
            report_left(target, &format!("{program} and {name}"), !may_be_left);
        }
    }
}

fn write_program(target: &Target, name: &str, text: &str) -> String {
    let path = target.path(name);
    fs::write(&path, format!("#!/usr/bin/env python3\n{text}")).expect("a folder of its own");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a file of its own");
    format!("./{name}")
}

fn play(target: &Target, args: &[&str], player: &str) {
    let args = args.iter().copied().chain(["100ms", "--b", player]);
    let ended = target.call(args).named(format!("match against {player}")).timeout(60).run();
    check_harmless(player, &ended);
    report_left(target, player, true);
}

/// What a program has said must not reach the terminal as it is.
fn check_harmless(player: &str, ended: &Ended) {
    for text in [&ended.out, &ended.err] {
        if text.iter().any(|&byte| byte < b' ' && !matches!(byte, b'\n' | b'\t' | b'\r')) {
            fault!("match against {player}: control characters reach the terminal");
        }
        if text.len() > 20_000 {
            fault!("match against {player}: {} bytes of output", text.len());
        }
    }
}

/// Ends what is left of the programs, which is a fault if `none_may_be_left`.
fn report_left(target: &Target, what: &str, none_may_be_left: bool) {
    wait_until(|| left(target).is_empty());
    for (process, name) in left(target) {
        if none_may_be_left {
            fault!("outlives its match: {name} ({what})");
        }
        send(process, libc::SIGKILL);
    }
}

/// The processes that run in the folder of the attack.
fn left(target: &Target) -> Vec<(u32, String)> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let processes = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let inside = |&process: &u32| {
        let folder = fs::read_link(format!("/proc/{process}/cwd"));
        process != std::process::id() && folder.is_ok_and(|folder| folder == target.folder)
    };
    let name = |process: u32| {
        let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        (process, String::from_utf8_lossy(&line).replace('\0', " "))
    };
    processes.filter(inside).map(name).filter(|(_, name)| !name.is_empty()).collect()
}
