//! The options of a search at its root: which moves, how much about each, which to play.

use clap::Args;
use playtree::SearchError;
use playtree::dynamic::AnyMove;
use playtree_session::{Position, Root};

use super::values;
use crate::error::{CliError, session_error};

/// What the search is to do at its root. What is not given stays at the library's default.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Moves at the root")]
pub(crate) struct RootOptions {
    /// Search only these moves, with commas between them.
    #[arg(long, value_name = "MOVES", value_delimiter = ',', allow_hyphen_values = true)]
    only: Option<Vec<String>>,
    /// Leave these moves out, with commas between them.
    #[arg(long, value_name = "MOVES", value_delimiter = ',', allow_hyphen_values = true)]
    except: Vec<String>,
    /// How many of the best moves get a line of play, and the visits of --visit-floor [default:
    /// all].
    #[arg(long, value_name = "N", value_parser = values::count, allow_hyphen_values = true)]
    detailed: Option<usize>,
    /// The least visits of each of the moves that --detailed counts [default: 0].
    #[arg(long, value_name = "N", value_parser = values::small, allow_hyphen_values = true)]
    visit_floor: Option<u32>,
    /// Draw the best move by visits^(1/T); 0 takes the best [default: 0].
    #[arg(long, value_name = "T", value_parser = values::temperature, allow_hyphen_values = true)]
    temperature: Option<f64>,
    /// How much less than half a point a draw is worth to the side to move, -0.5 to 0.5
    /// [default: 0].
    #[arg(long, value_name = "C", value_parser = values::real, allow_hyphen_values = true)]
    pub(crate) contempt: Option<f64>,
}

impl RootOptions {
    /// The moves that these texts are, of this option.
    ///
    /// # Errors
    /// If one is not legal at `state`.
    fn moves(option: &str, texts: &[String], state: &Position) -> Result<Vec<AnyMove>, CliError> {
        let mv = |text: &String| state.parse_move(text.trim());
        texts.iter().map(mv).collect::<Result<_, _>>().map_err(|e| CliError::at(option, e))
    }

    /// Why a search with these options was refused, with the option that is to blame.
    pub(crate) fn search_error(&self, error: playtree_session::Error) -> CliError {
        match error {
            playtree_session::Error::Library(playtree::Error::Search(
                error @ SearchError::NothingAllowed { .. },
            )) => CliError::at(if self.except.is_empty() { "--only" } else { "--except" }, error),
            other => session_error(other),
        }
    }

    /// The options for a search of `state`.
    ///
    /// # Errors
    /// If a move is not legal there.
    pub(crate) fn root(&self, state: &Position) -> Result<Root, CliError> {
        let mut root = Root::new();
        if let Some(texts) = &self.only {
            root.only = Some(Self::moves("--only", texts, state)?);
        }
        root.except = Self::moves("--except", &self.except, state)?;
        root.detailed = self.detailed;
        root.visit_floor = self.visit_floor;
        root.temperature = self.temperature.unwrap_or(0.0);
        Ok(root)
    }
}
