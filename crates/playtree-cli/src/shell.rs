//! `playtree completions` and `playtree man`: what the shell and `man` know of the command line.

use std::borrow::Cow;
use std::fs;
use std::io::Write;
use std::iter;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, CommandFactory, Parser};
use clap_complete::Shell;
use clap_mangen::Man;
use playtree::games::GAMES;

use crate::Cli;
use crate::error::CliError;
use crate::output;
use crate::spec::ENGINES;

/// What stands below the commands of the help.
pub(crate) const MORE: &str = "\
More:
  completions  Print the completions for a shell, as in
               playtree completions bash > ~/.local/share/bash-completion/\\
               completions/playtree
  man          Print the manual page, or write those of all commands to a folder";

/// Print the completions for a shell.
///
/// The shell then completes commands, options, and the names of games and engines. Where they go:
/// for bash to ~/.local/share/bash-completion/completions/playtree; for zsh to _playtree in a
/// folder of $fpath; for fish to ~/.config/fish/completions/playtree.fish; elvish and PowerShell
/// read them with eval and Invoke-Expression.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Print the manual page, or write those of all commands to a folder.
///
/// 'man -l FILE' shows a page; in a folder 'man1' of man's path it is found by its name.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// A folder, made if it is not there; pages of an earlier version are replaced.
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Reads the arguments of this process.
pub(crate) fn parse<T: Parser>() -> Result<T, clap::Error> {
    // Set where the width is not known, as in an editor: clap takes it for a width.
    let is_unknown = std::env::var("COLUMNS").is_ok_and(|columns| columns.parse() == Ok(0));
    let command = T::command();
    let mut command = if is_unknown { command.term_width(output::WIDTH) } else { command };
    let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
    T::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// A text as one word of a shell.
pub(crate) fn word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_./:@%+=,-".contains(c);
    // A name with a dash in front is taken for an option.
    let text = match text.starts_with('-') {
        true => Cow::Owned(format!("./{text}")),
        false => Cow::Borrowed(text),
    };
    if text.chars().all(is_plain) {
        return text;
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

/// Writes the completions.
pub(crate) fn complete(args: &CompletionsArgs, out: &mut impl Write) -> Result<(), CliError> {
    let mut command = Cli::command().mut_subcommands(|command| {
        // A hidden command is completed too.
        command.hide(false).mut_args(with_values)
    });
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "playtree", &mut script);
    Ok(out.write_all(&script)?)
}

/// An argument that knows its values, where it is the name of a game or an engine. Only here: an
/// error in such a name has words of its own.
fn with_values(arg: Arg) -> Arg {
    let name = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    match name.as_deref() {
        Some("GAME") => {
            let games = GAMES.iter().map(|info| info.name);
            arg.value_parser(PossibleValuesParser::new(games))
        }
        Some("SPEC") => arg.value_parser(PossibleValuesParser::new(ENGINES)),
        _ => arg,
    }
}

/// Writes the page, or all pages.
pub(crate) fn write_man(args: &ManArgs, out: &mut impl Write) -> Result<(), CliError> {
    let mut command = Cli::command().mut_subcommands(|command| command.hide(false));
    // Gives each command its full name.
    command.build();
    let Some(folder) = &args.folder else { return Ok(Man::new(command).render(out)?) };
    let refuse = |error| CliError::at("FOLDER", format_args!("expected a folder, found {error}"));
    fs::create_dir_all(folder).map_err(refuse)?;
    let commands = command.get_subcommands().filter(|command| command.get_name() != "help");
    let mut pages = 0;
    for command in iter::once(&command).chain(commands) {
        Man::new(command.clone()).generate_to(folder).map_err(refuse)?;
        pages += 1;
    }
    let pages = output::counted(pages, "page");
    Ok(writeln!(out, "wrote {pages} to {}", folder.display())?)
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::{with_values, word};

    #[test]
    fn a_name_is_one_word_of_a_shell() {
        assert_eq!(word("games/one-2.txt"), "games/one-2.txt");
        assert_eq!(word("a b"), "'a b'");
        assert_eq!(word("it's $x"), r"'it'\''s $x'");
        assert_eq!(word("-n"), "./-n");
        assert_eq!(word("~"), "'~'");
    }

    #[test]
    fn games_and_engines_have_values_and_files_have_none() {
        let values = |name: &'static str| {
            let arg = with_values(Arg::new("x").value_name(name));
            arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
        };
        let (games, engines): (Vec<String>, Vec<String>) = (values("GAME"), values("SPEC"));
        assert!(games.contains(&"connect4".to_owned()), "{games:?}");
        assert!(engines.contains(&"alphabeta".to_owned()), "{engines:?}");
        assert_eq!(values("FILE"), Vec::<String>::new());
    }
}
