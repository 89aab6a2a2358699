//! Ludii's expressions and ours: a row has a pattern of Ludii's tree and our text for it.
//!
//! A variable of a pattern is named after the type of the arguments that it matches, `?region` or
//! `?region2`; `?region*` matches all arguments that are left, in braces or not. An argument is
//! translated as an expression of that type. Words after the first two that no row expects make a
//! row fit no more, so that nothing is left out in silence. Equivalents that hold for every type
//! are in the hints of [`crate::language::ludii_hints`].

use super::reader::{self, LIST};
use crate::syntax::{Node, NodeKind};
use std::sync::OnceLock;

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Condition,
    Region,
    Site,
    Number,
    /// A number counted from 0, which is one more here.
    Index,
    /// A column counted from 0, which is a letter here.
    Letter,
    Directions,
    Player,
    /// A piece by its name, without the number of its owner.
    Piece,
    /// One or more statements.
    Effect,
    /// How a game ends.
    Result,
    /// The shape of a board, with its details.
    Shape,
}

impl Type {
    /// Returns the type that a variable is named after.
    fn of_variable(variable: &str) -> Type {
        match variable.trim_matches(|letter: char| !letter.is_alphabetic()) {
            "condition" => Type::Condition,
            "region" => Type::Region,
            "site" => Type::Site,
            "index" => Type::Index,
            "letter" => Type::Letter,
            "directions" => Type::Directions,
            "player" => Type::Player,
            "piece" => Type::Piece,
            "effect" => Type::Effect,
            _ => Type::Number,
        }
    }
}

/// A board with slanting lines at every second point.
macro_rules! alternating {
    ($shape:literal) => {
        concat!(
            $shape,
            " (joined orthogonal) (joined diagonal (where u everywhere (= (mod (+ (row-of u) (column-of u)) 2) 0)))"
        )
    };
}

/// Three squares, one in the other, joined in the middle of their sides.
const MORRIS: &str = r#"(drawing
    "o-----o-----o"
    "|     |     |"
    "| o---o---o |"
    "| |   |   | |"
    "| | o-o-o | |"
    "| | |   | | |"
    "o-o-o   o-o-o"
    "| | |   | | |"
    "| | o-o-o | |"
    "| |   |   | |"
    "| o---o---o |"
    "|     |     |"
    "o-----o-----o")"#;

/// Memories that stand in templates are declared, and kept up to date by every move, where a draft
/// uses them.
const ROWS: &[(Type, &[(&str, &str)])] = &[
    (
        Type::Condition,
        &[
            ("(and ?condition*)", "(and ?condition)"),
            ("(or ?condition*)", "(or ?condition)"),
            ("(not ?condition)", "(not ?condition)"),
            ("True", "true"),
            ("False", "false"),
            ("(is Empty (handSite ?player))", "(= (Supply ?player) 0)"),
            ("(is Empty ?site)", "(in ?site (empty))"),
            ("(is Occupied ?site)", "(in ?site (pieces))"),
            ("(is Flat ?site)", "(none (and (below ?site) (empty)))"),
            ("(is Enemy (who at:?site))", "(in ?site (theirs))"),
            ("(is Enemy ?player)", "(!= ?player mover)"),
            ("(is Friend (who at:?site))", "(in ?site (mine))"),
            ("(is Mover (who at:?site))", "(in ?site (mine))"),
            ("(is Next (who at:?site))", "(in ?site (theirs))"),
            ("(is Mover ?player)", "(= mover ?player)"),
            ("(is Next ?player)", "(= (next mover) ?player)"),
            ("(is Prev Mover)", "Again"),
            ("(is In ?site ?region)", "(in ?site ?region)"),
            ("(is Line ?number)", "(any (line ?number (mine)))"),
            ("(is Line ?number ?directions)", "(any (line ?number (mine) ?directions))"),
            ("(is Line ?number what:(mover))", "(any (line ?number (mine)))"),
            (
                "(is Line ?number what:(id ?piece ?player))",
                "(any (line ?number (of ?player ?piece)))",
            ),
            ("(is Full)", "(none (empty))"),
            ("(is Even ?number)", "(= (mod ?number 2) 0)"),
            ("(is Odd ?number)", "(= (mod ?number 2) 1)"),
            ("(is Connected Mover)", "Connects"),
            ("(no Pieces All)", "(none (pieces))"),
            ("(no Pieces Mover)", "(none (mine))"),
            ("(no Pieces Next)", "(none (of (next mover)))"),
            ("(no Pieces ?player)", "(none (of ?player))"),
            ("(no Pieces ?player ?piece)", "(none (of ?player ?piece))"),
            ("(all Passed)", "AllPassed"),
            ("(= 0 (count Sites in:?region))", "(none ?region)"),
            ("(= (count Sites in:?region) 0)", "(none ?region)"),
            ("(= 1 (count Sites in:?region))", "(= (count ?region) 1)"),
            ("(= (who at:?site) ?player)", "(in ?site (of ?player))"),
            ("(= (what at:?site) (id ?piece))", "(in ?site (pieces ?piece))"),
            ("(= (what at:?site) (id ?piece Mover))", "(in ?site (mine ?piece))"),
            ("(= (what at:?site) (id ?piece ?player))", "(in ?site (of ?player ?piece))"),
            ("(= (count Cell at:?site) 0)", "(in ?site (empty))"),
            ("(= ?number ?number2)", "(= ?number ?number2)"),
            ("(!= ?number ?number2)", "(!= ?number ?number2)"),
            ("(< ?number ?number2)", "(< ?number ?number2)"),
            ("(<= ?number ?number2)", "(<= ?number ?number2)"),
            ("(> ?number ?number2)", "(> ?number ?number2)"),
            ("(>= ?number ?number2)", "(>= ?number ?number2)"),
            ("(if ?condition ?condition2)", "(or (not ?condition) ?condition2)"),
        ],
    ),
    (
        Type::Region,
        &[
            ("(sites Occupied by:Mover)", "(mine)"),
            ("(sites Occupied by:Next)", "(theirs)"),
            ("(sites Occupied by:Enemy)", "(theirs)"),
            ("(sites Occupied by:NonMover)", "(theirs)"),
            ("(sites Occupied by:All)", "(pieces)"),
            ("(sites Occupied by:Mover container:\"Board\")", "(mine)"),
            ("(sites Occupied by:Next container:\"Board\")", "(theirs)"),
            ("(sites Occupied by:?player container:\"Board\")", "(of ?player)"),
            ("(sites Occupied by:?player)", "(of ?player)"),
            ("(sites Occupied by:Mover component:?piece)", "(mine ?piece)"),
            ("(sites Occupied by:Enemy component:?piece)", "(theirs ?piece)"),
            ("(sites Occupied by:Next component:?piece)", "(theirs ?piece)"),
            ("(sites Occupied by:All component:?piece)", "(pieces ?piece)"),
            ("(sites Occupied by:?player component:?piece)", "(of ?player ?piece)"),
            ("(sites Row ?index)", "(row ?index)"),
            ("(sites Column ?letter)", "(column ?letter)"),
            ("(sites Side N)", "(edge N)"),
            ("(sites Side S)", "(row 1)"),
            ("(sites Side E)", "(edge E)"),
            ("(sites Side W)", "(column \"a\")"),
            ("(sites Perimeter)", "(or (edge N) (edge E) (edge S) (edge W))"),
            ("(sites Outer)", "(or (edge N) (edge E) (edge S) (edge W))"),
            ("(sites Inner)", "(not (or (edge N) (edge E) (edge S) (edge W)))"),
            ("(sites Phase 0)", "(where u everywhere (= (mod (+ (row-of u) (column-of u)) 2) 0))"),
            ("(sites Phase 1)", "(where u everywhere (= (mod (+ (row-of u) (column-of u)) 2) 1))"),
            ("(sites Around ?region)", "(beside ?region all)"),
            ("(sites Around ?region ?directions)", "(beside ?region ?directions)"),
            ("(sites Around ?region Own)", "(and (beside ?region all) (mine))"),
            ("(sites Around ?region Enemy)", "(and (beside ?region all) (theirs))"),
            ("(sites Around ?region Empty)", "(and (beside ?region all) (empty))"),
            ("(sites Around ?region NotEmpty)", "(and (beside ?region all) (pieces))"),
            ("(sites Between from:?site to:?site2)", "(between ?site ?site2)"),
            ("(sites Group at:?site)", "(group ?site (pieces) all)"),
            ("(sites Direction from:?site ?directions)", "(walk ?site ?directions everywhere)"),
            ("(sites LineOfSight Empty at:?site)", "(walk ?site all (empty))"),
            ("(sites LineOfSight Empty at:?site ?directions)", "(walk ?site ?directions (empty))"),
            ("(union ?region*)", "(or ?region)"),
            ("(intersection ?region*)", "(and ?region)"),
            ("(difference ?region ?region2)", "(and ?region (not ?region2))"),
            ("(expand (sites Bottom))", "(rows 1 2)"),
            ("(expand ?region)", "(or ?region (beside ?region all))"),
            ("(expand ?region Orthogonal)", "(or ?region (beside ?region))"),
            (
                "(expand ?region steps:?number)",
                "(where u everywhere (<= (min w ?region (distance u w)) ?number))",
            ),
            (
                "(expand ?region steps:?number Orthogonal)",
                "(where u everywhere (<= (min w ?region (distance u w orthogonal)) ?number))",
            ),
            (
                "(expand origin:?site steps:?number)",
                "(where u everywhere (<= (distance u ?site) ?number))",
            ),
            (
                "(expand origin:?site steps:?number Orthogonal)",
                "(where u everywhere (<= (distance u ?site orthogonal) ?number))",
            ),
            ("(sites Board)", "everywhere"),
            ("(sites {?site*})", "(sites ?site)"),
            ("(forEach ?region if:?condition)", "(where v ?region ?condition)"),
            ("(sites Centre)", "centre"),
            ("(centrePoint)", "centre"),
        ],
    ),
    (
        Type::Site,
        &[
            ("(ahead ?site ?directions)", "(step ?site ?directions)"),
            ("(ahead ?site steps:?number ?directions)", "(step ?site ?directions ?number)"),
            ("(coord ?site)", "?site"),
            ("(last To)", "LastTo"),
            ("(last From)", "LastFrom"),
            ("(centrePoint)", "(one centre)"),
            ("(site)", "v"),
        ],
    ),
    (
        Type::Number,
        &[
            ("(+ ?number*)", "(+ ?number)"),
            ("(- ?number ?number2)", "(- ?number ?number2)"),
            ("(* ?number*)", "(* ?number)"),
            ("(/ ?number 2)", "(/ ?number 2)"),
            ("(% ?number 2)", "(mod ?number 2)"),
            ("(max ?number ?number2)", "(max ?number ?number2)"),
            ("(min ?number ?number2)", "(min ?number ?number2)"),
            ("(count Moves)", "Moves"),
            ("(count Pieces)", "(count (pieces))"),
            ("(count Pieces All)", "(count (pieces))"),
            ("(count Pieces ?player)", "(count (of ?player))"),
            ("(count Pieces ?player ?piece)", "(count (of ?player ?piece))"),
            ("(count Sites in:?region)", "(count ?region)"),
            ("(count in:(sites Hand ?player))", "(Supply ?player)"),
            ("(count at:(handSite ?player))", "(Supply ?player)"),
            ("(count Cell at:(handSite ?player))", "(Supply ?player)"),
            ("(count Groups)", "(count g (groups (mine) all) true)"),
            ("(count Groups ?directions)", "(count g (groups (mine) ?directions) true)"),
            ("(count Groups if:(is Mover (who at:(to))))", "(count g (groups (mine) all) true)"),
            ("(size Group at:?site)", "(count (group ?site (pieces) all))"),
            ("(size Group at:?site ?directions)", "(count (group ?site (pieces) ?directions))"),
            ("(count Steps ?site ?site2)", "(distance ?site ?site2)"),
            ("(score ?player)", "(Score ?player)"),
            ("(count Rows)", "(max u everywhere (row-of u))"),
            ("(count Columns)", "(max u everywhere (column-of u))"),
        ],
    ),
    (
        Type::Directions,
        &[
            ("Adjacent", "all"),
            ("All", "all"),
            ("Forward", "forward"),
            ("Backward", "back"),
            ("Leftward", "left"),
            ("Rightward", "right"),
            ("Forwards", "(list (clockwise forward -1) forward (clockwise forward 1))"),
            ("Backwards", "(list (clockwise back -1) back (clockwise back 1))"),
            ("(directions ?directions)", "?directions"),
        ],
    ),
    (
        Type::Player,
        &[
            ("Mover", "mover"),
            ("(mover)", "mover"),
            ("Next", "(next mover)"),
            ("(next)", "(next mover)"),
            ("(player)", "p"),
            ("Player", "p"),
        ],
    ),
    (
        Type::Effect,
        &[
            ("(moveAgain)", "(set Again true)"),
            ("(remove ?region)", "(remove ?region)"),
            ("(remove ?region count:1)", "(remove ?region)"),
            ("(fromTo (from ?site) (to ?site2))", "(relocate ?site ?site2)"),
            ("(add (piece ?piece) (to ?region))", "(put ?piece ?region)"),
            ("(promote ?site (piece ?piece))", "(replace ?site ?piece)"),
            ("(promote ?site (piece ?piece) Mover)", "(replace ?site ?piece mover)"),
            ("(promote ?site (piece ?piece) ?player)", "(replace ?site ?piece ?player)"),
            ("(move Promote ?site (piece ?piece) Mover)", "(replace ?site ?piece mover)"),
            ("(swap Pieces ?site ?site2)", "(swap ?site ?site2)"),
            ("(set Score ?player ?number)", "(set (Score ?player) ?number)"),
            ("(addScore ?player ?number)", "(raise (Score ?player) ?number)"),
            ("(forEach Site ?region ?effect)", "(for v ?region ?effect)"),
            ("(do ?effect next:?effect2)", "?effect ?effect2"),
        ],
    ),
    (
        Type::Shape,
        &[
            ("(square ?number)", "(square ?number)"),
            ("(square ?number diagonals:Implied)", "(square ?number)"),
            ("(square ?number diagonals:Solid)", "(square ?number)"),
            ("(square ?number diagonals:Alternating)", alternating!("(square ?number)")),
            ("(rectangle ?number diagonals:Alternating)", alternating!("(square ?number)")),
            (
                "(rectangle ?number ?number2 diagonals:Alternating)",
                alternating!("(rectangle ?number2 ?number)"),
            ),
            ("(square 3 pyramidal:True)", "(layers (square 3) (square 2) (square 1))"),
            ("(square 4 pyramidal:True)", "(layers (square 4) (square 3) (square 2) (square 1))"),
            (
                "(square 5 pyramidal:True)",
                "(layers (square 5) (square 4) (square 3) (square 2) (square 1))",
            ),
            ("(rectangle ?number ?number2)", "(rectangle ?number2 ?number)"),
            ("(hex ?number)", "(hexagon ?number)"),
            ("(hex Hexagon ?number)", "(hexagon ?number)"),
            ("(hex Limping ?number)", "(hexagon ?number (+ ?number 1))"),
            ("(hex Diamond ?number)", "(rhombus ?number)"),
            ("(hex Diamond ?number ?number2)", "(rhombus ?number2 ?number)"),
            ("(hex Triangle ?number)", "(triangle ?number)"),
            ("(hex Star ?number)", "(star ?number)"),
            ("(tri Hexagon ?number)", "(hexagon ?number)"),
            ("(morris 3)", MORRIS),
        ],
    ),
    (
        Type::Result,
        &[
            ("(result ?player Win)", "(win ?player)"),
            ("(result ?player Loss)", "(lose ?player)"),
            ("(result ?player Draw)", "(draw)"),
            ("(byScore)", "(by-score p (Score p))"),
        ],
    ),
];

/// A row as it is matched.
pub(super) struct Row {
    of: Type,
    pattern: Node,
    pub template: &'static str,
}

/// What the variables of a pattern stand for.
pub(super) type Bindings<'p, 'n> = Vec<(&'p str, Type, &'n [Node])>;

/// Finds the first row for expressions of a type that a node fits.
pub(super) fn find(of: Type, node: &Node) -> Option<(&'static Row, Bindings<'static, '_>)> {
    static PARSED: OnceLock<Vec<Row>> = OnceLock::new();
    let rows = PARSED.get_or_init(|| {
        let row = |of, &(pattern, template): &(&str, &'static str)| {
            let pattern = reader::nodes(pattern, 0).ok()?.pop()?;
            Some(Row { of, pattern, template })
        };
        ROWS.iter().flat_map(|(of, rows)| rows.iter().filter_map(|text| row(*of, text))).collect()
    });
    rows.iter().filter(|row| row.of == of).find_map(|row| {
        let mut bindings = Vec::new();
        fits(&row.pattern, node, &mut bindings).then_some((row, bindings))
    })
}

fn fits<'p, 'n>(pattern: &'p Node, node: &'n Node, bindings: &mut Bindings<'p, 'n>) -> bool {
    match (&pattern.kind, &node.kind) {
        (NodeKind::Word(variable), _) if variable.starts_with('?') => {
            let is_label = node.as_word().is_some_and(|word| word.ends_with(':'));
            let node = std::slice::from_ref(node);
            bindings.push((variable, Type::of_variable(variable), node));
            !is_label
        }
        (NodeKind::Form(patterns), NodeKind::Form(nodes)) => {
            let all = patterns.last().and_then(Node::as_word).filter(|word| word.ends_with('*'));
            let plain = patterns.len() - usize::from(all.is_some());
            if nodes.len() < plain || (all.is_none() && nodes.len() > plain) {
                return false;
            }
            let (first, last) = nodes.split_at(plain);
            if let Some(variable) = all {
                let listed = match last {
                    [only] if only.head().is_some_and(|(head, _)| head == LIST) => only.args(),
                    last => last,
                };
                let variable = variable.trim_end_matches('*');
                bindings.push((variable, Type::of_variable(variable), listed));
            }
            patterns.iter().zip(first).all(|(pattern, node)| fits(pattern, node, bindings))
        }
        (NodeKind::Number(left), NodeKind::Number(right)) => left.halves == right.halves,
        (left, right) => left == right,
    }
}
