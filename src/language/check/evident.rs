//! What is evident about a game without playing it: conditions that are always so or never, moves that are never legal, and what is never come to.
//!
//! In: a game without errors. Out: warnings. A region is known by the kinds of sites that it can have (empty ones, the mover's kings and so on), a number by its least and its most. Whatever
//! speaks of an option is left alone, as another value may make it mean something.

use super::Checker;
use crate::board::Board;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{self, Kind};
use crate::language::rules::*;
use crate::syntax::Span;

impl Checker<'_> {
    /// Warns of what is evident in the game's own file.
    pub(super) fn warn_of_the_evident(&mut self, rules: &Rules) {
        let mut uses: Vec<(Span, Option<usize>)> = Vec::with_capacity(self.uses.len());
        let definitions = self.definitions.iter().enumerate().map(|(index, entry)| (entry.name.span, Some(index)));
        let options = self.options.iter().map(|entry| (entry.name.span, None));
        let declared: std::collections::HashMap<Span, Option<usize>> = definitions.chain(options).collect();
        uses.extend(self.uses.iter().filter_map(|(&span, of)| Some((span, *declared.get(of)?))));
        uses.sort_unstable();
        let mut evidence = Evidence {
            rules,
            source: self.source,
            uses,
            varying: vec![None; rules.definitions.len()],
            regions: vec![None; rules.definitions.len()],
            ranges: vec![None; rules.definitions.len()],
            truths: vec![None; rules.definitions.len()],
            put: 0,
            largest: Board::LIMIT,
            findings: Vec::new(),
        };
        if self.board_span.is_some_and(|board| !evidence.varies(board)) {
            evidence.largest = rules.board.len();
        }
        evidence.gather();
        let findings: Vec<Finding> = evidence.findings.into_iter().filter(|finding| self.sources.file_of(finding.span) == 0).collect();
        findings.into_iter().for_each(|finding| self.report(finding));
    }
}

/// The kinds of sites: two bits for each kind of piece, the mover's and others' (or nobody's), and these.
const EMPTY: u128 = 1 << 64;
const CUT: u128 = 1 << 65;
const MOVERS: u128 = 0x5555_5555_5555_5555;
const OTHERS: u128 = MOVERS << 1;
const ALL: u128 = EMPTY | CUT | MOVERS | OTHERS;

/// The sites that a region can have, and whether it has all of these kinds.
#[derive(Clone, Copy)]
struct Region {
    kinds: u128,
    exact: bool,
}

impl Region {
    const ANY: Region = Region { kinds: ALL, exact: false };

    fn within(kinds: u128) -> Region {
        Region { kinds, exact: false }
    }

    fn exactly(kinds: u128) -> Region {
        Region { kinds, exact: true }
    }
}

/// A number from the least to the most, in halves.
type Range = (i64, i64);
const FAR: i64 = i64::MAX / 4;
const UNBOUNDED: Range = (-FAR, FAR);

struct Evidence<'r> {
    rules: &'r Rules,
    source: &'r str,
    /// Where options are used, and definitions, by their index.
    uses: Vec<(Span, Option<usize>)>,
    /// Of each definition, once it is asked for: whether it speaks of an option.
    varying: Vec<Option<bool>>,
    regions: Vec<Option<Region>>,
    ranges: Vec<Option<Range>>,
    truths: Vec<Option<Option<bool>>>,
    /// The kinds of pieces that are ever put on the board.
    put: u128,
    /// The most sites that the board can have.
    largest: usize,
    findings: Vec<Finding>,
}

/// Where statements stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Move,
    End,
    Elsewhere,
}

impl<'r> Evidence<'r> {
    fn gather(&mut self) {
        let rules = self.rules;
        self.put = self.pieces_put();
        for definition in &rules.definitions {
            match &definition.body {
                Value::Statements(body) => self.statements(body, Within::Elsewhere),
                Value::Condition(condition) => self.operands(condition),
                _ => {}
            }
        }
        for rule in &rules.moves {
            for parameter in &rule.parameters {
                if let Domain::Sites(sites) = &parameter.domain
                    && self.is_never(sites)
                {
                    let message = format!("`{}` is never legal: there is never a site in this region", rule.verb);
                    self.warn(Code::NeverLegal, sites.span, message, self.why_never(sites));
                }
            }
            self.statements(&rule.body, Within::Move);
        }
        self.statements(&rules.setup, Within::Elsewhere);
        self.statements(&rules.play, Within::Elsewhere);
        self.statements(&rules.end, Within::End);
        if let Some(repetition) = &rules.repetition {
            self.statements(&repetition.then, Within::End);
        }
    }

    fn warn(&mut self, code: Code, span: Span, message: String, help: Option<String>) {
        let mut finding = Finding::new(code, span, message);
        finding.help = help;
        self.findings.push(finding);
    }

    /// Tells if what stands there speaks of an option, perhaps by way of definitions.
    fn varies(&mut self, span: Span) -> bool {
        let first = self.uses.partition_point(|(used, _)| used.start < span.start);
        for index in first..self.uses.len() {
            let (used, definition) = self.uses[index];
            if used.start >= span.end {
                break;
            }
            match definition {
                None => return true,
                Some(definition) => {
                    if let Some(known) = self.varying[definition] {
                        if known {
                            return true;
                        }
                        continue;
                    }
                    // Definitions lean on each other without a cycle, and not deeply.
                    let varies = self.rules.definitions.get(definition).is_none_or(|definition| {
                        let spans = spans_of(&definition.body);
                        spans.into_iter().any(|span| self.varies(span))
                    });
                    self.varying[definition] = Some(varies);
                    if varies {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn statements(&mut self, statements: &'r [At<Statement>], within: Within) {
        for (index, statement) in statements.iter().enumerate() {
            self.statement(statement, within);
            let last = match &statement.it {
                Statement::Win(_) | Statement::Lose(_) | Statement::Draw | Statement::ByScore(..) => "the game is over before",
                Statement::Forever(_) | Statement::Turns(_) => "what stands before goes on for ever",
                _ => continue,
            };
            if let Some(next) = statements.get(index + 1) {
                let mut finding = Finding::new(Code::NeverReached, next.span, "this is never come to").with_label(last);
                finding.help = Some(String::from("move it up, or delete it"));
                self.findings.push(finding);
            }
            break;
        }
    }

    fn statement(&mut self, statement: &'r At<Statement>, within: Within) {
        match &statement.it {
            Statement::Require(condition) => self.judge(condition, "require", within),
            Statement::If { condition, .. } => self.judge(condition, "if", within),
            Statement::While(condition, _) => self.judge(condition, "while", within),
            Statement::Steps { ending, .. } if ending.span != statement.span => self.judge(ending, "so-that", within),
            Statement::For(Binder { domain: Domain::Sites(sites), .. }, _) if self.is_never(sites) => {
                let message = String::from("this is never done: there is never a site in this region");
                self.warn(Code::NeverReached, sites.span, message, self.why_never(sites));
            }
            _ => {}
        }
        for body in statement.it.bodies() {
            self.statements(body, within);
        }
    }

    /// Says of a condition that it is always so or never, and what follows.
    fn judge(&mut self, condition: &'r At<Condition>, asked_by: &str, within: Within) {
        let Some(so) = self.evident(condition) else {
            return self.operands(condition);
        };
        let (code, message) = match (asked_by, so, within) {
            ("require", false, Within::Move) => (Code::NeverLegal, "the move is never legal: this is never so"),
            ("require", true, _) => (Code::ConstantCondition, "this is always so, and forbids nothing"),
            ("if", false, Within::End) => (Code::NeverReached, "this end never comes: its condition is never so"),
            (_, false, _) => (Code::ConstantCondition, "this condition is never so"),
            (_, true, _) => (Code::ConstantCondition, "this condition is always so"),
        };
        let why = self.why(condition);
        self.warn(code, condition.span, message.to_owned(), why);
    }

    /// Looks at the parts of a condition that is not evident as a whole.
    fn operands(&mut self, condition: &'r At<Condition>) {
        match &condition.it {
            Condition::And(all) | Condition::Or(all) => {
                for part in all {
                    match self.evident(part) {
                        Some(so) => {
                            let message = if so { "this condition is always so" } else { "this condition is never so" };
                            let why = self.why(part);
                            self.warn(Code::ConstantCondition, part.span, message.to_owned(), why);
                        }
                        None => self.operands(part),
                    }
                }
            }
            Condition::Not(inner) => self.operands(inner),
            Condition::Exists(_, inner) | Condition::Every(_, inner) => self.judge(inner, "", Within::Elsewhere),
            _ => {}
        }
    }

    /// Tells if a condition that somebody has written out is always so, or never, whatever the options.
    fn evident(&mut self, condition: &'r At<Condition>) -> Option<bool> {
        let so = self.truth(condition)?;
        // A word such as `true` says what it means; and some conditions are not the author's.
        let text = condition.span.text(self.source);
        let head = text.strip_prefix('(')?.split(|end: char| end.is_whitespace() || end == '(' || end == ')').next()?;
        ludemes::rows(head).any(|row| row.result == Kind::Condition).then_some(())?;
        (!self.varies(condition.span)).then_some(so)
    }

    fn why(&mut self, condition: &'r At<Condition>) -> Option<String> {
        match &condition.it {
            Condition::Any(sites) | Condition::None(sites) | Condition::In(_, sites) => self.why_never(sites),
            Condition::Compare(_, left, right) => {
                let of = |number: &At<Number>, (least, most): Range| {
                    let text = number.span.text(self.source);
                    (least > -FAR && !matches!(number.it, Number::Constant(_)) && !text.contains('\n')).then(|| {
                        let least = super::constants::spell(least);
                        match most < FAR {
                            true => format!("`{text}` is from {least} to {}", super::constants::spell(most)),
                            false => format!("`{text}` is at least {least}"),
                        }
                    })
                };
                let (one, other) = (self.range(left), self.range(right));
                of(left, one).or(of(right, other))
            }
            _ => None,
        }
    }

    /// Why a region never has a site.
    fn why_never(&self, sites: &At<Sites>) -> Option<String> {
        match &sites.it {
            Sites::Pieces { kinds, .. } => {
                let kind = kinds.iter().find(|kind| self.put >> (2 * kind.index()) & 3 == 0)?;
                Some(format!("no `{}` is ever put on the board", self.rules.pieces.get(kind.index())?.name))
            }
            Sites::And(all) => {
                all.iter().find_map(|part| self.why_never(part)).or(Some(String::from("no site is in all of these regions at once")))
            }
            _ => None,
        }
    }

    fn is_never(&mut self, sites: &'r At<Sites>) -> bool {
        self.region(&sites.it).kinds == 0 && !self.varies(sites.span) && sites.span.text(self.source) != "nowhere"
    }

    /// The kinds of pieces that some statement puts on the board.
    fn pieces_put(&self) -> u128 {
        let rules = self.rules;
        let mut put: u128 = 0;
        let mut left: Vec<&[At<Statement>]> = vec![&rules.setup, &rules.play];
        left.extend(rules.moves.iter().map(|rule| &rule.body[..]));
        left.extend(rules.definitions.iter().filter_map(|definition| match &definition.body {
            Value::Statements(body) => Some(&body[..]),
            _ => None,
        }));
        while let Some(body) = left.pop() {
            for statement in body {
                match &statement.it {
                    Statement::Put { piece, .. } | Statement::Replace { piece, .. } => match piece.it {
                        PieceOf::Fixed(kind) => put |= 3 << (2 * kind.index()),
                        PieceOf::Local(_) => put = MOVERS | OTHERS,
                    },
                    _ => {}
                }
                left.extend(statement.it.bodies());
            }
        }
        let mut owners = 0;
        for (index, piece) in rules.pieces.iter().enumerate() {
            // Nobody's pieces are not the mover's, and where there is one player there are no others'.
            owners |= match (piece.owned, rules.players.len()) {
                (true, 1) => 1,
                (true, _) => 3,
                (false, _) => 2,
            } << (2 * index);
        }
        put & owners
    }

    fn region(&mut self, sites: &'r Sites) -> Region {
        match sites {
            Sites::Everywhere => Region::exactly(EMPTY | self.put),
            Sites::Nowhere => Region::exactly(0),
            Sites::Empty => Region::exactly(EMPTY),
            Sites::CutOut => Region::exactly(CUT),
            Sites::Pieces { kinds, whose } => {
                let mut all: u128 = kinds.iter().map(|kind| 3 << (2 * kind.index())).fold(0, |all, kind| all | kind);
                if kinds.is_empty() {
                    all = MOVERS | OTHERS;
                }
                let owned = self.rules.pieces.iter().enumerate().filter(|(_, piece)| piece.owned);
                let owned: u128 = owned.map(|(index, _)| 3 << (2 * index)).fold(0, |all, kind| all | kind);
                match whose {
                    Whose::Anyones => Region::exactly(all & self.put),
                    Whose::Players(At { it: PlayerOf::Mover, .. }) => Region::exactly(all & owned & MOVERS & self.put),
                    Whose::Others(At { it: PlayerOf::Mover, .. }) => Region::exactly(all & owned & OTHERS & self.put),
                    _ => Region::within(all & owned & self.put),
                }
            }
            Sites::Literal(sites) if sites.is_empty() => Region::exactly(0),
            Sites::And(all) => all.iter().fold(Region::exactly(ALL), |common, part| {
                let part = self.region(&part.it);
                Region { kinds: common.kinds & part.kinds, exact: common.exact && part.exact }
            }),
            Sites::Or(all) => all.iter().fold(Region::exactly(0), |both, part| {
                let part = self.region(&part.it);
                Region { kinds: both.kinds | part.kinds, exact: both.exact && part.exact }
            }),
            Sites::Not(inner) => match self.region(&inner.it) {
                Region { kinds, exact: true } => Region::exactly((EMPTY | CUT | self.put) & !kinds),
                _ => Region::ANY,
            },
            Sites::Group { within, .. } => Region::within(self.region(&within.it).kinds),
            Sites::Walk { through, .. } => Region::within(self.region(&through.it).kinds),
            Sites::Union(_, region) => Region::within(self.region(&region.it).kinds),
            Sites::Where(binder, _) => match &binder.domain {
                Domain::Sites(sites) => Region::within(self.region(&sites.it).kinds),
                _ => Region::ANY,
            },
            Sites::When(condition, region) => match self.truth(condition) {
                Some(false) => Region::within(0),
                _ => Region::within(self.region(&region.it).kinds),
            },
            Sites::ByPlayer(_, branches) => Region::within(branches.iter().fold(0, |all, branch| all | self.region(&branch.it).kinds)),
            Sites::Call(id, _) => {
                if let Some(known) = self.regions[id.index()] {
                    return known;
                }
                let region = match &self.rules.definitions[id.index()].body {
                    Value::Sites(sites) => self.region(&sites.it),
                    _ => Region::ANY,
                };
                self.regions[id.index()] = Some(region);
                region
            }
            Sites::Memory { .. } | Sites::Literal(_) | Sites::One(_) | Sites::Beside(..) | Sites::Between(..) | Sites::Local(_) => {
                Region::ANY
            }
        }
    }

    fn range(&mut self, number: &'r At<Number>) -> Range {
        let bounded = |(least, most): Range| (least.max(-FAR), most.min(FAR));
        match &number.it {
            Number::Constant(halves) => (*halves, *halves),
            Number::Memory { memory, .. } => {
                let memory = &self.rules.memories[memory.index()];
                match memory.holds {
                    Holds::Number { most } if memory.per_site => (0, 2 * i64::from(most)),
                    _ if memory.hand => (0, FAR),
                    _ => UNBOUNDED,
                }
            }
            Number::Add(all) => bounded(all.iter().fold((0, 0), |(least, most), part| {
                let part = self.range(part);
                bounded((least + part.0, most + part.1))
            })),
            Number::Subtract(from, number) => {
                let (from, number) = (self.range(from), self.range(number));
                bounded((from.0 - number.1, from.1 - number.0))
            }
            Number::Remainder(_, by) => (0, 2 * i64::from(*by - 1)),
            Number::Least(all) | Number::Greatest(all) => {
                let least = matches!(number.it, Number::Least(_));
                let ranges: Vec<Range> = all.iter().map(|part| self.range(part)).collect();
                let (ends, others): (Vec<i64>, Vec<i64>) = ranges.into_iter().unzip();
                match least {
                    true => (ends.into_iter().min().unwrap_or(-FAR), others.into_iter().min().unwrap_or(FAR)),
                    false => (ends.into_iter().max().unwrap_or(-FAR), others.into_iter().max().unwrap_or(FAR)),
                }
            }
            Number::Count(sites) => match (&sites.it, self.region(&sites.it).kinds) {
                (_, 0) => (0, 0),
                (Sites::One(_), _) => (0, 2),
                _ => (0, 2 * self.largest as i64),
            },
            Number::CountWhere(binder, _) => (0, 2 * self.values(&binder.domain)),
            Number::Sum(_, inner) if self.range(inner).0 >= 0 => (0, FAR),
            Number::ByPlayer(_, branches) => {
                let ranges: Vec<Range> = branches.iter().map(|branch| self.range(branch)).collect();
                (ranges.iter().map(|range| range.0).min().unwrap_or(-FAR), ranges.iter().map(|range| range.1).max().unwrap_or(FAR))
            }
            Number::Call(id, _) => {
                if let Some(known) = self.ranges[id.index()] {
                    return known;
                }
                let range = match &self.rules.definitions[id.index()].body {
                    Value::Number(number) => self.range(number),
                    _ => UNBOUNDED,
                };
                self.ranges[id.index()] = Some(range);
                range
            }
            Number::Local(_) | Number::Multiply(_) | Number::Divide(..) | Number::Sum(..) => UNBOUNDED,
        }
    }

    /// How many values a variable can have.
    fn values(&self, domain: &Domain) -> i64 {
        match domain {
            Domain::Sites(_) => self.largest as i64,
            Domain::Directions(_) => 8,
            Domain::Players(_) => self.rules.players.len() as i64,
            Domain::Pieces(kinds, _) => kinds.len() as i64,
            Domain::Numbers { least, most, .. } => i64::from(*most) - i64::from(*least) + 1,
        }
    }

    /// Whether a condition is so, as far as that is evident.
    fn truth(&mut self, condition: &'r At<Condition>) -> Option<bool> {
        match &condition.it {
            Condition::Constant(so) => Some(*so),
            Condition::And(all) => self.all(all, true),
            Condition::Or(all) => self.all(all, false),
            Condition::Not(inner) => self.truth(inner).map(|so| !so),
            Condition::Any(sites) => (self.region(&sites.it).kinds == 0).then_some(false),
            Condition::None(sites) => (self.region(&sites.it).kinds == 0).then_some(true),
            Condition::In(_, sites) => (self.region(&sites.it).kinds == 0).then_some(false),
            Condition::Exists(binder, inner) => match self.truth(inner) {
                Some(true) => matches!(binder.domain, Domain::Players(_)).then_some(true),
                so => so.or_else(|| self.is_bare(&binder.domain).then_some(false)),
            },
            Condition::Every(binder, inner) => match self.truth(inner) {
                Some(false) => matches!(binder.domain, Domain::Players(_)).then_some(false),
                so => so.or_else(|| self.is_bare(&binder.domain).then_some(true)),
            },
            Condition::Compare(comparison, left, right) => {
                if left.span.text(self.source) == right.span.text(self.source) && left.span != right.span {
                    return Some(matches!(comparison, Comparison::Equal | Comparison::AtMost | Comparison::AtLeast));
                }
                compare(*comparison, self.range(left), self.range(right))
            }
            Condition::SamePlayer(left, right) => match (&left.it, &right.it) {
                (PlayerOf::Fixed(left), PlayerOf::Fixed(right)) => Some(left == right),
                (PlayerOf::Mover, PlayerOf::Mover) => Some(true),
                (PlayerOf::Local(left), PlayerOf::Local(right)) if left == right => Some(true),
                (PlayerOf::Mover, PlayerOf::Next(of)) | (PlayerOf::Next(of), PlayerOf::Mover) if self.rules.players.len() > 1 => {
                    matches!(of.it, PlayerOf::Mover).then_some(false)
                }
                _ => None,
            },
            Condition::SameDirection(left, right) => match (&left.it, &right.it) {
                (DirectionOf::Fixed(left), DirectionOf::Fixed(right)) => Some(left == right),
                _ => None,
            },
            Condition::SameSite(left, right) => match (&left.it, &right.it) {
                (SiteOf::Literal(left), SiteOf::Literal(right)) => Some(left == right),
                _ => None,
            },
            Condition::ByPlayer(_, branches) => {
                let mut truths = branches.iter().map(|branch| self.truth(branch));
                let first = truths.next()??;
                truths.all(|so| so == Some(first)).then_some(first)
            }
            Condition::Call(id, _) => {
                if let Some(known) = self.truths[id.index()] {
                    return known;
                }
                let so = match &self.rules.definitions[id.index()].body {
                    Value::Condition(condition) => self.truth(condition),
                    _ => None,
                };
                self.truths[id.index()] = Some(so);
                so
            }
            Condition::Local(_) => None,
        }
    }

    /// Whether all conditions are so, or any.
    fn all(&mut self, conditions: &'r [At<Condition>], all: bool) -> Option<bool> {
        let mut known = Some(all);
        for condition in conditions {
            match self.truth(condition) {
                Some(so) if so == all => {}
                Some(so) => return Some(so),
                None => known = None,
            }
        }
        known
    }

    fn is_bare(&mut self, domain: &'r Domain) -> bool {
        matches!(domain, Domain::Sites(sites) if self.region(&sites.it).kinds == 0)
    }
}

/// Compares numbers of which the ends are known.
fn compare(comparison: Comparison, left: Range, right: Range) -> Option<bool> {
    let (below, not_above) = (left.1 < right.0, left.1 <= right.0);
    let (above, not_below) = (left.0 > right.1, left.0 >= right.1);
    // An end that is not known is none.
    let known = |so: bool, end: i64, other: i64| so && end.abs() < FAR && other.abs() < FAR;
    let (below, not_above) = (known(below, left.1, right.0), known(not_above, left.1, right.0));
    let (above, not_below) = (known(above, left.0, right.1), known(not_below, left.0, right.1));
    let either = |so: bool, not: bool| if so { Some(true) } else { not.then_some(false) };
    match comparison {
        Comparison::Equal => (below || above).then_some(false).or((not_above && not_below).then_some(true)),
        Comparison::Unequal => (below || above).then_some(true).or((not_above && not_below).then_some(false)),
        Comparison::Less => either(below, not_below),
        Comparison::AtMost => either(not_above, above),
        Comparison::Greater => either(above, not_above),
        Comparison::AtLeast => either(not_below, below),
    }
}

/// The places of what a definition stands for.
fn spans_of(value: &Value) -> Vec<Span> {
    match value {
        Value::Number(it) => vec![it.span],
        Value::Condition(it) => vec![it.span],
        Value::Sites(it) => vec![it.span],
        Value::Site(it) => vec![it.span],
        Value::Direction(it) => vec![it.span],
        Value::Directions(it) => vec![it.span],
        Value::Player(it) => vec![it.span],
        Value::Piece(it) => vec![it.span],
        Value::Statements(it) => it.iter().map(|statement| statement.span).collect(),
    }
}
