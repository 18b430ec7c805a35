//! The Monte Carlo search, one subject a file. In one program, because each that searches has to
//! compile the whole search.

mod bandits;
#[path = "../common/data.rs"]
mod data;
mod data_trees;
mod endgames;
mod exchange;
#[path = "../common/fields.rs"]
mod fields;
mod foreseen;
mod golden;
mod graph;
mod grave;
mod history;
mod hostile;
mod knowledge;
mod networks;
mod own_selection;
mod parallel;
mod pgame;
mod pgames;
mod progressive_history;
mod reading;
mod rollout_moves;
mod root_control;
mod rounds;
mod search;
mod simulated;
mod solved;
mod steps;
#[path = "../common/trees.rs"]
mod trees;
