//! Damaged, foreign and hostile files: each is an error that says what is wrong, takes no
//! memory to speak of, and leaves the engine as it was.

use std::path::{Path, PathBuf};

use crate::common::{Folder, Pile, audit, tag, text};
use playtree::games::{ConnectFour, Othello, TicTacToe};
use playtree::mcts::Selection;
use playtree::{Budget, GameState, GameTag, LoadError, Mcts, Outcome, Rng, SearchError, save};
use twox_hash::XxHash3_64;

/// Bytes of the header before the name, which is `test`, and all of it.
const NAME: usize = 112;
const HEADER: usize = NAME + 4 + 8;

/// The most memory that loading a file of some kilobytes may take: the first pieces of a
/// tree are as large.
const MOST_MEMORY: usize = 16 << 20;

/// The limit makes the pieces of its tree so small that they come from the allocator.
fn engine(selection: Selection) -> Mcts<TicTacToe> {
    let builder = Mcts::builder().threads(1).seed(1).selection(selection);
    builder.memory_limit(Some(64 << 20)).build().unwrap()
}

/// Saved tables of some positions, one the sequel of the other.
fn tables(file: &Path, selection: Selection) -> [Vec<u8>; 2] {
    let mut mcts = engine(selection);
    [40, 30].map(|simulations| {
        mcts.search(&TicTacToe::new(), &Budget::simulations(simulations)).unwrap();
        mcts.save(file, &tag(), &save::Options::default()).unwrap();
        std::fs::read(file).unwrap()
    })
}

/// An engine that is given one file after the other, and holds a table of its own.
struct Victim {
    mcts: Mcts<TicTacToe>,
    file: PathBuf,
}

impl Victim {
    fn new(folder: &Folder, selection: Selection) -> Self {
        let mut mcts = engine(selection);
        mcts.search(&TicTacToe::new(), &Budget::simulations(50)).unwrap();
        Self { mcts, file: folder.file("victim") }
    }

    fn give(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        std::fs::write(&self.file, bytes).unwrap();
        let (result, taken) = crate::memory::most_taken(|| self.mcts.load(&self.file, &tag()));
        assert!(taken < MOST_MEMORY + 300 * bytes.len(), "{taken} bytes of memory");
        result.map(|_| ())
    }

    /// Gives a file that must be refused, and returns what is said of it.
    fn refuse(&mut self, bytes: &[u8]) -> LoadError {
        let before = audit(&self.mcts);
        let error = self.give(bytes).unwrap_err();
        assert!(error.to_string().contains("expected"), "{error}");
        assert!(error.to_string().contains("found"), "{error}");
        assert_eq!(audit(&self.mcts), before);
        error
    }
}

/// Writes the checksums anew, as far as the blocks can be followed.
fn seal(bytes: &mut [u8]) {
    let put = |bytes: &mut [u8], at: usize, sum: u64| {
        if let Some(place) = bytes.get_mut(at..at + 8) {
            place.copy_from_slice(&sum.to_le_bytes());
        }
    };
    let (mut at, mut sum) = (HEADER, 0);
    while let Some(header) = bytes.get(at..at + 24) {
        let stored = u32::from_le_bytes(header[12..16].try_into().unwrap()) as usize;
        let Some(content) = bytes.get(at + 24..).and_then(|rest| rest.get(..stored)) else { break };
        sum = XxHash3_64::oneshot_with_seed(sum, &header[..16]);
        sum = XxHash3_64::oneshot_with_seed(sum, content);
        put(bytes, at + 16, sum);
        at += 24 + stored;
    }
    put(bytes, 80, sum);
    if bytes.len() >= HEADER {
        let sum = XxHash3_64::oneshot(&bytes[..NAME + 4]);
        put(bytes, NAME + 4, sum);
    }
}

/// A damaged copy: some bits turned over, some bytes replaced, a piece missing, or pieces of
/// two files.
fn mutate(one: &[u8], two: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = one.to_vec();
    match rng.below(6) {
        0 => {
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
            }
        }
        1 => {
            let at = rng.below(bytes.len());
            let len = 1 + rng.below(8);
            let fill = [0, 0xff, rng.below(256) as u8][rng.below(3)];
            bytes[at..].iter_mut().take(len).for_each(|byte| *byte = fill);
        }
        2 => bytes.truncate(rng.below(bytes.len())),
        3 => {
            let from = rng.below(bytes.len());
            let to = from + rng.below(bytes.len() - from);
            bytes.drain(from..to);
        }
        4 => {
            let at = rng.below(one.len().min(two.len()));
            bytes.truncate(at);
            bytes.extend_from_slice(&two[at..]);
        }
        _ => {
            let from = rng.below(bytes.len());
            let piece = bytes[from..].iter().take(64).copied().collect::<Vec<_>>();
            let at = rng.below(bytes.len());
            bytes.splice(at..at, piece);
        }
    }
    bytes
}

/// Damage that the checksums must find.
fn damage(name: &str, count: u32) {
    let folder = Folder::new(name);
    let [one, two] = tables(&folder.file("table"), Selection::default());
    let mut victim = Victim::new(&folder, Selection::default());
    let mut rng = Rng::from_seed(5);
    for turn in 0..count {
        let (from, other) = if turn % 2 == 0 { (&one, &two) } else { (&two, &one) };
        let bytes = mutate(from, other, &mut rng);
        if bytes == one || bytes == two {
            victim.give(&bytes).unwrap_or_else(|error| panic!("{turn}: {error}"));
            assert_eq!(audit(&victim.mcts).root_visits, if bytes == one { 40 } else { 70 });
        } else {
            victim.refuse(&bytes);
        }
    }
}

#[test]
fn damaged_files_are_refused() {
    damage("damage", 3_000);
}

/// Damage with intent: the checksums are right. What is loaded even so must hold together.
fn hostile(name: &str, selection: Selection, count: u32) -> u32 {
    let folder = Folder::new(name);
    let [one, two] = tables(&folder.file("table"), selection);
    let mut victim = Victim::new(&folder, selection);
    let mut rng = Rng::from_seed(6);
    let mut loaded = 0;
    for turn in 0..count {
        let mut bytes = mutate(&one, &two, &mut rng);
        if rng.below(2) == 0 && bytes.len() > 40 {
            let len = bytes.len() as u64;
            bytes[32..40].copy_from_slice(&len.to_le_bytes());
        }
        seal(&mut bytes);
        match victim.give(&bytes) {
            Ok(()) => {
                loaded += 1;
                // It is also saved, and loaded again; that takes the disk some time.
                if loaded % 50 != 1 {
                    continue;
                }
                let known = audit(&victim.mcts);
                victim.mcts.save(&victim.file, &tag(), &save::Options::default()).unwrap();
                victim.mcts.load(&victim.file, &tag()).unwrap();
                assert_eq!(audit(&victim.mcts), known, "{turn}");
            }
            Err(error) => assert!(error.to_string().contains("expected"), "{error}"),
        }
        audit(&victim.mcts);
    }
    loaded
}

#[test]
fn hostile_files_do_no_harm() {
    for selection in [Selection::default(), Selection::Ucb1Tuned] {
        // Some change a number that may be anything.
        let loaded = hostile("hostile", selection, 2_000);
        assert!((10..1_800).contains(&loaded), "{loaded}");
    }
}

/// `cargo test --release --test saved damage:: -- --ignored --nocapture`
#[test]
#[ignore = "takes a minute"]
fn a_hundred_thousand_files() {
    damage("damage-many", 100_000);
    let loaded = hostile("hostile-many", Selection::default(), 50_000)
        + hostile("hostile-tuned", Selection::Ucb1Tuned, 50_000);
    println!("100000 damaged files refused; {loaded} of 100000 hostile ones hold together");
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let folder = Folder::new("cut");
    let [one, _] = tables(&folder.file("table"), Selection::default());
    let mut victim = Victim::new(&folder, Selection::default());
    for len in 0..one.len() {
        let error = victim.refuse(&one[..len]);
        assert!(matches!(error, LoadError::Length { .. }), "{len}: {error}");
        let expected = match len {
            0 => "found an empty one".to_owned(),
            _ => format!("found one cut off after {len}"),
        };
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    // One whose header says that it is so short, too.
    for len in HEADER..one.len() {
        let mut bytes = one[..len].to_vec();
        bytes[32..40].copy_from_slice(&(len as u64).to_le_bytes());
        seal(&mut bytes);
        let error = victim.refuse(&bytes);
        assert!(matches!(error, LoadError::Content { .. }), "{len}: {error}");
    }
    victim.give(&one).unwrap();
}

#[test]
fn every_bit_of_the_header_counts() {
    let folder = Folder::new("bits");
    let [one, _] = tables(&folder.file("table"), Selection::default());
    let mut victim = Victim::new(&folder, Selection::default());
    for bit in 0..8 * (HEADER + 24) {
        let mut bytes = one.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        victim.refuse(&bytes);
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let folder = Folder::new("said");
    let file = folder.file("table");
    let [one, _] = tables(&file, Selection::default());
    let mut victim = Victim::new(&folder, Selection::default());

    let error = victim.refuse(b"PK\x03\x04 not a table at all");
    assert!(matches!(error, LoadError::Foreign { .. }), "{error}");
    let mut newer = one.clone();
    newer[8] = 2;
    let error = victim.refuse(&newer).to_string();
    assert_eq!(error, "expected format version 1, found 2");
    let error = victim.refuse(&[&one[..], b"?"].concat());
    assert!(matches!(error, LoadError::Length { .. }), "{error}");
    let (right, long) = (one.len(), one.len() + 1);
    assert_eq!(error.to_string(), format!("expected a file of {right} bytes, found one of {long}"));
    let mut huge = one.clone();
    huge[40..48].copy_from_slice(&(u64::from(u32::MAX) - 2).to_le_bytes());
    seal(&mut huge);
    let error = victim.refuse(&huge);
    assert!(matches!(error, LoadError::Content { .. }), "{error}");

    // A draw that is worth something to the second of two, or more than a point.
    for (at, number) in [(104, 1), (108, (1 << 27) + 1), (108, 1 << 31)] {
        let mut draws = one.clone();
        draws[at..at + 4].copy_from_slice(&u32::to_le_bytes(number));
        seal(&mut draws);
        let error = victim.refuse(&draws).to_string();
        assert!(error.starts_with("header: expected what a draw is worth"), "{error}");
    }

    let mcts = &mut victim.mcts;
    std::fs::write(&file, &one).unwrap();
    let other = mcts.load(&file, &GameTag::new("other", 1)).unwrap_err().to_string();
    assert_eq!(other, "expected a table of other (encoding 1), found one of test (encoding 1)");
    let newer = mcts.load(&file, &GameTag::new("test", 2)).unwrap_err().to_string();
    assert_eq!(newer, "expected a table of test (encoding 2), found one of test (encoding 1)");
    let nameless = mcts.load(&file, &GameTag::new("", 2)).unwrap_err().to_string();
    assert_eq!(nameless, "expected a game name of 1 to 255 bytes, found 0");
    let missing = mcts.load(folder.file("missing"), &tag()).unwrap_err();
    assert!(matches!(missing, LoadError::Io { action: "read", .. }), "{missing}");
    let directory = mcts.load(folder.path(), &tag()).unwrap_err();
    let (code, text) = (directory.code(), directory.to_string());
    assert_eq!(code, "load.not-a-file", "{text}");
    assert!(text.ends_with(": expected a regular file, found a folder"), "{text}");

    fn refused<G: playtree::Saveable>(mut mcts: Mcts<G>, file: &Path) -> LoadError {
        mcts.load(file, &tag()).unwrap_err()
    }
    // Other types of keys and moves, other statistics, another number of players.
    let error = refused(Mcts::<Othello>::builder().build().unwrap(), &file);
    assert!(matches!(error, LoadError::Layout { .. }), "{error}");
    let error = refused(Mcts::<ConnectFour>::builder().build().unwrap(), &file);
    assert!(matches!(error, LoadError::Layout { .. }), "{error}");
    let error = refused(engine(Selection::Ucb1Tuned), &file).to_string();
    let expected = "expected a table with 1 further statistics of each position, found 0";
    assert_eq!(error, expected);
    let mut pile = Mcts::builder().threads(1).build().unwrap();
    pile.search(&Pile::<3> { left: 9, plies: 0 }, &Budget::simulations(9)).unwrap();
    pile.save(&file, &tag(), &save::Options::default()).unwrap();
    let error = refused(Mcts::<Pile<4>>::builder().build().unwrap(), &file).to_string();
    assert_eq!(error, "expected a table with 4 players, found 3");
}

#[test]
fn a_refused_file_does_not_disturb_a_search() {
    let folder = Folder::new("undisturbed");
    let [one, _] = tables(&folder.file("table"), Selection::default());
    let mut victim = Victim::new(&folder, Selection::default());
    let mut other = Victim::new(&folder, Selection::default());
    // Damaged at the end: everything before has been read by then.
    let mut bytes = one.clone();
    *bytes.last_mut().unwrap() ^= 1;
    victim.refuse(&bytes);
    assert!(victim.mcts.merge(&victim.file, &tag()).is_err());
    let budget = Budget::simulations(200);
    let expected = text(other.mcts.search(&TicTacToe::new(), &budget).unwrap());
    assert_eq!(text(victim.mcts.search(&TicTacToe::new(), &budget).unwrap()), expected);
}

#[test]
fn the_file_is_as_it_is_described() {
    // The layout of `docs/file-format.md`, read by hand.
    let folder = Folder::new("described");
    let file = folder.file("table");
    let [one, _] = tables(&file, Selection::default());
    std::fs::write(&file, &one).unwrap();
    let info = save::Info::read(&file).unwrap();
    let u32_at = |at: usize| u32::from_le_bytes(one[at..at + 4].try_into().unwrap());
    let u64_at = |at: usize| u64::from_le_bytes(one[at..at + 8].try_into().unwrap());
    assert_eq!(&one[..8], b"\x89PTREE\r\n");
    assert_eq!([u32_at(8), u32_at(12), u32_at(16), u32_at(20)], [1, HEADER as u32, 2, 1]);
    assert_eq!([u64_at(24), u64_at(32)], [info.layout, one.len() as u64]);
    let search = info.search().unwrap();
    let counts = [info.positions, search.expanded, search.edges];
    assert_eq!([u64_at(40), u64_at(48), u64_at(56)], counts);
    assert_eq!([u64_at(64), u64_at(72), u64_at(88)], [1, 40, 1]);
    assert_eq!([u32_at(96), u32_at(100)], [2, 4]);
    assert_eq!(&one[NAME..NAME + 4], b"test");
    // The first block: the root is the first position, with 40 visits and 9 branches.
    let nodes = info.positions as usize;
    assert_eq!([u32_at(HEADER), u32_at(HEADER + 4)], [1, nodes as u32]);
    let content = HEADER + 24;
    assert_eq!([u32_at(HEADER + 8), u32_at(HEADER + 12)], [(31 * nodes) as u32; 2]);
    assert_eq!(u32_at(content), 40);
    assert_eq!(one[content + 4 * nodes], 9);
    assert_eq!(u32_at(content + 27 * nodes), TicTacToe::new().key());
    // The second: the branches of the root come first.
    let second = content + 31 * nodes;
    assert_eq!([u32_at(second), u32_at(second + 4)], [2, search.expanded as u32]);
    assert_eq!(u32_at(second + 24), 0);
}

/// The pile of another version of the rules: from `STRICT` on downwards only one or two are taken.
#[derive(Clone, Debug)]
struct OtherRules<const STRICT: u32>(Pile<2>);

impl<const STRICT: u32> GameState for OtherRules<STRICT> {
    type Key = (u32, usize);
    type Move = String;

    fn key(&self) -> Self::Key {
        self.0.key()
    }
    fn mover(&self) -> usize {
        self.0.mover()
    }
    fn plies(&self) -> u32 {
        self.0.plies
    }
    fn moves(&self, moves: &mut Vec<String>) {
        self.0.moves(moves);
        if self.0.left <= STRICT {
            moves.truncate(2);
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn apply(&self, mv: &String) -> Self {
        let mut legal = Vec::new();
        self.moves(&mut legal);
        assert!(legal.contains(mv), "{mv} of {}", self.0.left);
        Self(self.0.apply(mv))
    }
}

/// The tag says that the game is the same, and it is not: no move of the file reaches the game in a
/// position in which it is not legal.
fn assert_foreign<const STRICT: u32>(plies: impl Fn(u32) -> bool) {
    let folder = Folder::new(&format!("other-rules-{STRICT}"));
    let file = folder.file("table");
    let pile = Pile { left: 20, plies: 0 };
    let budget = Budget::simulations(2_000);
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    mcts.search(&pile, &budget).unwrap();
    mcts.save(&file, &tag(), &save::Options::default()).unwrap();
    let mut other = Mcts::builder().threads(1).build().unwrap();
    other.load(&file, &tag()).unwrap();
    let state = OtherRules::<STRICT>(pile.clone());
    match other.search(&state, &budget) {
        Err(SearchError::ForeignTable { plies: found }) => assert!(plies(found), "{found}"),
        other => panic!("{other:?}"),
    }
    audit(&other);
    other.forget();
    other.search(&state, &budget).unwrap();
    // And where the game is the same it goes on.
    let mut same = Mcts::builder().threads(1).build().unwrap();
    same.load(&file, &tag()).unwrap();
    same.search(&pile, &budget).unwrap();
    audit(&same);
}

#[test]
fn a_table_of_other_rules_is_an_error_at_the_first_position_that_shows_it() {
    assert_foreign::<99>(|plies| plies == 0);
    assert_foreign::<15>(|plies| plies > 0);
}
