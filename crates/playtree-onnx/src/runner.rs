//! A model that is run by many threads, each on its own core.

mod helper;

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use playtree_planes::{Form, Outputs, POLICY, POSITION, VALUE};
use rten::{Model, ModelOptions, NodeId, RunOptions, Value};
use rten_tensor::{NdTensorView, Tensor};

use crate::{FileFault, wire};
use helper::Helper;

/// Why a network was not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunFault {
    #[error("expected the numbers of whole positions, {each} for each, found {found}")]
    Numbers { each: usize, found: usize },
    #[error("expected a network that can be run, found: {0}")]
    Failed(String),
    #[error("expected {expected} numbers of '{output}', found {found}")]
    Output { output: &'static str, expected: usize, found: usize },
}

/// A model with the places of its input and its outputs.
pub(crate) struct Runner {
    model: Model,
    form: Form,
    position: NodeId,
    value: NodeId,
    policy: NodeId,
    /// Those that no call uses at the moment.
    idle: Mutex<Vec<Helper>>,
}

impl Runner {
    /// Reads a model, compares what it says of itself with the form of the game, and runs it once.
    pub(crate) fn parse(bytes: Vec<u8>, form: &Form) -> Result<Self, FileFault> {
        wire::check(&bytes).map_err(|error| not_onnx(&error))?;
        let load =
            AssertUnwindSafe(|| ModelOptions::with_all_ops().prepack_weights(true).load(bytes));
        let loaded = panic::catch_unwind(load).map_err(|_| not_onnx("its reader has panicked"))?;
        let model = loaded.map_err(|error| not_onnx(&error.to_string()))?;
        form.check(|name| model.metadata().get(name))?;
        let node = |name: &str| {
            model.node_id(name).map_err(|_| FileFault::Sizes {
                expected: format!("a network with '{name}'"),
                found: "none".to_owned(),
            })
        };
        let (position, value, policy) = (node(POSITION)?, node(VALUE)?, node(POLICY)?);
        let idle = Mutex::default();
        let runner = Self { model, form: *form, position, value, policy, idle };
        let empty = vec![0.0; 2 * form.inputs()];
        let run = panic::catch_unwind(AssertUnwindSafe(|| runner.run(&empty)));
        match run.unwrap_or_else(|_| Err(RunFault::Failed("its runner has panicked".to_owned()))) {
            Ok(outputs) => runner.check_numbers(&outputs)?,
            Err(RunFault::Output { output, expected, found }) => {
                return Err(FileFault::Sizes {
                    expected: format!("{expected} numbers of '{output}' for two positions"),
                    found: found.to_string(),
                });
            }
            Err(fault) => return Err(not_onnx(&fault.to_string())),
        }
        Ok(runner)
    }

    /// Refuses outputs that no search could use.
    fn check_numbers(&self, outputs: &Outputs) -> Result<(), FileFault> {
        let wrong = |expected: &str, found: f32| FileFault::Sizes {
            expected: expected.to_owned(),
            found: found.to_string(),
        };
        let out_of_range = |value: &&f32| !(0.0..=1.0).contains(*value);
        if let Some(&found) = outputs.values.iter().find(out_of_range) {
            return Err(wrong("values of 0 to 1", found));
        }
        match outputs.logits.iter().find(|logit| !logit.is_finite()) {
            Some(&found) => Err(wrong("logits that are finite", found)),
            None => Ok(()),
        }
    }

    /// Runs the model for positions that are given as numbers.
    pub(crate) fn run(&self, numbers: &[f32]) -> Result<Outputs, RunFault> {
        let Form { planes, rows, columns, moves, .. } = self.form;
        let each = self.form.inputs();
        let positions = numbers.len() / each;
        if positions * each != numbers.len() || positions == 0 {
            return Err(RunFault::Numbers { each, found: numbers.len() });
        }
        let input = NdTensorView::from_data([positions, planes, rows, columns], numbers);
        let mut helper = self.lend();
        let options = RunOptions::default().with_thread_pool(Some(helper.pool()));
        let inputs = vec![(self.position, input.into())];
        let run = self.model.run_n(inputs, [self.value, self.policy], Some(options));
        self.give_back(helper);
        let [value, policy] = run.map_err(|error| RunFault::Failed(error.to_string()))?;
        let values = numbers_of(value, VALUE, positions)?;
        let logits = numbers_of(policy, POLICY, positions * moves)?;
        Ok(Outputs { values, logits })
    }

    fn lend(&self) -> Helper {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let here = idle.iter().position(Helper::is_here);
        let found = here.map(|at| idle.swap_remove(at)).or_else(|| idle.pop());
        drop(idle);
        found.unwrap_or_else(Helper::new)
    }

    fn give_back(&self, helper: Helper) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(helper);
    }
}

fn not_onnx(why: &str) -> FileFault {
    FileFault::NotOnnx(why.to_owned())
}

/// An output, which has to be this many numbers.
fn numbers_of(value: Value, output: &'static str, expected: usize) -> Result<Vec<f32>, RunFault> {
    let tensor: Tensor<f32> =
        value.try_into().map_err(|_| RunFault::Failed(format!("'{output}' is not of floats")))?;
    let numbers = tensor.into_data();
    if numbers.len() == expected {
        Ok(numbers)
    } else {
        Err(RunFault::Output { output, expected, found: numbers.len() })
    }
}
