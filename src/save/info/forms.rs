//! What a saved file says of itself in other forms: as text, and serialized.

use std::fmt;

use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::form::{check, check_share};
use crate::game::MAX_PLAYERS;
use crate::report::{bytes, grouped};

use super::{Content, FactsContent, GameTag, Info, SearchContent};

/// Something that a header says.
enum Value<'a> {
    Count(u64),
    Bytes(u64),
    Switch(bool),
    Hash(u64),
    /// Scores in `[0, 1]`.
    Scores(&'a [f64]),
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Count(count) => f.write_str(&grouped(*count)),
            Value::Bytes(count) => f.write_str(&bytes(*count)),
            Value::Switch(on) => f.write_str(if *on { "yes" } else { "no" }),
            Value::Hash(hash) => write!(f, "{hash:016x}"),
            Value::Scores(scores) => {
                let scores: Vec<_> = scores.iter().map(|score| format!("{score:.3}")).collect();
                f.write_str(&scores.join(", "))
            }
        }
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Count(count) | Value::Bytes(count) => serializer.serialize_u64(*count),
            Value::Switch(on) => serializer.serialize_bool(*on),
            Value::Hash(_) => serializer.collect_str(self),
            Value::Scores(scores) => serializer.collect_seq(*scores),
        }
    }
}

impl Info {
    /// What it says, each with its name in the serialized form and in the text.
    fn rows(&self) -> Vec<(&'static str, &'static str, Value<'_>)> {
        let mut rows = vec![
            ("players", "players", Value::Count(self.players as u64)),
            ("layout", "layout", Value::Hash(self.layout)),
            ("compressed", "compressed", Value::Switch(self.compressed)),
            ("bytes", "file", Value::Bytes(self.file_bytes)),
        ];
        if let Some(search) = self.search() {
            rows.extend([
                ("planes", "planes", Value::Count(search.planes as u64)),
                ("proofs", "proofs", Value::Switch(search.proofs)),
                ("thinned", "thinned", Value::Switch(search.thinned)),
                ("nodes", "positions", Value::Count(self.positions)),
                ("expanded", "expanded", Value::Count(search.expanded)),
                ("edges", "branches", Value::Count(search.edges)),
                ("searches", "searches", Value::Count(search.searches)),
                ("simulations", "simulations", Value::Count(search.simulations)),
            ]);
            if search.draws != usual_draws(self.players) {
                rows.push(("draws", "draws", Value::Scores(&search.draws)));
            }
        }
        if let Some(facts) = self.facts() {
            rows.extend([
                ("form", "form", Value::Hash(facts.form)),
                ("max_points", "points", Value::Count(facts.max_points)),
                ("counts_plies", "plies count", Value::Switch(facts.counts_plies)),
                ("facts", "facts", Value::Count(self.positions)),
                ("buckets", "buckets", Value::Count(facts.buckets)),
            ]);
        }
        rows
    }
}

/// Several lines, without a line feed at the end. A terminal can show them whatever the name of the
/// game is.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, encoding) = (self.game.name().escape_debug(), self.game.encoding());
        let what = if self.facts().is_some() { "facts of a solver, " } else { "" };
        write!(f, "{name} (encoding {encoding}), {what}format version {}", self.version)?;
        self.rows().iter().try_for_each(|(_, name, value)| write!(f, "\n  {name:<12} {value}"))
    }
}

/// What a draw is worth to each player unless a search has said otherwise.
fn usual_draws(players: usize) -> Vec<f64> {
    vec![0.5; players]
}

/// The fields of `playtree table --json`: those of the two kinds of content differ.
impl Serialize for Info {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("version", &self.version)?;
        fields.serialize_entry("game", self.game.name())?;
        fields.serialize_entry("encoding", &self.game.encoding())?;
        for (name, _, value) in self.rows() {
            fields.serialize_entry(name, &value)?;
        }
        if let Some(search) = self.search() {
            fields.serialize_entry("root", &search.root)?;
        }
        fields.serialize_entry("checksum", &Value::Hash(self.body_checksum))?;
        fields.end()
    }
}

/// What is read of both kinds of content.
#[derive(Deserialize)]
struct InfoForm {
    version: u32,
    game: String,
    encoding: u32,
    players: usize,
    #[serde(deserialize_with = "hash")]
    layout: u64,
    compressed: bool,
    bytes: u64,
    #[serde(deserialize_with = "hash")]
    checksum: u64,
    // Of the table of a search.
    nodes: Option<u64>,
    planes: Option<usize>,
    proofs: Option<bool>,
    thinned: Option<bool>,
    expanded: Option<u64>,
    edges: Option<u64>,
    searches: Option<u64>,
    simulations: Option<u64>,
    draws: Option<Vec<f64>>,
    root: Option<u32>,
    // Of facts.
    facts: Option<u64>,
    #[serde(default, deserialize_with = "some_hash")]
    form: Option<u64>,
    max_points: Option<u64>,
    counts_plies: Option<bool>,
    buckets: Option<u64>,
}

impl<'de> Deserialize<'de> for Info {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        InfoForm::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl TryFrom<InfoForm> for Info {
    type Error = String;

    fn try_from(form: InfoForm) -> Result<Self, String> {
        let players = form.players;
        check("players", "1 to 8", players, (1..=MAX_PLAYERS).contains(&players))?;
        let game = GameTag::new(form.game, form.encoding);
        let name_bytes = game.name().len();
        check("game", "a name of 1 to 255 bytes", format!("{name_bytes} bytes"), game.is_valid())?;
        let (positions, content) = match (form.nodes, form.facts) {
            (Some(nodes), None) => {
                let draws = form.draws.unwrap_or_else(|| usual_draws(players));
                draws.iter().try_for_each(|&draw| check_share("draws", draw))?;
                let content = SearchContent {
                    planes: there("planes", form.planes)?,
                    proofs: there("proofs", form.proofs)?,
                    thinned: there("thinned", form.thinned)?,
                    expanded: there("expanded", form.expanded)?,
                    edges: there("edges", form.edges)?,
                    searches: there("searches", form.searches)?,
                    simulations: there("simulations", form.simulations)?,
                    draws,
                    root: form.root,
                };
                (nodes, Content::Search(content))
            }
            (None, Some(facts)) => {
                let content = FactsContent {
                    form: there("form", form.form)?,
                    max_points: there("max_points", form.max_points)?,
                    counts_plies: there("counts_plies", form.counts_plies)?,
                    buckets: there("buckets", form.buckets)?,
                };
                (facts, Content::Facts(content))
            }
            (Some(_), Some(_)) => return Err("expected nodes or facts, found both".into()),
            (None, None) => return Err("expected nodes or facts, found neither".into()),
        };
        Ok(Self {
            version: form.version,
            game,
            layout: form.layout,
            players,
            compressed: form.compressed,
            positions,
            file_bytes: form.bytes,
            content,
            body_checksum: form.checksum,
        })
    }
}

/// A field that this kind of content has.
fn there<T>(name: &str, field: Option<T>) -> Result<T, String> {
    field.ok_or_else(|| format!("expected the field {name}, found none"))
}

/// A hash of 16 hexadecimal digits.
fn hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_hash = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let hash = u64::from_str_radix(&text, 16).ok().filter(|_| is_hash);
    hash.ok_or_else(|| D::Error::custom(format!("expected 16 hexadecimal digits, found {text:?}")))
}

fn some_hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    hash(deserializer).map(Some)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use serde_json::json;

    use crate::save::{Content, FactsContent, GameTag, Info, SearchContent};

    fn info(content: Content) -> Info {
        Info {
            version: 1,
            game: GameTag::new("hex\u{1b}[2J", 3),
            layout: 0xabc,
            players: 2,
            compressed: true,
            positions: 1_234,
            file_bytes: 4_096,
            content,
            body_checksum: 7,
        }
    }

    #[test]
    fn a_table_of_a_search_is_text_and_json() {
        let search = SearchContent {
            planes: 1,
            proofs: true,
            thinned: false,
            expanded: 1_000,
            edges: 5_000,
            searches: 2,
            simulations: 20_000,
            draws: vec![0.25, 0.75],
            root: Some(0),
        };
        let found = info(Content::Search(search.clone()));
        let expected = "\
hex\\u{1b}[2J (encoding 3), format version 1
  players      2
  layout       0000000000000abc
  compressed   yes
  file         4.0 KiB
  planes       1
  proofs       yes
  thinned      no
  positions    1,234
  expanded     1,000
  branches     5,000
  searches     2
  simulations  20,000
  draws        0.250, 0.750";
        assert_eq!(found.to_string(), expected);
        let expected = json!({
            "version": 1, "game": "hex\u{1b}[2J", "encoding": 3, "players": 2,
            "layout": "0000000000000abc", "compressed": true, "bytes": 4096, "planes": 1,
            "proofs": true, "thinned": false, "nodes": 1234, "expanded": 1000, "edges": 5000,
            "searches": 2, "simulations": 20000, "draws": [0.25, 0.75], "root": 0,
            "checksum": "0000000000000007",
        });
        assert_eq!(serde_json::to_value(&found).unwrap(), expected);
        let usual = info(Content::Search(SearchContent { draws: vec![0.5; 2], ..search }));
        assert!(!usual.to_string().contains("draws"));
        assert_eq!(serde_json::to_value(&usual).unwrap().get("draws"), None);
    }

    #[test]
    fn facts_are_text_and_json() {
        let facts = FactsContent { form: 1, max_points: 64, counts_plies: false, buckets: 500 };
        let found = info(Content::Facts(facts));
        let expected = "\
hex\\u{1b}[2J (encoding 3), facts of a solver, format version 1
  players      2
  layout       0000000000000abc
  compressed   yes
  file         4.0 KiB
  form         0000000000000001
  points       64
  plies count  no
  facts        1,234
  buckets      500";
        assert_eq!(found.to_string(), expected);
        let expected = json!({
            "version": 1, "game": "hex\u{1b}[2J", "encoding": 3, "players": 2,
            "layout": "0000000000000abc", "compressed": true, "bytes": 4096,
            "form": "0000000000000001", "max_points": 64, "counts_plies": false, "facts": 1234,
            "buckets": 500, "checksum": "0000000000000007",
        });
        assert_eq!(serde_json::to_value(&found).unwrap(), expected);
    }
}
