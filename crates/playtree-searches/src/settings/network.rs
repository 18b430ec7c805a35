//! Networks from files, for the games that there are networks for.

use std::path::Path;

use playtree::MctsBuilder;
use playtree::games::ReferenceGame;

use crate::error::Error;

/// A builder of an engine that asks the network of this file.
#[cfg(not(feature = "network"))]
pub(super) fn from_file<G: ReferenceGame>(
    _builder: MctsBuilder<G>,
    _file: &Path,
) -> Result<MctsBuilder<G>, Error> {
    Err(Error::NetworksLeftOut)
}

/// A builder of an engine that asks the network of this file.
#[cfg(feature = "network")]
pub(super) fn from_file<G: ReferenceGame>(
    builder: MctsBuilder<G>,
    file: &Path,
) -> Result<MctsBuilder<G>, Error> {
    use playtree::games::{ConnectFour, Othello, OthelloBoard};

    let mut slot = Some(builder);
    let found = attach::<G, ConnectFour>(&mut slot, file)?
        || attach::<G, Othello>(&mut slot, file)?
        || attach::<G, OthelloBoard<6>>(&mut slot, file)?
        || attach::<G, OthelloBoard<4>>(&mut slot, file)?;
    let without = Error::NoPlanes { game: G::INFO.name };
    slot.filter(|_| found).ok_or(without)
}

/// Gives the builder the network of the file, if it is one for the game `P`: whether it is.
#[cfg(feature = "network")]
fn attach<G: ReferenceGame, P: playtree_planes::Planes + 'static>(
    slot: &mut Option<MctsBuilder<G>>,
    file: &Path,
) -> Result<bool, Error> {
    let slot: &mut dyn std::any::Any = slot;
    let Some(slot) = slot.downcast_mut::<Option<MctsBuilder<P>>>() else { return Ok(false) };
    let network = playtree_onnx::OnnxNetwork::<P>::open(file)?;
    *slot = slot.take().map(|builder| builder.network(network));
    Ok(true)
}
