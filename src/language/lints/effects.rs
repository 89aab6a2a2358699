//! Lints on effects: effects that do nothing, numbers that are clamped, and suspicious pieces in
//! the setup.
//!
//! Numbers are bounded by interval analysis: the bounds of the memory, intersected with what the
//! conditions tested since its last change imply.

use super::Linter;
use super::value_analysis::{Range, UNBOUNDED_END};
use crate::board::Site;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::quantities::spell_halves;
use crate::language::rules::*;
use crate::language::visit::{Composite, Expression, Label};
use crate::syntax::Span;

/// A bound on a number in a memory, implied by a condition that holds.
#[derive(Clone)]
pub(super) struct Guard {
    memory: MemoryId,
    /// The player and the site of the access, as source texts.
    of: Vec<String>,
    /// In halves.
    range: Range,
}

impl<'r> Linter<'r> {
    /// Returns the source texts of the player, the site and the key of an access.
    fn written(
        &self,
        player: Option<&Spanned<PlayerOf>>,
        site: Option<&Spanned<SiteOf>>,
        key: Option<&KeyOf>,
    ) -> Vec<String> {
        let (player, site) = (player.map(|player| player.span), site.map(|site| site.span));
        let texts = [player, site, key.map(KeyOf::span)].into_iter().flatten();
        texts.map(|span| span.text(self.source).to_owned()).collect()
    }

    /// Records the bounds that follow if a condition is true (`so`) or false.
    pub(super) fn guard(&mut self, condition: &'r Spanned<Condition>, so: bool) {
        match &condition.node {
            Condition::Not(inner) => self.guard(inner, !so),
            Condition::And(all) if so => all.iter().for_each(|part| self.guard(part, true)),
            Condition::Or(all) if !so => all.iter().for_each(|part| self.guard(part, false)),
            Condition::Compare(comparison, left, right) => {
                let comparison = if so { *comparison } else { negated(*comparison) };
                self.guard_number(left, comparison, right);
                self.guard_number(right, mirrored(comparison), left);
            }
            _ => {}
        }
    }

    fn guard_number(
        &mut self,
        number: &'r Spanned<Number>,
        comparison: Comparison,
        other: &'r Spanned<Number>,
    ) {
        let Number::Memory { memory, player, site, key } = &number.node else { return };
        // All numbers are multiples of one half, so a strict bound moves by one half.
        let (least, most) = self.values.range(other);
        let range = match comparison {
            Comparison::Equal => (least, most),
            Comparison::Less => (-UNBOUNDED_END, most.saturating_sub(1)),
            Comparison::AtMost => (-UNBOUNDED_END, most),
            Comparison::Greater => (least.saturating_add(1), UNBOUNDED_END),
            Comparison::AtLeast => (least, UNBOUNDED_END),
            Comparison::Unequal => return,
        };
        let of = self.written(player.as_ref(), site.as_deref(), key.as_ref());
        self.guards.push(Guard { memory: *memory, of, range });
    }

    /// Drops bounds on numbers that a statement may change.
    pub(super) fn forget_changed(&mut self, statement: &Statement) {
        if matches!(statement, Statement::Do(..)) {
            self.guards.clear();
        }
        let rules = self.rules;
        self.guards.retain(|guard| {
            let travels = rules.memories[guard.memory.index()].travels;
            !rules.holds(statement, &|inner| match inner {
                Statement::SetNumber { memory, .. }
                | Statement::Raise { memory, .. }
                | Statement::Lower { memory, .. } => *memory == guard.memory,
                // The same text may then denote another site or player.
                Statement::Let(..)
                | Statement::Assign(..)
                | Statement::SetSite { .. }
                | Statement::SetPlayer { .. }
                | Statement::SetKind { .. }
                | Statement::SetDirection { .. } => !guard.of.is_empty(),
                Statement::SetCondition { .. } => guard.of.iter().any(|of| of.contains('(')),
                Statement::Put { .. }
                | Statement::Remove { .. }
                | Statement::Relocate { .. }
                | Statement::Shift { .. }
                | Statement::Swap(..)
                | Statement::Convert { .. }
                | Statement::Replace { .. }
                | Statement::Cut(_) => travels || guard.of.iter().any(|of| of.contains('(')),
                _ => false,
            })
        });
    }

    /// Returns the range of a number before an effect, and the maximum of its memory, in halves;
    /// `None` for memories that are not clamped.
    fn held(
        &mut self,
        memory: MemoryId,
        player: Option<&Spanned<PlayerOf>>,
        site: Option<&Spanned<SiteOf>>,
        key: Option<&KeyOf>,
    ) -> Option<(Range, i64)> {
        let declared = &self.rules.memories[memory.index()];
        let most = match declared.holds {
            MemoryType::Number { most } if declared.per_site => 2 * i64::from(most),
            _ if declared.hand => UNBOUNDED_END,
            _ => return None,
        };
        let mut range = (0, most);
        if declared.hand && !self.grows(memory) {
            let initial = 2 * i64::from(declared.initial);
            // Another option value may give a higher start.
            if !self.values.varies(self.declaration(declared.span)) {
                range.1 = initial;
            }
        }
        let of = self.written(player, site, key);
        for guard in self.guards.iter().filter(|guard| guard.memory == memory && guard.of == of) {
            range = (range.0.max(guard.range.0), range.1.min(guard.range.1));
        }
        Some((range, most))
    }

    /// Returns the rest of the form that declares a name.
    fn declaration(&self, name: Span) -> Span {
        let end = self.source[name.end..].find(')').map_or(name.end, |end| name.end + end);
        Span::new(name.start, end)
    }

    /// Tests if some statement may raise a number above its initial value.
    fn grows(&self, memory: MemoryId) -> bool {
        let raises = |statement: &Statement| match statement {
            Statement::SetNumber { memory: of, .. } | Statement::Raise { memory: of, .. } => {
                *of == memory
            }
            // Subtracting a negative number adds.
            Statement::Lower { memory: of, by, .. } => {
                *of == memory && !matches!(by.node, Number::Constant(0..))
            }
            _ => false,
        };
        self.rules.any_holds(&raises)
    }

    /// Lints an effect.
    pub(super) fn effect(&mut self, statement: &'r Spanned<Statement>, alone: bool) {
        self.lint_effect(statement, alone);
        match &statement.node {
            Statement::Let(variable, Value::Number(number)) => self.values.name(*variable, number),
            Statement::For(Binder { variable, domain: Domain::Players(_) }, body) => {
                self.lint_player_loop(*variable, body);
            }
            Statement::For(
                Binder { variable, domain: Domain::Numbers { most, span, .. } },
                body,
            ) if !self.values.varies(*span) => {
                for statement in body {
                    if let Statement::If { condition, .. } = &statement.node {
                        self.lint_counted_loop(*variable, *most, *span, condition);
                    }
                }
            }
            _ => {}
        }
        let (memory, player, site, key, amount) = match &statement.node {
            Statement::SetNumber { memory, player, site, key, to: amount }
            | Statement::Raise { memory, player, site, key, by: amount }
            | Statement::Lower { memory, player, site, key, by: amount } => {
                (*memory, player.as_ref(), site.as_ref(), key.as_ref(), amount)
            }
            _ => return,
        };
        let is_general = !self.values.varies(amount.span);
        let Some(((least, greatest), most)) =
            self.held(memory, player, site, key).filter(|_| is_general)
        else {
            return;
        };
        let (low, high) = self.values.range(amount);
        let known = |end: i64| end.abs() < UNBOUNDED_END;
        let add = |one: i64, other: i64| {
            if known(one) && known(other) { Some(one + other) } else { None }
        };
        // The bounds of the result without clamping.
        let (would_be_least, would_be_most) = match &statement.node {
            Statement::SetNumber { .. } => (known(low).then_some(low), known(high).then_some(high)),
            Statement::Raise { .. } => (add(least, low), add(greatest, high)),
            _ => (add(least, -high), add(greatest, -low)),
        };
        let name = &self.rules.memories[memory.index()].name;
        let (message, help) = if would_be_most.is_some_and(|most| most < 0) {
            let was = match (&statement.node, greatest) {
                (Statement::SetNumber { .. }, _) => format!("`{name}` "),
                (_, 0) => format!("`{name}` is 0 here and "),
                _ => format!("`{name}` is at most {} here and ", spell_halves(greatest)),
            };
            let help = format!(
                "{was}cannot go below zero: require first that there is enough, or change the amount"
            );
            (String::from("this would go below zero, and stops at 0"), help)
        } else if known(most) && would_be_least.is_some_and(|least| least > most) {
            let held = spell_halves(most);
            let help = format!(
                "`{name}` goes from 0 to {held}: declare it with a higher maximum, or change the amount"
            );
            (format!("this would exceed the maximum, and stops at {held}"), help)
        } else {
            return;
        };
        self.findings.push(Finding::new(Code::Clamped, statement.span, message).with_help(help));
    }

    /// Reports a loop over players whose condition does not depend on the player: its first
    /// iteration decides, for the first player.
    fn lint_player_loop(&mut self, player: Local, body: &'r [Spanned<Statement>]) {
        let rules = self.rules;
        let Some(first) = rules.players.first().filter(|_| rules.players.len() > 1) else { return };
        for statement in body {
            let Statement::If { condition, then, .. } = &statement.node else { return };
            let decides = then.iter().any(|inner| match &inner.node {
                Statement::Win(who) | Statement::Lose(who) => {
                    matches!(who.node, PlayerOf::Local(local) if local == player)
                }
                _ => false,
            });
            let is_player = |part: Expression| matches!(part, Expression::Player(Spanned { node: PlayerOf::Local(local), .. }) if *local == player);
            if rules.mentions(Expression::Condition(condition), is_player) {
                return;
            }
            if decides {
                let name = &rules.locals[player.index()].name;
                let message = format!(
                    "this condition does not depend on `{name}`: when it holds, the first round of the loop decides, for {}",
                    first.name
                );
                let finding =
                    Finding::new(Code::OneSided, condition.span, message).with_help(format!(
                        "use `{name}` in the condition, such as `(of {name})` instead of `(mine)`"
                    ));
                self.findings.push(finding);
                return;
            }
        }
    }

    /// Reports a loop over numbers up to `most` whose rounds are those up to a number that can be
    /// greater, as in `(for i (numbers 1 64) (if (<= i n) …))`: it does less than it says.
    fn lint_counted_loop(
        &mut self,
        variable: Local,
        most: i32,
        domain: Span,
        condition: &'r Spanned<Condition>,
    ) {
        let (comparison, left, right) = match &condition.node {
            Condition::And(all) => {
                return all
                    .iter()
                    .for_each(|part| self.lint_counted_loop(variable, most, domain, part));
            }
            Condition::Compare(comparison, left, right) => (*comparison, left, right),
            _ => return,
        };
        let is_round = |number: &Spanned<Number>| matches!(number.node, Number::Local(local) if local == variable);
        let (comparison, rounds) = match (is_round(left), is_round(right)) {
            (true, false) => (comparison, right),
            (false, true) => (mirrored(comparison), left),
            _ => return,
        };
        // In halves: with `<`, the last round is the one before the number.
        let last = match comparison {
            Comparison::AtMost => 2 * i64::from(most),
            Comparison::Less => 2 * (i64::from(most) + 1),
            _ => return,
        };
        let (_, greatest) = self.values.range(rounds);
        if greatest >= UNBOUNDED_END || greatest <= last || self.values.varies(rounds.span) {
            return;
        }
        let number = rounds.span.text(self.source);
        let message = format!(
            "this loop ends at {most}, and `{number}` can be up to {}: the rounds after {most} are left out",
            spell_halves(greatest)
        );
        let finding = Finding::new(Code::LoopTooShort, domain, message).with_help(format!(
            "let it run further, in two loops if it has more than 64 rounds; or name `(min {number} {most})` before, if it shall end there"
        ));
        self.findings.push(finding);
    }

    /// Reports an effect that does nothing, or that can be written more briefly.
    fn lint_effect(&mut self, statement: &'r Spanned<Statement>, alone: bool) {
        let (is_itself, adds_nothing) = match &statement.node {
            Statement::Raise { by, .. } | Statement::Lower { by, .. } => {
                let is_zero = matches!(by.node, Number::Constant(0));
                (false, is_zero && !self.values.varies(by.span))
            }
            statement => (self.is_of_itself(statement), false),
        };
        if let (true, Statement::Unmark { sites, .. }) = (is_itself, &statement.node) {
            let text = sites.span.text(self.source);
            let finding = Finding::new(
                Code::Redundant,
                statement.span,
                format!("this removes all sites from `{text}`"),
            )
            .with_help(format!("write `(set {text} nowhere)`, or name the sites to remove"))
            .with_fix(Fix::write(statement.span, format!("(set {text} nowhere)")));
            self.findings.push(finding);
        } else if is_itself || adds_nothing {
            let why = match &statement.node {
                Statement::Mark { .. } => "this has no effect: these sites are in it already",
                Statement::Raise { .. } | Statement::Lower { .. } => {
                    "this has no effect: the amount is zero"
                }
                _ => "this has no effect: the memory has this value already",
            };
            let mut finding = Finding::new(Code::Redundant, statement.span, why)
                .with_help("delete it, or change the value");
            // The list may have to contain a statement.
            if !alone {
                finding = finding.with_fix(Fix::delete(statement.span, "it"));
            }
            self.findings.push(finding);
        }
    }

    /// Tests if what a statement sets a memory to, or marks in it, is what the memory holds.
    fn is_of_itself(&self, statement: &Statement) -> bool {
        let mut target = statement.parts();
        let [Label::Memory(_)] = statement.labels()[..] else { return false };
        let texts = |parts: Vec<Expression<'_>>| {
            let texts = parts.into_iter().map(|part| part.span().text(self.source));
            texts.collect::<Vec<_>>()
        };
        target.pop().is_some_and(|value| {
            value.labels() == statement.labels() && texts(value.parts()) == texts(target)
        })
    }

    /// Lints the setup.
    pub(super) fn setup(&mut self) {
        let rules = self.rules;
        self.owners(&rules.setup);
        // The sites of each `put` since the board may last have changed otherwise.
        let mut put: Vec<(Vec<Site>, Span)> = Vec::new();
        for statement in &rules.setup {
            match &statement.node {
                Statement::Put { at, .. } if rules.piles.is_none() => {
                    // With another option value the regions may be disjoint.
                    let Some(sites) = self.fixed(&at.node).filter(|_| !self.values.varies(at.span))
                    else {
                        continue;
                    };
                    let twice =
                        |site: &&Site| put.iter().any(|(earlier, _)| earlier.contains(site));
                    if let Some(&site) = sites.iter().find(twice)
                        && let Some((_, earlier)) =
                            put.iter().find(|(earlier, _)| earlier.contains(&site))
                    {
                        let label = rules.board.label(site);
                        let message = format!(
                            "a second piece is put on {label}, which removes the first from the board"
                        );
                        let finding = Finding::new(Code::PutTwice, statement.span, message)
                            .with_other(*earlier, format!("the first piece is put on {label} here"))
                            .with_help(format!(
                                "exclude the site from the first region: `(and … (not {label}))`"
                            ));
                        self.findings.push(finding);
                    }
                    put.push((sites, statement.span));
                }
                Statement::Let(..) | Statement::Assign(..) => {}
                // Memories are no pieces.
                other if matches!(other.labels()[..], [Label::Memory(_)]) => {}
                _ => put.clear(),
            }
        }
    }

    /// Evaluates a region that is constant; `None` if it may not be.
    fn fixed(&self, sites: &Sites) -> Option<Vec<Site>> {
        let all = |parts: &[Spanned<Sites>]| {
            parts.iter().map(|part| self.fixed(&part.node)).collect::<Option<Vec<_>>>()
        };
        let board = || self.rules.board.sites();
        Some(match sites {
            Sites::Everywhere => board().collect(),
            Sites::Literal(sites) => sites.clone(),
            Sites::One(site) => match site.node {
                SiteOf::Literal(site) => vec![site],
                SiteOf::Nowhere => Vec::new(),
                _ => return None,
            },
            Sites::And(parts) => {
                let parts = all(parts)?;
                board().filter(|site| parts.iter().all(|part| part.contains(site))).collect()
            }
            Sites::Or(parts) => {
                let parts = all(parts)?;
                board().filter(|site| parts.iter().any(|part| part.contains(site))).collect()
            }
            Sites::Not(inner) => {
                let inner = self.fixed(&inner.node)?;
                board().filter(|site| !inner.contains(site)).collect()
            }
            _ => return None,
        })
    }

    /// Reports a setup that names no owners, so that the first player owns everything.
    fn owners(&mut self, setup: &'r [Spanned<Statement>]) {
        let rules = self.rules;
        let Some(first) = rules.players.first().filter(|_| rules.players.len() > 1) else { return };
        let names = |statement: &Statement| {
            matches!(
                statement,
                Statement::Put { owner: Some(_), .. }
                    | Statement::Replace { owner: Some(_), .. }
                    | Statement::Convert { .. }
            )
        };
        // If some owners are named, the others are left out on purpose.
        if setup.iter().any(|statement| rules.holds(&statement.node, &names)) {
            return;
        }
        let mut left: Vec<&'r [Spanned<Statement>]> = vec![setup];
        while let Some(body) = left.pop() {
            for statement in body {
                left.extend(statement.node.bodies());
                let Statement::Put { piece, at, owner: None, .. } = &statement.node else {
                    continue;
                };
                let PieceOf::Fixed(kind) = piece.node else { continue };
                let kind = &rules.pieces[kind.index()];
                if !kind.owned {
                    continue;
                }
                let message = format!(
                    "no owner is given, so each `{}` put here belongs to {}, the first player",
                    kind.name, first.name
                );
                let finding = Finding::new(Code::UnnamedOwner, statement.span, message)
                    .with_help(format!("add the owner, such as `{}`", first.name))
                    .with_fix(Fix::insert(at.span.end, format!(" {}", first.name)));
                self.findings.push(finding);
            }
        }
    }
}

fn negated(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Unequal,
        Comparison::Unequal => Comparison::Equal,
        Comparison::Less => Comparison::AtLeast,
        Comparison::AtLeast => Comparison::Less,
        Comparison::Greater => Comparison::AtMost,
        Comparison::AtMost => Comparison::Greater,
    }
}

/// Returns the comparison with its sides swapped.
fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Greater => Comparison::Less,
        Comparison::AtMost => Comparison::AtLeast,
        same => same,
    }
}
