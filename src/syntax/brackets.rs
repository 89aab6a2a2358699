//! Repairs unmatched brackets by the indentation of the text.
//!
//! Three conventions of indenting (`IndentStyle`) are tried, and the repair that leaves the fewest
//! brackets unmatched wins. Indentation is read only after a mistake was found, so a badly indented
//! file whose brackets balance has no fault.

use super::BracketMove;
use super::tokens::{Token, TokenKind};

/// Insertions and deletions of closing brackets that make the brackets match.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Repair {
    /// Where closing brackets are missing: the index of the token that they precede, and how many.
    /// Sorted.
    pub closings: Vec<(usize, usize)>,
    /// The indices of the closing brackets to skip. Sorted.
    pub strays: Vec<usize>,
}

impl Repair {
    /// Moves closing brackets to another place.
    pub fn moving(tokens: &[Token], moved: BracketMove) -> Repair {
        let inside = |token: &Token| {
            moved.brackets.start <= token.span.start && token.span.end <= moved.brackets.end
        };
        let closes = tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| token.kind == TokenKind::Close && inside(token));
        let strays: Vec<usize> = closes.map(|(index, _)| index).collect();
        let before = tokens.partition_point(|token| token.span.start < moved.to);
        Repair { closings: vec![(before, strays.len())], strays }
    }
}

/// Finds the repair that leaves the fewest brackets unmatched. Ties go to the earlier candidate: no
/// repair, then the habits in order.
pub(super) fn repair(source: &str, tokens: &[Token]) -> Repair {
    let untouched = walk(tokens, &[], IndentStyle::Column, Unmatched::default());
    let unmatched = untouched.unmatched;
    if unmatched == Unmatched::default() {
        return Repair::default();
    }
    let opens = layout(source, tokens);
    let mut best = untouched;
    for habit in [IndentStyle::Aligned, IndentStyle::Hanging, IndentStyle::Column] {
        let walked = walk(tokens, &opens, habit, unmatched);
        if walked.unmatched.total() < best.unmatched.total() {
            best = walked;
        }
    }
    best.repair.strays.sort_unstable();
    best.repair
}

/// The most brackets that `bracket_moves` moves.
const MISPLACED: usize = 3;

/// Finds the moves of at most [`MISPLACED`] adjacent brackets that make matching brackets agree
/// with the indentation: at most one per habit, and none if the brackets do not match.
pub(super) fn bracket_moves(source: &str, tokens: &[Token]) -> Vec<Repair> {
    let matches = walk(tokens, &[], IndentStyle::Column, Unmatched::default()).unmatched
        == Unmatched::default();
    let opens = layout(source, tokens);
    // One more than is accepted, so that a larger mismatch is seen and rejected.
    let budget = Unmatched { opens: MISPLACED + 1, closes: MISPLACED + 1 };
    let rearranged = |habit: IndentStyle| {
        let Walked { mut repair, unmatched } = walk(tokens, &opens, habit, budget);
        repair.strays.sort_unstable();
        // Forms that are still open at the end lack their brackets there.
        repair.closings.extend((unmatched.opens > 0).then_some((tokens.len(), unmatched.opens)));
        let side_by_side = repair.strays.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let [(_, missing)] = repair.closings[..] else { return None };
        (side_by_side && missing == repair.strays.len() && missing <= MISPLACED).then_some(repair)
    };
    let habits = [IndentStyle::Aligned, IndentStyle::Hanging, IndentStyle::Column];
    habits.into_iter().filter(|_| matches).filter_map(rearranged).collect()
}

/// A convention of indenting: which open forms should end where a line begins with a new form.
#[derive(Clone, Copy)]
enum IndentStyle {
    /// Parts stand further right than the line on which their form began, or below an earlier part.
    Aligned,
    /// Parts stand further right than the line on which their form began.
    Hanging,
    /// Parts stand further right than the bracket of their form.
    Column,
}

impl IndentStyle {
    fn ends(self, open: Layout, column: u32) -> bool {
        match self {
            IndentStyle::Aligned => column <= open.indent || column == open.column,
            IndentStyle::Hanging => column <= open.indent,
            IndentStyle::Column => column <= open.column,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Unmatched {
    opens: usize,
    closes: usize,
}

impl Unmatched {
    fn total(self) -> usize {
        self.opens + self.closes
    }
}

struct Walked {
    repair: Repair,
    unmatched: Unmatched,
}

/// Matches the brackets with a stack and repairs at most `budget` of each kind. Without `opens`
/// nothing is repaired by indentation.
fn walk(tokens: &[Token], opens: &[Layout], habit: IndentStyle, mut budget: Unmatched) -> Walked {
    let mut repair = Repair::default();
    let mut unmatched = Unmatched::default();
    // Both stacks hold forms by the ordinal of their opening bracket. `ended` holds the forms whose
    // closing brackets directly precede this token, each with the index of that bracket.
    let mut open: Vec<usize> = Vec::new();
    let mut ended: Vec<(usize, usize)> = Vec::new();
    let mut ordinal = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => {
                if let Some(new) = opens.get(ordinal).filter(|new| new.begins_line) {
                    // A deeper indented form follows: those brackets closed their forms too early.
                    let closed_early = ended.iter().rev().take(budget.closes);
                    let count = closed_early
                        .take_while(|(_, form)| opens[*form].column < new.column)
                        .count();
                    budget.closes -= count;
                    for (close, form) in ended.drain(ended.len() - count..).rev() {
                        repair.strays.push(close);
                        open.push(form);
                    }
                    let over = open.iter().rev().take(budget.opens);
                    let over =
                        over.take_while(|&&form| habit.ends(opens[form], new.column)).count();
                    if over > 0 {
                        budget.opens -= over;
                        repair.closings.push((index, over));
                        open.truncate(open.len() - over);
                    }
                }
                ended.clear();
                open.push(ordinal);
                ordinal += 1;
            }
            TokenKind::Close => match open.pop() {
                Some(form) => ended.push((index, form)),
                None => {
                    unmatched.closes += 1;
                    repair.strays.push(index);
                }
            },
            TokenKind::Comment => {}
            _ => ended.clear(),
        }
    }
    unmatched.opens = open.len();
    Walked { repair, unmatched }
}

/// The position of an opening bracket, in columns from 0.
#[derive(Clone, Copy)]
struct Layout {
    column: u32,
    /// The column of the first token on its line.
    indent: u32,
    begins_line: bool,
}

/// The distance of tab stops, in columns.
const TAB: u32 = 4;

/// Computes the layout of each opening bracket.
fn layout(source: &str, tokens: &[Token]) -> Vec<Layout> {
    let mut opens = Vec::new();
    let (mut at, mut column, mut indent) = (0, 0, 0);
    let mut begins_line = true;
    for token in tokens {
        for blank in source[at..token.span.start].chars() {
            begins_line |= blank == '\n';
            column = advance(column, blank);
        }
        if begins_line {
            indent = column;
        }
        if token.kind == TokenKind::Open {
            opens.push(Layout { column, indent, begins_line });
        }
        begins_line = false;
        column = token.span.text(source).chars().fold(column, advance);
        at = token.span.end;
    }
    opens
}

fn advance(column: u32, past: char) -> u32 {
    match past {
        '\n' => 0,
        '\t' => (column / TAB + 1) * TAB,
        // The byte order mark has no width.
        '\u{feff}' => column,
        _ => column + 1,
    }
}
