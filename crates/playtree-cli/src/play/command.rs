//! What a person can type besides a move.

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Hint,
    Undo,
    Redo,
    Go,
    Flip,
    Moves,
    Board,
    Save { file: String, may_replace: bool },
    Load { file: String },
    Resign,
    New,
    Help,
    Quit,
}

/// Every command: how it is typed, and what it does.
pub(super) const ALL: [(&str, &str); 13] = [
    ("hint", "what the engine would play for you"),
    ("undo", "take back your last move and the reply to it"),
    ("redo", "play again what undo has taken back"),
    ("go", "let the engine move for you"),
    ("flip", "change sides with the engine (also: swap)"),
    ("moves", "list the legal moves"),
    ("board", "show the board again"),
    ("save FILE", "save the game; save! FILE replaces a file"),
    ("load FILE", "go on with a saved game"),
    ("resign", "give up"),
    ("new", "begin another game"),
    ("help", "show this list"),
    ("quit", "end the program (also: exit)"),
];

/// The first words of the commands.
pub(super) fn names<'a>() -> impl Iterator<Item = &'a str> {
    ALL.iter().map(|(typed, _)| typed.split(' ').next().unwrap_or(typed))
}

/// The command of a line; `None` if it begins with no command.
///
/// # Errors
/// If a command has too many words behind it, or too few: what was expected and what was found.
pub(super) fn parse(line: &str) -> Option<Result<Command, String>> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (name, rest) = (name.to_ascii_lowercase(), rest.trim());
    let command = match name.as_str() {
        "hint" => Command::Hint,
        "undo" | "back" => Command::Undo,
        "redo" => Command::Redo,
        "go" => Command::Go,
        "flip" | "swap" => Command::Flip,
        "moves" => Command::Moves,
        "board" => Command::Board,
        "save" | "save!" | "load" if rest.is_empty() => {
            return Some(Err(format!("expected the name of a file after '{name}', found nothing")));
        }
        "save" | "save!" => {
            let (file, may_replace) = (rest.to_owned(), name == "save!");
            return Some(Ok(Command::Save { file, may_replace }));
        }
        "load" => return Some(Ok(Command::Load { file: rest.to_owned() })),
        "resign" => Command::Resign,
        "new" => Command::New,
        "help" | "?" => Command::Help,
        "quit" | "exit" => Command::Quit,
        _ => return None,
    };
    if rest.is_empty() {
        return Some(Ok(command));
    }
    Some(Err(format!("expected nothing after '{name}', found '{rest}'")))
}

#[cfg(test)]
mod tests {
    use super::{ALL, Command, names, parse};

    #[test]
    fn every_command_of_the_list_is_read() {
        for name in names() {
            let line =
                if ["save", "load"].contains(&name) { format!("{name} a") } else { name.into() };
            assert!(matches!(parse(&line), Some(Ok(_))), "{name}");
        }
        assert_eq!(names().count(), ALL.len());
        assert_eq!(parse("  Swap "), Some(Ok(Command::Flip)));
        assert_eq!(parse("exit"), Some(Ok(Command::Quit)));
    }

    #[test]
    fn the_name_of_a_file_may_have_blanks() {
        let save = |file: &str, may_replace| Command::Save { file: file.into(), may_replace };
        assert_eq!(parse("save my game.txt"), Some(Ok(save("my game.txt", false))));
        assert_eq!(parse("save!  g"), Some(Ok(save("g", true))));
        assert_eq!(parse("load my game"), Some(Ok(Command::Load { file: "my game".into() })));
        for name in ["save", "save!", "load"] {
            let error = format!("expected the name of a file after '{name}', found nothing");
            assert_eq!(parse(name), Some(Err(error)));
        }
    }

    #[test]
    fn what_is_no_command_is_left_to_others() {
        for line in ["", "a1", "und", "hints", "save!!x"] {
            assert_eq!(parse(line), None, "{line}");
        }
        let error = "expected nothing after 'undo', found '2'";
        assert_eq!(parse("undo 2"), Some(Err(error.into())));
    }
}
