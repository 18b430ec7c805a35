//! Probe.
use playtree::games::ConnectFour;
use playtree::*;
fn main() {
    for (name, rs, vs, t, infl) in [
        ("seq tree", RoundSize::Fixed(1), ValueScheme::Tree, 1, InFlight::Ignore),
        ("seq tree2", RoundSize::Fixed(1), ValueScheme::Tree, 2, InFlight::Ignore),
        ("seq graph", RoundSize::Fixed(1), ValueScheme::Graph, 1, InFlight::Count),
        ("seq graph2", RoundSize::Fixed(1), ValueScheme::Graph, 2, InFlight::Count),
        ("seq tree count", RoundSize::Fixed(1), ValueScheme::Tree, 2, InFlight::Count),
        ("4 tree count", RoundSize::Fixed(4), ValueScheme::Tree, 2, InFlight::Count),
        ("16 tree count", RoundSize::Fixed(16), ValueScheme::Tree, 2, InFlight::Count),
        ("64 tree count", RoundSize::Fixed(64), ValueScheme::Tree, 2, InFlight::Count),
        ("round tree", RoundSize::Adaptive { most: 128 }, ValueScheme::Tree, 2, InFlight::Count),
        ("round graph", RoundSize::Adaptive { most: 128 }, ValueScheme::Graph, 2, InFlight::Count),
    ] {
        let mut m = Mcts::builder()
            .threads(1)
            .seed(1)
            .proofs(false)
            .round_size(rs)
            .value_scheme(vs)
            .in_flight(infl)
            .expansion(Expansion::OnePerSimulation { from_visit: t })
            .build()
            .unwrap();
        let r = m.search(&ConnectFour::new(), &Budget::simulations(200_000)).unwrap();
        println!("{name}: {:.0}k/s", r.simulations_per_second() / 1e3);
        for mv in &r.moves {
            println!("  {:?} {} {:.3} {:?}", mv.mv, mv.visits, mv.win_rate.unwrap(), mv.pv.len());
        }
    }
}
