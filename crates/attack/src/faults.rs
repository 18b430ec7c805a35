//! What was found, and a watchdog for calls that do not return.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::inject::Injected;
use crate::process;

static FAULTS: AtomicU64 = AtomicU64::new(0);

/// Reports a fault.
macro_rules! fault {
    ($($text:tt)*) => { $crate::faults::report(&format!($($text)*)) };
}
pub(crate) use fault;

pub(crate) fn report(text: &str) {
    FAULTS.fetch_add(1, Ordering::Relaxed);
    println!("FAULT {text}");
}

/// The faults reported.
pub(crate) fn count() -> u64 {
    FAULTS.load(Ordering::Relaxed)
}

/// Runs what must not panic. A panic is reported with `what` and with the place it came from.
pub(crate) fn without_panic<T>(what: &str, run: impl FnOnce() -> T) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(run));
    result.map_err(|payload| fault!("panic ({}): {what}", text_of(&*payload))).ok()
}

/// The text of a panic.
pub(crate) fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
        .or_else(|| payload.is::<Injected>().then(|| "injected".to_owned()))
        .unwrap_or_else(|| "no text".to_owned())
}

/// Lets injected panics pass in silence, and prints where every other one comes from.
pub(crate) fn quiet_injected_panics() {
    std::panic::set_hook(Box::new(|info| {
        if !info.payload().is::<Injected>() {
            println!("panic: {info}");
        }
    }));
}

/// As [`quiet_injected_panics`], where every other panic is a fault.
pub(crate) fn other_panics_are_faults() {
    std::panic::set_hook(Box::new(|info| {
        if !info.payload().is::<Injected>() {
            fault!("panic: {info}");
        }
    }));
}

static STEPS: AtomicU64 = AtomicU64::new(0);
static DOING: Mutex<String> = Mutex::new(String::new());

/// The watchdog's patience begins anew.
pub(crate) fn doing(what: impl Into<String>) {
    *DOING.lock().unwrap() = what.into();
    STEPS.fetch_add(1, Ordering::Relaxed);
}

/// The status of a program that the watchdog has ended.
const HANGS: i32 = 99;

/// Ends the program if nothing is [done](doing) for `seconds`.
pub(crate) fn watchdog(seconds: u64) {
    let watch = move || {
        let (mut last, mut since) = (0, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let now = STEPS.load(Ordering::Relaxed);
            if now != last {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() > Duration::from_secs(seconds) {
                let (resident, threads) = (process::resident_mib(), process::threads());
                let doing = DOING.lock().unwrap();
                println!("FAULT hangs for {seconds} s, {resident} MiB, {threads} threads: {doing}");
                std::process::exit(HANGS);
            }
        }
    };
    std::thread::spawn(watch);
}
