//! Says where a clause is.

use ludwright::diagnostics::Places;
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::clause::quote;
use ludwright::syntax::Span;
use serde_json::{Value, json};

/// Describes a place in the rules.
pub fn place(span: Span, rules: &Rules, source: &Sources) -> Value {
    let (file, local) = source.place(span);
    let place = Places::new(source.text_of(file)).of(local.start);
    json!({
        "file": source.names().nth(file).unwrap_or_default(),
        "line": place.line,
        "column": place.column,
        "start": local.start,
        "end": local.end,
        "text": quote(rules, span).trim_matches('`'),
    })
}

/// Quotes a clause with its line, and with its file if there are several.
pub fn locate(clause: Span, rules: &Rules, source: &Sources) -> String {
    let (file, span) = source.place(clause);
    let line = source.text_of(file)[..span.start].matches('\n').count() + 1;
    let name = if source.names().len() > 1 {
        source.names().nth(file).unwrap_or_default()
    } else {
        "line"
    };
    format!("{name} {line}, {}", quote(rules, clause))
}
