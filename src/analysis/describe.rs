//! Turns observations into findings.

use super::instrument::End;
use super::observations::Observations;
use super::{Analysis as AnalysisReport, BoardCoverage};
use crate::language::finding::{Code, Edit, Finding, Fix};
use crate::language::rules::{Domain, MoveRule, PlayerId, Rules, Statement};
use crate::notation::{inflected, list};
use crate::syntax::Span;

/// With this many random positions, "never legal" is worth reporting.
const MANY_POSITIONS: usize = 5_000;
/// Random games that must reach an end, always with the same winner, to report it as one-sided.
const MANY_ENDS: usize = 200;
/// With this many finished random games, "never" is worth reporting.
const MANY_GAMES: usize = 100;

/// Returns the findings in the order of the text, and the coverage. Nothing observed on one board
/// is reported as impossible on another.
pub fn describe(chosen: &Observations, small: &[Observations]) -> AnalysisReport {
    let describer = Describer { chosen, small };
    let looked = describer.views().map(|observations| BoardCoverage {
        options: describer.differing(observations),
        positions: observations.positions,
        games: observations.games,
        plies: observations.plies,
        exhaustive: observations.complete,
    });
    let looked = looked.collect();
    match describer.over_at_once() {
        Some(finding) => AnalysisReport { findings: vec![finding], looked, unreached: Vec::new() },
        None => AnalysisReport {
            findings: describer.findings(),
            looked,
            unreached: describer.unreached(),
        },
    }
}

impl Describer<'_> {
    fn findings(&self) -> Vec<Finding> {
        let describer = self;
        // Other findings would only be consequences.
        if let Some(finding) = describer.plays_once() {
            return vec![finding];
        }
        let mut findings = describer.never_legal();
        findings.extend(describer.never_ends());
        findings.extend(describer.no_move());
        findings.extend(describer.no_next_ply());
        findings.extend(describer.endless());
        findings.extend(describer.never_acts());
        findings.extend(describer.one_sided());
        findings.extend(describer.unbounded());
        findings.extend(describer.leads_back());
        findings.extend(describer.same_site());
        findings.sort_by_key(|finding| finding.span.start);
        findings
    }
}

pub(super) struct Describer<'v> {
    chosen: &'v Observations,
    small: &'v [Observations],
}

impl<'v> Describer<'v> {
    pub(super) fn rules(&self) -> &'v Rules {
        self.chosen.rules()
    }

    /// Returns all boards, smallest first.
    pub(super) fn views(&self) -> impl DoubleEndedIterator<Item = &'v Observations> {
        self.small.iter().chain([self.chosen])
    }

    /// Returns the largest board that was explored completely.
    fn fully_explored(&self) -> Option<&'v Observations> {
        self.views().rev().find(|observations| observations.complete && observations.positions > 0)
    }

    /// Formats all options as chosen, if there are any: " with Size=5".
    fn choice(&self) -> String {
        let values: Vec<String> = self
            .rules()
            .options
            .iter()
            .map(|option| format!("{}={}", option.name, option.value()))
            .collect();
        if values.is_empty() { String::new() } else { format!(" with {}", list(&values, "and")) }
    }

    /// Formats the options by which a board differs from the chosen one: " with Size=2".
    pub(super) fn scope(&self, observations: &Observations) -> String {
        let differing: Vec<String> = self
            .differing(observations)
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if differing.is_empty() {
            String::new()
        } else {
            format!(" with {}", list(&differing, "and"))
        }
    }

    fn differing(&self, observations: &Observations) -> Vec<(String, String)> {
        let chosen = self.rules().options.iter();
        let differing = observations.rules().options.iter().filter_map(|option| {
            let value = option.value();
            let own = chosen.clone().find(|own| own.name == option.name)?;
            (own.value() != value).then(|| (option.name.clone(), value.to_owned()))
        });
        differing.collect()
    }

    /// Returns message and help for an event that was not observed: `never`, with the board, if
    /// some board was explored completely; otherwise `unseen`, if given.
    fn unseen(&self, never: &str, unseen: Option<String>) -> Option<(String, String)> {
        let looked = |observations: &Observations| {
            format!("{} with the options as chosen", positions(observations.positions))
        };
        match self.fully_explored() {
            Some(observations) if self.chosen.complete => Some((
                format!("{never}{}", self.choice()),
                format!("{} searched", all(observations.positions, "")),
            )),
            Some(observations) => {
                let scope = self.scope(observations);
                let help = format!(
                    "{} searched, and {}",
                    all(observations.positions, &scope),
                    looked(self.chosen)
                );
                Some((format!("{never}{scope}"), help))
            }
            None => {
                let message = unseen?;
                let help = format!(
                    "random games reached {} and {}",
                    positions(self.chosen.positions),
                    ends(self.chosen.games)
                );
                Some((message, help))
            }
        }
    }

    /// Reports a game that is over before the first ply.
    fn over_at_once(&self) -> Option<Finding> {
        let observations = self.chosen;
        if !observations.complete || observations.positions > 0 {
            return None;
        }
        let first = observations
            .instrumented
            .game
            .decisions()
            .iter()
            .find_map(|decision| self.rules().moves.get(decision.moves.first()?.index()))?;
        let message = format!(
            "the move `{}` is never legal{}: the game is over before the first ply",
            first.verb,
            self.choice()
        );
        let mut finding = Finding::new(Code::NeverLegal, first.span, message);
        if let Some(&(End::Clause(end) | End::Stuck(end))) = observations.ended.iter().next() {
            finding = finding.with_other(end, "the game ends here");
        }
        Some(
            finding.with_help("look at the first position, and at the conditions tested before it"),
        )
    }

    /// Returns the moves that occur in a decision and were never legal on any board.
    fn illegal(&self) -> impl Iterator<Item = &'v MoveRule> {
        let decisions = self.chosen.instrumented.game.decisions();
        let rules = self.rules().moves.iter().enumerate();
        let asked_for = rules.filter(|(index, _)| {
            decisions
                .iter()
                .any(|decision| decision.moves.iter().any(|rule| rule.index() == *index))
        });
        asked_for.map(|(_, rule)| rule).filter(|rule| {
            !self.views().any(|observations| observations.legal.contains(&rule.span))
        })
    }

    fn never_legal(&self) -> Vec<Finding> {
        let enough = self.chosen.positions >= MANY_POSITIONS && self.chosen.games >= MANY_GAMES;
        let finding = |rule: &MoveRule| {
            let never = format!("the move `{}` is never legal", rule.verb);
            let (message, help) = self.unseen(
                &never,
                enough.then(|| format!("the move `{}` was never legal in random games", rule.verb)),
            )?;
            let finding = Finding::new(Code::NeverLegal, rule.span, message).with_help(help);
            Some(match self.only_end() {
                Some(end) => finding.with_other(end, "every game ends here before"),
                None => finding,
            })
        };
        self.illegal().filter_map(finding).collect()
    }

    /// Returns the only clause by which games end, if every position was visited.
    fn only_end(&self) -> Option<Span> {
        let mut ends = self.chosen.ended.iter();
        match (ends.next(), ends.next()) {
            (Some(&(End::Clause(end) | End::Stuck(end))), None) if self.chosen.complete => {
                Some(end)
            }
            _ => None,
        }
    }

    fn never_ends(&self) -> Vec<Finding> {
        let inside = |rule: &MoveRule, span: Span| {
            let body = rule.body.first().zip(rule.body.last());
            body.is_some_and(|(first, last)| {
                first.span.start <= span.start && span.end <= last.span.end
            })
        };
        let mut spans = Vec::new();
        for end in &self.chosen.instrumented.ends {
            if let End::Clause(span) = *end
                && !spans.contains(&span)
                && !self.views().any(|observations| observations.ended.contains(end))
                && !self.illegal().any(|rule| inside(rule, span))
            {
                spans.push(span);
            }
        }
        if let Some(repetition) = &self.rules().repetition
            && self.chosen.complete
            && self.chosen.cycle.is_none()
        {
            spans.push(repetition.span);
        }
        let finding = |span: Span| {
            // Random games rarely reach the ends that players aim at: missing one is no evidence.
            let (message, help) = self.unseen("this end is never reached", None)?;
            Some(Finding::new(Code::NeverReached, span, message).with_help(help))
        };
        spans.into_iter().filter_map(finding).collect()
    }

    /// Returns the ends that were not reached, if no board was explored completely but there were
    /// many random games.
    fn unreached(&self) -> Vec<Span> {
        if self.views().any(|observations| observations.complete && observations.positions > 0)
            || self.chosen.games < MANY_GAMES
        {
            return Vec::new();
        }
        let mut spans: Vec<Span> = Vec::new();
        for end in &self.chosen.instrumented.ends {
            if let End::Clause(span) = *end
                && !spans.contains(&span)
                && !self.views().any(|observations| {
                    observations
                        .ended
                        .iter()
                        .any(|ended| matches!(ended, End::Clause(at) if *at == span))
                })
            {
                spans.push(span);
            }
        }
        spans.sort_unstable();
        spans
    }

    /// Reports an order of play without any loop or turn, which is executed once.
    fn plays_once(&self) -> Option<Finding> {
        let rules = self.rules();
        let loops = |statement: &Statement| {
            matches!(
                statement,
                Statement::Turns(..)
                    | Statement::Turn(..)
                    | Statement::Forever(..)
                    | Statement::While(..)
                    | Statement::Until(..)
                    | Statement::Repeat(..)
                    | Statement::Steps { .. }
            )
        };
        let span = rules.play.first()?.span.join(rules.play.last()?.span);
        if rules.players.len() < 2
            || rules.files.file_of(span) != 0
            || rules.play.iter().any(|statement| rules.holds(&statement.node, &loops))
        {
            return None;
        }
        let plies = match rules.play.len() {
            1 => String::from("one ply"),
            _ => String::from("its statements, which are executed once"),
        };
        let message = format!("the game ends after {plies}: nothing repeats the order of play");
        let fix = Fix {
            title: String::from("put it in `(turns …)`"),
            edits: vec![
                Edit { span: Span::new(span.start, span.start), text: String::from("(turns ") },
                Edit { span: Span::new(span.end, span.end), text: String::from(")") },
            ],
        };
        let help = "put it in `(turns …)`, so that all players act in turn until the game ends";
        Some(Finding::new(Code::NeverActs, span, message).with_help(help).with_fix(fix))
    }

    /// Reports players who never have a turn in the order of play.
    fn never_acts(&self) -> Vec<Finding> {
        let rules = self.rules();
        let decisions = self.chosen.instrumented.game.decisions();
        let acts = |player: usize| {
            decisions
                .iter()
                .any(|decision| decision.mover.is_some_and(|mover| mover.index() == player))
        };
        let Some(first) = rules.play.first() else { return Vec::new() };
        let idle: Vec<&str> = (0..rules.players.len())
            .filter(|&player| !acts(player))
            .map(|player| &*rules.players[player].name)
            .collect();
        let Some(&name) = idle.first() else { return Vec::new() };
        let who = list(&idle.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>(), "and");
        let message = match idle.len() {
            1 => format!("{who} never acts: the order of play gives {who} no turn"),
            _ => format!("{who} never act: the order of play gives them no turns"),
        };
        let mut finding = Finding::new(Code::NeverActs, first.span, message);
        if let Statement::Forever(_) = first.node
            && rules.files.file_of(first.span) == 0
        {
            let word = Span::new(first.span.start + 1, first.span.start + 1 + "forever".len());
            if word.text(rules.source()) == "forever" {
                finding.span = word;
                finding = finding.with_fix(Fix::write(word, "turns"));
            }
        }
        vec![finding.with_help(format!("use `turns` to give each player a turn in order, or `(turn {name} …)` to give one to {name}"))]
    }

    /// Reports ends that name no player but are won by one player only.
    fn one_sided(&self) -> Vec<Finding> {
        let rules = self.rules();
        let mut found: Vec<Finding> = Vec::new();
        let within = |span: Span| {
            rules.end.iter().any(|part| part.span.start <= span.start && span.end <= part.span.end)
        };
        for end in &self.chosen.instrumented.ends {
            let End::Clause(span) = *end else { continue };
            if !within(span)
                || found.iter().any(|known| known.span == span)
                || !is_of_any_player(rules, span)
            {
                continue;
            }
            let seen = |observations: &Observations| {
                let all = observations
                    .winners
                    .iter()
                    .filter(|(at, _)| matches!(at, End::Clause(at) if *at == span));
                let mut winners: Vec<PlayerId> = Vec::new();
                let mut times = 0;
                for (_, (won, often)) in all {
                    winners.extend(won);
                    times += often;
                }
                winners.sort_unstable();
                winners.dedup();
                (winners, times)
            };
            let mut winners: Vec<PlayerId> =
                self.views().flat_map(|observations| seen(observations).0).collect();
            winners.sort_unstable();
            winners.dedup();
            let [winner] = winners[..] else { continue };
            let name = &rules.players[winner.index()].name;
            let times = seen(self.chosen).1;
            let (message, help) = match self.chosen.complete {
                true => (
                    format!("only {name} ever wins here{}", self.choice()),
                    format!(
                        "{} searched; write `{name}` if you mean that",
                        all(self.chosen.positions, "")
                    ),
                ),
                false if times >= MANY_ENDS => (
                    format!("only {name} won here in random games"),
                    format!(
                        "random games reached this end {times} times; not all positions were searched"
                    ),
                ),
                false => continue,
            };
            found.push(Finding::new(Code::OneSided, span, message).with_help(help));
        }
        found
    }

    /// Reports counters that keep positions from repeating.
    fn unbounded(&self) -> Vec<Finding> {
        let rules = self.rules();
        let finding = |counter: &super::suspects::Counter| {
            // A counter that is tested may be what ends the game.
            let seen = self.views().any(|observations| {
                observations.counted.contains(&counter.memory)
                    && (!counter.is_asked || observations.given_up)
            });
            if !seen || rules.depends_on_past() {
                return None;
            }
            let memory = &rules.memories[counter.memory.index()];
            let name = &memory.name;
            let message = match rules.repetition {
                Some(_) => format!(
                    "`{name}` only grows, so no position repeats and `repetition` never applies"
                ),
                None => {
                    format!(
                        "`{name}` only grows, so no position repeats, and it stays unknown whether games can go on for ever"
                    )
                }
            };
            let help = format!(
                "without `{name}`, a position repeated in a random game; reset it, or end the game when it reaches a limit"
            );
            Some(Finding::new(Code::Unbounded, memory.span, message).with_help(help))
        };
        self.chosen.suspects.counters.iter().filter_map(finding).collect()
    }

    /// Reports moves that change nothing and after which the same player makes the same choice.
    fn leads_back(&self) -> Vec<Finding> {
        let rules = self.rules();
        let mut found: Vec<Finding> = Vec::new();
        for observations in self.views() {
            for (rule, &asked) in &observations.leads_back {
                let rule = &rules.moves[rule.index()];
                if found.iter().any(|known| known.span == rule.span) {
                    continue;
                }
                let message =
                    format!("`{}` changes nothing, and the same player chooses again", rule.verb);
                let finding = Finding::new(Code::LeadsBack, rule.span, message)
                    .with_other(asked, "chosen again here")
                    .with_help("to end the turn with this move, write `(end-turn)` in it; otherwise the loop ends only when its condition becomes false");
                found.push(finding);
            }
        }
        found
    }

    /// Reports parameters of a move that can be the same site.
    fn same_site(&self) -> Vec<Finding> {
        let rules = self.rules();
        let mut pairs: Vec<_> =
            self.views().flat_map(|observations| observations.twice.iter().copied()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let finding = |(rule, first, second): (crate::language::rules::MoveId, usize, usize)| {
            let rule = &rules.moves[rule.index()];
            let [one, other] = [first, second].map(|index| &rule.parameters[index]);
            let [name, again] =
                [one, other].map(|parameter| &rules.locals[parameter.variable.index()].name);
            let Domain::Sites(region) = &other.domain else { return None };
            let text = region.span.text(rules.source());
            let message =
                format!("`{again}` can be the same site as `{name}`, so two pieces are put there");
            let apart = format!("(and {text} (not {name}))");
            let mut finding = Finding::new(Code::SameSite, region.span, message)
                .with_other(one.span, format!("`{name}` is chosen from the same region"))
                .with_help(format!("exclude `{name}`: `{apart}`"));
            if rules.files.file_of(region.span) == 0 {
                finding = finding.with_fix(Fix::write(region.span, apart));
            }
            Some(finding)
        };
        pairs.into_iter().filter_map(finding).collect()
    }
}

fn all(count: usize, scope: &str) -> String {
    match count {
        1 => format!("the only reachable position{scope} was"),
        _ => format!("all {count} reachable positions{scope} were"),
    }
}

fn positions(count: usize) -> String {
    format!("{count} {}", inflected(count as u64, "position"))
}

fn ends(count: usize) -> String {
    format!("{count} {}", inflected(count as u64, "end"))
}

/// Tests if the winning clause at a span names no player.
fn is_of_any_player(rules: &Rules, span: Span) -> bool {
    let text = span.text(rules.source());
    let who = text
        .trim_start_matches('(')
        .trim_end_matches(')')
        .split_whitespace()
        .nth(1)
        .unwrap_or_default();
    text.starts_with("(win")
        && !rules.players.iter().any(|player| player.name == who.trim_matches(['(', ')']))
}
