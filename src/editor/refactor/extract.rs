//! Extracts a definition from an expression or statements, with the variables around it as
//! parameters; inlines a definition where it is used.

use super::{around, changed, column, free_name, reindented, trimmed, with_line};
use crate::editor::{CheckedSources, path_to};
use crate::language::finding::Edit;
use crate::language::ludemes::{Kind, rows};
use crate::language::names::{Declared, NameKind};
use crate::syntax::{Node, Span, parse};
use std::collections::BTreeMap;

/// Extracts the selected expression into a definition before the part that contains it.
pub(super) fn extract(
    study: &CheckedSources,
    file: usize,
    selection: Span,
    name: Option<&str>,
) -> Result<Vec<Edit>, String> {
    let text = study.sources.text_of(file);
    let tree = parse(text);
    let selection = trimmed(text, selection);
    let path = around(&tree.forms, selection);
    // The game and its parts are no expressions.
    let [_, part, .., node] = &path[..] else {
        return Err("select an expression within a part of the game".to_owned());
    };
    let node = match node.as_form() {
        None if path.len() > 3 => path[path.len() - 2],
        _ => node,
    };
    if node.as_form().is_none() || node.span == part.span {
        return Err("select an expression in brackets".to_owned());
    }
    let name = name.map_or_else(|| free_name(study, "Part"), str::to_owned);
    if study.checked.names.iter().any(|known| known.name == name) {
        return Err(format!("there is a {name} already"));
    }
    let start = study.sources.byte_of(file, 0);
    let whole = node.span.shifted(start);
    let is_inside = |span: &Span| whole.start <= span.start && span.end <= whole.end;
    let is_free = |known: &&Declared| {
        known.kind == NameKind::Variable
            && !is_inside(&known.span)
            && known.uses.iter().any(is_inside)
    };
    let mut parameters: Vec<(String, Kind)> = Vec::new();
    for variable in study.checked.names.iter().filter(is_free) {
        let kind = variable.is.ok_or("the type of a variable is not known here")?;
        if !parameters.iter().any(|(name, _)| *name == variable.name) {
            parameters.push((variable.name.clone(), kind));
        }
    }
    let (heading, call) = if parameters.is_empty() {
        (name.clone(), name.clone())
    } else {
        let typed = parameters.iter().map(|(name, kind)| format!(" ({kind} {name})"));
        let given = parameters.iter().map(|(name, _)| format!(" {name}"));
        (
            format!("({name}{})", typed.collect::<String>()),
            format!("({name}{})", given.collect::<String>()),
        )
    };
    let indent = column(text, part.span.start);
    let blanks = " ".repeat(indent);
    let body = reindented(node.span.text(text), column(text, node.span.start), indent + 2);
    let definition = format!("(define {heading}\n{blanks}  {body})\n\n{blanks}");
    let edits = vec![
        Edit { span: Span::new(part.span.start, part.span.start), text: definition },
        Edit { span: node.span, text: call },
    ];
    changed(study, file, &edits)?;
    Ok(edits)
}

/// Replaces the uses of the definition at a byte by its body, and removes it.
pub(super) fn inline(
    study: &CheckedSources,
    file: usize,
    byte: usize,
) -> Result<Vec<Edit>, String> {
    let name = study.name_at(file, byte).filter(|name| name.kind == NameKind::Definition);
    let name = name.ok_or("there is no definition here")?;
    let is_here = |span: &Span| study.sources.place(*span).0 == file;
    if !is_here(&name.span) || !name.uses.iter().all(is_here) {
        return Err("other files use this definition".to_owned());
    }
    if name.uses.is_empty() {
        return Err("nothing uses this definition".to_owned());
    }
    let text = study.sources.text_of(file);
    let tree = parse(text);
    let own = study.sources.place(name.span).1;
    let path = path_to(&tree.forms, own.start);
    let part = path.get(1).and_then(|part| Some((part, part.as_form()?)));
    let Some((part, [_, heading, body])) = part else {
        return Err(
            "only a definition of one expression or statement can be written out".to_owned()
        );
    };
    let parameters: Vec<&str> = heading.as_form().map_or_else(Vec::new, |nodes| {
        nodes.iter().skip(1).filter_map(|node| node.as_form()?.get(1)?.as_word()).collect()
    });
    let bound = bound_words(study, file, body);
    let mut edits = vec![Edit { span: with_line(text, part.span), text: String::new() }];
    for &span in &name.uses {
        let span = study.sources.place(span).1;
        let path = path_to(&tree.forms, span.start);
        let call = match parameters.is_empty() {
            true => path.last(),
            false => path.get(path.len().saturating_sub(2)),
        };
        let call = *call.ok_or("a use of the definition cannot be found")?;
        let given = call.as_form().unwrap_or_default();
        if !parameters.is_empty() && given.len() != parameters.len() + 1 {
            return Err("a use of the definition lacks an argument".to_owned());
        }
        let given = given.iter().skip(1);
        let arguments: BTreeMap<&str, &Node> = parameters.iter().copied().zip(given).collect();
        let is_captured =
            |argument: &&Node| words(argument).iter().any(|word| bound.contains(word));
        if arguments.values().any(is_captured) {
            return Err("a variable of the definition has the name of an argument".to_owned());
        }
        if arguments.values().any(|node| node.as_form().is_some()) && is_statement(body) {
            return Err("an argument would be evaluated after effects".to_owned());
        }
        let written = substituted(text, body, &arguments);
        let written =
            reindented(&written, column(text, body.span.start), column(text, call.span.start));
        edits.push(Edit { span: call.span, text: written });
    }
    edits.sort_by_key(|edit| edit.span);
    if edits.windows(2).any(|pair| pair[0].span.end > pair[1].span.start) {
        return Err("a use of the definition is within another one".to_owned());
    }
    changed(study, file, &edits)?;
    Ok(edits)
}

/// Lists the variables that are bound within a node.
fn bound_words<'s>(study: &'s CheckedSources, file: usize, node: &Node) -> Vec<&'s str> {
    let span = node.span.shifted(study.sources.byte_of(file, 0));
    let is_inside = |known: &&Declared| {
        known.kind == NameKind::Variable
            && span.start <= known.span.start
            && known.span.end <= span.end
    };
    study.checked.names.iter().filter(is_inside).map(|known| known.name.as_str()).collect()
}

/// Tests if a node is a statement, by the words of the language that are statements.
fn is_statement(node: &Node) -> bool {
    node.head().is_some_and(|(head, _)| rows(head).any(|row| row.result == Kind::Statement))
}

fn words(node: &Node) -> Vec<&str> {
    match node.as_form() {
        Some(nodes) => nodes.iter().flat_map(words).collect(),
        None => node.as_word().into_iter().collect(),
    }
}

/// Writes a node with arguments substituted for words.
fn substituted(text: &str, node: &Node, arguments: &BTreeMap<&str, &Node>) -> String {
    fn collect(node: &Node, text: &str, words: &BTreeMap<&str, &Node>, edits: &mut Vec<Edit>) {
        let argument = node.as_word().and_then(|word| words.get(word));
        edits.extend(
            argument.map(|argument| Edit {
                span: node.span,
                text: argument.span.text(text).to_owned(),
            }),
        );
        node.as_form().into_iter().flatten().for_each(|node| collect(node, text, words, edits));
    }
    let mut edits = Vec::new();
    collect(node, text, arguments, &mut edits);
    let mut written = node.span.text(text).to_owned();
    for edit in edits.iter().rev() {
        let (start, end) = (edit.span.start - node.span.start, edit.span.end - node.span.start);
        written.replace_range(start..end, &edit.text);
    }
    written
}
