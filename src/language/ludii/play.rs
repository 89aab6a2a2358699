//! The rules of a game: the setup, the order of play with its phases, the moves, and the end.

use super::moves::{Place, Verb, arguments};
use super::table::Type;
use super::{LIST, PLAYERS, Writer, elements, is, spelling};
use crate::syntax::Node;

/// The memories of drafts: what they hold, and what every move does to keep them up to date, from a
/// site s to a site t.
pub(super) const MEMORIES: [(&str, &str, &str); 7] = [
    ("LastTo", "site", "(set LastTo t)"),
    ("LastFrom", "site", "(set LastFrom s)"),
    ("Moves", "number", "(raise Moves 1)"),
    ("Again", "condition", "(set Again false)"),
    ("Passes", "number", ""),
    ("Phase", "number (per player)", ""),
    ("Score", "number (per player)", ""),
];

impl Writer {
    /// Writes the setup, the moves, the order of play and the end.
    pub(super) fn rules(&mut self, rules: Option<&Node>) -> String {
        let args = rules.map_or(&[][..], Node::args);
        let find = |word: &str| args.iter().find(|part| is(part, word));
        let setup = self.start(find("start"));
        let mut phases: Vec<&Node> = Vec::new();
        let mut is_list_of_phases = false;
        for part in args {
            match part.head().map(|(head, _)| head) {
                Some("start" | "play" | "end") => {}
                Some("meta") => self.meta(part),
                Some(LIST) if is_list_of_phases => phases.extend(part.args()),
                Some("phase") => phases.push(part),
                None if part.as_word() == Some("phases:") => is_list_of_phases = true,
                _ => self.gap(part),
            }
        }
        let mut end = String::new();
        let mut blocked = None;
        if let Some(node) = find("end") {
            end += &self.ends(node, &mut blocked);
        }
        match find("play") {
            Some(play) => self.all(play.args(), &Place::default()),
            None if phases.is_empty() => rules.into_iter().for_each(|rules| self.gap(rules)),
            None => {}
        }
        let begins = self.phases(&phases, &mut end, &mut blocked);
        self.order(&setup, &begins, &end, blocked)
    }

    fn all(&mut self, nodes: &[Node], place: &Place) {
        nodes.iter().for_each(|node| self.plays(node, place));
    }

    /// Rules about rules: only the pie rule has a word.
    fn meta(&mut self, meta: &Node) {
        for part in meta.args().iter().flat_map(elements) {
            match spelling(part).as_str() {
                "(swap)" => self.equipment.has_pie = true,
                _ => self.gap(part),
            }
        }
    }

    /// Adds the moves of the phases, each under the condition that the mover is in it. Returns what
    /// sets the phase in which players begin, unless it is the first.
    fn phases(
        &mut self,
        phases: &[&Node],
        end: &mut String,
        blocked: &mut Option<String>,
    ) -> String {
        let title = |phase: &Node| phase.args().first().and_then(Node::as_text).map(str::to_owned);
        let names: Vec<Option<String>> = phases.iter().map(|phase| title(phase)).collect();
        let owner = |phase: &Node| phase.args().get(1).and_then(Node::as_word).map(str::to_owned);
        for (number, phase) in phases.iter().enumerate() {
            let several = phases.len() > 1;
            let place = match several {
                true => Place::default().under(&format!("(= (Phase mover) {number})")),
                false => Place::default(),
            };
            let before = self.verbs.len();
            let mut onward = String::new();
            for part in phase.args().iter().skip(1) {
                match part.head().map(|(head, _)| head) {
                    Some("play") => self.all(part.args(), &place),
                    Some("end") => *end += &self.ends(part, blocked),
                    Some("nextPhase") => {
                        onward += &self.or_comment(|writer| writer.next_phase(part, &names));
                    }
                    None if part.as_word().is_some() => {}
                    _ => self.gap(part),
                }
            }
            for verb in &mut self.verbs[before..] {
                verb.consequences += &onward;
            }
        }
        // A player begins in the first phase that is not another player's.
        let first = |player: usize| {
            let role = format!("P{}", player + 1);
            phases.iter().position(|phase| {
                owner(phase).is_none_or(|owner| owner == role || !owner.starts_with('P'))
            })
        };
        let begins = (0..self.equipment.facing.len()).filter_map(|player| {
            let number = first(player).filter(|&number| number > 0)?;
            Some(format!("(set (Phase {}) {number})\n", PLAYERS[player]))
        });
        begins.collect()
    }

    /// Translates `(nextPhase ROLE CONDITION "Name")`, which follows every move of its phase.
    fn next_phase(&mut self, node: &Node, names: &[Option<String>]) -> Option<String> {
        let fields = arguments(node.args());
        let target = fields.forms.iter().find_map(|form| form.as_text());
        let number = match target {
            Some(target) => names.iter().position(|name| name.as_deref() == Some(target)),
            None => None,
        };
        let Some(number) = number else {
            self.gap(node);
            return None;
        };
        let role = fields.words.first().copied();
        let effect = match role.map(|role| (role, self.equipment.player(role))) {
            None => format!("(for p players (set (Phase p) {number}))"),
            Some(("Mover", _)) => format!("(set (Phase mover) {number})"),
            Some(("Next", _)) => format!("(set (Phase (next mover)) {number})"),
            Some((_, Some(player))) => format!("(set (Phase {player}) {number})"),
            Some(_) => {
                self.gap(node);
                return None;
            }
        };
        match fields.forms.iter().find(|form| form.as_text().is_none()) {
            None => Some(effect),
            Some(condition) => {
                let condition = self.translate(Type::Condition, condition)?;
                Some(format!("(if {condition} {effect})"))
            }
        }
    }

    /// Translates end rules; that the next player has no moves is said where moves are chosen.
    fn ends(&mut self, end: &Node, blocked: &mut Option<String>) -> String {
        let mut text = String::new();
        for rule in end.args().iter().flat_map(elements) {
            let is_blocked = |condition: &Node| {
                spelling(condition) == "(no Moves …)" && condition.args().len() == 2
            };
            match rule.args() {
                [condition, result] if is(rule, "if") && is_blocked(condition) => {
                    let role = condition.args().get(1).and_then(Node::as_word).unwrap_or("Next");
                    let player = self.equipment.player(role);
                    // The moves are chosen by the player who is next in the rule.
                    let result = self.or_comment(|writer| writer.result(result, Some("mover")));
                    let otherwise = match (role, player) {
                        ("Next", _) => result,
                        (_, Some(player)) => format!("(if (= mover {player}) {result})\n"),
                        _ => {
                            self.gap(condition);
                            continue;
                        }
                    };
                    blocked.get_or_insert_default().push_str(&otherwise);
                }
                _ => text += &self.or_comment(|writer| writer.end_rule(rule)),
            }
        }
        text
    }

    /// Translates a rule of the end: a condition with a result.
    fn end_rule(&mut self, rule: &Node) -> Option<String> {
        match rule.args() {
            [condition, result] if is(rule, "if") => {
                let condition = self.translate(Type::Condition, condition);
                let result = match is(result, "if") {
                    true => self.end_rule(result),
                    false => self.result(result, None),
                };
                Some(format!("(if {} {})", condition?, result?))
            }
            [_, label, condition, result]
                if spelling(rule) == "(forEach Player …)" && label.as_word() == Some("if:") =>
            {
                self.within(&[("(player)", "p")], |writer| {
                    let condition = writer.translate(Type::Condition, condition)?;
                    let result = writer.result(result, None)?;
                    Some(format!("(for p players (if {condition} {result}))"))
                })
            }
            _ => {
                self.gap(rule);
                None
            }
        }
    }

    /// Translates `(byScore { (score P1 NUMBER) … })`.
    pub(super) fn by_score(&mut self, node: &Node) -> Option<String> {
        let scores = node.args().iter().flat_map(elements);
        let branches = scores.map(|score| match score.args() {
            [role, number] if is(score, "score") => {
                let player = role.as_word().and_then(|role| self.equipment.player(role))?;
                Some(format!("({player} {})", self.translate(Type::Number, number)?))
            }
            _ => {
                self.gap(score);
                None
            }
        });
        let branches: Vec<Option<String>> = branches.collect();
        let branches: Option<Vec<String>> = branches.into_iter().collect();
        Some(format!("(by-score p (case p {}))", branches?.join(" ")))
    }

    /// Translates a result. Where moves are chosen, the player who was next is the mover.
    fn result(&mut self, result: &Node, next: Option<&str>) -> Option<String> {
        let text = self.translate(Type::Result, result)?;
        Some(match next {
            Some(next) => text
                .replace("(next mover)", "\u{0}")
                .replace("mover", "(next mover)")
                .replace('\u{0}', next),
            None => text,
        })
    }

    /// Writes setup, moves, order of play and end, with the memories that are used.
    fn order(&mut self, setup: &str, begins: &str, end: &str, blocked: Option<String>) -> String {
        if self.verbs.is_empty() {
            self.verbs.push(Verb::pass());
        }
        let names: Vec<String> = self.verbs.iter().map(|verb| verb.name.clone()).collect();
        let drafts: String = self
            .verbs
            .iter()
            .map(|verb| {
                format!(
                    "{} {} {} {}",
                    verb.parameters, verb.requirements, verb.effects, verb.consequences
                )
            })
            .collect();
        let everything = format!("{drafts} {setup} {begins} {end}");
        let passes = uses(&everything, "AllPassed") || uses(&everything, "Passes");
        // A player without a move passes; if nobody has one, the game is drawn.
        let fills = self.verbs.iter().all(|verb| {
            verb.name == "place"
                && verb.parameters == "(to t (empty))"
                && verb.requirements.is_empty()
        });
        let can_pass = names.iter().any(|name| name == "pass");
        let verbs = names.join(" ");
        let (otherwise, pass) = match blocked {
            Some(result) => (format!("(otherwise {result})"), false),
            None if fills || can_pass => (String::new(), false),
            None if passes => (String::from("(otherwise (choose pass))"), true),
            None => {
                let any = format!("(some p players (can p {verbs}))");
                (format!("(otherwise (if {any} (choose pass) (else (draw))))"), true)
            }
        };
        if pass {
            self.verbs.push(Verb::pass());
        }
        let again = uses(&everything, "Again");
        let used = MEMORIES.iter().filter(|(memory, ..)| uses(&everything, memory));
        let used: Vec<&(&str, &str, &str)> = used.collect();
        let mut text = String::new();
        text += &self.comment();
        text += &part("setup", &format!("{setup}{begins}"));
        for verb in &self.verbs {
            let keeps = |(memory, _, kept): &&&(&str, &str, &str)| {
                // What a pass does not have stays as it is.
                (verb.from.is_some() || !uses(kept, "s"))
                    && (verb.to.is_some() || !uses(kept, "t"))
                    && (*memory != "Again" || verb.consequences != "(set Again true)\n")
            };
            let mut kept: String =
                used.iter().filter(keeps).map(|(.., kept)| format!("{kept}\n")).collect();
            if passes {
                kept += if verb.name == "pass" { "(raise Passes 1)\n" } else { "(set Passes 0)\n" };
            }
            text += &format!(
                "(move {} {}\n{}{}{}{})\n\n",
                verb.name,
                verb.parameters,
                verb.requirements,
                verb.effects,
                kept,
                verb.consequences
            );
        }
        let choose = format!("(choose {verbs} {otherwise})");
        let again = if again {
            format!("(while Again (choose {verbs} (otherwise (set Again false))))")
        } else {
            String::new()
        };
        text += &format!("(play (turns {choose} {again}))\n\n");
        if self.equipment.has_pie {
            text += "(pie-rule)\n";
        }
        text += &part("end", end);
        let all = format!("(>= Passes {})", self.equipment.facing.len());
        text.replace("AllPassed", &all)
    }

    /// Declares the memories that the rules use.
    pub(super) fn memories(&self, rules: &str) -> String {
        let used = MEMORIES.iter().filter(|(memory, ..)| uses(rules, memory));
        let mut text: String =
            used.map(|(memory, holds, _)| format!("(remember {memory} {holds})\n")).collect();
        if uses(rules, "Supply") {
            let count = self.equipment.hand.as_ref().map_or("12", |(_, count)| count);
            text += &format!("(hand Supply {count})\n");
        }
        text
    }
}

/// Writes a part of the game with these statements; comments alone make no part.
fn part(word: &str, statements: &str) -> String {
    let is_statement = |line: &str| !line.trim().is_empty() && !line.trim().starts_with(';');
    match statements.lines().any(is_statement) {
        true => format!("({word} {statements})\n\n"),
        false => format!("{statements}\n"),
    }
}

/// Tests if a text has a word.
pub(super) fn uses(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric()).any(|other| other == word)
}
