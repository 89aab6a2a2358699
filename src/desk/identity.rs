//! Tells rules from others, so that an answer can say that it is about an older version. Comments
//! and white space make no difference, the values of options do.

use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::syntax::{Node, NodeKind, parse};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Returns a name for a text with the options that its rules were read with.
pub fn identity(sources: &Sources, rules: Option<&Rules>) -> String {
    let mut hasher = FxHasher::default();
    for (file, _) in sources.names().enumerate() {
        let text = sources.text_of(file);
        parse(text).forms.iter().for_each(|form| enter(form, text, &mut hasher));
    }
    for option in rules.iter().flat_map(|rules| &rules.options) {
        (&option.name, &option.values[option.chosen]).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

fn enter(node: &Node, text: &str, hasher: &mut FxHasher) {
    match &node.kind {
        NodeKind::Form(parts) => {
            parts.len().hash(hasher);
            parts.iter().for_each(|part| enter(part, text, hasher));
        }
        _ => node.span.text(text).hash(hasher),
    }
}
