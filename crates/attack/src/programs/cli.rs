//! The command line, attacked: hostile input, signals, devices, a full disk, and programs that
//! hang, flood and die. Nothing hangs, crashes, is destroyed, or is left running.

mod child;
mod gtp;
mod match_programs;
mod save;
mod signals;
mod trace;

use std::path::{Path, PathBuf};

use crate::faults::{fault, watchdog};

use child::Call;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The program to attack
    binary: PathBuf,
    /// One group of attacks; all of them if not given
    #[arg(value_parser = ["gtp", "trace", "signals", "save", "match"])]
    group: Option<String>,
    /// What random input follows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The program under attack, and a folder for what it writes.
struct Target {
    binary: PathBuf,
    folder: PathBuf,
    seed: u64,
}

impl Target {
    /// A call of the program, in its folder.
    fn call<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Call {
        let args: Vec<String> = args.into_iter().map(str::to_owned).collect();
        let call = Call::new(&self.binary, &self.folder, args);
        if cfg!(debug_assertions) { call.patient(3) } else { call }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Attacks of one kind.
type Group = fn(&Target);

pub(crate) fn run(args: &Args) -> String {
    watchdog(180);
    // A shell starts what runs in its background with SIGINT ignored, and the programs would
    // inherit it. SAFETY: no handler is set, and no other thread changes one.
    unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
    let folder = std::env::temp_dir().join(format!("playtree-attack-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder of its own");
    let binary = args.binary.canonicalize().expect("the program to attack is there");
    let target = Target { binary, folder: folder.clone(), seed: args.seed };
    let groups: [(&str, Group); 5] = [
        ("gtp", gtp::attack),
        ("trace", trace::attack),
        ("signals", signals::attack),
        ("save", save::attack),
        ("match", match_programs::attack),
    ];
    for (name, attack) in groups {
        if args.group.as_ref().is_none_or(|group| group == name) {
            attack(&target);
        }
    }
    report_temporary_files(&folder);
    drop(std::fs::remove_dir_all(&folder));
    format!("{} calls", child::calls())
}

/// What is written on the way to a file must not stay.
fn report_temporary_files(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.contains("tmp") || name.ends_with("new") || name.ends_with('~') {
            fault!("{name} was left behind");
        }
    }
}
