//! What a solver knows, saved and loaded: a search goes on from it, and nothing damaged, foreign or
//! hostile is taken for it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{Folder, tag};
use playtree::games::{ConnectFour, Doudizhu, Hex, Othello, OthelloBoard, TicTacToe};
use playtree::save::{self, TableKind};
use playtree::solver::{Method, Solution};
use playtree::{
    Budget, GameState, GameTag, LoadError, Mcts, Notation, Outcome, Rng, SaveError, Saveable,
    Solvable, Solver,
};
use twox_hash::XxHash3_64;

/// Bytes of the header before the name, which is `test`, and all of it.
const NAME: usize = 112;
const HEADER: usize = NAME + 4 + 8;

fn solver<G: Solvable>(memory: usize) -> Solver<G> {
    Solver::builder().threads(1).memory_limit(memory).build().unwrap()
}

fn position<G: Notation>(text: &str) -> G {
    G::parse_position(text).unwrap()
}

/// A position with 22 empty cells: moves drawn at random, after which no side can win at once.
fn connect4() -> ConnectFour {
    position("67251311165146246163")
}

fn solve<G: Solvable>(solver: &mut Solver<G>, state: &G) -> Solution<G::Move> {
    solver.solve(state, &Budget::unlimited()).unwrap()
}

fn save<G: Solvable + Saveable>(solver: &Solver<G>, file: &Path) -> save::Info {
    solver.save(file, &tag(), &save::Options::default()).unwrap()
}

/// Buckets of the saved table.
fn buckets(info: &save::Info) -> u64 {
    info.facts().unwrap().buckets
}

/// Everything in a solution but the time it took.
fn text<M: std::fmt::Debug>(mut solution: Solution<M>) -> String {
    solution.elapsed = std::time::Duration::ZERO;
    format!("{solution:?}")
}

/// Solves a position, saves, loads and solves again.
fn keep<G: Solvable + Saveable>(name: &str, state: &G) {
    let folder = Folder::new(name);
    let (file, again) = (folder.file("facts"), folder.file("again"));
    let mut first = solver(16 << 20);
    let found = solve(&mut first, state);
    let info = save(&first, &file);
    assert_eq!(save::Info::read(&file).unwrap(), info);
    assert_eq!(info.file_bytes, std::fs::metadata(&file).unwrap().len());
    assert!(info.positions > 0 && info.file_bytes < 1_000 + 21 * info.positions, "{info:?}");

    let mut second = solver(16 << 20);
    let loaded = second.load(&file, &tag()).unwrap();
    assert_eq!((&loaded.info, loaded.left_out), (&info, 0), "{name}");
    save(&second, &again);
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&again).unwrap(), "{name}");
    let known = solve(&mut second, state);
    assert_eq!(known.limits, found.limits, "{name}");
    let best = |solution: &Solution<G::Move>| format!("{:?}", solution.best_moves().next());
    assert_eq!(best(&known), best(&found), "{name}");
    assert!(known.nodes * 10 < found.nodes, "{name}: {} of {}", known.nodes, found.nodes);
    // As the solver that was not interrupted.
    assert_eq!(known.nodes, solve(&mut first, state).nodes, "{name}");
}

#[test]
fn what_was_solved_is_known_at_once() {
    keep("facts-tictactoe", &TicTacToe::new());
    keep("facts-connect4", &connect4());
    keep("facts-hex", &Hex::new(3).unwrap());
    keep("facts-othello", &OthelloBoard::<4>::new());
    keep("facts-doudizhu", &position::<Doudizhu>("KK5543/225543"));
}

#[test]
fn an_unfinished_search_goes_on_from_a_file() {
    for method in [Method::AlphaBeta, Method::ProofNumbers] {
        let folder = Folder::new("facts-go-on");
        let file = folder.file("facts");
        // So small that facts are forgotten.
        let builder = Solver::builder().threads(1).method(method).memory_limit(1 << 16);
        let (mut straight, mut resumed) =
            (builder.clone().build().unwrap(), builder.build().unwrap());
        let whole = solve(&mut straight, &connect4()).nodes;
        assert!(whole > 1_000, "{method:?}: {whole} nodes");
        straight.clear();
        let part = straight.solve(&connect4(), &Budget::nodes(whole / 2)).unwrap();
        assert!(!part.is_complete, "{method:?}: {} nodes", part.nodes);
        save(&straight, &file);
        resumed.load(&file, &tag()).unwrap();
        let expected = text(solve(&mut straight, &connect4()));
        assert_eq!(text(solve(&mut resumed, &connect4())), expected, "{method:?}");
    }
}

#[test]
fn a_smaller_limit_keeps_a_part_or_refuses() {
    let folder = Folder::new("facts-limit");
    let file = folder.file("facts");
    let mut first = solver(1 << 16);
    let found = solve(&mut first, &connect4());
    let info = save(&first, &file);
    assert_eq!(buckets(&info), 1 << 10);
    for (memory, parts) in [(1 << 16, 1), ((1 << 16) - 1, 2), (3 << 12, 8), (64, 1 << 10)] {
        let mut second = solver(memory);
        let loaded = second.load(&file, &tag()).unwrap();
        let again = folder.file("again");
        let kept = save(&second, &again);
        let facts = info.positions - loaded.left_out;
        assert_eq!((buckets(&kept), kept.positions), (1024 / parts, facts));
        assert!(loaded.left_out >= info.positions.saturating_sub(4 * 1024 / parts), "{memory}");
        if memory > 64 {
            let known = solve(&mut second, &connect4());
            assert_eq!(known.limits, found.limits);
            // The costliest facts are those near the root.
            assert!(known.nodes < found.nodes / 2, "{memory}: {} nodes", known.nodes);
        }
    }
    // A prime number of buckets.
    let mut odd = solver(1_009 * 64);
    solve(&mut odd, &connect4());
    save(&odd, &file);
    let mut second = solver::<ConnectFour>(1_000 * 64);
    let error = second.load(&file, &tag()).unwrap_err().to_string();
    assert_eq!(error, "expected a memory limit of 64576 bytes for the saved table, found 64000");
}

#[test]
fn a_large_table_that_was_loaded_is_not_given_up() {
    let folder = Folder::new("facts-large");
    let file = folder.file("facts");
    // Twice the first size, which a solver with more memory would go over from.
    let mut first = solver(4 << 20);
    solve(&mut first, &connect4());
    let mut second = solver(256 << 20);
    save(&first, &file);
    second.load(&file, &tag()).unwrap();
    second.solve(&ConnectFour::new(), &Budget::nodes(400_000)).unwrap();
    assert_eq!(buckets(&save(&second, &file)), (4 << 20) / 64);
    second.forget();
    second.solve(&ConnectFour::new(), &Budget::nodes(400_000)).unwrap();
    assert_eq!(buckets(&save(&second, &file)), (256 << 20) / 64);
}

/// A solver that is given one file after the other, and knows something.
struct Victim {
    solver: Solver<TicTacToe>,
    folder: Folder,
}

impl Victim {
    fn new(name: &str) -> Self {
        let mut solver = solver(1 << 10);
        solver.solve(&TicTacToe::new(), &Budget::nodes(40)).unwrap();
        Self { solver, folder: Folder::new(name) }
    }

    fn known(&self) -> Vec<u8> {
        let file = self.folder.file("known");
        save(&self.solver, &file);
        std::fs::read(file).unwrap()
    }

    fn give(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let file = self.folder.file("victim");
        std::fs::write(&file, bytes).unwrap();
        let (result, taken) = crate::memory::most_taken(|| self.solver.load(&file, &tag()));
        assert!(taken < (1 << 19) + 300 * bytes.len(), "{taken} bytes of memory");
        result.map(|_| ())
    }

    /// Gives a file that must be refused, and returns what is said of it.
    fn refuse(&mut self, bytes: &[u8]) -> LoadError {
        let error = self.give(bytes).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("expected") && said.contains("found"), "{said}");
        error
    }

    /// A file of some dozen facts.
    fn file(&self) -> Vec<u8> {
        let mut solver = solver(1 << 10);
        solve(&mut solver, &TicTacToe::new());
        let file = self.folder.file("right");
        save(&solver, &file);
        std::fs::read(file).unwrap()
    }
}

/// Writes the checksums of a file with one block anew.
fn seal(bytes: &mut [u8]) {
    let Some((header, content)) = bytes.get(HEADER..).and_then(|body| body.split_at_checked(24))
    else {
        return;
    };
    let sum = XxHash3_64::oneshot_with_seed(0, &header[..16]);
    let sum = XxHash3_64::oneshot_with_seed(sum, content);
    bytes[HEADER + 16..HEADER + 24].copy_from_slice(&sum.to_le_bytes());
    bytes[80..88].copy_from_slice(&sum.to_le_bytes());
    let sum = XxHash3_64::oneshot(&bytes[..NAME + 4]);
    bytes[NAME + 4..HEADER].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let mut victim = Victim::new("facts-cut");
    let (right, before) = (victim.file(), victim.known());
    for len in 0..right.len() {
        let error = victim.refuse(&right[..len]);
        assert!(matches!(error, LoadError::Length { .. }), "{len}: {error}");
    }
    // One whose header says that it is so short, too.
    for len in HEADER + 24..right.len() {
        let mut bytes = right[..len].to_vec();
        bytes[32..40].copy_from_slice(&(len as u64).to_le_bytes());
        seal(&mut bytes);
        let error = victim.refuse(&bytes);
        assert!(matches!(error, LoadError::Content { .. }), "{len}: {error}");
    }
    assert_eq!(victim.known(), before);
    victim.give(&right).unwrap();
    assert_eq!(victim.known(), right);
}

#[test]
fn every_bit_counts() {
    let mut victim = Victim::new("facts-bits");
    let (right, before) = (victim.file(), victim.known());
    let mut rng = Rng::from_seed(3);
    let header = 8 * (HEADER + 24);
    for turn in 0..header + 3_000 {
        let bit = if turn < header { turn } else { rng.below(8 * right.len()) };
        let mut bytes = right.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        victim.refuse(&bytes);
    }
    assert_eq!(victim.known(), before);
}

#[test]
fn damage_with_right_checksums_does_no_harm() {
    let mut victim = Victim::new("facts-hostile");
    let right = victim.file();
    let mut rng = Rng::from_seed(4);
    let mut loaded = 0;
    for _ in 0..3_000 {
        let mut bytes = right.clone();
        let at = 8 + rng.below(bytes.len() - 8);
        match rng.below(3) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at..].iter_mut().take(8).for_each(|byte| *byte = 0xff),
            _ => bytes[at..].iter_mut().take(8).for_each(|byte| *byte = 0),
        }
        seal(&mut bytes);
        if victim.give(&bytes).is_ok() {
            loaded += 1;
            // What was loaded is sound: it can be saved and loaded again.
            let known = victim.known();
            victim.give(&known).unwrap();
        }
    }
    // Some change a hash, which may be anything.
    assert!((300..2_700).contains(&loaded), "{loaded}");
}

/// A pile from which one or two are taken: the rules that a file must tell apart.
#[derive(Clone)]
struct Pile<const POINTS: i32, const COUNTS: bool>(u32, u32);

impl<const POINTS: i32, const COUNTS: bool> GameState for Pile<POINTS, COUNTS> {
    type Key = (u32, u32);
    type Move = u32;
    fn key(&self) -> Self::Key {
        (self.0, self.1 % 2)
    }
    fn mover(&self) -> usize {
        self.1 as usize % 2
    }
    fn plies(&self) -> u32 {
        self.1
    }
    fn moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.0.min(2));
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 0).then(|| Outcome::Win(1 - self.mover()))
    }
    fn apply(&self, take: &u32) -> Self {
        Self(self.0 - take, self.1 + 1)
    }
}

impl<const POINTS: i32, const COUNTS: bool> Solvable for Pile<POINTS, COUNTS> {
    const MAX_POINTS: i32 = POINTS;
    const COUNTS_PLIES: bool = COUNTS;
}

fn refused<G: Solvable + Saveable>(file: &Path, game: &GameTag) -> String {
    solver::<G>(1 << 20).load(file, game).unwrap_err().to_string()
}

#[test]
fn facts_of_another_game_are_refused() {
    let folder = Folder::new("facts-foreign");
    let file = folder.file("facts");
    let mut one = solver::<Pile<1, true>>(1 << 12);
    solve(&mut one, &Pile(20, 0));
    save(&one, &file);
    let said = refused::<Pile<1, true>>(&file, &GameTag::new("other", 1));
    assert_eq!(said, "expected a table of other (encoding 1), found one of test (encoding 1)");
    let said = refused::<Pile<3, true>>(&file, &tag());
    assert_eq!(said, "expected a table with 3 points at most, found 1");
    let said = refused::<Pile<1, false>>(&file, &tag());
    assert_eq!(said, "expected a table with 0 counted for each ply, found 1");
    let said = refused::<Othello>(&file, &tag());
    assert!(said.starts_with("expected keys and moves laid out as"), "{said}");
    let said = refused::<TicTacToe>(&file, &GameTag::new("", 1));
    assert_eq!(said, "expected a game name of 1 to 255 bytes, found 0");
    // Another hash function, or another form of the facts.
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[56] ^= 1;
    seal(&mut bytes);
    std::fs::write(&file, &bytes).unwrap();
    let said = refused::<Pile<1, true>>(&file, &tag());
    assert!(said.starts_with("expected facts of the form 0x"), "{said}");
}

#[test]
fn the_files_of_the_two_searchers_are_told_apart() {
    let folder = Folder::new("facts-kinds");
    let (facts, table) = (folder.file("facts"), folder.file("table"));
    let mut solver = solver(1 << 12);
    solve(&mut solver, &TicTacToe::new());
    save(&solver, &facts);
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    mcts.search(&TicTacToe::new(), &Budget::simulations(100)).unwrap();
    mcts.save(&table, &tag(), &save::Options::default()).unwrap();
    let error = solver.load(&table, &tag()).unwrap_err();
    let expected = "expected the facts of a solver, found the table of a Monte Carlo search";
    assert_eq!(error.to_string(), expected);
    for error in [mcts.load(&facts, &tag()).unwrap_err(), mcts.merge(&facts, &tag()).unwrap_err()] {
        let (search, facts) = (TableKind::Search, TableKind::Facts);
        let right = matches!(error, LoadError::Kind { expected, found }
            if expected == search && found == facts);
        assert!(right, "{error}");
    }
    // What they say of themselves can be read of both.
    for (file, kind) in [(&facts, TableKind::Facts), (&table, TableKind::Search)] {
        let info = save::Info::read(file).unwrap();
        assert_eq!((info.kind(), info.players, &info.game), (kind, 2, &tag()));
        assert_eq!(save::Info::verify(file).unwrap(), info);
        assert_eq!(info.search().is_some(), kind == TableKind::Search);
        assert_eq!(info.facts().is_some(), kind == TableKind::Facts);
    }
}

#[test]
fn a_file_is_verified_whichever_searcher_has_saved_it() {
    let folder = Folder::new("facts-verified");
    let file = folder.file("file");
    let mut solver = solver(1 << 12);
    solve(&mut solver, &TicTacToe::new());
    let mut mcts = Mcts::builder().threads(1).build().unwrap();
    mcts.search(&TicTacToe::new(), &Budget::simulations(100)).unwrap();
    let of_facts = || save(&solver, &file);
    let of_search = || mcts.save(&file, &tag(), &save::Options::default()).unwrap();
    let writers: [&dyn Fn() -> save::Info; 2] = [&of_facts, &of_search];
    for write in writers {
        let info = write();
        let right = std::fs::read(&file).unwrap();
        for at in [HEADER, HEADER + 30, right.len() - 1] {
            let mut bytes = right.clone();
            bytes[at] ^= 1;
            std::fs::write(&file, bytes).unwrap();
            assert_eq!(save::Info::read(&file).unwrap(), info);
            let error = save::Info::verify(&file).unwrap_err();
            assert!(matches!(error, LoadError::Content { .. }), "{at}: {error}");
        }
    }
}

#[test]
fn a_solver_refuses_a_least_number_of_visits() {
    let folder = Folder::new("facts-visits");
    let file = folder.file("facts");
    let mut solver = solver(1 << 12);
    solve(&mut solver, &TicTacToe::new());
    let error = solver.save(&file, &tag(), &save::Options::default().min_visits(5)).unwrap_err();
    assert!(matches!(error, SaveError::MinVisits { found: 5 }), "{error}");
    let expected = "expected all facts to be saved, found a least number of visits (5)";
    assert_eq!(error.to_string(), expected);
    assert!(!file.exists());
}

#[test]
fn a_reader_finds_the_old_facts_or_the_new_ones() {
    let folder = Folder::new("facts-replaced");
    let file = folder.file("facts");
    let mut solvers = [solver::<TicTacToe>(1 << 10), solver(1 << 14)];
    let sizes = solvers.each_mut().map(|solver| {
        solve(solver, &TicTacToe::new());
        let info = save(solver, &file);
        (buckets(&info), info.positions)
    });
    assert_ne!(sizes[0], sizes[1]);
    let running = AtomicBool::new(true);
    let mut seen = [0; 2];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0..60 {
                save(&solvers[turn % 2], &file);
            }
            running.store(false, Ordering::Relaxed);
        });
        while running.load(Ordering::Relaxed) {
            let info = solver::<TicTacToe>(1 << 14).load(&file, &tag()).unwrap().info;
            let at = sizes.iter().position(|&size| size == (buckets(&info), info.positions));
            seen[at.unwrap()] += 1;
        }
    });
    assert!(seen[0] + seen[1] > 0);
    // What cannot be saved leaves the file as it was, and nothing beside it.
    let before = std::fs::read(&file).unwrap();
    let error = solvers[0].save(&file, &GameTag::new("", 1), &save::Options::default());
    assert!(matches!(error, Err(SaveError::Tag { found: 0 })));
    assert!(solvers[0].save(folder.path(), &tag(), &save::Options::default()).is_err());
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(feature = "compression")]
#[test]
fn compressed_facts_are_the_same() {
    let folder = Folder::new("facts-compressed");
    let (small, plain) = (folder.file("small"), folder.file("plain"));
    let mut first = solver(1 << 16);
    solve(&mut first, &connect4());
    first.save(&small, &tag(), &save::Options::default().compress(true)).unwrap();
    save(&first, &plain);
    assert!(save::Info::read(&small).unwrap().compressed);
    let mut second = solver::<ConnectFour>(1 << 16);
    second.load(&small, &tag()).unwrap();
    let again = folder.file("again");
    save(&second, &again);
    assert_eq!(std::fs::read(&plain).unwrap(), std::fs::read(&again).unwrap());
    assert!(small.metadata().unwrap().len() < plain.metadata().unwrap().len());
}

#[test]
fn the_file_is_as_it_is_described() {
    // The layout of `docs/file-format.md`, read by hand.
    let folder = Folder::new("facts-described");
    let file = folder.file("facts");
    let mut solver = solver(1 << 10);
    solve(&mut solver, &TicTacToe::new());
    let info = save(&solver, &file);
    let one = std::fs::read(&file).unwrap();
    let u32_at = |at: usize| u32::from_le_bytes(one[at..at + 4].try_into().unwrap());
    let u64_at = |at: usize| u64::from_le_bytes(one[at..at + 8].try_into().unwrap());
    assert_eq!(&one[..8], b"\x89PTREE\r\n");
    assert_eq!([u32_at(8), u32_at(12), u32_at(16), u32_at(20)], [1, HEADER as u32, 8, 1]);
    assert_eq!([u64_at(24), u64_at(32)], [info.layout, one.len() as u64]);
    let form = info.facts().unwrap().form;
    assert_eq!([u64_at(40), u64_at(48), u64_at(56)], [info.positions, 16, form]);
    assert_eq!([u64_at(64), u64_at(72), u64_at(88)], [1, 0, 0]);
    assert_eq!([u32_at(96), u32_at(100), u32_at(104), u32_at(108)], [2 | 1 << 16, 4, 0, 0]);
    let count = info.positions as usize;
    assert_eq!([u32_at(HEADER), u32_at(HEADER + 4)], [3, count as u32]);
    assert_eq!(u32_at(HEADER + 8), (8 + 20 * count) as u32);
    // The numbers of the buckets are in order, and each data word says that it is used.
    let content = HEADER + 24 + 8;
    let buckets: Vec<_> = (0..count).map(|i| u32_at(content + 4 * i)).collect();
    assert!(buckets.is_sorted() && buckets.iter().all(|&bucket| bucket < 16), "{buckets:?}");
    let data = content + 12 * count;
    assert!((0..count).all(|i| u64_at(data + 8 * i) >> 63 == 1));
}
