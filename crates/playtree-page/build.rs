//! Lists the files of the page, so that the server has them in itself.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo says where")).join("web");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    find(&root, "", &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for (name, path) in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let _ = writeln!(list, "    ({name:?}, include_bytes!({path:?})),");
    }
    list.push(']');
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says where"));
    fs::write(out.join("files.rs"), list)
}

/// The files of a folder and of those in it, with their names below the first one.
fn find(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (name, path) = entry.map(|entry| (entry.file_name(), entry.path()))?;
        // A file that an editor hides is no part of the page.
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            find(&path, &format!("{name}/"), files)?;
        } else {
            files.push((name, path));
        }
    }
    Ok(())
}
