//! Budgets and rules as plain data: what is written of them, and what is read.

use std::any::Any;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::form::{check, form};

use super::{
    All, Budget, Bytes, CannotBeOvertaken, Depth, Nodes, OnlyMove, Settled, Simulations, SoftTime,
    StopRule, TimeFrom,
};

/// The rules that are plain data. The order is part of the forms that have no names.
macro_rules! rules {
    ($($name:ident),+) => {
        /// A rule to be written.
        #[derive(Serialize)]
        #[serde(rename = "Rule", rename_all = "snake_case")]
        enum Written<'a> { $($name(&'a $name)),+ }

        /// A rule that was read.
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Rule { $($name($name)),+ }

        impl<'a> Written<'a> {
            /// The rule as one of this library.
            fn of(rule: &'a dyn StopRule) -> Result<Self, String> {
                let any: &dyn Any = rule;
                $(if let Some(rule) = any.downcast_ref() {
                    return Ok(Self::$name(rule));
                })+
                Err(format!(
                    "expected rules that are plain data, found {rule:?}: a stop token or a rule of \
                     your own has no serialized form"
                ))
            }
        }

        impl Rule {
            fn boxed(self) -> Box<dyn StopRule> {
                match self { $(Rule::$name(rule) => Box::new(rule)),+ }
            }
        }
    };
}

rules!(Simulations, Nodes, Bytes, Depth, OnlyMove, SoftTime, Settled, CannotBeOvertaken, All);

form! {
    /// The limits that are set, and the rules in their order. What is left out is not set.
    #[derive(Default)]
    #[serde(default, deny_unknown_fields)]
    BudgetForm of Budget = budget {
        time: Option<Duration> = budget.time,
        time_from: TimeFrom = budget.time_from,
        soft_time: Option<Duration> = budget.soft_time,
        simulations: Option<u64> = budget.simulations,
        nodes: Option<u64> = budget.nodes,
        rules: Vec<Rule> = budget.written_rules().map_err(<S::Error as serde::ser::Error>::custom)?,
    }
}

impl Budget {
    fn written_rules(&self) -> Result<Vec<Written<'_>>, String> {
        if self.stop.is_some() {
            let text = "expected a budget without a stop token, found one: a flag of this program \
                        has no serialized form";
            return Err(text.into());
        }
        self.rules().map(Written::of).collect()
    }
}

impl TryFrom<BudgetForm> for Budget {
    type Error = String;

    fn try_from(form: BudgetForm) -> Result<Self, String> {
        let BudgetForm { time, time_from, soft_time, simulations, nodes, rules } = form;
        if let Some(limit) = soft_time {
            let is_it = |rule: &Rule| matches!(rule, Rule::SoftTime(rule) if rule.0 == limit);
            let expected = format!("a rule soft_time of {limit:?} as well");
            check("soft_time", expected, "none", rules.iter().any(is_it))?;
        }
        let rules = rules.into_iter().map(|rule| Arc::from(rule.boxed())).collect();
        Ok(Self { time, time_from, soft_time, simulations, nodes, stop: None, rules })
    }
}

/// The rules, in their order.
impl Serialize for All {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules: Result<Vec<_>, _> = self.0.iter().map(|rule| Written::of(&**rule)).collect();
        rules.map_err(<S::Error as serde::ser::Error>::custom)?.serialize(serializer)
    }
}

/// How deep `All` may be in `All`: what is read takes no more of the stack than that.
const NESTING_LIMIT: u32 = 32;

thread_local! {
    /// How many of them are being read in this thread, each in the one before.
    static NESTING: Cell<u32> = const { Cell::new(0) };
}

/// One more of them, while it is being read.
struct Nested;

impl Nested {
    fn new() -> Result<Self, String> {
        let depth = NESTING.get() + 1;
        check(
            "all",
            format!("at most {NESTING_LIMIT} in each other"),
            depth,
            depth <= NESTING_LIMIT,
        )?;
        NESTING.set(depth);
        Ok(Self)
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        NESTING.set(NESTING.get() - 1);
    }
}

impl<'de> Deserialize<'de> for All {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _nested = Nested::new().map_err(serde::de::Error::custom)?;
        let rules = Vec::<Rule>::deserialize(deserializer)?;
        Ok(Self(rules.into_iter().map(Rule::boxed).collect()))
    }
}
