//! Semantic tokens: the kind of each word, number, text and comment of a file, for highlighting.
//!
//! Names have the kinds that the checker recorded. Where it recorded none, as after a mistake or in
//! a part that a variant replaces, the table of ludemes decides by the place of the word, and names
//! and variables are taken from the declarations in the tree. So every file has tokens, whatever
//! its errors.

use super::CheckedSources;
use super::candidates::{WORD_KINDS, fit};
use super::cursor_context::slots_at;
use super::tree_names::{TreeNames, declared_kind};
use crate::board::{Board, Direction};
use crate::language::explain::literals;
use crate::language::ludemes::{Kind, Ludeme, Row, rows};
use crate::language::names::{Declared, NameKind, Names};
use crate::syntax::{Node, NodeKind, Span, parse};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The word of a part of the game, such as `move`, or of the game itself.
    Part,
    /// The word of a statement or a branch, such as `put` and `otherwise`.
    Control,
    /// The word of a choice in a move, such as `to`.
    Parameter,
    /// The word of any other form, such as `beside`.
    Ludeme,
    /// The head of a form that is a sign, such as `<=`.
    Operator,
    /// A word of the language that is no form, such as `mover`.
    Word,
    /// The type of a parameter or memory.
    Type,
    Direction,
    Site,
    /// A value of an option, or the name of a phase.
    Value,
    Name(NameKind),
    Number,
    /// A text between quotation marks.
    Text,
    Comment,
}

impl TokenKind {
    /// All kinds.
    pub const ALL: [TokenKind; 21] = [
        TokenKind::Part,
        TokenKind::Control,
        TokenKind::Parameter,
        TokenKind::Ludeme,
        TokenKind::Operator,
        TokenKind::Word,
        TokenKind::Type,
        TokenKind::Direction,
        TokenKind::Site,
        TokenKind::Value,
        TokenKind::Name(NameKind::Player),
        TokenKind::Name(NameKind::Option),
        TokenKind::Name(NameKind::Piece),
        TokenKind::Name(NameKind::Memory),
        TokenKind::Name(NameKind::Definition),
        TokenKind::Name(NameKind::Path),
        TokenKind::Name(NameKind::Move),
        TokenKind::Name(NameKind::Variable),
        TokenKind::Number,
        TokenKind::Text,
        TokenKind::Comment,
    ];

    /// Returns its name: one lower-case word, stable and different for each kind.
    pub fn name(self) -> &'static str {
        match self {
            TokenKind::Part => "part",
            TokenKind::Control => "control",
            TokenKind::Parameter => "parameter",
            TokenKind::Ludeme => "ludeme",
            TokenKind::Operator => "operator",
            TokenKind::Word => "word",
            TokenKind::Type => "type",
            TokenKind::Direction => "direction",
            TokenKind::Site => "site",
            TokenKind::Value => "value",
            TokenKind::Name(kind) => kind.word(),
            TokenKind::Number => "number",
            TokenKind::Text => "text",
            TokenKind::Comment => "comment",
        }
    }

    /// Returns the kind of a form's head, for one of its meanings.
    fn of_form(row: &Row) -> TokenKind {
        match row.result {
            Kind::Part => TokenKind::Part,
            Kind::Parameter => TokenKind::Parameter,
            Kind::Statement => TokenKind::Control,
            kind if kind.is_branch() => TokenKind::Control,
            _ if !row.spelling.starts_with(char::is_alphabetic) => TokenKind::Operator,
            // `if` and `case` are control words also where they choose between values.
            _ if matches!(row.ludeme, Ludeme::IfElse | Ludeme::Case) => TokenKind::Control,
            _ => TokenKind::Ludeme,
        }
    }
}

/// A word, number, text or comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The span in bytes of the file's own text. Texts can extend over several lines.
    pub span: Span,
    pub kind: TokenKind,
    /// Whether it is a name in its declaration.
    pub declares: bool,
}

impl CheckedSources {
    /// Lists the tokens of a file in the order of the text, without overlaps. A word that means
    /// nothing has no token.
    ///
    /// ```
    /// use ludwright::{editor::{CheckedSources, tokens::TokenKind}, language::sources::Sources};
    ///
    /// let text = "(game \"Fill\" (players White Black) (board (square 3)) (piece Stone)
    ///     (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))";
    /// let tokens = CheckedSources::of(Sources::from(text)).tokens(0);
    /// let kinds: Vec<(&str, &str)> =
    ///     tokens[12..15].iter().map(|token| (token.span.text(text), token.kind.name())).collect();
    /// assert_eq!(kinds, [("to", "parameter"), ("t", "variable"), ("empty", "ludeme")]);
    /// ```
    pub fn tokens(&self, file: usize) -> Vec<Token> {
        let tree = parse(self.sources.text_of(file));
        let mut declared = TreeNames::default();
        for other in (0..self.sources.names().len()).filter(|other| *other != file) {
            declared.add_declared_by(&parse(self.sources.text_of(other)).forms);
        }
        declared.add_declared_by(&tree.forms);
        declared.add_known(&self.checked.names);
        let mut scan = Scan {
            names: &self.checked.names,
            board: self.checked.rules.as_ref().map(|rules| &*rules.board),
            start: self.sources.byte_of(file, 0),
            declared,
            tokens: Vec::new(),
        };
        for form in &tree.forms {
            scan.node(form, Place::TOP);
        }
        let comments = tree.comments.iter();
        scan.tokens.extend(comments.map(|comment| token(comment.span, TokenKind::Comment)));
        scan.tokens.sort_by_key(|token| token.span);
        scan.tokens
    }
}

fn token(span: Span, kind: TokenKind) -> Token {
    Token { span, kind, declares: false }
}

/// The place of a node in the form around it.
#[derive(Clone, Copy)]
struct Place<'k> {
    /// The kinds that the signatures of the form allow here.
    kinds: &'k [Kind],
    role: Role,
}

/// The role of a node, where the allowed kinds are not enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Argument,
    /// The declared name, or the form that begins with it.
    Declared(TokenKind),
    /// The declaration of a parameter in the heading of a definition.
    HeadingParameter,
    /// A branch of a `case`.
    Branch,
    /// The argument of `per`.
    PerWhat,
}

impl Place<'_> {
    const TOP: Place<'static> = Place { kinds: &[Kind::Part], role: Role::Argument };
}

struct Scan<'c> {
    names: &'c Names,
    board: Option<&'c Board>,
    /// Where the file begins in the concatenated text.
    start: usize,
    declared: TreeNames,
    tokens: Vec<Token>,
}

impl Scan<'_> {
    /// Adds the tokens of a node. Recursive: forms are nested at most
    /// [`DEPTH_LIMIT`](crate::syntax::DEPTH_LIMIT) deep.
    fn node(&mut self, node: &Node, place: Place) {
        match &node.kind {
            NodeKind::Form(parts) => self.form(parts, place),
            NodeKind::Word(word) => {
                let found = self.named(node.span).or_else(|| self.argument(word, place));
                self.add(node.span, found);
            }
            NodeKind::Number(_) => self.tokens.push(token(node.span, TokenKind::Number)),
            NodeKind::Text(_) => self.tokens.push(token(node.span, TokenKind::Text)),
        }
    }

    fn add(&mut self, span: Span, found: Option<(TokenKind, bool)>) {
        self.tokens.extend(found.map(|(kind, declares)| Token { span, kind, declares }));
    }

    fn form(&mut self, parts: &[Node], place: Place) {
        let Some((head, arguments)) = parts.split_first() else { return };
        let Some(word) = head.as_word() else {
            parts.iter().for_each(|part| {
                self.node(part, Place { kinds: &[], role: Role::Argument });
            });
            return;
        };
        let found = self.named(head.span).or_else(|| self.head(word, place));
        self.add(head.span, found);
        let is_call = place.role == Role::Argument
            || place.role == Role::Branch && word == Ludeme::Else.row().spelling;
        let meanings: Vec<&'static Row> = rows(word).filter(|row| is_call && !row.word).collect();
        let mut kinds = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            kinds.clear();
            for row in &meanings {
                kinds.extend(slots_at(row, index));
            }
            let role = match place.role {
                Role::Declared(TokenKind::Name(NameKind::Definition)) => Role::HeadingParameter,
                Role::HeadingParameter if index == 0 => {
                    Role::Declared(TokenKind::Name(NameKind::Variable))
                }
                _ if !is_call => Role::Argument,
                _ => role(&meanings, index, argument),
            };
            self.node(argument, Place { kinds: &kinds, role });
        }
    }

    /// Returns the kind of a name that the checker recorded at this span of the file.
    fn named(&self, span: Span) -> Option<(TokenKind, bool)> {
        let span = span.shifted(self.start);
        let Declared { kind, span: declared, uses, .. } = self.names.at(span.start)?;
        let declares = *declared == span;
        (declares || uses.binary_search(&span).is_ok())
            .then_some((TokenKind::Name(*kind), declares))
    }

    /// Classifies the word that a form begins with.
    fn head(&self, word: &str, place: Place) -> Option<(TokenKind, bool)> {
        match place.role {
            Role::Declared(kind) => return Some((kind, true)),
            Role::HeadingParameter => return Some((TokenKind::Type, false)),
            Role::Branch if word != Ludeme::Else.row().spelling => {
                return self.argument(word, place);
            }
            _ => {}
        }
        // Of several meanings, the first allowed one decides.
        let best = rows(word)
            .filter(|row| !row.word)
            .min_by_key(|row| fit(place.kinds, row.result).unwrap_or(u8::MAX));
        let kind = best.map(TokenKind::of_form).or_else(|| self.declared.kind_of(word));
        // A line of a board and the way of a path begin with a site.
        let kind = kind.or_else(|| self.is_site(word).then_some(TokenKind::Site))?;
        Some((kind, false))
    }

    /// Classifies a word that begins no form.
    fn argument(&self, word: &str, place: Place) -> Option<(TokenKind, bool)> {
        if let Role::Declared(kind) = place.role {
            return Some((kind, true));
        }
        let allows = |kind: Kind| place.kinds.contains(&kind);
        let is_literal =
            || WORD_KINDS.into_iter().any(|kind| allows(kind) && literals(kind).contains(&word));
        // An option may have a value spelled like a direction, and `=` compares options as well as
        // directions.
        let is_value =
            place.role == Role::Branch || allows(Kind::OptionValue) && !allows(Kind::Direction);
        let kind = if is_value && self.declared.is_value(word) {
            TokenKind::Value
        } else if allows(Kind::Move) {
            TokenKind::Name(NameKind::Move)
        } else if allows(Kind::Holds) || place.role == Role::PerWhat {
            TokenKind::Type
        } else if is_literal() {
            TokenKind::Word
        } else if let Some(kind) = self.declared.kind_of(word) {
            kind
        } else if Direction::is_name(word) {
            TokenKind::Direction
        } else if let Some(row) = rows(word).find(|row| row.word) {
            match row.result {
                Kind::Direction | Kind::Directions => TokenKind::Direction,
                _ => TokenKind::Word,
            }
        } else if allows(Kind::Declared) && rows(word).any(|row| row.result == Kind::Part) {
            TokenKind::Part
        } else if self.is_site(word) {
            TokenKind::Site
        } else if allows(Kind::OptionValue) || self.declared.is_value(word) {
            TokenKind::Value
        } else {
            return None;
        };
        Some((kind, false))
    }

    /// Tests if a word is a site or spelled like one: the board may be unknown or lack the site.
    fn is_site(&self, word: &str) -> bool {
        let number = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let letters = word.len() - number.len();
        (1..=2).contains(&letters)
            && !number.is_empty()
            && number.bytes().all(|digit| digit.is_ascii_digit())
            || self.board.is_some_and(|board| board.find(word).is_some())
    }
}

/// Determines the role of the argument with this index of a form with these meanings.
fn role(meanings: &[&'static Row], index: usize, argument: &Node) -> Role {
    let is = |ludeme: Ludeme| meanings.iter().any(|row| row.ludeme == ludeme);
    if let Some(kind) = meanings.iter().find_map(|row| declared_kind(row, index)) {
        return match kind {
            // What begins with a lower-case letter may also be the first argument of a form with
            // other meanings, as in `(max n 3)`: only a word can be a new variable.
            TokenKind::Name(NameKind::Variable) if argument.as_word().is_none() => Role::Argument,
            kind => Role::Declared(kind),
        };
    }
    match index {
        0 if is(Ludeme::Per) => Role::PerWhat,
        1.. if is(Ludeme::Case) => Role::Branch,
        _ => Role::Argument,
    }
}
