//! A page in HTML that loads nothing: a heading, charts, tables.

use std::fmt::Write;

use super::chart::Chart;

/// What a report is made of.
#[derive(Debug)]
pub(crate) struct Page {
    title: String,
    body: String,
}

/// Colours, light or dark by the system.
const STYLE: &str = "
:root { color-scheme: light dark; --ink: light-dark(#222, #ddd); --quiet: light-dark(#666, #999);
  --line: light-dark(#ddd, #444); --bar: light-dark(#3b6fb6, #6f9fe0);
  --s0: light-dark(#2f6fd6, #6fa2ff); --s1: light-dark(#d9483b, #ff8577);
  --s2: light-dark(#3a8f4d, #67c47c); --s3: light-dark(#8a5cc2, #b892ec); }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; background: light-dark(#fff, #1b1b1d); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p.quiet, figcaption { color: var(--quiet); } figure { margin: 0; } svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; } th, td { padding: .2rem .7rem; text-align: right;
  border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } td:has(.bar), td:has(code) { text-align: left; }

ul.tree, ul.tree ul { list-style: none; padding-left: 1.2rem; border-left: 1px solid var(--line); }
.bar { display: inline-block; height: .7rem; background: var(--bar); }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
text { fill: var(--ink); font: 12px system-ui, sans-serif; }
";

/// A text without a character that HTML reads.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Page {
    pub(super) fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: String::new() }
    }

    /// Adds what is HTML already.
    pub(super) fn push(&mut self, html: &str) {
        self.body.push_str(html);
        self.body.push('\n');
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.push(&format!("<h2>{}</h2>", escaped(text)));
    }

    /// A line of text, less important than the others.
    pub(super) fn quiet(&mut self, text: &str) {
        self.push(&format!("<p class=\"quiet\">{}</p>", escaped(text)));
    }

    pub(super) fn chart(&mut self, chart: &Chart) {
        self.push(&format!("<figure>{}</figure>", chart.svg()));
    }

    /// A table, whose cells are HTML already; its first column is left-aligned.
    pub(super) fn table(&mut self, headings: &[&str], rows: impl Iterator<Item = Vec<String>>) {
        let mut table = String::from("<table><thead><tr>");
        for heading in headings {
            let _ = write!(table, "<th>{}</th>", escaped(heading));
        }
        table.push_str("</tr></thead><tbody>");
        for row in rows {
            table.push_str("<tr>");
            for cell in row {
                let _ = write!(table, "<td>{cell}</td>");
            }
            table.push_str("</tr>");
        }
        table.push_str("</tbody></table>");
        self.push(&table);
    }

    /// The whole text.
    pub(super) fn html(&self) -> String {
        let title = escaped(&self.title);
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <title>{title}</title><style>{STYLE}</style></head>\n\
             <body><h1>{title}</h1>\n{}</body></html>\n",
            self.body
        )
    }
}

/// A cell of a table with a number: as it is in the JSON form, and as a person reads it.
pub(super) fn cell(name: &str, value: Option<f64>, shown: impl Fn(f64) -> String) -> String {
    match value {
        Some(value) => format!("<data class=\"{name}\" value=\"{value}\">{}</data>", shown(value)),
        None => "-".into(),
    }
}
