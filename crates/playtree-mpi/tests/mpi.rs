//! The same over MPI: begun by mpirun with any number of ranks, as ci/mpi.sh does. The argument is
//! the number of exchanges, 1000 if not given.

#[path = "common/checks.rs"]
mod checks;
#[path = "../../../tests/common/fields.rs"]
mod fields;

use std::time::{Duration, Instant};

use playtree_mpi::{Carrier, MpiCarrier, common_facts, join};

fn main() {
    let exchanges = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000);
    let mut carrier = MpiCarrier::begin().expect("MPI");
    let (rank, ranks) = (carrier.rank(), carrier.ranks());
    join(&mut carrier, &common_facts(), Duration::from_secs(60)).expect("ranks of one program");
    let say = |what: &str, begin: Instant| {
        if rank == 0 {
            println!("{ranks} ranks: {what}, {:.1} s", begin.elapsed().as_secs_f64());
        }
    };
    let begin = Instant::now();
    checks::exactness(&mut carrier, exchanges);
    say(&format!("{exchanges} exchanges are exact"), begin);
    let begin = Instant::now();
    let carrier = checks::together(carrier, 10, Duration::from_millis(300));
    say("10 searches end with the same counts", begin);
    if ranks == 1 {
        return;
    }
    let begin = Instant::now();
    let carrier = checks::agreement(carrier, 20, Duration::from_millis(300));
    say("20 of 20 positions have the same move on all ranks", begin);
    let begin = Instant::now();
    let (_carrier, time) = checks::proof(carrier);
    say(&format!("a proof has ended the search within {} ms", time.as_millis()), begin);
}
