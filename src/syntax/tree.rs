//! Builds the tree from tokens and the repair of their brackets. The stack is explicit, so that
//! deep nesting is a fault and not a stack overflow.

use super::brackets::Repair;
use super::tokens::{Token, TokenKind};
use super::{Comment, DEPTH_LIMIT, FAULT_LIMIT, Fault, FaultKind, Node, NodeKind, Number, Span};

/// A parsed source text. Everything in it that is not in the tree is white space or has a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The top-level nodes, in order; not only forms.
    pub forms: Vec<Node>,
    /// All comments, in order.
    pub comments: Vec<Comment>,
    /// Sorted by span; at most [`FAULT_LIMIT`].
    pub faults: Vec<Fault>,
    /// The tokens, which keep their spans in the source of their own.
    pub(super) tokens: Vec<Token>,
}

impl Tree {
    /// Moves every span `offset` bytes on, for a source that is part of a longer text.
    pub fn shifted(mut self, offset: usize) -> Tree {
        if offset == 0 {
            return self;
        }
        self.forms.iter_mut().for_each(|form| shift(form, offset));
        self.comments.iter_mut().for_each(|comment| comment.span = comment.span.shifted(offset));
        for fault in &mut self.faults {
            fault.span = fault.span.shifted(offset);
            match &mut fault.kind {
                FaultKind::UnclosedBracket { suggested_end, .. } => *suggested_end += offset,
                FaultKind::MisplacedBracket { belongs } => *belongs += offset,
                FaultKind::WrongBrackets { close } => *close = close.shifted(offset),
                _ => {}
            }
        }
        self
    }

    /// Replaces the faults of missing and superfluous brackets by one fault of misplaced brackets.
    pub(super) fn with_one_misplacement(mut self) -> Tree {
        let belongs = self.faults.iter().find_map(|fault| match fault.kind {
            FaultKind::UnclosedBracket { suggested_end, .. } => Some(suggested_end),
            _ => None,
        });
        let strays = self
            .faults
            .iter()
            .filter(|fault| fault.kind == FaultKind::StrayBracket)
            .map(|fault| fault.span);
        let span = strays.reduce(|first, last| Span::new(first.start, last.end));
        if let (Some(belongs), Some(span)) = (belongs, span) {
            self.faults.retain(|fault| {
                !matches!(fault.kind, FaultKind::UnclosedBracket { .. } | FaultKind::StrayBracket)
            });
            self.faults.push(Fault { kind: FaultKind::MisplacedBracket { belongs }, span });
            self.faults.sort_by_key(|fault| fault.span);
        }
        self
    }
}

/// Recursive: forms are nested at most [`DEPTH_LIMIT`] deep.
fn shift(node: &mut Node, offset: usize) {
    node.span = node.span.shifted(offset);
    if let NodeKind::Form(parts) = &mut node.kind {
        parts.iter_mut().for_each(|part| shift(part, offset));
    }
}

pub(super) fn build(source: &str, tokens: &[Token], repair: &Repair, faults: Vec<Fault>) -> Tree {
    let tree = Tree { faults, ..Tree::default() };
    let mut builder = Builder {
        source,
        tree,
        opens: Vec::new(),
        parts: vec![Vec::new()],
        too_deep: false,
        end: 0,
    };
    let mut closings = repair.closings.iter().peekable();
    let mut strays = repair.strays.iter().peekable();
    let mut line_end = 0;
    for (index, token) in tokens.iter().enumerate() {
        if let Some(&(_, count)) = closings.next_if(|(before, _)| *before == index) {
            builder.close_unclosed(count);
        }
        match token.kind {
            TokenKind::Comment => builder.comment(token.span, line_end),
            TokenKind::Close if strays.next_if_eq(&&index).is_some() => {
                builder.fault(FaultKind::StrayBracket, token.span);
            }
            _ => builder.token(*token),
        }
        line_end = token.span.end;
        if token.kind != TokenKind::Comment {
            builder.end = token.span.end;
        }
    }
    builder.close_unclosed(builder.opens.len());

    let mut tree = builder.tree;
    tree.forms = builder.parts.pop().unwrap_or_default();
    tree.faults.sort_by_key(|fault| fault.span);
    tree.faults.truncate(FAULT_LIMIT);
    tree
}

struct Builder<'s> {
    source: &'s str,
    tree: Tree,
    /// The opening brackets of the open forms, including those nested too deep.
    opens: Vec<Span>,
    /// The parts so far, of the file and then of each open form that is not nested too deep.
    parts: Vec<Vec<Node>>,
    too_deep: bool,
    /// The end of the last token that is not a comment.
    end: usize,
}

impl Builder<'_> {
    fn token(&mut self, Token { kind, span }: Token) {
        let text = span.text(self.source);
        let kind = match kind {
            TokenKind::Open => return self.open(span),
            TokenKind::Close => return self.close(span),
            TokenKind::Stray => {
                let stray = text.chars().next().unwrap_or_default();
                return self.fault(FaultKind::StrayCharacter(stray), span);
            }
            TokenKind::Comment => return,
            // What is nested too deep is dropped.
            _ if self.opens.len() > DEPTH_LIMIT => return,
            TokenKind::Word => NodeKind::Word(text.to_owned()),
            TokenKind::Number => {
                let halves = Number::halves(text);
                if halves.is_none() {
                    self.fault(FaultKind::BadNumber, span);
                }
                NodeKind::Number(Number { text: text.to_owned(), halves: halves.unwrap_or(0) })
            }
            TokenKind::Text => NodeKind::Text(unescape(&text[1..text.len() - 1])),
            TokenKind::WrongText => {
                let inside = text.chars().next().map_or(0, char::len_utf8)
                    ..text.len() - text.chars().next_back().map_or(0, char::len_utf8);
                NodeKind::Text(unescape(&text[inside]))
            }
            TokenKind::UnclosedText => {
                self.fault(FaultKind::UnclosedString, span);
                NodeKind::Text(unescape(&text[1..]))
            }
        };
        self.add(Node { kind, span });
    }

    fn open(&mut self, bracket: Span) {
        self.opens.push(bracket);
        if self.opens.len() <= DEPTH_LIMIT {
            self.parts.push(Vec::new());
        } else if !self.too_deep {
            self.too_deep = true;
            self.fault(FaultKind::NestedTooDeep, bracket);
        }
    }

    fn close(&mut self, bracket: Span) {
        if self.opens.is_empty() {
            self.fault(FaultKind::StrayBracket, bracket);
        }
        self.close_at(bracket.end);
    }

    /// Ends the innermost form, if there is one.
    fn close_at(&mut self, end: usize) {
        let depth = self.opens.len();
        let Some(open) = self.opens.pop() else { return };
        if depth > DEPTH_LIMIT {
            return;
        }
        if let Some(parts) = self.parts.pop() {
            self.add(Node { kind: NodeKind::Form(parts), span: Span::new(open.start, end) });
        }
    }

    /// Ends the `count` innermost forms after the last token, with one fault for the outermost.
    fn close_unclosed(&mut self, count: usize) {
        let Some(outermost) = self.opens.len().checked_sub(count) else {
            return;
        };
        let Some(&bracket) = self.opens.get(outermost) else {
            return;
        };
        let suggested_end = self.end;
        self.fault(FaultKind::UnclosedBracket { suggested_end, missing: count }, bracket);
        for _ in 0..count {
            self.close_at(suggested_end);
        }
    }

    fn add(&mut self, node: Node) {
        if let Some(parts) = self.parts.last_mut() {
            parts.push(node);
        }
    }

    fn comment(&mut self, span: Span, before: usize) {
        let text = span.text(self.source).trim_end();
        let blank = &self.source[before..span.start];
        self.tree.comments.push(Comment {
            span: Span::new(span.start, span.start + text.len()),
            text: text.to_owned(),
            trailing: before > 0 && !blank.contains(['\n', '\r']),
        });
    }

    fn fault(&mut self, kind: FaultKind, span: Span) {
        if self.tree.faults.len() < FAULT_LIMIT {
            self.tree.faults.push(Fault { kind, span });
        }
    }
}

/// Replaces `\"` and `\\`; any other backslash is kept.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.chars().next() {
            Some(escaped @ ('"' | '\\')) => {
                plain.push(escaped);
                rest = &rest[1..];
            }
            _ => plain.push('\\'),
        }
    }
    plain + rest
}
