//! The floors of the house (`docs/architecture.md`): which module may import which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The modules of the crate from the ground up. A module imports those of its own floor and of the
/// floors below.
const FLOORS: [&[&str]; 5] = [
    // What the machine gives.
    &[
        "clock",
        "form",
        "hash",
        "lock",
        "maths",
        "prefetch",
        "rng",
        "sorting",
        "statistics",
        "sync",
        "zeroed",
    ],
    // What a game is, and what is asked of a search.
    &["budget", "error", "evaluate", "game", "laws", "proven", "repetition", "report", "solvable"],
    // What the searchers share; and the games, which no searcher imports.
    &[
        "background",
        "dynamic",
        "events",
        "games",
        "helpers",
        "oracle",
        "pool",
        "root_options",
        "save",
        "slots",
        "stop",
        "testing",
    ],
    SEARCHERS,
    // Where searchers meet.
    &["any_error", "endgames"],
];

/// None of them imports another.
const SEARCHERS: &[&str] = &["alphabeta", "mcts", "solver"];

/// Those that only a user imports.
const FACES: &[&str] = &["dynamic", "games", "statistics", "testing"];

/// Two that belong together: a position, and the line of play that its verdict looks at.
const PAIR: [&str; 2] = ["game", "repetition"];

fn floor(module: &str) -> usize {
    let floor = FLOORS.iter().position(|modules| modules.contains(&module));
    floor.unwrap_or_else(|| panic!("expected a floor for the module {module}, found none"))
}

/// The code of a file without comments and without its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_test = line.starts_with("#[cfg(") && line.contains("test");
        let next = lines.peek().copied().unwrap_or("");
        if is_test && next.starts_with("mod ") && next.ends_with('{') {
            break;
        }
        // Of a module in a file of its own, that file.
        if is_test && next.starts_with("mod ") {
            lines.next();
            continue;
        }
        code.push_str(line.split("//").next().unwrap_or(""));
        code.push('\n');
    }
    code
}

/// The files of tests alone.
fn is_test_file(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str());
    name.is_some_and(|name| ["tests", "models", "refused", "floors"].contains(&name))
}

fn add_imports(folder: &Path, module: Option<&str>, imports: &mut BTreeSet<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap();
        let module = module.unwrap_or(stem);
        if path.is_dir() {
            add_imports(&path, Some(module), imports);
        } else if !["lib", "round_trips"].contains(&module) && !is_test_file(&path) {
            for at in code(&path).split("crate::").skip(1) {
                let end = at.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(at.len());
                // A name of the root would hide where it comes from.
                let to = &at[..end];
                assert!(
                    to.starts_with(|c: char| c.is_lowercase()),
                    "{}: crate::{to}",
                    path.display()
                );
                if to != module {
                    imports.insert((module.to_owned(), to.to_owned()));
                }
            }
        }
    }
}

/// The files that emit events.
const EMITTERS: [&str; 9] = [
    "alphabeta.rs",
    "mcts.rs",
    "mcts/save.rs",
    "mcts/save/shelf.rs",
    "mcts/steps.rs",
    "mcts/tree/evict.rs",
    "mcts/tree/eviction.rs",
    "solver.rs",
    "solver/save.rs",
];

/// Adds the files below `folder` that name the events.
fn add_emitters(folder: &Path, name: &str, emitters: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{name}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            add_emitters(&path, &format!("{name}/"), emitters);
        } else if name != "floors.rs" && code(&path).contains("crate::events") {
            emitters.insert(name);
        }
    }
}

#[test]
fn no_import_goes_up() {
    let mut imports = BTreeSet::new();
    add_imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), None, &mut imports);
    assert!(imports.len() > 60, "{imports:?}");
    for (from, to) in &imports {
        let (from, to) = (from.as_str(), to.as_str());
        assert!(floor(from) >= floor(to), "{from} imports {to}, which is above it");
        assert!(
            !(SEARCHERS.contains(&from) && SEARCHERS.contains(&to)),
            "the searcher {from} imports the searcher {to}"
        );
        assert!(!FACES.contains(&to), "{from} imports {to}");
    }
    // Modules that import no other one that is left, again and again: what stays goes in circles.
    let mut left: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in &imports {
        left.entry(to).or_default();
        if !(PAIR.contains(&from.as_str()) && PAIR.contains(&to.as_str())) {
            left.entry(from).or_default().insert(to);
        }
    }
    while let Some(free) = left.iter().find(|(_, to)| to.is_empty()).map(|(&module, _)| module) {
        left.remove(free);
        left.values_mut().for_each(|to| {
            to.remove(free);
        });
    }
    assert!(left.is_empty(), "circles: {left:?}");
}

/// Events come from where searches, evictions, saves and loads begin and end: from nothing that
/// runs for each round or position.
#[test]
fn events_come_from_cold_places() {
    let mut emitters = BTreeSet::new();
    add_emitters(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut emitters);
    assert_eq!(emitters, EMITTERS.map(str::to_owned).into());
}
