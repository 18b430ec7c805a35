//! Probe: quality on solved Connect Four positions.
use playtree::games::ConnectFour;
use playtree::*;
fn main() {
    let text = std::fs::read_to_string("../shared/data/connect4/random_midgame_allmoves.tsv").unwrap();
    let mut cases = Vec::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let f: Vec<&str> = line.split('\t').collect();
        let Ok(p) = ConnectFour::parse_position(f[0]) else { continue };
        let scores: Vec<Option<i32>> = f[1..].iter().flat_map(|s| s.split([' ', ','])).map(|s| s.parse().ok()).collect();
        if scores.len() < 7 { continue }
        let scores = scores[scores.len()-7..].to_vec();
        let best = scores.iter().flatten().max().unwrap().signum();
        // decisive positions: some move keeps the class and some does not
        if scores.iter().flatten().any(|s| s.signum() < best) { cases.push((p, scores, best)); }
    }
    let args: Vec<String> = std::env::args().collect();
    let sims: u64 = args[1].parse().unwrap();
    let seeds: u64 = args[2].parse().unwrap();
    let proofs = args[3] == "p";
    let mut configs = Vec::new();
    for spec in &args[4..] {
        // c:round:from:scheme
        let f: Vec<&str> = spec.split(':').collect();
        configs.push((spec.clone(), f[0].parse::<f64>().unwrap(), f[1].to_string(), f[2].parse::<u32>().unwrap(), f[3] == "g"));
    }
    println!("{} cases", cases.len());
    for (name, c, round, from, graph) in configs {
        let (mut wrong, mut n, mut time) = (0, 0, 0.0);
        for seed in 0..seeds {
            for (p, scores, best) in &cases {
                let rs = if let Some(k) = round.strip_prefix('a') { RoundSize::Adaptive { most: k.parse().unwrap() } } else { RoundSize::Fixed(round.parse().unwrap()) };
                let mut m = Mcts::builder().threads(1).seed(seed).proofs(proofs).selection(Selection::Ucb1 { exploration: c }).round_size(rs)
                    .value_scheme(if graph { ValueScheme::Graph } else { ValueScheme::Tree })
                    .expansion(Expansion::OnePerSimulation { from_visit: from }).build().unwrap();
                let r = m.search(p, &Budget::simulations(sims)).unwrap();
                let col: usize = p.move_text(&r.best_move).parse().unwrap();
                n += 1;
                time += r.elapsed.as_secs_f64();
                if scores[col - 1].unwrap().signum() < *best { wrong += 1; if seed == 0 && std::env::var("V").is_ok() { println!("{} best {best} {:?} prov {:?}", p.position_text(), scores, r.proven); for m in &r.moves { println!("    {} v {} q {:.3} {:?}", p.move_text(&m.mv), m.visits, m.win_rate.unwrap_or(-1.0), m.proven); } } }
            }
        }
        println!("{name:>16}: wrong {:.2}% +- {:.2}  {:.1}s", 100.0 * wrong as f64 / n as f64, 100.0 * (wrong as f64).sqrt() / n as f64, time);
    }
}
