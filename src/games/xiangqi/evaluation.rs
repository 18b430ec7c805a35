//! What a Xiangqi position is worth: material, placement, mobility and the king's safety.

use crate::evaluate::Evaluate;
use crate::game::GameState;
use crate::games::xiangqi::board::Board;
use crate::games::xiangqi::check::Danger;
use crate::games::xiangqi::piece::Kind;
use crate::games::xiangqi::placement::{FULL_FORCE, MATERIAL};
use crate::games::xiangqi::reach::{free_legs, rook_mobility};
use crate::games::xiangqi::squares::{HALVES, SQUARES, bit, ones};
use crate::games::xiangqi::{Step, Xiangqi, moves};

/// The worth of a point that a rook, a cannon can go to.
const ROOK_POINT: i32 = 5;
const CANNON_POINT: i32 = 2;
/// The worth of a leg that a horse can use.
const HORSE_LEG: i32 = 11;
/// The cost of each missing advisor or elephant with each attacking rook, horse or cannon in the
/// own half.
const EXPOSED: i32 = 8;
/// The cost of a piece that may not leave, because the king would be in check.
const PINNED: i32 = 14;
/// The cost of a cannon that looks at the king over nothing: everything that comes between is a
/// screen.
const BARE_CANNON: i32 = 45;
/// The worth of being to move.
const TEMPO: i32 = 8;

/// An evaluation of [`Xiangqi`], in hundredths of a soldier.
///
/// The sum of what pieces are worth on their points (kept with every move; it passes from the
/// middle of the game to its end as rooks, horses and cannons leave the board), of the points
/// that rooks, cannons and horses can go to, and of what threatens the kings: attackers where
/// advisors and elephants are missing, pins, a cannon that looks at the king over nothing.
///
/// # Examples
/// ```
/// use playtree::games::Xiangqi;
/// use playtree::games::xiangqi::XiangqiEvaluation;
/// use playtree::{Evaluate, Notation};
///
/// // A rook ahead.
/// let position = Xiangqi::parse_position("4k4/9/9/9/9/9/9/9/9/R2K5 w")?;
/// assert!(XiangqiEvaluation.evaluate(&position) > 800);
/// # Ok::<(), playtree::game::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct XiangqiEvaluation;

/// What the pieces of both sides can do: Red's lead.
#[inline]
fn mobility(board: &Board, occupied: u128) -> i32 {
    let red = board.side(0);
    let sign = |square: usize| if red & bit(square) != 0 { 1 } else { -1 };
    let rooks = board.kind(Kind::Rook);
    let mut value = 0;
    for square in ones(board.sliders()) {
        let worth = if rooks & bit(square) != 0 { ROOK_POINT } else { CANNON_POINT };
        value += sign(square) * worth * rook_mobility(square, occupied);
    }
    for square in ones(board.kind(Kind::Horse)) {
        value += sign(square) * HORSE_LEG * free_legs(square, occupied);
    }
    value
}

/// What threatens the king of `side`, below 0.
#[inline]
fn safety(board: &Board, side: usize, occupied: u128, danger: &Danger) -> i32 {
    let own = board.side(side);
    let theirs = occupied & !own;
    let mut value = 0;
    let half = HALVES[side & 1];
    let attacking = (board.sliders() | board.kind(Kind::Horse)) & theirs & half;
    if attacking != 0 {
        let guards = (board.kind(Kind::Advisor) | board.kind(Kind::Elephant)) & own;
        let missing = 4 - guards.count_ones() as i32;
        value -= EXPOSED * missing * attacking.count_ones() as i32;
    }
    if danger.pinned & own != 0 {
        value -= PINNED * (danger.pinned & own).count_ones() as i32;
    }
    if danger.screens != 0 {
        value -= BARE_CANNON;
    }
    value
}

/// The worth of a kind in a capture.
#[inline]
fn worth(kind: Kind) -> i32 {
    i32::from(MATERIAL[kind as usize][0])
}

impl Evaluate<Xiangqi> for XiangqiEvaluation {
    /// In hundredths of a soldier.
    #[inline]
    fn evaluate(&self, state: &Xiangqi) -> i32 {
        let board = &state.board;
        let occupied = board.occupied();
        let [middle, end, force] = board.placement();
        let (middle, end, full) = (i32::from(middle), i32::from(end), i32::from(FULL_FORCE));
        let force = i32::from(force);
        let placement = (middle * force + end * (full - force)) / full;
        let mover = state.mover();
        let own = safety(board, mover, occupied, &state.danger);
        let other = safety(board, 1 - mover, occupied, &Danger::of(board, 1 - mover));
        let red = placement + mobility(board, occupied);
        TEMPO + own - other + if mover == 0 { red } else { -red }
    }

    /// For a capture what is captured, and a little for capturing it with something small.
    #[inline]
    fn promise(&self, state: &Xiangqi, mv: &Step) -> i32 {
        let Some((prey, _)) = state.board.piece(mv.to()) else { return 0 };
        let hunter = state.board.piece(mv.from()).map_or(0, |(kind, _)| worth(kind));
        1_000 + 8 * worth(prey) - hunter / 2
    }

    /// The points left and entered.
    #[inline]
    fn slot(&self, _state: &Xiangqi, mv: &Step) -> Option<u16> {
        Some((mv.from() * SQUARES + mv.to()) as u16)
    }

    /// Captures, but for those of something small that is protected by something great.
    #[inline]
    fn noisy_moves(&self, state: &Xiangqi, moves: &mut Vec<Step>) {
        let from = moves.len();
        state.captures(moves);
        let mut kept = from;
        for at in from..moves.len() {
            let mv = moves[at];
            if !loses(state, mv) {
                moves[kept] = mv;
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    /// In check.
    #[inline]
    fn is_forced(&self, state: &Xiangqi) -> bool {
        state.in_check()
    }

    /// Not in check, and only with a rook, a horse or a cannon: without them having to move may
    /// be a burden, and a side that cannot move has lost.
    #[inline]
    fn pass(&self, state: &Xiangqi) -> Option<Xiangqi> {
        let board = &state.board;
        let free = board.sliders() | board.kind(Kind::Horse);
        (!state.in_check() && free & board.side(state.mover()) != 0)
            .then(|| Xiangqi::position(*board, state.plies.wrapping_add(1), state.quiet))
    }
}

/// Whether a capture takes something that is protected with something worth more.
#[inline]
fn loses(state: &Xiangqi, mv: Step) -> bool {
    let board = &state.board;
    let (Some((hunter, side)), Some((prey, _))) = (board.piece(mv.from()), board.piece(mv.to()))
    else {
        return false;
    };
    worth(hunter) > worth(prey) + 60
        && moves::attacked(board, 1 - side, mv.to(), board.occupied() & !bit(mv.from()))
}

#[cfg(test)]
mod tests {
    use super::XiangqiEvaluation;
    use crate::evaluate::Evaluate;
    use crate::game::random_move;
    use crate::game::{GameState, Notation};
    use crate::games::xiangqi::Xiangqi;
    use crate::rng::Rng;

    /// The same position with the sides exchanged.
    fn mirrored(position: &Xiangqi) -> Xiangqi {
        let text = position.position_text();
        let mut fields: Vec<&str> = text.split(' ').collect();
        let swap = |c: char| {
            if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        let ranks: Vec<String> =
            fields[0].split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
        let board = ranks.join("/");
        fields[0] = &board;
        fields[1] = if fields[1] == "w" { "b" } else { "w" };
        Xiangqi::parse_position(&fields.join(" ")).unwrap()
    }

    #[test]
    fn both_sides_are_judged_alike_and_by_the_same_sums_after_any_moves() {
        let mut rng = Rng::from_seed(1);
        let mut buffer = Vec::new();
        for _ in 0..20 {
            let mut position = Xiangqi::new();
            while let (None, Some(mv)) =
                (position.outcome(), random_move(&position, &mut rng, &mut buffer))
            {
                position.apply_in_place(&mv);
                let value = XiangqiEvaluation.evaluate(&position);
                assert_eq!(XiangqiEvaluation.evaluate(&mirrored(&position)), value);
                let read = Xiangqi::parse_position(&position.position_text()).unwrap();
                assert_eq!(read.board, position.board, "hash and sums kept with every move");
            }
        }
    }

    #[test]
    fn a_piece_more_is_worth_more() {
        let value =
            |text: &str| XiangqiEvaluation.evaluate(&Xiangqi::parse_position(text).unwrap());
        let even = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        assert!((0..30).contains(&value(even)));
        let mut last = value(even);
        for piece in ["P", "A", "N", "C", "R"] {
            let board = even.split(' ').next().unwrap();
            let at = board.rfind(piece).unwrap();
            let less = format!("{}1{} w", &board[..at], &board[at + 1..]);
            let cost = value(even) - value(&less);
            assert!(cost > 50, "{piece} costs {cost}");
            last = last.min(value(&less));
        }
        assert!(last < -800, "a rook: {last}");
    }

    #[test]
    fn passing_hands_the_move_over_and_only_where_it_may() {
        let start = Xiangqi::new();
        let passed = XiangqiEvaluation.pass(&start).unwrap();
        assert_eq!(passed.mover(), 1);
        assert_ne!(passed.key(), start.key());
        let texts = ["4k4/9/9/9/4R4/9/9/9/9/3K5 b", "4k4/9/9/4P4/9/9/9/9/9/3K5 w"];
        for text in texts {
            let position = Xiangqi::parse_position(text).unwrap();
            assert_eq!(XiangqiEvaluation.pass(&position).map(|p| p.mover()), None, "{text}");
        }
        assert!(XiangqiEvaluation.is_forced(&Xiangqi::parse_position(texts[0]).unwrap()));
    }

    #[test]
    fn noisy_moves_leave_out_a_rook_for_a_protected_soldier() {
        let noisy = |text: &str| {
            let position = Xiangqi::parse_position(text).unwrap();
            let mut moves = Vec::new();
            XiangqiEvaluation.noisy_moves(&position, &mut moves);
            moves.iter().map(|mv| position.move_text(mv)).collect::<Vec<_>>()
        };
        assert_eq!(noisy("3k5/9/9/9/R3p4/9/9/9/9/4K4 w"), ["a5e5"]);
        assert_eq!(noisy("3k5/9/9/4n4/R1p6/9/9/9/9/4K4 w"), Vec::<String>::new());
    }
}
