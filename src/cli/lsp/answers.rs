//! Answers the requests of the language server protocol: converts positions, asks the library, and
//! converts the answers back.

use super::diagnostics::diagnostic;
use super::documents::{Documents, OpenGame};
use super::positions::Lines;
use super::{signatures, tokens};
use lsp_server::{ErrorCode, ResponseError};
use lsp_types::*;
use ludwright::editor::CheckedSources;
use ludwright::editor::candidates::{Candidate, CandidateKind};
use ludwright::editor::completion::complete;
use ludwright::editor::outline::{OutlinePart, parts, title};
use ludwright::editor::recipe;
use ludwright::editor::refactor::{Action, refactor};
use ludwright::editor::rename::rename;
use ludwright::language::finding::Edit;
use ludwright::language::format::{begins_as_rules, format};
use ludwright::language::ludemes::Ludeme;
use ludwright::language::names::NameKind;
use ludwright::language::recipes::recipes;
use ludwright::language::sources::Sources;
use ludwright::syntax::Span;
use ludwright::syntax::visible::shown;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::rc::Rc;

type Answer<T> = Result<T, ResponseError>;

/// Answers a request about open files.
///
/// # Errors
/// If the method is unknown, its parameters are malformed, or the request cannot be done.
pub fn answer(
    documents: &Documents,
    client: &ClientCapabilities,
    method: &str,
    params: Value,
) -> Answer<Value> {
    match method {
        "textDocument/hover" => value(hover(documents, &read(params)?)),
        "textDocument/completion" => value(completion(documents, client, &read(params)?)),
        "completionItem/resolve" => value(resolved(documents, read(params)?)),
        "textDocument/signatureHelp" => {
            value(signatures::answer(documents, client, &read(params)?))
        }
        "textDocument/semanticTokens/full" => value(tokens::highlighted(documents, &read(params)?)),
        "textDocument/foldingRange" => value(tokens::folded(documents, &read(params)?)),
        "textDocument/definition" => value(definition(documents, &read(params)?)),
        "textDocument/references" => value(references(documents, &read(params)?)),
        "textDocument/documentHighlight" => value(highlights(documents, &read(params)?)),
        "textDocument/documentSymbol" => value(symbols(documents, &read(params)?)),
        "textDocument/formatting" => value(formatting(documents, &read(params)?)),
        "textDocument/prepareRename" => value(renamed(documents, &read(params)?)),
        "textDocument/rename" => value(renaming(documents, &read(params)?)?),
        "textDocument/codeAction" => value(actions(documents, &read(params)?)),
        _ => Err(fault(ErrorCode::MethodNotFound, format!("there is no request `{method}` here"))),
    }
}

fn fault(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}

fn read<P: DeserializeOwned>(params: Value) -> Answer<P> {
    serde_json::from_value(params)
        .map_err(|error| fault(ErrorCode::InvalidParams, error.to_string()))
}

fn value(answer: impl serde::Serialize) -> Answer<Value> {
    serde_json::to_value(answer).map_err(|error| fault(ErrorCode::InternalError, error.to_string()))
}

/// Finds the game at a position, the file's index in it, and the byte offset.
pub fn asked(documents: &Documents, at: &TextDocumentPositionParams) -> Option<(OpenGame, usize)> {
    let place = documents.place(&at.text_document.uri)?;
    let byte = documents.byte(&at.text_document.uri, at.position)?;
    Some((place, byte))
}

fn hover(documents: &Documents, params: &HoverParams) -> Option<Hover> {
    let (OpenGame { study, file }, byte) = asked(documents, &params.text_document_position_params)?;
    let hover = study.hover(file, byte)?;
    let contents = HoverContents::Markup(MarkupContent {
        kind: MarkupKind::Markdown,
        value: shown(&hover.text).into_owned(),
    });
    Some(Hover { contents, range: Some(Lines::of(study.sources.text_of(file)).range(hover.span)) })
}

fn completion(
    documents: &Documents,
    client: &ClientCapabilities,
    params: &CompletionParams,
) -> Option<CompletionList> {
    let (OpenGame { study, file }, byte) = asked(documents, &params.text_document_position)?;
    let text_document = client.text_document.as_ref();
    let able = text_document.and_then(|able| able.completion.as_ref()?.completion_item.as_ref());
    let snippets = able.and_then(|able| able.snippet_support).unwrap_or(false);
    let resolvable = able.and_then(|able| able.resolve_support.as_ref());
    let resolves = resolvable
        .is_some_and(|able| able.properties.iter().any(|name| name == "additionalTextEdits"));
    let found = complete(&study.sources, file, byte);
    let text = study.sources.text_of(file);
    let lines = Lines::of(text);
    let range = lines.range(found.span);
    let name = recipe::name_at(text, found.span.start);
    let items = found.candidates.into_iter().enumerate().filter_map(|(index, offer)| {
        if offer.kind != CandidateKind::Recipe {
            return Some(item(offer, index, range, snippets));
        }
        let name = name?;
        let item = item(offer, index, lines.range(name), false);
        let asked = &params.text_document_position.text_document.uri;
        let typed =
            TypedName { uri: asked.clone(), byte: found.span.start, end: lines.position(name.end) };
        // Editors filter completions by the whole text that the edit replaces.
        let bracket = if name.start < found.span.start { "(" } else { "" };
        let mut item = CompletionItem {
            filter_text: Some(format!("{bracket}{}", item.label)),
            data: serde_json::to_value(&typed).ok(),
            ..item
        };
        if !resolves {
            item.additional_text_edits = Some(typed.edits(documents, &item.label)?);
        }
        Some(item)
    });
    Some(CompletionList { is_incomplete: false, items: items.collect() })
}

/// Where the name of a recipe was typed when completions were requested.
#[derive(Serialize, Deserialize)]
struct TypedName {
    uri: Uri,
    /// The first byte of the word.
    byte: usize,
    /// The end of the name, including its bracket.
    end: Position,
}

impl TypedName {
    /// Returns the edits that insert a recipe, except the removal of its typed name. Their places
    /// are as of the request for completions: more of the name may have been typed since.
    fn edits(&self, documents: &Documents, title: &str) -> Option<Vec<TextEdit>> {
        let recipe = recipes().find(|recipe| recipe.title() == title)?;
        let OpenGame { study, file } = documents.place(&self.uri)?;
        let text = study.sources.text_of(file);
        let lines = Lines::of(text);
        let name = recipe::name_at(text, self.byte)?;
        let end = lines.position(name.end);
        let moved = |at: Position| match at.line == end.line && at.character >= end.character {
            true => {
                let behind = at.character - end.character;
                Position::new(at.line, self.end.character.saturating_add(behind))
            }
            false => at,
        };
        let edits = recipe::complete(&study.sources, file, name, &[], recipe)?;
        let edits = edits.into_iter().map(|edit| {
            let Range { start, end } = lines.range(edit.span);
            TextEdit::new(Range::new(moved(start), moved(end)), edit.text)
        });
        Some(edits.collect())
    }
}

/// Adds the part of a completion that is too costly to compute for all: the edits of a recipe.
fn resolved(documents: &Documents, mut item: CompletionItem) -> CompletionItem {
    let typed = item.data.clone().and_then(|data| TypedName::deserialize(data).ok());
    if let Some(typed) = typed {
        item.additional_text_edits = typed.edits(documents, &item.label);
    }
    item
}

fn item(offer: Candidate, index: usize, range: Range, snippets: bool) -> CompletionItem {
    let kind = match offer.kind {
        CandidateKind::Ludeme => CompletionItemKind::FUNCTION,
        CandidateKind::Recipe => CompletionItemKind::SNIPPET,
        CandidateKind::Word => CompletionItemKind::KEYWORD,
        CandidateKind::Name(NameKind::Variable) => CompletionItemKind::VARIABLE,
        CandidateKind::Name(NameKind::Definition) => CompletionItemKind::METHOD,
        CandidateKind::Name(NameKind::Path) => CompletionItemKind::CONSTANT,
        CandidateKind::Name(NameKind::Memory) => CompletionItemKind::FIELD,
        CandidateKind::Name(NameKind::Move) => CompletionItemKind::EVENT,
        CandidateKind::Name(NameKind::Piece) => CompletionItemKind::CLASS,
        CandidateKind::Name(NameKind::Option) => CompletionItemKind::CONSTANT,
        CandidateKind::Name(NameKind::Player)
        | CandidateKind::Site
        | CandidateKind::Direction
        | CandidateKind::Value => CompletionItemKind::ENUM_MEMBER,
    };
    let documentation =
        MarkupContent { kind: MarkupKind::Markdown, value: shown(&offer.about).into_owned() };
    CompletionItem {
        kind: Some(kind),
        detail: Some(offer.detail),
        documentation: (!documentation.value.is_empty())
            .then_some(Documentation::MarkupContent(documentation)),
        sort_text: Some(format!("{index:05}")),
        filter_text: Some(offer.label.clone()),
        insert_text_format: Some(if snippets {
            InsertTextFormat::SNIPPET
        } else {
            InsertTextFormat::PLAIN_TEXT
        }),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(
            range,
            if snippets { offer.snippet } else { offer.text },
        ))),
        label: offer.label,
        ..CompletionItem::default()
    }
}

/// Converts a span of one of a game's files.
fn location(
    documents: &Documents,
    sources: &Sources,
    (file, span): (usize, Span),
) -> Option<Location> {
    let uri = documents.uri_of(sources.names().nth(file)?)?;
    Some(Location::new(uri, Lines::of(sources.text_of(file)).range(span)))
}

fn definition(documents: &Documents, params: &GotoDefinitionParams) -> Option<Location> {
    let (OpenGame { study, file }, byte) = asked(documents, &params.text_document_position_params)?;
    location(documents, &study.sources, study.declaration(file, byte)?)
}

fn references(documents: &Documents, params: &ReferenceParams) -> Vec<Location> {
    let at = &params.text_document_position;
    let Some(byte) = documents.byte(&at.text_document.uri, at.position) else { return Vec::new() };
    let mut found: Vec<Location> = Vec::new();
    for OpenGame { study, file } in documents.games(&at.text_document.uri) {
        let declared = usize::from(!params.context.include_declaration);
        for mention in study.mentions(file, byte).into_iter().skip(declared) {
            found.extend(
                location(documents, &study.sources, mention)
                    .filter(|location| !found.contains(location)),
            );
        }
    }
    found
}

fn highlights(
    documents: &Documents,
    params: &DocumentHighlightParams,
) -> Option<Vec<DocumentHighlight>> {
    let (OpenGame { study, file }, byte) = asked(documents, &params.text_document_position_params)?;
    let lines = Lines::of(study.sources.text_of(file));
    let here = study.mentions(file, byte).into_iter().filter(|(of, _)| *of == file);
    Some(here.map(|(_, span)| DocumentHighlight { range: lines.range(span), kind: None }).collect())
}

fn symbols(documents: &Documents, params: &DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
    let uri = &params.text_document.uri;
    let text = documents.text(uri).filter(|_| !documents.is_case(uri))?;
    let lines = Lines::of(text);
    let children: Vec<DocumentSymbol> =
        parts(text).into_iter().map(|part| symbol_of(part, &lines)).collect();
    Some(DocumentSymbolResponse::Nested(match title(text) {
        Some((name, span)) => {
            let whole = children.iter().fold(lines.range(span), |range, child| {
                Range::new(range.start.min(child.range.start), range.end.max(child.range.end))
            });
            let name = if name.trim().is_empty() { String::from("game") } else { name };
            vec![symbol(
                (name, String::new(), SymbolKind::MODULE),
                whole,
                lines.range(span),
                Some(children),
            )]
        }
        None => children,
    }))
}

fn symbol_of(part: OutlinePart, lines: &Lines) -> DocumentSymbol {
    let kind = match part.row.ludeme {
        Ludeme::Players => SymbolKind::ENUM_MEMBER,
        Ludeme::Option => SymbolKind::CONSTANT,
        Ludeme::PieceKind => SymbolKind::CLASS,
        Ludeme::Hand | Ludeme::Remember => SymbolKind::FIELD,
        Ludeme::Define => SymbolKind::FUNCTION,
        Ludeme::Path => SymbolKind::VARIABLE,
        Ludeme::MoveRule => SymbolKind::EVENT,
        Ludeme::Board => SymbolKind::STRUCT,
        Ludeme::Setup | Ludeme::Play | Ludeme::End | Ludeme::Repetition | Ludeme::PieRule => {
            SymbolKind::METHOD
        }
        _ => SymbolKind::PROPERTY,
    };
    let detail =
        if part.name == part.row.spelling { String::new() } else { part.row.spelling.to_owned() };
    symbol((part.name, detail, kind), lines.range(part.span), lines.range(part.name_span), None)
}

#[expect(deprecated, reason = "the type has a deprecated field")]
fn symbol(
    (name, detail, kind): (String, String, SymbolKind),
    range: Range,
    selection_range: Range,
    children: Option<Vec<DocumentSymbol>>,
) -> DocumentSymbol {
    DocumentSymbol {
        name,
        detail: Some(detail),
        kind,
        tags: None,
        deprecated: None,
        range,
        selection_range,
        children,
    }
}

/// Formats a file, replacing only what lies between the common prefix and suffix of old and new
/// text. `None` if it cannot be formatted.
fn formatting(documents: &Documents, params: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let text = documents.text(&params.text_document.uri)?;
    let laid_out = format(text).ok().filter(|_| begins_as_rules(text))?;
    if laid_out == text {
        return Some(Vec::new());
    }
    let same = |(one, other): &(char, char)| one == other;
    let length = |letters: Vec<(char, char)>| {
        letters.iter().map(|(letter, _)| letter.len_utf8()).sum::<usize>()
    };
    // A position cannot lie between `\r` and `\n`, so a text with `\r` is replaced whole.
    let (before, after) = match text.contains('\r') {
        true => (0, 0),
        false => {
            let before = length(text.chars().zip(laid_out.chars()).take_while(same).collect());
            let rests = (text[before..].chars().rev(), laid_out[before..].chars().rev());
            (before, length(rests.0.zip(rests.1).take_while(same).collect()))
        }
    };
    let (end, new_end) = (text.len() - after, laid_out.len() - after);
    let range = Lines::of(text).range(Span::new(before, end));
    Some(vec![TextEdit::new(range, laid_out[before..new_end].to_owned())])
}

fn renamed(
    documents: &Documents,
    params: &TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    let (OpenGame { study, file }, byte) = asked(documents, params)?;
    let name = study.name_at(file, byte)?;
    let here = study
        .mentions(file, byte)
        .into_iter()
        .find(|(of, span)| *of == file && span.start <= byte && byte <= span.end)?;
    let range = Lines::of(study.sources.text_of(file)).range(here.1);
    Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: name.name.clone() })
}

fn renaming(documents: &Documents, params: &RenameParams) -> Answer<WorkspaceEdit> {
    let at = &params.text_document_position;
    let refused = |why: String| fault(ErrorCode::RequestFailed, why);
    let games = documents.games(&at.text_document.uri);
    let byte = documents.byte(&at.text_document.uri, at.position).unwrap_or_default();
    let file = games.first().map_or(0, |place| place.file);
    let games: Vec<CheckedSources> =
        games.into_iter().map(|place| Rc::unwrap_or_clone(place.study)).collect();
    let changes = rename(&games, file, byte, &params.new_name).map_err(refused)?;
    let mut edits = HashMap::new();
    for (name, changed) in changes {
        let text =
            games.iter().find_map(|game| Some(game.sources.text_of(game.file_named(&name)?)));
        let (Some(uri), Some(text)) = (documents.uri_of(&name), text) else { continue };
        edits.insert(uri, text_edits(&changed, &Lines::of(text)));
    }
    Ok(WorkspaceEdit::new(edits))
}

fn text_edits(edits: &[Edit], lines: &Lines) -> Vec<TextEdit> {
    edits.iter().map(|edit| TextEdit::new(lines.range(edit.span), edit.text.clone())).collect()
}

/// Offers the fixes of the findings in a range, and refactorings.
fn actions(documents: &Documents, params: &CodeActionParams) -> Option<Vec<CodeActionOrCommand>> {
    let uri = &params.text_document.uri;
    let only = params.context.only.as_ref();
    let is_wanted = |kind: &CodeActionKind| {
        let begins = |wanted: &CodeActionKind| kind.as_str().starts_with(wanted.as_str());
        only.is_none_or(|only| only.iter().any(begins))
    };
    let OpenGame { study, file } = documents.place(uri)?;
    let lines = Lines::of(study.sources.text_of(file));
    let here = lines.span(params.range);
    let found = study
        .sources
        .by_file(&study.checked.findings)
        .into_iter()
        .filter(|(of, _)| *of == file)
        .flat_map(|(_, findings)| findings);
    let mut actions = Vec::new();
    for finding in found
        .filter(|_| is_wanted(&CodeActionKind::QUICKFIX))
        .filter(|finding| finding.span.start <= here.end && here.start <= finding.span.end)
    {
        let Some(fix) = &finding.fix else { continue };
        let changes = HashMap::from([(uri.clone(), text_edits(&fix.edits, &lines))]);
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic(&finding, uri, &lines)]),
            edit: Some(WorkspaceEdit::new(changes)),
            is_preferred: Some(true),
            ..CodeAction::default()
        }));
    }
    for action in Action::ALL {
        let kind = match action {
            Action::Extract => CodeActionKind::REFACTOR_EXTRACT,
            Action::Inline => CodeActionKind::REFACTOR_INLINE,
            Action::DeleteUnused | Action::MakeOption => CodeActionKind::REFACTOR_REWRITE,
        };
        if !is_wanted(&kind) {
            continue;
        }
        let Ok(edits) = refactor(&study, file, here, action, None) else { continue };
        let changes = HashMap::from([(uri.clone(), text_edits(&edits, &lines))]);
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title().to_owned(),
            kind: Some(kind),
            edit: Some(WorkspaceEdit::new(changes)),
            ..CodeAction::default()
        }));
    }
    Some(actions)
}
