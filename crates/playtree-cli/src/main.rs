//! The program `playtree`.

use std::process::ExitCode;

fn main() -> ExitCode {
    playtree_cli::main()
}
