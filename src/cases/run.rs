//! Runs rule cases against a game.

use super::case::{Case, CaseStep, Expectation};
use super::report::{Boards, CaseReport, Difference};
use crate::engine::game::{Game, PlayError, State};
use crate::language::sources::Sources;
use crate::notation::{
    Line, PositionText, Reason, clause, clip, form, legal, list, outcome, read_board, read_memory,
    spell, turn, write_board, write_memories,
};
use crate::pages::Example;
use crate::record::load;
use crate::render::diagram;
use crate::why::read;
use std::collections::HashMap;

/// Runs the cases of one rules file; compiles the rules once per set of options.
pub struct Runner {
    source: Sources,
    games: HashMap<Vec<(String, String)>, Result<Game, String>>,
}

impl Runner {
    /// Makes a runner for the text of a rules file.
    pub fn new(source: impl Into<Sources>) -> Runner {
        Runner { source: source.into(), games: HashMap::new() }
    }

    /// Runs a case. Options of the case take precedence over `choices`.
    pub fn run(&mut self, text: &str, choices: &[(String, String)]) -> CaseReport {
        let mut report = CaseReport::default();
        let case = match Case::parse(text) {
            Ok(case) => case,
            Err(misread) => {
                let title = Line::split(text)
                    .iter()
                    .find_map(|line| line.entry().filter(|(key, _)| *key == "title"));
                report.title = title.map(|(_, title)| title.to_owned()).unwrap_or_default();
                report.differences.push(Difference::unreadable(misread.line, misread.message));
                return report;
            }
        };
        report.title = case.title.to_owned();
        let mut run = match self.begin(&case, choices) {
            Ok(position) => Run { position, report },
            Err(difference) => {
                report.differences.push(difference);
                return report;
            }
        };
        run.log_start(&case);
        for step in &case.steps {
            if !run.run_step(step) {
                break;
            }
        }
        run.report
    }

    /// Returns the plies that a case plays, up to the first illegal one, each with the position
    /// before it.
    pub fn examples(&mut self, text: &str, choices: &[(String, String)]) -> Vec<Example> {
        let mut examples = Vec::new();
        let Ok(case) = Case::parse(text) else { return examples };
        let Ok(mut position) = self.begin(&case, choices) else { return examples };
        for step in &case.steps {
            let Expectation::Play(moves) = &step.expectation else { continue };
            for spelled in moves {
                let Ok(ply) = read(&position, spelled) else { return examples };
                let before = position.clone();
                if position.play(&ply).is_err() {
                    return examples;
                }
                examples.push(Example { title: case.title.to_owned(), position: before, ply });
            }
        }
        examples
    }

    fn begin(&mut self, case: &Case, choices: &[(String, String)]) -> Result<State, Difference> {
        let mut options = case.options.clone();
        let others =
            choices.iter().filter(|(name, _)| !case.options.iter().any(|(own, _)| own == name));
        options.extend(others.cloned());
        let source = &self.source;
        let game = self
            .games
            .entry(options.clone())
            .or_insert_with(|| load(source, &options, None).map_err(|error| error.summary()));
        let game = game.as_ref().map_err(|message| Difference::unreadable(1, message.clone()))?;
        let Some(lines) = &case.position else {
            return game
                .begin()
                .map_err(|fault| Difference::unreadable(1, clause::endless(game.rules(), &fault)));
        };
        let position = PositionText::read_whole(game, lines)
            .map_err(|misread| Difference::unreadable(misread.line, misread.message))?;
        let line = lines.first().map_or(1, |line| line.number);
        position.begin(game).map_err(|message| Difference::unreadable(line, message))
    }
}

/// A case being run.
struct Run {
    position: State,
    report: CaseReport,
}

impl Run {
    fn log_line(&mut self, line: &str) {
        self.report.transcript.push_str(line);
        self.report.transcript.push('\n');
    }

    fn log_start(&mut self, case: &Case) {
        self.log_line(case.title);
        for (name, value) in &case.options {
            self.log_line(&format!("option: {name}={value}"));
        }
        self.log_line(&format!("\n{}", diagram(&self.position)));
    }

    /// Executes a step; returns false if the rest of the case is meaningless.
    fn run_step(&mut self, step: &CaseStep) -> bool {
        self.log_line(step.line.content());
        match &step.expectation {
            Expectation::Play(moves) => return self.play(step, moves),
            Expectation::Legal(moves) => {
                for spelled in moves {
                    if let Err(refusal) = read(&self.position, spelled) {
                        self.differ(step, format!("`{}` is legal", clip(spelled)), refusal.line());
                    }
                }
            }
            Expectation::Illegal(moves) => self.illegal(step, moves),
            Expectation::Moves { verb, moves } => self.moves(step, *verb, moves),
            Expectation::Count(count) => {
                let found = self.position.legal().len();
                if found != *count {
                    let listed = legal(&self.position).join(", ");
                    self.differ(
                        step,
                        format!("{count} legal moves"),
                        format!("{found} ({listed})"),
                    );
                }
            }
            Expectation::Mover(name) => {
                let found = turn(self.position.game().rules(), self.position.turn()).to_owned();
                if found != *name {
                    self.differ(step, clip(name), found);
                }
            }
            Expectation::Result(result) => {
                let rules = self.position.game().rules();
                let found = outcome(rules, self.position.outcome());
                if found != *result {
                    self.differ(step, clip(result), found);
                }
            }
            Expectation::Board(rows) => self.board(step, rows),
            Expectation::Now { name, value } => self.now(step, name, value),
        }
        true
    }

    fn differ(&mut self, step: &CaseStep, expected: String, found: String) {
        let difference = Difference {
            line: step.line.number,
            said: step.line.content().to_owned(),
            expected,
            found,
            position: diagram(&self.position),
            boards: Some(Box::new(Boards { found: self.position.clone(), expected: None })),
        };
        self.log_line(&format!("    expected {}, found {}", difference.expected, difference.found));
        self.report.differences.push(difference);
    }

    /// Reports a line that does not fit the game, so that its expectation cannot be tested.
    fn misread(&mut self, line: usize, step: &CaseStep, message: String) {
        let said =
            if line == step.line.number { step.line.content().to_owned() } else { String::new() };
        self.log_line(&format!("    {message}"));
        self.report.differences.push(Difference { said, ..Difference::unreadable(line, message) });
    }

    fn play(&mut self, step: &CaseStep, moves: &[&str]) -> bool {
        for spelled in moves {
            let ply = match read(&self.position, spelled) {
                Ok(ply) => ply,
                Err(refusal) => {
                    self.differ(step, format!("`{}` can be played", clip(spelled)), refusal.line());
                    return false;
                }
            };
            if let Err(error) = self.position.play(&ply) {
                let found = match error {
                    PlayError::Fault(fault) => {
                        clause::endless(self.position.game().rules(), &fault)
                    }
                    illegal => illegal.to_string(),
                };
                self.differ(step, format!("`{}` can be played", clip(spelled)), found);
                return false;
            }
        }
        self.log_line(&format!("\n{}", diagram(&self.position)));
        true
    }

    /// Tests that moves are illegal. An unknown verb or site counts as illegal, unless it looks
    /// like a typing error, which must not make a case pass.
    fn illegal(&mut self, step: &CaseStep, moves: &[&str]) {
        for spelled in moves {
            match read(&self.position, spelled) {
                Ok(ply) => {
                    let spelled = spell(self.position.game().rules(), &ply);
                    self.differ(step, format!("`{spelled}` is illegal"), "it is legal".to_owned());
                }
                Err(refusal) if refusal.slip || refusal.reason == Reason::WrongArguments => {
                    self.misread(step.line.number, step, refusal.line())
                }
                Err(_) => {}
            }
        }
    }

    fn moves(&mut self, step: &CaseStep, verb: Option<&str>, moves: &[&str]) {
        if let Some(verb) = verb
            && !self.position.game().rules().moves.iter().any(|rule| rule.verb == verb)
        {
            let forms: Vec<String> = self
                .position
                .game()
                .rules()
                .moves
                .iter()
                .map(|rule| format!("`{}`", form(rule)))
                .collect();
            return self.misread(
                step.line.number,
                step,
                format!("this game has no move `{}`; it has {}", clip(verb), list(&forms, "and")),
            );
        }
        let whole = |spelled: &str| match verb {
            Some(verb) if spelled.is_empty() => verb.to_owned(),
            Some(verb) => format!("{verb} {spelled}"),
            None => spelled.to_owned(),
        };
        let expected: Vec<String> = moves.iter().map(|spelled| whole(spelled)).collect();
        let of_verb =
            |spelled: &String| verb.is_none_or(|verb| spelled.split(' ').next() == Some(verb));
        let found: Vec<String> = legal(&self.position).into_iter().filter(of_verb).collect();
        let missing: Vec<&str> = expected
            .iter()
            .filter(|spelled| !found.contains(spelled))
            .map(String::as_str)
            .collect();
        let besides: Vec<&str> = found
            .iter()
            .filter(|spelled| !expected.contains(spelled))
            .map(String::as_str)
            .collect();
        let mut parts = Vec::new();
        if !missing.is_empty() {
            parts.push(format!(
                "{} not legal",
                missing.iter().map(|spelled| clip(spelled)).collect::<Vec<String>>().join(", ")
            ));
        }
        if !besides.is_empty() {
            parts.push(format!("{} also legal", besides.join(", ")));
        }
        if !parts.is_empty() {
            let expected = match expected.len() {
                0 => "no legal moves".to_owned(),
                1 => "one legal move".to_owned(),
                count => format!("{count} legal moves"),
            };
            self.differ(step, expected, parts.join("; "));
        }
    }

    fn board(&mut self, step: &CaseStep, rows: &[Line]) {
        let rules = self.position.game().rules();
        let (wanted, used) = match read_board(rules, rows) {
            Ok(read) => read,
            Err(misread) => return self.misread(misread.line, step, misread.message),
        };
        if let Some(line) = rows[used..].iter().find(|line| !line.is_blank()) {
            return self.misread(
                line.number,
                step,
                format!("expected the end of the diagram, found `{}`", clip(line.content())),
            );
        }
        let snapshot = self.position.snapshot();
        let expected = write_board(rules, &wanted.pieces, &wanted.cut);
        let found = write_board(rules, &snapshot.pieces, &snapshot.cut);
        for row in expected.lines() {
            self.log_row(row);
        }
        if expected != found {
            let mut demanded = PositionText::of(&self.position);
            demanded.snapshot.pieces = wanted.pieces;
            demanded.snapshot.cut = wanted.cut;
            // The position is only drawn, not played on from: nothing is executed before the ply.
            let demanded = PositionText { beginning: None, ..demanded };
            let demanded = demanded.begin(self.position.game()).ok();
            let difference = Difference {
                line: step.line.number,
                said: step.line.content().to_owned(),
                expected,
                found,
                position: String::new(),
                boards: Some(Box::new(Boards { found: self.position.clone(), expected: demanded })),
            };
            self.log_line("    found");
            for row in difference.found.clone().lines() {
                self.log_row(row);
            }
            self.report.differences.push(difference);
        }
    }

    fn log_row(&mut self, row: &str) {
        self.log_line(&format!("  {row}"));
    }

    fn now(&mut self, step: &CaseStep, name: &str, value: &str) {
        let rules = self.position.game().rules();
        let found = self.position.snapshot();
        let mut expected = found.clone();
        match read_memory(rules, &mut expected, name, value) {
            None => {
                let known: Vec<String> = write_memories(rules, &found)
                    .into_iter()
                    .map(|memory| format!("`{}`", memory.name))
                    .collect();
                let known = if known.is_empty() { "none".to_owned() } else { list(&known, "and") };
                self.misread(
                    step.line.number,
                    step,
                    format!("the rules have no memory `{}`; the memories are: {known}", clip(name)),
                );
            }
            Some(Err(message)) => self.misread(step.line.number, step, message),
            Some(Ok(_)) if expected == found => {}
            Some(Ok(_)) => {
                let value = |snapshot| {
                    let lines = write_memories(rules, snapshot).into_iter();
                    let same = |line: &str| line.split_whitespace().eq(name.split_whitespace());
                    lines.filter(|line| same(&line.name)).map(|line| line.value).collect::<String>()
                };
                let shown =
                    |value: String| if value.is_empty() { "none".to_owned() } else { value };
                self.differ(step, shown(value(&expected)), shown(value(&found)));
            }
        }
    }
}
