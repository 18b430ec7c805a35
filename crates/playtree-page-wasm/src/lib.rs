//! The engine of the page in WebAssembly, for a page without a server.
//!
//! The host, a worker of the page, speaks with it in JSON: it writes a message into [`buffer`] and
//! calls [`take`], and what there is to say comes to its function `say`. Between two messages it
//! calls [`step`] as long as there is something to search. There is one thread.
//!
//! `ci/static-page.sh` builds it, `web/worker.js` of `playtree-page` is the host.

use std::time::Duration;

use playtree_page::local::{Answer, Event, Local};
use serde::{Deserialize, Serialize};

/// The memory of a session, in bytes. A module has 4 GiB at most, and a phone has less.
const MEMORY: usize = 128 << 20;
/// Two engines that are compared, and the two that take their place.
const SESSIONS: usize = 4;
/// How long a step searches: a message waits as long.
pub const SLICE: Duration = Duration::from_millis(15);

/// What the host says.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Message {
    /// A request; the answer has its number.
    Ask { number: u64, method: String, path: String, body: String },
    /// It wants the events of a session; the answer has the number, and says who it is.
    Listen { number: u64, session: String },
    /// It wants no more events.
    Leave { listener: u64 },
}

/// What is said to the host.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the fields are those of a message, and of what it is answered")]
pub enum Said {
    /// To a request.
    Answer { number: u64, status: u16, body: String },
    /// To one who wants events; `None` if there is no such session.
    Listener { number: u64, listener: Option<u64> },
    /// For one who listens; the data are JSON.
    Event { listener: u64, name: &'static str, data: String },
    /// Nothing can be asked any more.
    Failure { failure: String },
}

/// All that there is.
#[derive(Debug)]
pub struct Module {
    /// The games.
    pub local: Local,
    /// What the host has written.
    pub buffer: Vec<u8>,
}

impl Default for Module {
    fn default() -> Self {
        Self { local: Local::new(MEMORY, SESSIONS), buffer: Vec::new() }
    }
}

impl Module {
    /// Does what the message in the buffer asks for.
    ///
    /// # Errors
    /// If it is none.
    pub fn take(&mut self) -> Result<Vec<Said>, serde_json::Error> {
        let said = match serde_json::from_slice(&self.buffer)? {
            Message::Ask { number, method, path, body } => {
                let Answer { status, body } = self.local.ask(&method, &path, &body);
                vec![Said::Answer { number, status, body }]
            }
            Message::Listen { number, session } => {
                vec![Said::Listener { number, listener: self.local.listen(&session) }]
            }
            Message::Leave { listener } => {
                self.local.leave(listener);
                Vec::new()
            }
        };
        Ok(said)
    }

    /// What has happened since the last call.
    pub fn events(&mut self, now: Duration) -> Vec<Said> {
        let events = self.local.events(now).into_iter();
        events.map(|Event { listener, name, data }| Said::Event { listener, name, data }).collect()
    }
}

/// What the host calls and is called by. It has one thread, and calls nothing from within `say`.
#[cfg(target_family = "wasm")]
mod host {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::{Module, SLICE, Said};

    thread_local! {
        static MODULE: RefCell<Module> = RefCell::new(Module::default());
    }

    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since any fixed moment.
        fn now() -> f64;
        /// Reads this many bytes of JSON from there before it returns.
        fn say(text: *const u8, bytes: usize);
    }

    fn clock() -> Duration {
        // SAFETY: the host gives a function without arguments, which returns a number.
        Duration::try_from_secs_f64(unsafe { now() } / 1e3).unwrap_or_default()
    }

    fn tell(said: Vec<Said>) {
        for one in said {
            let text = serde_json::to_string(&one).expect("plain data is JSON");
            // SAFETY: the bytes are those of the text, which lives until the host has read them.
            unsafe { say(text.as_ptr(), text.len()) }
        }
    }

    /// Sets the clock of the searches, and says why the module fails if it does. To be called
    /// first.
    #[unsafe(no_mangle)]
    extern "C" fn begin() -> bool {
        std::panic::set_hook(Box::new(|failure| {
            tell(vec![Said::Failure { failure: failure.to_string() }]);
        }));
        playtree::budget::set_clock(clock)
    }

    /// Room for a message of this many bytes, to be written before the next call.
    #[unsafe(no_mangle)]
    extern "C" fn buffer(bytes: usize) -> *mut u8 {
        MODULE.with_borrow_mut(|module| {
            module.buffer.clear();
            module.buffer.resize(bytes, 0);
            module.buffer.as_mut_ptr()
        })
    }

    /// Does what the message in the buffer says: whether it is one.
    #[unsafe(no_mangle)]
    extern "C" fn take() -> bool {
        let said = MODULE.with_borrow_mut(Module::take);
        let is_message = said.is_ok();
        tell(said.unwrap_or_default());
        tell(MODULE.with_borrow_mut(|module| module.events(clock())));
        is_message
    }

    /// Searches for a moment: whether there is more to do.
    #[unsafe(no_mangle)]
    extern "C" fn step() -> bool {
        let goes_on = MODULE.with_borrow_mut(|module| module.local.step(SLICE, clock()));
        tell(MODULE.with_borrow_mut(|module| module.events(clock())));
        goes_on
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Module, SLICE};

    fn say(module: &mut Module, message: &str) -> String {
        module.buffer = message.as_bytes().to_vec();
        serde_json::to_string(&module.take().unwrap()).unwrap()
    }

    #[test]
    fn a_move_is_asked_for_in_messages() {
        let mut module = Module::default();
        let open = r#"{"do":"ask","number":7,"method":"POST","path":"sessions",
            "body":"{\"game\":\"connect4\"}"}"#;
        assert!(say(&mut module, open).starts_with(r#"[{"number":7,"status":200,"body":"{"#));
        let listen = r#"{"do":"listen","number":8,"session":"1"}"#;
        assert_eq!(say(&mut module, listen), r#"[{"number":8,"listener":1}]"#);
        let think = r#"{"do":"ask","number":9,"method":"POST","path":"sessions/1/think",
            "body":"{\"simulations\":2000}"}"#;
        assert!(say(&mut module, think).contains(r#""body":"{\"search\":1}""#));
        let mut now = Duration::ZERO;
        while module.local.step(SLICE, now) {
            now += SLICE;
        }
        let events = serde_json::to_string(&module.events(now)).unwrap();
        assert!(events.contains(r#""name":"end""#), "{events}");
        assert_eq!(say(&mut module, r#"{"do":"leave","listener":1}"#), "[]");
        assert!(module.events(now).is_empty());
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        let mut module = Module::default();
        for text in ["", "{}", r#"{"do":"ask"}"#, r#"{"do":"sing"}"#] {
            module.buffer = text.as_bytes().to_vec();
            assert!(module.take().is_err(), "{text}");
        }
    }
}
