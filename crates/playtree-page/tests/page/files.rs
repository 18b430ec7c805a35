//! The files of the page, and what a browser may do with them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use playtree_page::server::Options;

use crate::client::{Client, small, start};

#[test]
fn the_page_is_there_and_loads_nothing_from_elsewhere() {
    let client = Client::new(start(small()));
    let mut response = client.get_raw("/");
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/html; charset=utf-8");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let policy = header("content-security-policy");
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    let page = response.body_mut().read_to_string().unwrap();
    assert!(page.contains("playtree"), "{page}");
    for elsewhere in ["src=\"http", "href=\"http", "src=\"//"] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
}

/// The modules that one imports, by their names in the folder, and those that they import.
fn imported(name: &str, folder: &Path, found: &mut BTreeSet<String>) {
    if !found.insert(name.to_owned()) {
        return;
    }
    let text = fs::read_to_string(folder.join(name)).unwrap();
    for part in text.split(" from \"").skip(1) {
        // In a comment, where types come from: there no semicolon follows.
        let Some((relative, rest)) = part.split_once('"') else { continue };
        if !rest.starts_with(';') {
            continue;
        }
        let mut path: Vec<&str> = name.split('/').collect();
        path.pop();
        for step in relative.split('/') {
            match step {
                "." => {}
                ".." => drop(path.pop()),
                step => path.push(step),
            }
        }
        imported(&path.join("/"), folder, found);
    }
}

/// A module that is found when another one has come makes the first move wait.
#[test]
fn the_page_asks_for_all_its_modules_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let mut modules = BTreeSet::new();
    imported("main.js", &folder, &mut modules);
    assert!(modules.remove("main.js") && modules.len() > 30, "{modules:?}");
    let page = fs::read_to_string(folder.join("index.html")).unwrap();
    let asked = page.split("<link rel=\"modulepreload\" href=\"web/").skip(1);
    let asked: BTreeSet<String> =
        asked.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect();
    assert_eq!(asked, modules);
}

#[test]
fn every_file_of_the_page_is_served_from_the_program() {
    let client = Client::new(start(small()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let (mut folders, mut files) = (vec![folder.clone()], 0);
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
            let mut response = client.get_raw(&format!("/web/{name}"));
            assert_eq!(response.status().as_u16(), 200, "{name}");
            let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
            assert_ne!(kind, "application/octet-stream", "{name}");
            assert_eq!(
                response.body_mut().read_to_vec().unwrap(),
                fs::read(&path).unwrap(),
                "{name}"
            );
            files += 1;
        }
    }
    assert!(files > 0);
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    for web in [None, Some(folder)] {
        let client = Client::new(start(Options { web, ..small() }));
        assert_eq!(client.get_raw("/web/index.html").status().as_u16(), 200);
        for name in [
            "..%2fCargo.toml",
            "%2e%2e/Cargo.toml",
            "%2e%2e%2fCargo.toml",
            "..%5cCargo.toml",
            "index.html%00",
            "index.html/",
            "/etc/passwd",
            "%2fetc%2fpasswd",
            "boards",
            ".",
            "%2e",
            "./index.html",
            "nothing.js",
        ] {
            let status = client.get_raw(&format!("/web/{name}")).status().as_u16();
            assert_eq!(status, 404, "{name}");
        }
    }
}
