//! Every public type that is plain data, written and read again, as JSON and as bytes.
//!
//! [`list`] is the list of all of them. What is not in it is in [`NOT_PLAIN`], with the reason.

mod list;
mod pile;
mod refused;
mod values;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_str, from_value, to_value};

/// The types that were checked.
#[derive(Default)]
struct Checks {
    names: BTreeSet<&'static str>,
    /// What was found wrong.
    wrong: Vec<String>,
}

impl Checks {
    /// Plain data in any format.
    fn add<T, const N: usize>(&mut self, name: &'static str, values: [T; N])
    where
        T: Serialize + DeserializeOwned + Debug,
    {
        self.add_with(name, &[], values);
    }

    /// With fields that follow from others: what is read of them changes nothing.
    fn add_with<T, const N: usize>(&mut self, name: &'static str, derived: &[&str], values: [T; N])
    where
        T: Serialize + DeserializeOwned + Debug,
    {
        for value in &values {
            let config = bincode::config::standard();
            let bytes = bincode::serde::encode_to_vec(value, config).unwrap();
            let read = bincode::serde::decode_from_slice(&bytes, config);
            let read = read.map(|(read, length): (T, usize)| (format!("{read:?}"), length));
            self.compare(name, &read.ok(), &Some((format!("{value:?}"), bytes.len())));
        }
        self.add_by_name(name, derived, values);
    }

    /// In formats that name fields alone.
    fn add_by_name<T, const N: usize>(
        &mut self,
        name: &'static str,
        derived: &[&str],
        values: [T; N],
    ) where
        T: Serialize + DeserializeOwned + Debug,
    {
        assert!(self.names.insert(name), "{name} is there twice");
        // Fields that are needed, and those that made no difference.
        let (mut needed, mut needless) = (BTreeSet::new(), BTreeSet::new());
        for value in &values {
            let shown = Ok(format!("{value:?}"));
            let text = serde_json::to_string(value).unwrap();
            let show = |read: serde_json::Result<T>| match read {
                Ok(read) => Ok(format!("{read:?}")),
                Err(error) => Err(error.to_string()),
            };
            self.compare(name, &show(from_str(&text)), &shown);
            let again = from_str::<T>(&text).and_then(|read| serde_json::to_string(&read));
            self.compare(name, &again.ok(), &Some(text));
            // As from a part of a larger value, too.
            let json = to_value(value).unwrap();
            self.compare(name, &show(from_value(json.clone())), &shown);
            for path in paths(&json) {
                let is_same = show(from_value(without(&json, &path))) == shown;
                if is_same {
                    needless.insert(path)
                } else {
                    needed.insert(path)
                };
            }
        }
        let unread: Vec<String> = needless.difference(&needed).map(|path| path.join(".")).collect();
        self.compare("fields that are not read", &(name, unread), &(name, to_owned(derived)));
    }

    fn compare<T: PartialEq + Debug>(&mut self, name: &str, found: &T, expected: &T) {
        if found != expected {
            self.wrong.push(format!("{name}: expected {expected:?}, found {found:?}"));
        }
    }
}

fn to_owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// The fields of an object, and those of a variant that is one.
fn paths(json: &Value) -> Vec<Vec<String>> {
    let Value::Object(fields) = json else { return Vec::new() };
    let mut all: Vec<Vec<String>> = fields.keys().map(|key| vec![key.clone()]).collect();
    if let (1, Some((variant, inner))) = (fields.len(), fields.iter().next()) {
        all.extend(paths(inner).into_iter().map(|mut path| {
            path.insert(0, variant.clone());
            path
        }));
    }
    all
}

fn without(json: &Value, path: &[String]) -> Value {
    let mut json = json.clone();
    let (last, before) = path.split_last().unwrap();
    let inner = before.iter().fold(&mut json, |value, key| &mut value[key]);
    inner.as_object_mut().unwrap().remove(last);
    json
}

/// Public types that have no serialized form, and why.
const NOT_PLAIN: &[(&str, &[&str])] = &[
    (
        "searches, and what it takes",
        &[
            "alphabeta::AlphaBeta",
            "alphabeta::AlphaBetaBuilder",
            "background::Handle",
            "background::Watcher",
            "evaluate::Answers",
            "evaluate::Cached",
            "evaluate::Elsewhere",
            "evaluate::OneByOne",
            "evaluate::Question",
            "game::MoveCoding",
            "mcts::Exchange",
            "mcts::Asking",
            "mcts::Mcts",
            "mcts::MctsBuilder",
            "mcts::Saver",
            "mcts::Steps",
            "pool::Pool",
            "pool::PoolBuilder",
            "rng::Rng",
            "solver::Solver",
            "solver::SolverBuilder",
        ],
    ),
    ("a flag of this program", &["budget::StopToken"]),
    ("of searches under way", &["budget::SharedBudget"]),
    (
        "of any game, with keys and moves of any type",
        &["dynamic::AnyKey", "dynamic::AnyMove", "dynamic::AnyState"],
    ),
    ("borrows, or is the scratch of a rollout", &["game::Played", "repetition::Line"]),
    ("what a policy is shown for a moment", &["mcts::BranchView", "mcts::NodeView"]),
    ("has an error in it", &["background::Ended"]),
    ("has its number in a Strategy", &["solver::StrategyPosition"]),
    ("means nothing by itself", &["evaluate::NoEvaluation", "game::UniformMoves"]),
    ("text", &["report::Align", "report::Table", "report::Text", "report::Words"]),
    (
        "errors, which have a code, and their parts",
        &[
            "any_error::Error",
            "dynamic::PlayersError",
            "error::ConfigError",
            "error::GamePart",
            "error::Number",
            "error::Requirement",
            "error::SearchError",
            "error::Setting",
            "evaluate::NetworkError",
            "game::Failure",
            "mcts::ExchangeError",
            "mcts::Kind",
            "mcts::Part",
            "game::NotationError",
            "game::ScoresError",
            "save::LoadError",
            "save::Mismatch",
            "save::SaveError",
            "testing::Law",
            "testing::LawBroken",
            "testing::Place",
        ],
    ),
    (
        "locks",
        &[
            "lock::DeferLock",
            "lock::Holder",
            "lock::NodeLock",
            "lock::ReadGuard",
            "lock::WriteGuard",
        ],
    ),
    (
        "cannot be named from outside",
        &[
            "alphabeta::View",
            "background::Order",
            "mcts::Claims",
            "mcts::Shelf",
            "mcts::Site",
            "mcts::View",
            "pool::Purse",
            "solver::View",
            "stop::Positions",
        ],
    ),
];

/// The public types of the source, the games aside: those have notations.
fn add_public(folder: &Path, module: Option<&str>, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap().to_owned();
        let module = module.unwrap_or(&stem);
        if module == "games" {
            continue;
        }
        if path.is_dir() {
            add_public(&path, Some(module), found);
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines().map(str::trim_start) {
            let declared = ["pub struct ", "pub enum "].map(|kind| line.strip_prefix(kind));
            for name in declared.into_iter().flatten() {
                let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
                found.insert(format!("{module}::{}", &name[..end]));
            }
        }
    }
}

#[test]
fn every_public_type_is_read_as_it_was_written() {
    let list = list::all();
    assert!(list.wrong.is_empty(), "{:#?}", list.wrong);
    let mut listed: BTreeSet<String> = list.names.iter().map(|&name| name.to_owned()).collect();
    for name in NOT_PLAIN.iter().flat_map(|(_, names)| *names) {
        assert!(listed.insert((*name).to_owned()), "{name} is in both lists");
    }
    let mut public = BTreeSet::new();
    add_public(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), None, &mut public);
    let missing: Vec<_> = public.difference(&listed).collect();
    assert!(missing.is_empty(), "neither plain data nor said why not: {missing:?}");
    let gone: Vec<_> = listed.difference(&public).collect();
    assert!(gone.is_empty(), "in the lists and not in the source: {gone:?}");
}
