//! The networks that whoever runs the page gives it. A visitor may choose whether an engine asks one,
//! and never names a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use playtree::games::GAMES;
use playtree_session::settings::{MctsSettings, Settings};
use playtree_session::{Error, Game};

use crate::games;
use crate::messages::Refusal;

/// What an engine that cannot read its network is refused with.
const UNREAD: &str = "session.network";

/// Networks from ONNX files, each for the games and boards that it plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Arc<[Offer]>);

/// A network and the game that it plays.
#[derive(Debug, PartialEq, Eq)]
struct Offer {
    game: &'static str,
    /// The first position of the game on its board.
    start: &'static str,
    file: PathBuf,
}

impl Networks {
    /// The networks of these files, tried on every game that a page begins. Of two for one game and
    /// board the first is asked.
    ///
    /// # Errors
    /// If a file is no network, or plays none of the games; and in a program without networks, if
    /// there is one.
    pub fn open<P: AsRef<Path>>(files: &[P]) -> Result<Self, Error> {
        let mut offers = Vec::new();
        for file in files.iter().map(AsRef::as_ref) {
            let (mut refused, before) = (None, offers.len());
            for info in GAMES {
                for start in games::positions(info) {
                    match plays(info.name, start, file) {
                        Ok(()) => {
                            let file = file.to_owned();
                            offers.push(Offer { game: info.name, start, file });
                        }
                        // What is wrong with a file is said by the first game that reads it.
                        Err(error) if error.code() == UNREAD => {
                            refused.get_or_insert(error);
                        }
                        Err(error @ Error::NetworksLeftOut) => return Err(error),
                        Err(_) => {}
                    }
                }
            }
            if let Some(error) = refused.filter(|_| offers.len() == before) {
                return Err(error);
            }
        }
        Ok(Self(offers.into()))
    }

    /// Whether there is one for the game from this position of the page.
    pub(crate) fn begins(&self, game: &str, start: &str) -> bool {
        self.0.iter().any(|offer| offer.game == game && offer.start == start)
    }

    /// What `attempt` makes of these settings with the network for the game, by trying each that
    /// plays it on some board.
    ///
    /// # Errors
    /// If there is none for the game on this board, or the settings are of a searcher that asks
    /// none; and those of `attempt`.
    pub(crate) fn attach<T>(
        &self,
        game: &str,
        settings: &Settings,
        mut attempt: impl FnMut(&Settings) -> Result<T, Refusal>,
    ) -> Result<(T, Settings), Refusal> {
        let Settings::Mcts(own) = settings else {
            let message = "expected the Monte Carlo search with a network, found another searcher";
            return Err(Refusal::wrong("settings.network", message));
        };
        for offer in self.0.iter().filter(|offer| offer.game == game) {
            let own = MctsSettings { network: Some(offer.file.clone()), ..own.clone() };
            let settings = Settings::from(own);
            match attempt(&settings) {
                // Of another board; its words would name the file.
                Err(refusal) if refusal.code == UNREAD => {}
                made => return made.map(|made| (made, settings)),
            }
        }
        Err(Refusal::wrong("settings.network", self.missing(game)))
    }

    /// What is said where there is none for a game and its board.
    fn missing(&self, game: &str) -> String {
        let mut names: Vec<_> = self.0.iter().map(|offer| offer.game).collect();
        names.dedup();
        match names.as_slice() {
            [] => format!("expected a server with networks, found one without for {game}"),
            names => format!(
                "expected a game and a board that the server has a network for ({}), found another \
                 board or game: {game}",
                names.join(", ")
            ),
        }
    }
}

/// Whether the file is a network for the game on the board of this position.
fn plays(game: &str, start: &str, file: &Path) -> Result<(), Error> {
    let settings = MctsSettings {
        threads: Some(1),
        network: Some(file.to_owned()),
        ..MctsSettings::default()
    };
    let (game, _) = Game::open(game, Some(start))?;
    game.engine(&Settings::from(settings)).map(drop)
}
