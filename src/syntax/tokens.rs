//! Lexer: splits a source text into tokens by the pest grammar `grammar/game.pest`. White space has
//! no tokens. Brackets are matched later.

use super::Span;
use pest::Parser;
use pest::iterators::Pair;

/// A token of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open,
    Close,
    Word,
    Number,
    Text,
    UnclosedText,
    /// A string between foreign quotes; made by `lookalikes`.
    WrongText,
    Comment,
    Stray,
}

/// Lexes the source from byte `start` on. At most one string before the last token is cut short as
/// unclosed.
///
/// A missing quote inverts the inside and outside of all later strings, so the lexer sees only the
/// last quote of the file as unpaired. The unclosed string is taken to be the first one that spans
/// several lines and touches a following word: it ran into the beginning of the next string.
pub(super) fn tokens(source: &str, start: usize) -> Vec<Token> {
    let mut tokens = Vec::new();
    read(source, start, &mut tokens);
    if tokens.last().map(|token| token.kind) != Some(TokenKind::UnclosedText) {
        return tokens;
    }
    let runs_on = |pair: &[Token]| {
        pair[0].kind == TokenKind::Text
            && pair[0].span.end == pair[1].span.start
            && !matches!(pair[1].kind, TokenKind::Open | TokenKind::Close | TokenKind::Comment)
            && pair[0].span.text(source).contains('\n')
    };
    let suspect = tokens.windows(2).position(runs_on).unwrap_or(tokens.len() - 1);
    let span = first_words(source, tokens[suspect].span);
    tokens.truncate(suspect);
    tokens.push(Token { kind: TokenKind::UnclosedText, span });
    read(source, span.end, &mut tokens);
    tokens
}

/// Cuts a string off at the end of its first line, or before the first bracket on it.
fn first_words(source: &str, span: Span) -> Span {
    let text = span.text(source);
    let line = text.find(['\n', '\r', '(', ')']).unwrap_or(text.len());
    Span::new(span.start, span.start + text[..line].trim_end().len())
}

#[derive(pest_derive::Parser)]
#[grammar = "grammar/game.pest"]
struct Grammar;

/// How many bytes the grammar parses at once. pest needs about a hundred times the memory of its
/// input.
const WINDOW: usize = 1 << 15;

/// Lexes the source from byte `start` on, window by window.
fn read(source: &str, start: usize, tokens: &mut Vec<Token>) {
    let mut start = start;
    let mut window = WINDOW;
    while start < source.len() {
        let mut end = source.len().min(start.saturating_add(window));
        while !source.is_char_boundary(end) {
            end -= 1;
        }
        let known = tokens.len();
        read_window(source, Span::new(start, end), tokens);
        if end == source.len() {
            return;
        }
        // The window may have cut the last token short, so it is lexed again at the start of the
        // next window. If it fills the window, the window is doubled, which keeps the total work
        // linear.
        match tokens.pop() {
            Some(last) if tokens.len() > known || last.span.start > start => {
                start = last.span.start;
                window = WINDOW;
            }
            Some(_) => window *= 2,
            None => start = end,
        }
    }
}

fn read_window(source: &str, window: Span, tokens: &mut Vec<Token>) {
    // The grammar accepts every text; if it ever does not, the window becomes one stray token.
    let Ok(pairs) = Grammar::parse(Rule::tokens, window.text(source)) else {
        let kind = TokenKind::Stray;
        tokens.push(Token { kind, span: window });
        return;
    };
    for pair in pairs.flat_map(Pair::into_inner) {
        let kind = match pair.as_rule() {
            Rule::open => TokenKind::Open,
            Rule::close => TokenKind::Close,
            Rule::name | Rule::word => TokenKind::Word,
            Rule::number => TokenKind::Number,
            Rule::text => TokenKind::Text,
            Rule::unclosed => TokenKind::UnclosedText,
            Rule::comment => TokenKind::Comment,
            Rule::stray => TokenKind::Stray,
            // Rules around all tokens or inside one.
            Rule::tokens | Rule::letter | Rule::inside | Rule::plain => continue,
        };
        let found = pair.as_span();
        let span = Span::new(window.start + found.start(), window.start + found.end());
        if matches!(kind, TokenKind::Open | TokenKind::Close) {
            let brackets = (span.start..span.end).map(|at| Span::new(at, at + 1));
            tokens.extend(brackets.map(|span| Token { kind, span }));
        } else {
            tokens.push(Token { kind, span });
        }
    }
}
