//! Reads brackets and quotes of other alphabets and languages (`[`, `{`, `“`, `„`) as `(`, `)` and
//! `"`, with a fault for each. Runs on the stray tokens of the lexer.

use super::tokens::{Token, TokenKind};
use super::{Fault, FaultKind, Span};

/// The maximal length of a string between foreign quotes, in tokens.
const LONGEST: usize = 400;

/// Replaces stray tokens by brackets and strings, in place.
pub(super) fn replace_lookalikes(source: &str, tokens: &mut Vec<Token>) -> Vec<Fault> {
    let mut faults = Vec::new();
    if tokens.iter().any(|token| token.kind == TokenKind::Stray) {
        quotes(source, tokens, &mut faults);
        brackets(source, tokens, &mut faults);
    }
    faults
}

fn quotes(source: &str, tokens: &mut Vec<Token>, faults: &mut Vec<Fault>) {
    let stray = |token: &Token, quotes: &[char]| {
        token.kind == TokenKind::Stray && token.span.text(source).starts_with(quotes)
    };
    let mut kept = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while let Some(&token) = tokens.get(index) {
        index += 1;
        if stray(&token, &['“', '„', '”']) {
            let rest = &tokens[index..];
            let end = rest
                .iter()
                .take(LONGEST)
                .position(|token| stray(token, &['”', '“', '„']) || token.kind == TokenKind::Open);
            if let Some(end) = end.filter(|&end| end > 0 && rest[end].kind == TokenKind::Stray) {
                let span = token.span.join(rest[end].span);
                kept.push(Token { kind: TokenKind::WrongText, span });
                faults.push(Fault { kind: FaultKind::WrongQuotes, span });
                index += end + 1;
                continue;
            }
        }
        kept.push(token);
    }
    *tokens = kept;
}

/// If all brackets match when stray ones are included, stray ones count as brackets. Otherwise only
/// if the stray ones match among themselves.
fn brackets(source: &str, tokens: &mut [Token], faults: &mut Vec<Fault>) {
    let all = matched(tokens, |token| match token.kind {
        TokenKind::Open => Some(true),
        TokenKind::Close => Some(false),
        _ => stray(source, token),
    });
    let pairs = match all {
        Some(pairs) => Some(pairs),
        None => matched(tokens, |token| stray(source, token)),
    };
    for (open, close) in pairs.unwrap_or_default() {
        if tokens[open].kind == TokenKind::Stray || tokens[close].kind == TokenKind::Stray {
            faults.push(Fault {
                kind: FaultKind::WrongBrackets { close: tokens[close].span },
                span: tokens[open].span,
            });
            tokens[open].kind = TokenKind::Open;
            tokens[close].kind = TokenKind::Close;
        }
    }
}

/// Tests if a stray token is an opening (`true`) or a closing (`false`) bracket.
fn stray(source: &str, token: &Token) -> Option<bool> {
    let text = Some(token.span)
        .filter(|_| token.kind == TokenKind::Stray)
        .map_or("", |span: Span| span.text(source));
    match text {
        "[" | "{" => Some(true),
        "]" | "}" => Some(false),
        _ => None,
    }
}

/// Pairs opening and closing tokens; `None` if they do not match.
fn matched(
    tokens: &[Token],
    opens: impl Fn(&Token) -> Option<bool>,
) -> Option<Vec<(usize, usize)>> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match opens(token) {
            Some(true) => open.push(index),
            Some(false) => pairs.push((open.pop()?, index)),
            None => {}
        }
    }
    open.is_empty().then_some(pairs)
}
