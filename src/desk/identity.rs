//! Identifies rules, so that an answer can say that it is about an older version. Comments and
//! white space do not change the identity, values of options do.

use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::random::mix;
use crate::syntax::{Node, NodeKind, parse};

/// Returns an identifier of a text and the options that its rules were read with; it is the same in
/// a page and in the program.
pub fn identity(sources: &Sources, rules: Option<&Rules>) -> String {
    let mut name = 0;
    for (file, _) in sources.names().enumerate() {
        let text = sources.text_of(file);
        parse(text).forms.iter().for_each(|form| enter(form, text, &mut name));
    }
    for option in rules.iter().flat_map(|rules| &rules.options) {
        add(&mut name, &option.name);
        add(&mut name, &format!("{:?}", option.value()));
    }
    format!("{name:016x}")
}

fn enter(node: &Node, text: &str, name: &mut u64) {
    match &node.kind {
        NodeKind::Form(parts) => {
            *name = mix(*name, parts.len() as u64);
            parts.iter().for_each(|part| enter(part, text, name));
        }
        _ => add(name, node.span.text(text)),
    }
}

fn add(name: &mut u64, text: &str) {
    *name = text.bytes().fold(mix(*name, text.len() as u64), |sum, byte| mix(sum, byte.into()));
}
