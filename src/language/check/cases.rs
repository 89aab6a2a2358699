//! Checks `case`: on an option, whose value selects one branch; on a player, where all branches are
//! kept; or on a kind, a direction or a number, which is rewritten to nested `if`s. All branches
//! are checked in each case.

use super::Checker;
use super::headings::PARAMETERS;
use super::known::BEFORE_PLAY;
use super::moves::statement;
use super::options::{OptionEntry, OptionValue};
use super::spelling;
use super::typed::{Content, Typed, at, of_kind};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, Span};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The maximal total size of branches copied for further players, in bytes of source text.
pub(super) const MAX_COPIED: usize = 1 << 19;

/// The maximal number of branches of cases on kinds, directions or numbers around a place.
const MAX_BRANCHES: usize = 200;

/// A branch of a `case`.
struct Branch<'n> {
    /// `None` for `(else …)`.
    value: Option<&'n Node>,
    body: &'n [Node],
    node: &'n Node,
    /// Whether the value exists, as far as known.
    known: bool,
}

impl Checker<'_> {
    /// Checks a case of the wanted type.
    pub(super) fn case(&mut self, node: &Node, args: &[Node], wanted: Kind) -> Option<Typed> {
        let head = node.head_span();
        let row = Ludeme::Case.row();
        let ([subject], branches) = self.leading(row, node, args)?;
        if branches.is_empty() {
            self.missing_slot(row, node, 1);
            return None;
        }
        let wanted = match wanted {
            Kind::Any => self.kind_of_branches(branches).unwrap_or(Kind::Any),
            _ => wanted,
        };
        let meaning = subject
            .as_word()
            .filter(|word| self.variable(word).is_none())
            .and_then(|word| self.meaning(word));
        if let Some(Meaning::Option(index)) = meaning {
            self.note_use(Meaning::Option(index), subject.span);
            let mut branches = self.branches(branches);
            return self.case_of_option(index, head, &mut branches, wanted);
        }
        let kind = self.kind_of_node(subject);
        if let (None, Some(word)) = (kind, subject.as_word()) {
            self.unknown_subject(subject.span, word);
            return self.only_bodies(branches, wanted);
        }
        match kind {
            Some(Kind::Player | Kind::Any) | None => {}
            Some(kind @ (Kind::Piece | Kind::Direction | Kind::Number)) => {
                return self.case_of_value(node, subject, kind, branches, wanted);
            }
            Some(kind) => {
                let message = format!(
                    "expected an option, a player, a kind, a direction or a number, found {}, which is {}",
                    self.snippet(subject),
                    kind.phrase()
                );
                let finding = Finding::new(Code::WrongType, subject.span, message);
                return self.refuse(finding.with_optional_help(self.usage_within()));
            }
        }
        let player = self.expression(subject, Kind::Player);
        let Some(Typed::Player(player)) = player else {
            return self.only_bodies(branches, wanted);
        };
        let mut branches = self.branches(branches);
        let results = self.case_of_player(head, &mut branches, wanted)?;
        self.by_player(player, results, wanted, node.span)
    }

    /// Checks the bodies of branches whose values are unknown, and fails.
    fn only_bodies<T>(&mut self, branches: &[Node], wanted: Kind) -> Option<T> {
        for branch in &self.branches(branches) {
            self.branch(branch, wanted);
        }
        None
    }

    fn unknown_subject(&mut self, span: Span, word: &str) {
        let message =
            format!("expected an option or a player, found `{word}`, which is not defined here");
        let mut names = self.declared.names_of(|meaning| matches!(meaning, Meaning::Option(_)));
        names.extend(self.words_for(Kind::Player).into_iter().map(str::to_owned));
        self.unknown(Finding::new(Code::UnknownName, span, message), word, &names, None);
    }

    /// Splits the branches into value and body.
    fn branches<'n>(&mut self, nodes: &'n [Node]) -> Vec<Branch<'n>> {
        let mut branches = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let Some((value, body)) = node.as_form().and_then(<[Node]>::split_first) else {
                let finding = self.mismatch(Code::CaseBranches, node, "a branch `(value …)`");
                self.report(finding.with_optional_help(self.usage_within()));
                continue;
            };
            let value = Some(value).filter(|value| value.as_word() != Some("else"));
            if value.is_none() && index + 1 < nodes.len() {
                let message = "`else` must be the last branch of a `case`";
                let finding = Finding::new(Code::CaseBranches, node.span, message);
                self.report(finding.with_help("move it to the end"));
            }
            branches.push(Branch { value, body, node, known: true });
        }
        branches
    }

    fn case_of_option(
        &mut self,
        index: usize,
        head: Span,
        branches: &mut [Branch],
        wanted: Kind,
    ) -> Option<Typed> {
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        for place in 0..branches.len() {
            let Some(value) = branches[place].value else { continue };
            match self.branch_value(index, value) {
                Some(position) => self.assign_branch(&mut places, position, place, branches),
                None => branches[place].known = false,
            }
        }
        let OptionEntry { values, chosen, .. } = &self.declared.options[index];
        let (is_empty, chosen) = (values.is_empty(), *chosen);
        let missing = without_branch(values.spellings(), &places, branches);
        self.missing_branches(head, &missing);
        if is_empty {
            self.unready_option::<()>(index, head);
        }
        let live = places.get(&chosen).copied().or(place_of_else(branches)).filter(|_| !is_empty);
        let mut result = None;
        for (place, branch) in branches.iter().enumerate() {
            let dead = Some(place) != live;
            self.context.dead += usize::from(dead);
            let typed = self.branch(branch, wanted);
            self.context.dead -= usize::from(dead);
            if !dead {
                result = typed;
            }
        }
        result
    }

    /// Finds the value of an option that a branch is for.
    fn branch_value(&mut self, index: usize, node: &Node) -> Option<usize> {
        let option = &self.declared.options[index];
        if option.values.is_empty() || self.is_full() {
            return None;
        }
        let value = match (node.as_word(), node.as_number()) {
            (None, Some(number)) => OptionValue::Number(number.halves),
            (word, _) => OptionValue::Word(word.unwrap_or("").to_owned()),
        };
        option
            .values
            .position(&value)
            .or_else(|| self.no_value_of(Code::CaseBranches, index, (&value, node.span), &["else"]))
    }

    /// Assigns a branch to a value; of duplicates, the first counts.
    fn assign_branch<V: Eq + Hash>(
        &mut self,
        places: &mut FxHashMap<V, usize>,
        value: V,
        place: usize,
        branches: &[Branch],
    ) {
        let before = *places.entry(value).or_insert(place);
        if let (Some(first), Some(second)) = (branches[before].value, branches[place].value)
            && before != place
        {
            let message = format!("`{}` has a branch already", self.excerpt(second.span));
            let finding = Finding::new(Code::CaseBranches, second.span, message);
            self.report(finding.with_other(first.span, "the first branch is here"));
        }
    }

    fn missing_branches(&mut self, head: Span, missing: &[String]) {
        if missing.is_empty() {
            return;
        }
        let list = spelling::list(missing, "and");
        let message = format!("`case` has no branch for {list}");
        let help = "add the missing branches, or a last branch `(else …)` for all other values";
        self.report(Finding::new(Code::CaseBranches, head, message).with_help(help));
    }

    /// Checks the branches and returns the result for each player.
    fn case_of_player(
        &mut self,
        head: Span,
        branches: &mut [Branch],
        wanted: Kind,
    ) -> Option<Vec<Typed>> {
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        let mut sound = !self.declared.players.is_empty();
        for place in 0..branches.len() {
            let Some(value) = branches[place].value else { continue };
            if let Some(meaning @ Meaning::Player(id)) = self.meaning_of(value) {
                self.note_use(meaning, value.span);
                self.assign_branch(&mut places, id.index(), place, branches);
            } else if let Some(row) = self.part_row(branches[place].node) {
                branches[place].known = false;
                let message = format!(
                    "expected a branch, found `{}`, which belongs directly in `game`",
                    row.spelling
                );
                let finding = Finding::new(Code::Misplaced, value.span, message);
                self.misplaced_part(row, branches[place].node, finding);
            } else if !self.declared.players.is_empty() {
                branches[place].known = false;
                let finding = self.mismatch(Code::CaseBranches, value.span, "the name of a player");
                let mut names = self.declared.player_names();
                names.push(String::from("else"));
                self.unknown(finding, value.as_word().unwrap_or(""), &names, None);
            }
        }
        let missing = without_branch(self.declared.player_names(), &places, branches);
        self.missing_branches(head, &missing);
        let otherwise = place_of_else(branches);
        let mut results: Vec<Option<Typed>> = vec![None; self.declared.players.len()];
        for (place, branch) in branches.iter().enumerate() {
            let before = self.copied;
            let meaning = branch.value.and_then(|value| self.meaning_of(value));
            let is_absent = matches!(meaning, Some(Meaning::Player(id)) if self.is_absent(id));
            self.context.dead += usize::from(is_absent);
            let typed = self.branch(branch, wanted);
            self.context.dead -= usize::from(is_absent);
            sound &= typed.is_some() || is_absent;
            let takes = |player: &usize| places.get(player).copied().or(otherwise) == Some(place);
            let takers: Vec<usize> = (0..self.declared.players.len()).filter(takes).collect();
            // Players that share a branch get copies of it, and nested cases multiply the copies.
            let size = branch.node.span.len().saturating_add(self.copied - before);
            let enough = self.copied > MAX_COPIED;
            self.copied =
                self.copied.saturating_add(size.saturating_mul(takers.len().saturating_sub(1)));
            if enough {
                return self.fail();
            }
            if self.copied > MAX_COPIED {
                let message =
                    "these nested cases on players have more combinations than the engine can hold";
                return self.refuse(Finding::new(Code::RulesTooLarge, head, message));
            }
            for player in takers {
                results[player] = typed.clone();
            }
        }
        if !sound {
            return self.fail();
        }
        results.into_iter().collect()
    }

    /// Checks a case on a kind, a direction or a number, and rewrites it.
    fn case_of_value(
        &mut self,
        node: &Node,
        subject: &Node,
        kind: Kind,
        branches: &[Node],
        wanted: Kind,
    ) -> Option<Typed> {
        let head = node.head_span();
        let before = self.copied;
        let given = self.expression(subject, kind);
        let size = subject.span.len().saturating_add(self.copied - before);
        // Nested `if`s are as deep as the case has branches.
        let depth = self.context.case_branches;
        self.context.case_branches = depth.saturating_add(branches.len());
        self.copied = self.copied.saturating_add(size.saturating_mul(branches.len()));
        let too_large = self.context.case_branches > MAX_BRANCHES || self.copied > MAX_COPIED;
        let result = match too_large {
            true => {
                let message = "these nested cases have more branches than the engine can hold";
                self.refuse(Finding::new(Code::RulesTooLarge, head, message))
            }
            false => {
                let branches = self.branches(branches);
                self.rewritten_case(node, given, kind, &branches, wanted)
            }
        };
        self.context.case_branches = depth;
        result
    }

    fn rewritten_case(
        &mut self,
        node: &Node,
        subject: Option<Typed>,
        kind: Kind,
        branches: &[Branch],
        wanted: Kind,
    ) -> Option<Typed> {
        let head = node.head_span();
        let mut sound = true;
        let mut cases: Vec<(Span, Typed, Typed)> = Vec::with_capacity(branches.len());
        let mut otherwise = None;
        let mut places: FxHashMap<i64, usize> = FxHashMap::default();
        for (place, branch) in branches.iter().enumerate() {
            let Some(value) = branch.value else {
                otherwise = self.branch(branch, wanted);
                sound &= otherwise.is_some();
                continue;
            };
            let constant = self.branch_constant(value, kind);
            let body = self.branch(branch, wanted);
            let (Some((index, constant)), Some(body)) = (constant, body) else {
                sound = false;
                continue;
            };
            self.assign_branch(&mut places, index, place, branches);
            cases.push((value.span, constant, body));
        }
        if otherwise.is_none() && branches.iter().all(|branch| branch.value.is_some()) {
            if wanted == Kind::Statement {
                otherwise = Some(Typed::Statement(Vec::new()));
            } else {
                let message = format!("`case` on {} has no branch `(else …)`", kind.phrase());
                let help = match kind {
                    Kind::Piece => "add a last branch `(else …)`: a site can have no piece",
                    Kind::Direction => "add a last branch `(else …)`: there can be no direction",
                    _ => "add a last branch `(else …)` for all other numbers",
                };
                return self
                    .refuse(Finding::new(Code::CaseBranches, head, message).with_help(help));
            }
        }
        if !sound || places.len() < cases.len() {
            return self.fail();
        }
        let (subject, mut result) = (subject?, otherwise?);
        for (span, constant, body) in cases.into_iter().rev() {
            let same = match (subject.clone(), constant) {
                (Typed::Piece(one), Typed::Piece(other)) => {
                    Condition::SameKind(one.into(), other.into())
                }
                (Typed::Direction(one), Typed::Direction(other)) => {
                    Condition::SameDirection(one.into(), other.into())
                }
                (Typed::Number(one), Typed::Number(other)) => {
                    Condition::Compare(Comparison::Equal, one.into(), other.into())
                }
                _ => return None,
            };
            let Typed::Condition(condition) = self.folded(Typed::Condition(at(same, span)))? else {
                return None;
            };
            result = match (&condition.node, body, result) {
                (Condition::Constant(true), body, _) => body,
                (Condition::Constant(false), _, rest) => rest,
                (_, Typed::Statement(then), Typed::Statement(otherwise)) => {
                    let choice = Statement::If { condition, then, otherwise };
                    Typed::Statement(vec![at(choice, node.span)])
                }
                (_, body, rest) => self.selected(condition, body, rest, node.span)?,
            };
        }
        Some(result)
    }

    /// Checks the value of a branch, which must be a constant. Returns a number that identifies it,
    /// too.
    fn branch_constant(&mut self, node: &Node, kind: Kind) -> Option<(i64, Typed)> {
        let constant = self.expression(node, kind)?;
        let index = match &constant {
            Typed::Piece(Spanned { node: PieceOf::Fixed(kind), .. }) => i64::from(kind.0),
            Typed::Direction(Spanned { node: DirectionOf::Fixed(direction), .. }) => {
                direction.index() as i64
            }
            Typed::Number(Spanned { node: Number::Constant(halves), .. }) => *halves,
            _ => {
                let help = match kind {
                    Kind::Piece => "write the kind by name",
                    Kind::Direction => "write the direction, such as `N`",
                    _ => BEFORE_PLAY,
                };
                return self.not_constant(node, kind.phrase(), help);
            }
        };
        Some((index, constant))
    }

    /// Checks the body of a branch.
    fn branch(&mut self, branch: &Branch, wanted: Kind) -> Option<Typed> {
        if wanted == Kind::Statement {
            let statements = self.statements(branch.body);
            let lets =
                |statement: &Spanned<Statement>| matches!(statement.node, Statement::Let(..));
            if !statements.iter().any(lets) {
                return Some(Typed::Statement(statements));
            }
            // The block limits the scope of `let` to the branch.
            let span = branch.node.span;
            let block = Statement::If {
                condition: at(Condition::Constant(true), span),
                then: statements,
                otherwise: Vec::new(),
            };
            return Some(Typed::Statement(vec![at(block, span)]));
        }
        match branch.body {
            [body] => self.expression(body, wanted),
            // A lone unknown value may be a body whose value is missing.
            [] if !branch.known => None,
            [] => {
                let message = format!("expected {} in the branch, found nothing", wanted.phrase());
                let finding = Finding::new(Code::MissingArgument, branch.node.span, message);
                self.refuse_missing(finding)
            }
            [_, extra @ ..] => {
                let message = format!(
                    "expected one {} in the branch, found also {}",
                    wanted.phrase(),
                    self.snippet(&extra[0])
                );
                let span = extra[0].span.join(extra[extra.len() - 1].span);
                self.refuse(Finding::new(Code::ExtraArgument, span, message))
            }
        }
    }

    /// Builds the node that selects by player.
    fn by_player(
        &mut self,
        player: Spanned<PlayerOf>,
        results: Vec<Typed>,
        wanted: Kind,
        span: Span,
    ) -> Option<Typed> {
        match wanted {
            Kind::Statement => Some(statement(Statement::ByPlayer(player, all_of(results)?), span)),
            Kind::Move => {
                let message = "a `choose` lists its moves, and cannot take them from a `case`";
                let players = self.declared.players.iter();
                let players: Vec<String> =
                    players.map(|player| format!("({} (choose …))", player.name)).collect();
                let help = format!(
                    "write `case` around `choose`: `(case mover {})`, or give each player a `turn`",
                    players.join(" ")
                );
                self.refuse(Finding::new(Code::Misplaced, span, message).with_help(help))
            }
            kind if PARAMETERS.contains(&kind) => {
                of_kind!(kind, span, ByPlayer(Box::new(player), all_of(results)?))
            }
            _ => {
                let message = format!(
                    "expected {} that is known before play, found a `case` on a player",
                    wanted.phrase()
                );
                self.refuse(Finding::new(Code::NotConstant, span, message).with_help(BEFORE_PLAY))
            }
        }
    }
}

fn place_of_else(branches: &[Branch]) -> Option<usize> {
    branches.iter().position(|branch| branch.value.is_none())
}

/// Returns the values without a branch of their own; none if there is `else` or an unknown value.
fn without_branch(
    values: impl IntoIterator<Item = String>,
    places: &FxHashMap<usize, usize>,
    branches: &[Branch],
) -> Vec<String> {
    if branches.iter().any(|branch| branch.value.is_none() || !branch.known) {
        return Vec::new();
    }
    let values = values.into_iter().enumerate();
    values.filter(|(index, _)| !places.contains_key(index)).map(|(_, value)| value).collect()
}

/// Returns the contents of values of one kind.
fn all_of<T: Content>(values: Vec<Typed>) -> Option<Vec<T>> {
    values.into_iter().map(T::of).collect()
}
