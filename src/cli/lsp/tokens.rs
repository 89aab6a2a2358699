//! Answers semantic tokens and folding ranges.

use super::documents::{Documents, OpenGame};
use super::positions::Lines;
use lsp_types::*;
use ludwright::editor::case;
use ludwright::editor::folding::{Fold, FoldKind, folds};
use ludwright::editor::tokens::{Token, TokenKind};
use ludwright::language::names::NameKind;

/// The types of tokens, in the order of their numbers.
const TYPES: [SemanticTokenType; 15] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::TYPE_PARAMETER,
    SemanticTokenType::CLASS,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::METHOD,
    SemanticTokenType::EVENT,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::COMMENT,
    SemanticTokenType::MACRO,
];

/// The modifiers, in the order of their bits.
const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

/// Returns the types and modifiers that the numbers in an answer stand for.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

/// Returns the type of a token and its modifiers, except the modifier for declarations.
fn described(kind: TokenKind) -> (SemanticTokenType, &'static [SemanticTokenModifier]) {
    const NONE: &[SemanticTokenModifier] = &[];
    const OURS: &[SemanticTokenModifier] = &[SemanticTokenModifier::DEFAULT_LIBRARY];
    const FIXED: &[SemanticTokenModifier] =
        &[SemanticTokenModifier::READONLY, SemanticTokenModifier::DEFAULT_LIBRARY];
    match kind {
        TokenKind::Part | TokenKind::Control | TokenKind::Parameter => {
            (SemanticTokenType::KEYWORD, NONE)
        }
        TokenKind::Ludeme => (SemanticTokenType::FUNCTION, OURS),
        TokenKind::Operator => (SemanticTokenType::OPERATOR, OURS),
        TokenKind::Word => (SemanticTokenType::VARIABLE, FIXED),
        TokenKind::Type => (SemanticTokenType::TYPE, OURS),
        TokenKind::Direction | TokenKind::Site => (SemanticTokenType::ENUM_MEMBER, OURS),
        TokenKind::Value => (SemanticTokenType::ENUM_MEMBER, NONE),
        TokenKind::Name(kind) => match kind {
            NameKind::Player => (SemanticTokenType::ENUM_MEMBER, NONE),
            NameKind::Option => (SemanticTokenType::TYPE_PARAMETER, NONE),
            NameKind::Piece => (SemanticTokenType::CLASS, NONE),
            NameKind::Memory => (SemanticTokenType::PROPERTY, NONE),
            NameKind::Definition => (SemanticTokenType::METHOD, NONE),
            NameKind::Path => (SemanticTokenType::MACRO, NONE),
            NameKind::Move => (SemanticTokenType::EVENT, NONE),
            NameKind::Variable => (SemanticTokenType::VARIABLE, NONE),
        },
        TokenKind::Number => (SemanticTokenType::NUMBER, NONE),
        TokenKind::Text => (SemanticTokenType::STRING, NONE),
        TokenKind::Comment => (SemanticTokenType::COMMENT, NONE),
    }
}

/// Lists the tokens of a file, one for each line that they extend over.
pub fn highlighted(documents: &Documents, params: &SemanticTokensParams) -> Option<SemanticTokens> {
    let uri = &params.text_document.uri;
    let data = match documents.text(uri).filter(|_| documents.is_case(uri)) {
        Some(text) => encoded(text, &case::tokens(text)),
        None => {
            let OpenGame { study, file } = documents.place(uri)?;
            encoded(study.sources.text_of(file), &study.tokens(file))
        }
    };
    Some(SemanticTokens { result_id: None, data })
}

/// Encodes tokens in the order of the text, each relative to the previous one. The text is read
/// once, so that long lines cost no more than short ones.
fn encoded(text: &str, tokens: &[Token]) -> Vec<SemanticToken> {
    let mut data = Vec::new();
    // The position of the previous token, and line and column of the byte `at`.
    let (mut before, mut line, mut column, mut at) = ((0, 0), 0, 0, 0);
    for token in tokens {
        let (kind, modifiers) = described(token.kind);
        let token_type = TYPES.iter().position(|known| *known == kind).unwrap_or(0);
        let bits = (0..).zip(MODIFIERS).map(|(index, modifier)| {
            let is_set = modifiers.contains(&modifier) || token.declares && index == 0;
            u32::from(is_set) << index
        });
        let bits = bits.sum();
        let mut add = |(from_line, from_column): (u32, u32), length: u32| {
            if length == 0 {
                return;
            }
            let delta_line = from_line - before.0;
            let delta_start = from_column - if delta_line == 0 { before.1 } else { 0 };
            data.push(SemanticToken {
                delta_line,
                delta_start,
                length,
                token_type: token_type as u32,
                token_modifiers_bitset: bits,
            });
            before = (from_line, from_column);
        };
        let mut begin = (line, column);
        let rest = text.get(at..token.span.end).unwrap_or_default();
        for (offset, letter) in rest.char_indices() {
            let here = at + offset;
            if here == token.span.start {
                begin = (line, column);
            }
            let is_line_end = match letter {
                '\n' => true,
                '\r' => !text[here + 1..].starts_with('\n'),
                _ => false,
            };
            if is_line_end || letter == '\r' {
                if here >= token.span.start && begin.0 == line {
                    add(begin, column - begin.1);
                }
                // The rest of the token begins in the next line.
                if is_line_end {
                    (line, column) = (line + 1, 0);
                }
                begin = (line, column);
            } else {
                column += letter.len_utf16() as u32;
            }
        }
        at = at.max(token.span.end);
        add(begin, column - begin.1);
    }
    data
}

/// Lists what can be folded in a file.
pub fn folded(documents: &Documents, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let uri = &params.text_document.uri;
    let text = documents.text(uri)?;
    let found = if documents.is_case(uri) { case::folds(text) } else { folds(text) };
    let lines = Lines::of(text);
    let range = |fold: Fold| FoldingRange {
        start_line: lines.line(fold.span.start),
        end_line: lines.line(fold.span.end),
        kind: (fold.kind == FoldKind::Comment).then_some(FoldingRangeKind::Comment),
        ..FoldingRange::default()
    };
    Some(found.into_iter().map(range).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludwright::syntax::Span;

    #[test]
    fn tokens_are_encoded_line_by_line() {
        let text = "a 𝄞b \"c\r\n\n d\" e\rf";
        let token = |from: &str, length: usize, kind: TokenKind| {
            let start = text.find(from).expect("it is there");
            Token { span: Span::new(start, start + length), kind, declares: from == "a" }
        };
        let tokens = [
            token("a", 1, TokenKind::Name(NameKind::Piece)),
            token("𝄞", 5, TokenKind::Ludeme),
            token("\"c", 8, TokenKind::Text),
            token("e", 1, TokenKind::Comment),
            token("f", 1, TokenKind::Number),
        ];
        let found: Vec<[u32; 5]> = encoded(text, &tokens)
            .into_iter()
            .map(|token| {
                [
                    token.delta_line,
                    token.delta_start,
                    token.length,
                    token.token_type,
                    token.token_modifiers_bitset,
                ]
            })
            .collect();
        assert_eq!(
            found,
            [
                [0, 0, 1, 7, 1],
                [0, 2, 3, 1, 4],
                [0, 4, 2, 12, 0],
                [2, 0, 3, 12, 0],
                [0, 4, 1, 13, 0],
                [1, 0, 1, 11, 0]
            ]
        );
    }

    #[test]
    fn every_kind_is_in_the_legend() {
        let legend = legend();
        for kind in TokenKind::ALL {
            let (token_type, modifiers) = described(kind);
            assert!(legend.token_types.contains(&token_type), "{kind:?}");
            assert!(modifiers.iter().all(|known| legend.token_modifiers.contains(known)));
        }
    }
}
