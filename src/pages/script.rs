//! Modules of JavaScript as one script, for pages that are one file.
//!
//! Each module becomes a function that returns its exports, so that its other names stay local. The
//! modules of this crate import by name, one import per line, and export declarations; other forms
//! are not supported.

use std::fmt::Write;

/// Joins modules, each with the name by which others import it. A module comes after the modules
/// that it imports.
pub fn joined(modules: &[(&str, &str)]) -> String {
    let mut script = String::from("\"use strict\";\nconst modules = {};\n");
    for (name, text) in modules {
        let mut exports = Vec::new();
        let _ = writeln!(script, "modules[\"{name}\"] = (() => {{");
        for line in text.lines() {
            if let Some((names, from)) = imported(line) {
                let names = names.replace(" as ", ": ");
                let _ = writeln!(script, "const {{ {names} }} = modules[\"{from}\"];");
            } else if let Some(declared) = line.strip_prefix("export ") {
                exports.extend(name_of(declared));
                script.push_str(declared);
                script.push('\n');
            } else {
                script.push_str(line);
                script.push('\n');
            }
        }
        let _ = writeln!(script, "return {{ {} }};\n}})();", exports.join(", "));
    }
    script
}

/// Writes a module that exports a text.
pub fn text(name: &str, text: &str) -> String {
    // In a script element, `<` could end it.
    let text = serde_json::json!(text).to_string().replace('<', "\\u003c");
    format!("export const {name} = {text};\n")
}

/// Returns the names that a line imports, and the module.
fn imported(line: &str) -> Option<(&str, &str)> {
    let (names, from) = line.strip_prefix("import { ")?.split_once(" } from \"./")?;
    Some((names, from.strip_suffix("\";")?))
}

/// Returns the name that a declaration declares.
fn name_of(declaration: &str) -> Option<&str> {
    let mut words = declaration.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.find(|word| !["", "async", "function", "class", "const", "let"].contains(word))
}
