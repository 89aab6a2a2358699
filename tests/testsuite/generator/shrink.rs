//! Reduces a failing game: greedily deletes parts of the text, or replaces them by shorter ones, as
//! long as it still fails.

use ludwright::syntax::{Node, Span, parse};

/// Lists all nodes inside the forms of a text, the longest first.
fn parts(text: &str) -> Vec<Node> {
    let mut parts = Vec::new();
    let mut left: Vec<Node> =
        parse(text).forms.iter().filter_map(Node::as_form).flatten().cloned().collect();
    while let Some(node) = left.pop() {
        left.extend(node.as_form().unwrap_or_default().iter().cloned());
        parts.push(node);
    }
    parts.sort_by_key(|node| (std::cmp::Reverse(node.span.len()), node.span.start));
    parts
}

/// Lists replacements of a part: nothing, one of its parts, or a simple expression.
fn substitutes(part: &Node, text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let inside = part.as_form().unwrap_or_default();
    all.extend(inside.iter().skip(1).map(|node| node.span.text(text).to_owned()));
    if !inside.is_empty() {
        all.extend(
            ["everywhere", "true", "1", "mover", "all", "(empty)", "(draw)"].map(str::to_owned),
        );
    }
    if part.span.text(text).len() > 1 && part.as_number().is_some() {
        all.extend(["1", "2", "3"].map(str::to_owned));
    }
    all
}

fn replaced(text: &str, span: Span, with: &str) -> String {
    format!("{}{with}{}", &text[..span.start], &text[span.end..])
}

/// Shrinks a text that fails according to `fails`.
pub fn shrink(text: &str, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut text = text.to_owned();
    loop {
        let before = text.len();
        let mut index = 0;
        while let Some(part) = parts(&text).get(index) {
            let smaller =
                substitutes(part, &text).into_iter().filter(|with| with.len() < part.span.len());
            let mut tried = smaller.map(|with| replaced(&text, part.span, &with));
            match tried
                .find(|smaller| ludwright::load(smaller.as_str(), &[]).is_ok() && fails(smaller))
            {
                Some(smaller) => text = smaller,
                None => index += 1,
            }
        }
        if text.len() == before {
            return ludwright::language::format::format(&text).unwrap_or(text);
        }
    }
}
