//! What a saved file says of itself in other forms: as text, and serialized.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::report::{bytes, grouped};

use super::Info;

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
            if search.draws.iter().any(|&draw| draw != 0.5) {
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
        fields.end()
    }
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
            "searches": 2, "simulations": 20000, "draws": [0.25, 0.75],
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
            "buckets": 500,
        });
        assert_eq!(serde_json::to_value(&found).unwrap(), expected);
    }
}
