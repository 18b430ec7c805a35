use super::{AnyGame, AnyKey, AnyMove, AnyState, PlayersError};
use crate::budget::Budget;
use crate::game::{GameState, Notation, Outcome, UniformMoves};
use crate::games::{ConnectFour, TicTacToe, Xiangqi};
use crate::mcts::{Mcts, Report};
use crate::repetition::Record;

#[test]
fn values_of_different_types_are_different() {
    assert_eq!(AnyMove::new(3u8), AnyMove::new(3u8));
    assert_ne!(AnyMove::new(3u8), AnyMove::new(3u16));
    assert_ne!(AnyMove::new(3u8), AnyMove::new(4u8));
    assert_eq!(format!("{:?}", AnyMove::new("e2")), "\"e2\"");
    assert!(AnyKey::new(3u8) == AnyKey::new(3u8) && AnyKey::new(3u8) != AnyKey::new(3u16));
    assert_eq!(AnyKey::new(7u32).get::<u32>(), Some(&7));
    assert_eq!(AnyKey::new(7u32).get::<u8>(), None);
}

/// Plays moves and compares all that both forms say.
fn compare<G: Notation<Key: Eq, Move: 'static> + 'static>(start: G, moves: &str) {
    let mut typed = Record::new(start.clone());
    let mut any = Record::new(AnyState::<2>::of(start));
    for text in moves.split_whitespace() {
        let (here, there) = (typed.position(), any.position());
        assert_eq!(here.position_text(), there.position_text());
        assert_eq!(here.board_text(), there.board_text());
        assert_eq!((here.mover(), here.plies()), (there.mover(), there.plies()));
        assert!(there.get::<G>().is_some_and(|state| state.key() == here.key()));
        let (mut own, mut others) = (Vec::new(), Vec::new());
        here.moves(&mut own);
        there.moves(&mut others);
        let own: Vec<String> = own.iter().map(|mv| here.move_text(mv)).collect();
        let others: Vec<String> = others.iter().map(|mv| there.move_text(mv)).collect();
        assert_eq!(own, others);
        assert_eq!(typed.outcome(), any.outcome());
        let mv = here.parse_move(text).expect("a legal move");
        let other = there.parse_move(text).expect("the same legal move");
        typed.play(mv);
        any.play(other);
    }
    assert_eq!(typed.outcome(), any.outcome());
    assert_eq!(typed.repetition(), any.repetition());
}

#[test]
fn an_object_says_what_its_position_says() {
    compare(ConnectFour::new(), "4 4 3 3 2 2 1");
    compare(TicTacToe::new(), "5 1 3 7 4 6 2 8 9");
    // The rook gives check for ever, and loses: the verdict looks at the line of play.
    let rook = Xiangqi::parse_position("4k4/9/9/R8/9/9/9/9/9/3K5 w").unwrap();
    compare(rook, "a6e6 e9f9 e6f6 f9e9 f6e6 e9f9 e6f6 f9e9 f6e6");
}

/// The visits of each move, as `Debug` shows it.
fn visits<M: std::fmt::Debug>(report: &Report<M>) -> Vec<(String, u64)> {
    report.moves.iter().map(|found| (format!("{:?}", found.mv), found.visits)).collect()
}

#[test]
fn it_is_searched_as_its_position_is() {
    let (start, budget) = (ConnectFour::new(), Budget::simulations(3_000));
    // Rollouts that every game has, move by move.
    let mut own = Mcts::builder().threads(1).seed(1).rollouts(UniformMoves).build().unwrap();
    let mut any = Mcts::builder().threads(1).seed(1).build().unwrap();
    let own = own.search(&start, &budget).unwrap();
    let any = any.search(&AnyState::<2>::of(start), &budget).unwrap();
    assert_eq!(visits(&own), visits(&any));
}

/// Three players in turn, of whom the second wins after three plies.
#[derive(Clone)]
struct Three(u32);

impl AnyGame for Three {
    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
    fn players(&self) -> usize {
        3
    }
    fn key(&self) -> AnyKey {
        AnyKey::new(self.0)
    }
    fn mover(&self) -> usize {
        self.0 as usize % 3
    }
    fn plies(&self) -> u32 {
        self.0
    }
    fn moves(&self, moves: &mut Vec<AnyMove>) {
        moves.extend([AnyMove::new("left"), AnyMove::new("right")]);
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 3).then_some(Outcome::Win(1))
    }
    fn play(&mut self, _: &AnyMove) {
        self.0 += 1;
    }
    fn position_text(&self) -> String {
        self.0.to_string()
    }
}

#[test]
fn the_number_of_players_is_known_when_the_program_runs() {
    let game = || Box::new(Three(0));
    let error = PlayersError { expected: 2, found: 3 };
    assert_eq!(AnyState::<2>::new(game()).err(), Some(error));
    assert!(AnyState::<3>::new(game()).is_ok());
    let start = AnyState::<8>::new(game()).unwrap();
    assert_eq!(start.players(), 3);
    let mut engine = Mcts::builder().threads(1).build().unwrap();
    let report = engine.search(&start, &Budget::simulations(50)).unwrap();
    assert_eq!(report.scores[..3], [0.0, 1.0, 0.0]);
}

#[test]
fn a_text_that_is_no_move_is_an_error_that_lists_the_moves() {
    let start = AnyState::<3>::new(Box::new(Three(0))).unwrap();
    assert_eq!(start.parse_move("\"left\"").unwrap(), AnyMove::new("left"));
    let error = start.parse_move("up").unwrap_err().to_string();
    assert_eq!(error, "expected a move (\"left\", \"right\"), found 'up'");
}
