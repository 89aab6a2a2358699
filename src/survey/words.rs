//! What was seen of a game in, findings out.

use super::marks::End;
use super::view::View;
use crate::language::finding::{Code, Finding};
use crate::language::rules::{MoveRule, Rules};
use crate::notation::list;
use crate::syntax::Span;

/// What was not seen in so many positions of random games is worth a word.
const MANY_POSITIONS: usize = 5_000;
/// What did not come at the end of so many random games is worth a word.
const MANY_GAMES: usize = 100;

/// Says what seems wrong, in the order of the text. Nothing that was seen on one of the boards is said to be impossible on another.
pub fn findings(chosen: &View, small: &[View]) -> Vec<Finding> {
    let survey = Survey { chosen, small };
    if let Some(finding) = survey.over_at_once() {
        return vec![finding];
    }
    let mut findings = survey.never_legal();
    findings.extend(survey.never_ends());
    findings.extend(survey.no_move());
    findings.extend(survey.endless());
    findings.sort_by_key(|finding| finding.span.start);
    findings
}

struct Survey<'v> {
    chosen: &'v View,
    small: &'v [View],
}

impl<'v> Survey<'v> {
    fn rules(&self) -> &'v Rules {
        self.chosen.rules()
    }

    /// All boards, the smallest first.
    fn views(&self) -> impl DoubleEndedIterator<Item = &'v View> {
        self.small.iter().chain([self.chosen])
    }

    /// The largest board of which everything was seen.
    fn wholly_seen(&self) -> Option<&'v View> {
        self.views().rev().find(|view| view.complete && view.positions > 0)
    }

    /// All options as they are chosen, where there are some: " with Size=5".
    fn choice(&self) -> String {
        let values: Vec<String> =
            self.rules().options.iter().map(|option| format!("{}={}", option.name, option.values[option.chosen])).collect();
        if values.is_empty() { String::new() } else { format!(" with {}", list(&values, "and")) }
    }

    /// The options by which a board differs from the one that was chosen: " with Size=2".
    fn scope(&self, view: &View) -> String {
        let chosen = self.rules().options.iter();
        let differing = view.rules().options.iter().filter_map(|option| {
            let value = &option.values[option.chosen];
            let own = chosen.clone().find(|own| own.name == option.name)?;
            (own.values[own.chosen] != *value).then(|| format!("{}={value}", option.name))
        });
        let differing: Vec<String> = differing.collect();
        if differing.is_empty() { String::new() } else { format!(" with {}", list(&differing, "and")) }
    }

    /// Says that something was not seen: what can be said of it where all was seen, and what else, with where it was looked for. Nothing where too little was seen.
    fn unseen(&self, never: &str, unseen: Option<String>) -> Option<(String, String)> {
        let looked = |view: &View| format!("{} of the board as it is", positions(view.positions));
        match self.wholly_seen() {
            Some(view) if self.chosen.complete => {
                Some((format!("{never}{}", self.choice()), format!("{} looked at", all(view.positions, ""))))
            }
            Some(view) => {
                let scope = self.scope(view);
                let help = format!("{} looked at, and {}", all(view.positions, &scope), looked(self.chosen));
                Some((format!("{never}{scope}"), help))
            }
            None => {
                let message = unseen?;
                let help = format!("random games came to {} and {}", positions(self.chosen.positions), ends(self.chosen.games));
                Some((message, help))
            }
        }
    }

    /// Says that nobody ever comes to move.
    fn over_at_once(&self) -> Option<Finding> {
        let view = self.chosen;
        if !view.complete || view.positions > 0 {
            return None;
        }
        let first = view.marked.game.decisions().iter().find_map(|decision| self.rules().moves.get(decision.moves.first()?.index()))?;
        let message = format!("the move `{}` is never legal{}: the game is over before the first ply", first.verb, self.choice());
        let mut finding = Finding::new(Code::NeverLegal, first.span, message);
        if let Some(&(End::Said(end) | End::Stuck(end))) = view.ended.iter().next() {
            finding = finding.with_other(end, "it ends here");
        }
        Some(finding.with_help("look at the first position with `ludwright show`, and at what is asked before it"))
    }

    /// The moves that were legal nowhere.
    fn illegal(&self) -> impl Iterator<Item = &'v MoveRule> {
        let decisions = self.chosen.marked.game.decisions();
        let rules = self.rules().moves.iter().enumerate();
        let asked_for =
            rules.filter(|(index, _)| decisions.iter().any(|decision| decision.moves.iter().any(|rule| rule.index() == *index)));
        asked_for.map(|(_, rule)| rule).filter(|rule| !self.views().any(|view| view.legal.contains(&rule.span)))
    }

    fn never_legal(&self) -> Vec<Finding> {
        let enough = self.chosen.positions >= MANY_POSITIONS && self.chosen.games >= MANY_GAMES;
        let finding = |rule: &MoveRule| {
            let never = format!("the move `{}` is never legal", rule.verb);
            let (message, help) = self.unseen(&never, enough.then(|| format!("the move `{}` was never seen to be legal", rule.verb)))?;
            Some(Finding::new(Code::NeverLegal, rule.span, message).with_help(help))
        };
        self.illegal().filter_map(finding).collect()
    }

    fn never_ends(&self) -> Vec<Finding> {
        let inside = |rule: &MoveRule, span: Span| {
            let body = rule.body.first().zip(rule.body.last());
            body.is_some_and(|(first, last)| first.span.start <= span.start && span.end <= last.span.end)
        };
        let mut spans = Vec::new();
        for end in &self.chosen.marked.ends {
            if let End::Said(span) = *end
                && !spans.contains(&span)
                && !self.views().any(|view| view.ended.contains(end))
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
            // Random games come to few of the ends that players aim at: that none came to this one is no news.
            let (message, help) = self.unseen("this end never comes", None)?;
            Some(Finding::new(Code::NeverReached, span, message).with_help(help))
        };
        spans.into_iter().filter_map(finding).collect()
    }

    fn no_move(&self) -> Option<Finding> {
        let (view, (span, way)) = self.views().find_map(|view| Some((view, view.stuck.as_ref()?)))?;
        let record = view.record(way)?.trim_end().to_owned();
        let message = "a player can be left without a move here, and no rule says what happens; the game is then drawn";
        let help = format!(
            "say it with `(otherwise …)`, if only `(otherwise (draw))`; so it comes to that, in a record that `ludwright replay` plays:\n{record}"
        );
        Some(Finding::new(Code::NoMove, *span, message).with_label("no move is legal here").with_help(help))
    }

    fn endless(&self) -> Option<Finding> {
        if self.rules().repetition.is_some() {
            return None;
        }
        let (view, cycle) = self.views().find_map(|view| Some((view, view.cycle.as_ref()?)))?;
        let span = view.marked.game.program().decisions.get(cycle.decision)?.span;
        let record = view.record(&cycle.plies)?.trim_end().to_owned();
        let message = "this game can go on for ever: a position can come again and again, and no rule ends it";
        let last = match cycle.length {
            1 => String::from("the last ply leads"),
            length => format!("the last {length} plies lead"),
        };
        let help = format!(
            "add `(repetition 3 (draw))`, or count the plies; {last} back to where the game was, in this record that `ludwright replay` plays:\n{record}"
        );
        Some(Finding::new(Code::Endless, span, message).with_label("the position comes again here").with_help(help))
    }
}

fn all(count: usize, scope: &str) -> String {
    match count {
        1 => format!("the only position that there is{scope} was"),
        _ => format!("all {} that there are{scope} were", positions(count)),
    }
}

fn positions(count: usize) -> String {
    if count == 1 { String::from("1 position") } else { format!("{count} positions") }
}

fn ends(count: usize) -> String {
    if count == 1 { String::from("1 end") } else { format!("{count} ends") }
}
