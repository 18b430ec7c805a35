//! The memory of this process, as the kernel counts it.

use std::fs;

use crate::Failure;

/// Bytes of a megabyte in the tables.
pub(crate) const MEGABYTE: f64 = 1e6;

/// The resident size now, in bytes.
pub(crate) fn resident() -> Result<u64, Failure> {
    field("VmRSS:")
}

/// The largest resident size since [`reset_peak`], in bytes.
pub(crate) fn peak_resident() -> Result<u64, Failure> {
    field("VmHWM:")
}

/// Lets the peak start again from the resident size of now.
pub(crate) fn reset_peak() -> Result<(), Failure> {
    // 5 is the request for this, see proc_pid_clear_refs(5).
    Ok(fs::write("/proc/self/clear_refs", "5")?)
}

fn field(name: &str) -> Result<u64, Failure> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|rest| rest.trim().strip_suffix("kB"));
    let kilobytes =
        kilobytes.ok_or_else(|| format!("expected {name} in kB in /proc/self/status"))?;
    Ok(kilobytes.trim().parse::<u64>()? * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_peak_sees_what_was_touched() {
        super::reset_peak().unwrap();
        let before = super::resident().unwrap();
        let touched = std::hint::black_box(vec![1u8; 128 << 20]);
        let growth = super::peak_resident().unwrap().saturating_sub(before);
        // Half of it: tests that run beside this one may free what they had before.
        assert!(growth > 64 << 20, "{growth}");
        drop(touched);
    }
}
