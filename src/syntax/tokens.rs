//! A source text in, its tokens out, in order and without the blanks between them. Here is all
//! that knows the grammar file; which bracket belongs to which is not known here.

use super::Span;
use pest::Parser;

/// A stretch of the source that the grammar gives a name to.
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
    /// A text between quotes that are none here.
    WrongText,
    Comment,
    Stray,
}

/// Reads the tokens from byte `start` on, with at most one text cut short as unclosed before the
/// last token.
///
/// A missing quote turns every later text inside out, so that only the last quote of the file is
/// left over. The first text over several lines that a word follows without a blank is then the
/// one that was not closed: it has run into the beginning of the next.
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

/// Cuts a text off at the end of its first line, or before the first bracket on it.
fn first_words(source: &str, span: Span) -> Span {
    let text = span.text(source);
    let line = text.find(['\n', '\r', '(', ')']).unwrap_or(text.len());
    Span::new(span.start, span.start + text[..line].trim_end().len())
}

#[derive(pest_derive::Parser)]
#[grammar = "grammar/game.pest"]
struct Grammar;

/// How much of the source the grammar sees at once. Reading takes a hundred times the memory of
/// what it reads.
const WINDOW: usize = 1 << 15;

/// Reads the source from byte `start` window by window.
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
        // The window may have cut the last token short. If there is no other, only a larger
        // window can tell; doubling it reads no part of a long token more than a few times.
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
    // The grammar refuses nothing; should it ever, the window is one stray token to the reader.
    let Ok(pairs) = Grammar::parse(Rule::tokens, window.text(source)) else {
        let kind = TokenKind::Stray;
        tokens.push(Token { kind, span: window });
        return;
    };
    for pair in pairs {
        let kind = match pair.as_rule() {
            Rule::open => TokenKind::Open,
            Rule::close => TokenKind::Close,
            Rule::word => TokenKind::Word,
            Rule::number => TokenKind::Number,
            Rule::text => TokenKind::Text,
            Rule::unclosed => TokenKind::UnclosedText,
            Rule::comment => TokenKind::Comment,
            Rule::stray => TokenKind::Stray,
            // Silent, or inside another token.
            Rule::tokens | Rule::space | Rule::letter | Rule::inside | Rule::plain => continue,
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
