//! The value in a position of an expression of the rules, at the place where an author points.
//!
//! Variables that are bound around the expression are *free*: a parameter of a move and the
//! variable of a quantifier range over their domains, a parameter of a definition over all values
//! of its type, and a `let` has its value. One free variable that stands for a site is *shown*: the
//! answer lists the sites for which a condition holds, the number of each site, and so on.
//!
//! An expression after an effect of a move is evaluated when each move reaches it: every move of
//! the current choice is tried, and the expression is evaluated after the effects before it.

use super::scope::{Scope, Source, Target};
use super::{TOO_LONG, domain_of, in_moves, mover};
use crate::board::Site;
use crate::budget::Fuel;
use crate::engine::game::State;
use crate::language::ludemes::Kind;
use crate::language::rules::{Local, PlayerOf, Rules, Spanned};
use crate::language::visit::Expression;
use crate::reference::{ONE, Region, Value, Variables, View};
use crate::syntax::Span;
use crate::why::values;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The fuel of an evaluation, in expressions: every movement of the cursor evaluates.
const FUEL: u64 = 600_000;
/// The most combinations of values of the free variables.
const MAX_COMBINATIONS: usize = 100_000;
/// The most different values that the answer lists.
const MAX_LISTED: usize = 12;

/// The value of an expression of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtCursor {
    /// The expression, in the source of the rules.
    pub span: Span,
    /// The type of the value: `condition`, `number`, `region`, `site`, `direction`, `directions`,
    /// `player`,
    /// `kind` or `values`.
    pub kind: &'static str,
    /// The sites of the value, or for which it holds; `None` if the value is not about sites.
    pub sites: Option<Vec<Site>>,
    /// The value for each site that a variable stands for: a number, the size of a region, a
    /// direction, a name.
    pub at_sites: Vec<(Site, String)>,
    /// The value in words.
    pub text: String,
}

/// A variable whose values are tried.
#[derive(Clone, Copy)]
pub(super) struct Free<'r> {
    pub(super) local: Local,
    source: Source<'r>,
    kind: Option<Expression<'r>>,
}

/// Finds the smallest expression around a byte of [`Rules::source`] and evaluates it in a position
/// of the same game. `pointed` is the site under the mouse. It becomes the value of the first
/// variable that stands for a site, if another such variable is left to be shown or the expression
/// is no condition or number.
///
/// # Errors
/// Returns the reason, without a period, why nothing has a value there.
///
/// ```
/// let text = r#"(game "Fill" (players A B) (board (square 3)) (piece Stone)
///   (move place (to t (empty)) (require (none (and (beside t) (theirs)))) (put Stone t))
///   (play (turns (choose place (otherwise (draw))))))"#;
/// let game = ludwright::load(text, &[])?;
/// let mut position = game.begin()?;
/// let ply = ludwright::notation::read(&position, "place a1").expect("a legal move");
/// position.play(&ply).expect("a legal move");
///
/// let place = text.find("none").expect("a condition");
/// let found = ludwright::evaluate::at_cursor(&position, place, None).expect("a value");
/// assert_eq!(found.text, "holds for 6 of the 8 sites t, with B to move");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn at_cursor(
    position: &State,
    place: usize,
    pointed: Option<Site>,
) -> Result<AtCursor, String> {
    let rules = position.game().rules();
    let scope = Scope::at(rules, place);
    let Some((target, span)) = scope.target.zip(scope.span()) else {
        return Err(nothing_at(rules, place));
    };
    let snapshot = position.snapshot();
    let fuel = Fuel::new(FUEL);
    let variables = Variables::default();
    let view = View { rules, snapshot: &snapshot, variables, mover: mover(position), fuel: &fuel };
    let free: Vec<Free> = scope
        .free(target)
        .into_iter()
        .map(|(local, kind)| {
            let source = scope.sources.get(&local).copied().unwrap_or(Source::Any);
            Free { local, source, kind }
        })
        .collect();
    let plural: Vec<&Free> =
        free.iter().filter(|free| !matches!(free.source, Source::Let(_))).collect();
    let of_sites: Vec<Local> =
        plural.iter().filter(|free| free.is_placed()).map(|free| free.local).collect();
    let is_shown_by_site =
        matches!(target, Target::Expression(Expression::Condition(_) | Expression::Number(_)));
    // With only one variable that stands for a site, a region is shown at the pointed site.
    let fixed = match (&of_sites[..], pointed) {
        ([first, _, ..], Some(site)) => Some((*first, site)),
        ([only], Some(site)) if !is_shown_by_site => Some((*only, site)),
        _ => None,
    };
    let shown =
        of_sites.iter().rev().copied().find(|local| fixed.is_none_or(|(fixed, _)| fixed != *local));
    let in_moves = match scope.statement.filter(|_| scope.follows_effect) {
        Some(statement) => in_moves::values(position, statement, target, &free, fixed, shown),
        None => None,
    };
    let (mut remarks, is_traced) = (Vec::new(), in_moves.is_some());
    let found = in_moves.unwrap_or_else(|| {
        let mut found = Found::default();
        found.try_all(&view, &free, target, fixed, shown, None);
        found
    });
    if fuel.is_empty() {
        return Err(TOO_LONG.to_owned());
    }
    let mut answer = describe(rules, target, span, &found.values, &plural, shown);
    if let Some((local, site)) = fixed {
        remarks.push(format!("for {} = {}", name(rules, local), rules.board.label(site)));
    }
    if mentions_mover(target) {
        remarks.push(format!("with {} to move", rules.players[view.mover.index()].name));
    }
    if is_traced {
        remarks.push("as each move reaches it".to_owned());
    } else if scope.follows_effect {
        remarks.push("before the effects of the move".to_owned());
    }
    if found.is_cut {
        remarks.push("not all values tried".to_owned());
    }
    if !remarks.is_empty() {
        answer.text = format!("{}, {}", answer.text, remarks.join(", "));
    }
    Ok(answer)
}

impl Free<'_> {
    /// Tests if the variable stands for a site or a region.
    fn is_placed(&self) -> bool {
        matches!(self.kind, Some(Expression::Site(_) | Expression::Sites(_)))
    }

    /// Lists the values to try.
    fn values(&self, view: &View) -> Vec<Value> {
        let rules = view.rules;
        let board = &rules.board;
        match (self.source, self.kind) {
            (Source::Domain(domain), _) => view.domain(domain),
            (Source::Let(value), _) => vec![view.value(value)],
            (Source::Any, Some(kind)) => match kind {
                Expression::Site(_) => domain_of(rules, Kind::Site),
                Expression::Number(_) => domain_of(rules, Kind::Number),
                Expression::Direction(_) => domain_of(rules, Kind::Direction),
                Expression::Player(_) => domain_of(rules, Kind::Player),
                Expression::Piece(_) => domain_of(rules, Kind::Piece),
                Expression::Sites(_) => {
                    board.sites().map(|site| Value::Sites(Region::listed(board, &[site]))).collect()
                }
                Expression::Condition(_) => vec![Value::Condition(true), Value::Condition(false)],
                Expression::Directions(_) => vec![Value::Directions(board.all().to_vec())],
            },
            (Source::Any, None) => Vec::new(),
        }
    }

    /// Lists the values for a pointed site: the site itself, or the regions that contain it.
    fn pointed(&self, view: &View, site: Site) -> Vec<Value> {
        match self.kind {
            Some(Expression::Sites(_)) => {
                let mut values = self.values(view);
                values
                    .retain(|value| matches!(value, Value::Sites(region) if region.contains(site)));
                values
            }
            _ => vec![Value::Site(Some(site))],
        }
    }
}

/// A value, and the sites of the shown variable that belong to it.
pub(super) type Placed = (Option<Rc<[Site]>>, Value);

/// The values found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) values: Vec<Placed>,
    /// Whether the list was cut.
    pub(super) is_cut: bool,
}

impl Found {
    /// Evaluates the target for every combination of values of the remaining variables.
    pub(super) fn try_all(
        &mut self,
        view: &View,
        free: &[Free],
        target: Target,
        fixed: Option<(Local, Site)>,
        shown: Option<Local>,
        at: Option<Rc<[Site]>>,
    ) {
        if self.values.len() >= MAX_COMBINATIONS || view.fuel.is_empty() {
            self.is_cut = true;
            return;
        }
        let Some((first, rest)) = free.split_first() else {
            match target {
                Target::Expression(expression) => self.values.push((at, value(view, expression))),
                Target::Domain(domain) => {
                    let values = view.domain(domain).into_iter();
                    self.values.extend(values.map(|value| (at.clone(), value)));
                }
            }
            return;
        };
        let values = match fixed {
            Some((local, site)) if local == first.local => first.pointed(view, site),
            _ => first.values(view),
        };
        for value in values {
            let at = if shown == Some(first.local) { place_of(&value) } else { at.clone() };
            self.try_all(&view.with(first.local, value), rest, target, fixed, shown, at);
        }
    }
}

/// Returns the sites of a value, if it is a site or a region.
pub(super) fn place_of(value: &Value) -> Option<Rc<[Site]>> {
    match value {
        Value::Site(site) => site.map(|site| [site].into()),
        Value::Sites(region) => Some(region.list().into()),
        _ => None,
    }
}

/// Evaluates an expression of any type.
fn value(view: &View, expression: Expression) -> Value {
    match expression {
        Expression::Number(it) => Value::Number(view.number(&it.node)),
        Expression::Condition(it) => Value::Condition(view.condition(&it.node)),
        Expression::Sites(it) => Value::Sites(view.sites(&it.node)),
        Expression::Site(it) => Value::Site(view.site(&it.node)),
        Expression::Direction(it) => Value::Direction(view.direction(&it.node)),
        Expression::Directions(it) => Value::Directions(view.directions(&it.node)),
        Expression::Player(it) => Value::Player(view.player(&it.node)),
        Expression::Piece(it) => Value::Piece(view.piece(&it.node)),
    }
}

fn describe(
    rules: &Rules,
    target: Target,
    span: Span,
    found: &[Placed],
    plural: &[&Free],
    shown: Option<Local>,
) -> AtCursor {
    let kind = match target {
        Target::Expression(Expression::Number(_)) => "number",
        Target::Expression(Expression::Condition(_)) => "condition",
        Target::Expression(Expression::Sites(_)) => "region",
        Target::Expression(Expression::Site(_)) => "site",
        Target::Expression(Expression::Direction(_)) => "direction",
        Target::Expression(Expression::Directions(_)) => "directions",
        Target::Expression(Expression::Player(_)) => "player",
        Target::Expression(Expression::Piece(_)) => "kind",
        Target::Domain(_) => "values",
    };
    let mut answer =
        AtCursor { span, kind, sites: None, at_sites: Vec::new(), text: String::new() };
    let mut by_place: BTreeMap<&[Site], Vec<&Value>> = BTreeMap::new();
    for (place, value) in found {
        if let Some(place) = place {
            by_place.entry(place).or_default().push(value);
        }
    }
    let others: Vec<&str> = plural
        .iter()
        .filter(|free| Some(free.local) != shown)
        .map(|free| name(rules, free.local))
        .collect();
    let is_true = |value: &&Value| **value == Value::Condition(true);
    answer.text = match (kind, shown) {
        _ if found.is_empty() && !plural.is_empty() => {
            let names: Vec<&str> = plural.iter().map(|free| name(rules, free.local)).collect();
            answer.sites = Some(Vec::new());
            format!("there is no {} here", names.join(" with a "))
        }
        ("condition", Some(shown)) => {
            let holding: Vec<&[Site]> = by_place
                .iter()
                .filter(|(_, values)| values.iter().any(is_true))
                .map(|(place, _)| *place)
                .collect();
            let is_site = by_place.keys().all(|place| place.len() == 1);
            let noun = if is_site { "sites" } else { "regions" };
            let of = format!("{} {noun} {}", by_place.len(), name(rules, shown));
            let mut sites: Vec<Site> = holding.concat();
            sites.sort_unstable();
            sites.dedup();
            answer.sites = Some(sites);
            let some = match found.len() == by_place.len() {
                true => String::new(),
                false => format!(", for some {}", others.join(" and ")),
            };
            match holding.len() {
                0 => format!("holds for none of the {of}"),
                all if all == by_place.len() => format!("holds for all {of}{some}"),
                some_of => format!("holds for {some_of} of the {of}{some}"),
            }
        }
        ("condition", None) if !others.is_empty() => {
            let count = found.iter().filter(|(_, value)| is_true(&value)).count();
            format!("holds for {count} of {} values of {}", found.len(), others.join(" and "))
        }
        (_, shown) => {
            answer.sites = sites_of(found);
            if shown.is_some() {
                let labels = by_place.iter().flat_map(|(place, values)| {
                    let text = label(rules, values);
                    place.iter().map(move |site| (*site, text.clone()))
                });
                answer.at_sites = labels.collect();
            }
            listed(rules, found)
        }
    };
    answer
}

/// Joins the sites of values; `None` if they do not consist of sites.
fn sites_of(found: &[Placed]) -> Option<Vec<Site>> {
    let mut sites: Vec<Site> = Vec::new();
    for (_, value) in found {
        match value {
            Value::Sites(region) => sites.extend(region.list()),
            Value::Site(site) => sites.extend(*site),
            _ => return None,
        }
    }
    sites.sort_unstable();
    sites.dedup();
    Some(sites)
}

/// Describes the values at one site: one value, the least and the greatest number, or a few values.
fn label(rules: &Rules, found: &[&Value]) -> String {
    let numbers: Option<Vec<i128>> = found
        .iter()
        .map(|value| match value {
            Value::Number(number) => Some(*number),
            Value::Sites(region) => Some(region.list().len() as i128 * ONE),
            _ => None,
        })
        .collect();
    if let Some((least, most)) =
        numbers.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?)))
    {
        return match least == most {
            true => values::number(least),
            false => format!("{}–{}", values::number(least), values::number(most)),
        };
    }
    let texts = distinct(rules, found.iter().copied(), usize::MAX);
    match texts.len() {
        0..=3 => texts.join(" "),
        many => format!("{} … ({many})", texts[0]),
    }
}

/// Writes the different values, at most `most` of them.
fn distinct<'v>(rules: &Rules, found: impl Iterator<Item = &'v Value>, most: usize) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for value in found {
        let text = values::value(rules, value);
        if !texts.contains(&text) {
            texts.push(text);
        }
        if texts.len() > most {
            break;
        }
    }
    texts
}

/// Lists the different values.
fn listed(rules: &Rules, found: &[Placed]) -> String {
    let mut texts = distinct(rules, found.iter().map(|(_, value)| value), 4 * MAX_LISTED);
    let numbers: Option<Vec<i128>> = found
        .iter()
        .map(|(_, value)| if let Value::Number(number) = value { Some(*number) } else { None })
        .collect();
    match (texts.len(), numbers) {
        (0, _) => "no values".to_owned(),
        (1, _) => texts.remove(0),
        (_, Some(numbers)) => {
            let least = numbers.iter().min().copied().unwrap_or_default();
            let most = numbers.iter().max().copied().unwrap_or_default();
            format!("from {} to {}", values::number(least), values::number(most))
        }
        (2..=MAX_LISTED, _) => texts.join(" / "),
        _ => {
            texts.truncate(MAX_LISTED);
            format!("{} / …", texts.join(" / "))
        }
    }
}

fn name(rules: &Rules, local: Local) -> &str {
    rules.locals.get(local.index()).map_or("", |named| &named.name)
}

fn mentions_mover(target: Target) -> bool {
    let is_mover = |expression: Expression| {
        matches!(expression, Expression::Player(Spanned { node: PlayerOf::Mover, .. }))
    };
    target.parts().into_iter().flat_map(Expression::descendants).any(is_mover)
}

/// Says why there is nothing to evaluate at a byte of the rules.
fn nothing_at(rules: &Rules, place: usize) -> String {
    let (file, span) = rules.files.place(Span::new(place, place));
    let tree = crate::syntax::parse(rules.files.text_of(file));
    let mut heads: Vec<&str> = Vec::new();
    let mut nodes: &[crate::syntax::Node] = &tree.forms;
    while let Some(node) =
        nodes.iter().find(|node| node.span.start <= span.start && span.start < node.span.end)
    {
        heads.extend(node.head().map(|(head, _)| head));
        nodes = node.as_form().unwrap_or_default();
    }
    match (heads.get(1), heads.last()) {
        (None, _) => "there is no expression here".to_owned(),
        (Some(part), Some(last)) if last == part => {
            format!("`{part}` has no value; point at an expression inside a rule")
        }
        (Some(part), Some(last))
            if matches!(*part, "move" | "define" | "play" | "end" | "setup") =>
        {
            format!("`{last}` is no expression, or is not used with these options")
        }
        (Some(part), _) => {
            format!("`{part}` is settled before play, so it is the same in every position")
        }
    }
}
