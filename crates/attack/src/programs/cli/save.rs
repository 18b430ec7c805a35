//! Saving to what is no file, loading what is no table, a full disk: an error, and what was there
//! is there still.

use std::ffi::CString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};
use std::path::Path;

use crate::faults::fault;

use super::Target;

const SEARCH: [&str; 6] = ["analyze", "connect4", "--simulations", "20000", "--threads", "1"];

fn make_node(path: &Path, mode: libc::mode_t, device: libc::dev_t) -> bool {
    let path = CString::new(path.as_os_str().as_bytes()).expect("no NUL in a path");
    // SAFETY: the path ends with a NUL.
    unsafe { libc::mknod(path.as_ptr(), mode | 0o666, device) == 0 }
}

/// A call with a file at its end.
fn with_path<'a>(option: &'a str, path: &'a str) -> impl Iterator<Item = &'a str> {
    SEARCH.into_iter().chain([option, path])
}

pub(super) fn attack(target: &Target) {
    fs::create_dir_all(target.path("folder")).expect("a folder of its own");
    let too_long = "x".repeat(255);
    for path in ["folder", "missing/x", "/proc/x", "", "..", "/", "folder/", &too_long] {
        target.call(with_path("--save", path)).run_refused();
    }
    target.call(with_path("--save", &"x".repeat(240))).run();

    // A device of its own: the attack must not be one on the machine.
    if make_node(&target.path("null"), libc::S_IFCHR, libc::makedev(1, 3)) {
        target.call(with_path("--save", "null")).run_refused();
        let kind = fs::symlink_metadata(target.path("null")).map(|meta| meta.file_type());
        if !kind.is_ok_and(|kind| kind.is_char_device()) {
            fault!("saving has replaced a device");
        }
    }
    assert!(make_node(&target.path("fifo"), libc::S_IFIFO, 0), "FIFOs can be made anywhere");
    target.call(with_path("--save", "fifo")).run_refused();
    let kind = fs::symlink_metadata(target.path("fifo")).map(|meta| meta.file_type());
    if !kind.is_ok_and(|kind| kind.is_fifo()) {
        fault!("saving has replaced a FIFO");
    }

    fs::write(target.path("precious"), "old").expect("a folder of its own");
    symlink("precious", target.path("link")).expect("a folder of its own");
    target.call(with_path("--save", "link")).run();
    let link = fs::symlink_metadata(target.path("link")).map(|meta| meta.file_type());
    if !link.is_ok_and(|kind| kind.is_symlink()) {
        fault!("saving has replaced a symbolic link");
    }
    if fs::read(target.path("precious")).is_ok_and(|bytes| bytes == b"old") {
        fault!("saving through a symbolic link has not reached its target");
    }
    symlink("nowhere/x", target.path("dangling")).expect("a folder of its own");
    target.call(with_path("--save", "dangling")).run_refused();

    let zeros = File::create(target.path("zeros")).expect("a folder of its own");
    zeros.set_len(1 << 30).expect("a sparse file");
    for path in ["fifo", "folder", "/dev/zero", "/dev/urandom", "zeros", "precious-not"] {
        target.call(with_path("--load", path)).most_mib(300).run_refused();
        target.call(["table", path]).most_mib(300).run_refused();
        let solve = ["solve", "tictactoe", "--load", path];
        target.call(solve).most_mib(300).run_refused();
    }
    damage(target);
    full_disk(target);
}

/// A file whose body was changed is damaged, says every command that reads it.
fn damage(target: &Target) {
    target.call(with_path("--save", "good")).run();
    let mut bytes = fs::read(target.path("good")).expect("just saved");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(target.path("bad"), &bytes).expect("a folder of its own");
    for call in [target.call(with_path("--load", "bad")), target.call(["table", "bad"])] {
        let ended = call.run_refused();
        if !ended.err_text().contains("damaged") {
            fault!("a changed body is not said to be damaged: {ended}");
        }
    }
}

/// Where it can be had: a small file system that is full before a table has room.
fn full_disk(target: &Target) {
    let disk = target.path("disk");
    fs::create_dir_all(&disk).expect("a folder of its own");
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=200k", "tmpfs"])
        .arg(&disk)
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        println!("skipped: a full disk (no file system can be mounted)");
        return;
    }
    fs::write(disk.join("table"), "old").expect("there is room for this");
    let search = ["analyze", "connect4", "--simulations", "300000", "--threads", "1"];
    target.call(search.into_iter().chain(["--save", "disk/table"])).run();
    if !fs::read(disk.join("table")).is_ok_and(|bytes| bytes == b"old") {
        fault!("the old table is gone after a save to a full disk");
    }
    let left = fs::read_dir(&disk).map_or(0, |entries| entries.count());
    let used = fs::metadata(disk.join("table")).map_or(0, |meta| meta.size());
    if left != 1 {
        fault!("{left} files are left on a full disk, one of {used} bytes");
    }
    drop(std::process::Command::new("umount").arg(&disk).status());
}
