//! The header of a saved table, byte by byte. `docs/file-format.md` describes the whole file.

use twox_hash::XxHash3_64;

use crate::slots::SLOTS;

use super::error::LoadError;
use super::info::{Content, FactsContent, Info, SearchContent};
use super::tag::GameTag;

/// The first bytes: no text, and changed by transfers that take it for one (as in PNG).
const MAGIC: [u8; 8] = *b"\x89PTREE\r\n";

/// The format that this version writes, and the only one it reads.
pub(super) const VERSION: u32 = 1;

/// Bytes before the game's name.
const FIXED: usize = 112;

/// Bytes of the checksum behind the name.
const CHECKSUM: usize = 8;

/// The longest header.
pub(super) const LONGEST: usize = FIXED + u8::MAX as usize + CHECKSUM;

// Flags of the header.
const COMPRESSED: u32 = 1;
const PROOFS: u32 = 2;
const THINNED: u32 = 4;
const FACTS: u32 = 8;

/// The most positions of the table of a search: a branch tells them from what is no position.
pub(crate) const MOST_POSITIONS: u64 = (1 << 32) - (1 << 16);

/// A point, in what a draw is worth.
const POINT: f64 = (1 << 28) as f64;

/// Appends numbers in little-endian form.
macro_rules! put {
    ($out:expr, $($value:expr),* $(,)?) => { $($out.extend_from_slice(&$value.to_le_bytes());)* };
}
pub(crate) use put;

/// The length of the header of a file of this game, in bytes.
pub(super) fn len_of(game: &GameTag) -> usize {
    FIXED + game.name().len() + CHECKSUM
}

/// The fields of a header whose meaning depends on the content.
#[derive(Clone, Copy, Debug)]
struct Own {
    flags: u32,
    /// Four before the checksum of the body, one behind it.
    numbers: [u64; 5],
    /// Behind the players.
    half: u16,
    /// Two behind the length of the name.
    words: [u32; 2],
}

impl Own {
    /// What is written of a content.
    fn of(content: &Content) -> Self {
        match content {
            Content::Search(search) => {
                let SearchContent { expanded, edges, searches, simulations, .. } = *search;
                let root = search.root.map_or(0, |root| u64::from(root) + 1);
                let (player, beyond) = contempt(&search.draws);
                Self {
                    flags: u32::from(search.proofs) * PROOFS + u32::from(search.thinned) * THINNED,
                    numbers: [expanded, edges, searches, simulations, root],
                    half: search.planes as u16,
                    words: [player, beyond.cast_unsigned()],
                }
            }
            Content::Facts(facts) => Self {
                flags: FACTS,
                numbers: [facts.buckets, facts.form, facts.max_points, 0, 0],
                half: u16::from(facts.counts_plies),
                words: [0; 2],
            },
        }
    }

    /// The content of a file with this number of positions.
    fn content(self, positions: u64, players: u16) -> Result<Content, LoadError> {
        if self.flags & FACTS == 0 {
            self.search(positions, players).map(Content::Search)
        } else {
            self.facts(positions).map(Content::Facts)
        }
    }

    fn search(self, positions: u64, players: u16) -> Result<SearchContent, LoadError> {
        let Self { flags, numbers: [expanded, edges, searches, simulations, root], .. } = self;
        let (player, beyond) = (self.words[0], self.words[1].cast_signed());
        let Some(draws) = draws(players, player, beyond) else {
            let expected = format!("what a draw is worth to one of {players} players");
            let found = format!("half a point and {beyond} / 2^28 to player {player}");
            return Err(LoadError::content("header", expected, found));
        };
        if positions > MOST_POSITIONS
            || root > positions
            || expanded > positions
            || edges < expanded
        {
            let found =
                format!("{positions} nodes, {expanded} expanded, {edges} edges, root {root}");
            return Err(LoadError::content("header", "counts that belong together", found));
        }
        Ok(SearchContent {
            planes: usize::from(self.half),
            proofs: flags & PROOFS != 0,
            thinned: flags & THINNED != 0,
            expanded,
            edges,
            searches,
            simulations,
            draws,
            root: root.checked_sub(1).map(|root| root as u32),
        })
    }

    fn facts(self, positions: u64) -> Result<FactsContent, LoadError> {
        let Self { flags, numbers: [buckets, form, max_points, five, six], half, words } = self;
        if flags != FACTS || words != [0; 2] || five != 0 || six != 0 || half > 1 {
            let found = format!("flags {flags}, {half}, {five}, {six}, {words:?}");
            return Err(LoadError::content("header", "fields without meaning at 0", found));
        }
        if positions.div_ceil(SLOTS as u64) > buckets {
            let expected = format!("at most {SLOTS} facts for each of {buckets} buckets");
            return Err(LoadError::content("header", expected, positions));
        }
        Ok(FactsContent { form, max_points, counts_plies: half == 1, buckets })
    }
}

/// The first player to whom a draw is not worth half a point, or player 0, and what it is worth to
/// that player beyond half a point: 2^28 is a point.
fn contempt(draws: &[f64]) -> (u32, i32) {
    let player = draws.iter().position(|&draw| draw != 0.5).unwrap_or(0);
    // Exact: what a draw is worth has 28 bits in a search.
    let beyond = draws.get(player).map_or(0.0, |draw| (draw - 0.5) * POINT);
    (player as u32, beyond as i32)
}

/// What a draw is worth to each player, by what [`contempt`] has made of it; `None` if it makes
/// that of nothing.
fn draws(players: u16, player: u32, beyond: i32) -> Option<Vec<f64>> {
    let is_named = match (players, beyond) {
        // Of two players the other one has what is left of a point.
        (2, _) | (_, 0) => player == 0,
        _ => player < u32::from(players.max(1)),
    };
    let own = 0.5 + f64::from(beyond) / POINT;
    if !is_named || !(0.0..=1.0).contains(&own) {
        return None;
    }
    let other = if players == 2 { 1.0 - own } else { 0.5 };
    Some((0..u32::from(players)).map(|at| if at == player { own } else { other }).collect())
}

impl Info {
    /// The length of the header in bytes.
    pub(super) fn header_len(&self) -> usize {
        len_of(&self.game)
    }

    /// The header as bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let own = Own::of(&self.content);
        let flags = u32::from(self.compressed) * COMPRESSED + own.flags;
        let mut out = Vec::with_capacity(self.header_len());
        out.extend_from_slice(&MAGIC);
        put!(out, VERSION, self.header_len() as u32, flags, self.game.encoding());
        put!(out, self.layout, self.file_bytes, self.positions);
        let [before @ .., behind] = own.numbers;
        for number in before {
            put!(out, number);
        }
        put!(out, self.body_checksum, behind);
        let name = self.game.name().as_bytes();
        put!(out, self.players as u16, own.half, name.len() as u32);
        put!(out, own.words[0], own.words[1]);
        debug_assert_eq!(out.len(), FIXED);
        out.extend_from_slice(name);
        put!(out, XxHash3_64::oneshot(&out));
        out
    }

    /// Reads a header from the first bytes of a file (the header at least, if there are enough of
    /// them) of `file_bytes` bytes in all.
    pub(super) fn decode(start: &[u8], file_bytes: u64) -> Result<Self, LoadError> {
        let length = |expected| LoadError::Length { expected, found: file_bytes };
        let magic = &start[..start.len().min(MAGIC.len())];
        if magic != &MAGIC[..magic.len()] {
            return Err(LoadError::Foreign { expected: MAGIC, found: magic.to_vec() });
        }
        let least = (FIXED + 1 + CHECKSUM) as u64;
        let mut fields = Fields { bytes: start, at: MAGIC.len() };
        let version = fields.u32().ok_or(length(least))?;
        if version != VERSION {
            return Err(LoadError::Version { expected: VERSION, found: version });
        }
        Self::decode_fields(&mut fields, start, file_bytes).ok_or(length(least))?
    }

    /// The rest of the header; `None` if it is cut off.
    fn decode_fields(
        fields: &mut Fields<'_>,
        start: &[u8],
        file_bytes: u64,
    ) -> Option<Result<Self, LoadError>> {
        let header_len = fields.u32()? as usize;
        let (flags, encoding) = (fields.u32()?, fields.u32()?);
        let layout = fields.u64()?;
        let said_bytes = fields.u64()?;
        let positions = fields.u64()?;
        let [one, two, three, four, body_checksum, five] = fields.u64s()?;
        let (players, half) = (fields.u16()?, fields.u16()?);
        let name_len = fields.u32()? as usize;
        let words = [fields.u32()?, fields.u32()?];
        let error = |expected: String, found: String| {
            Some(Err(LoadError::content("header", expected, found)))
        };
        if !(1..=255).contains(&name_len) {
            return error("a game name of 1 to 255 bytes".into(), name_len.to_string());
        }
        if header_len != FIXED + name_len + CHECKSUM {
            let expected = format!("a header of {} bytes", FIXED + name_len + CHECKSUM);
            return error(expected, header_len.to_string());
        }
        let Some(checksum) = start.get(FIXED + name_len..header_len) else {
            let expected = header_len as u64;
            return Some(Err(LoadError::Length { expected, found: file_bytes }));
        };
        let name = &start[FIXED..FIXED + name_len];
        let expected = XxHash3_64::oneshot(&start[..FIXED + name_len]);
        let found = u64::from_le_bytes(checksum.try_into().ok()?);
        if expected != found {
            return error(format!("the checksum {expected:#018x}"), format!("{found:#018x}"));
        }
        if said_bytes != file_bytes {
            return Some(Err(LoadError::Length { expected: said_bytes, found: file_bytes }));
        }
        let Ok(name) = str::from_utf8(name) else {
            return error("a game name in UTF-8".into(), format!("{name:02x?}"));
        };
        if flags > COMPRESSED | PROOFS | THINNED | FACTS {
            return error("only flags that are known".into(), format!("{flags:#x}"));
        }
        let numbers = [one, two, three, four, five];
        let own = Own { flags: flags & !COMPRESSED, numbers, half, words };
        Some(own.content(positions, players).map(|content| Self {
            version: VERSION,
            game: GameTag::new(name, encoding),
            layout,
            players: usize::from(players),
            compressed: flags & COMPRESSED != 0,
            positions,
            file_bytes,
            content,
            body_checksum,
        }))
    }
}

/// Little-endian numbers, one after the other.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.bytes.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(*bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn u64s<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut all = [0; N];
        for number in &mut all {
            *number = self.u64()?;
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::{POINT, contempt, draws};

    #[test]
    fn draws_come_back_as_they_were() {
        for players in 1..=4_u16 {
            for (player, beyond) in [(0, 0), (0, 1 << 27), (0, -(1 << 27)), (1, 12_345), (3, -1)] {
                let player = if players == 2 { 0 } else { player % u32::from(players) };
                let found = draws(players, player, beyond).unwrap();
                assert_eq!(contempt(&found), (player, beyond), "{players}: {found:?}");
                assert_eq!(found.len(), usize::from(players));
                assert_eq!(found[player as usize], 0.5 + f64::from(beyond) / POINT);
            }
        }
        assert_eq!(draws(2, 0, 1 << 26), Some(vec![0.75, 0.25]));
        assert_eq!(draws(3, 1, -(1 << 26)), Some(vec![0.5, 0.25, 0.5]));
        let most = 1 << 27;
        for (players, player, beyond) in [
            (2, 1, 5),
            (3, 1, 0),
            (3, 3, 5),
            (2, 0, most + 1),
            (2, 0, -most - 1),
            (2, 0, i32::MIN),
            (0, 1, 5),
        ] {
            assert_eq!(draws(players, player, beyond), None, "{players} {player} {beyond}");
        }
    }
}
