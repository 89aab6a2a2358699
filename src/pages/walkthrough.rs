//! Games to step through in a page: board, list of plies, and the rules with the clauses that the
//! shown ply executed.
//!
//! The pictures and texts of all positions are in the page, as JSON; a small script shows one at a
//! time. Without the script, the page shows the plies and the last position of the first game.

use super::frames::{Frame, Frames, flat};
use super::listing::Listing;
use super::{PageKind, escaped, page};
use crate::engine::game::{Game, Move, State};
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::clause::{line, quote};
use crate::notation::{shown_outcome, spell, turn};
use crate::record::{PlyNote, Record, Stopped};
use crate::reference::Interpreter;
use crate::render::{Scene, situation, svg_among};
use crate::syntax::Span;
use crate::syntax::visible::shown;
use crate::why::{HappeningKind, Story};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The most plies of a game that are shown; later plies are left out.
pub const MAX_PLIES: usize = 2_000;

/// A remark about a ply.
#[derive(Clone, Debug)]
pub struct Highlight {
    /// The ply's index among the shown plies.
    pub ply: usize,
    pub text: String,
}

/// A game to be shown.
#[derive(Clone)]
pub struct ShownGame {
    pub title: String,
    /// Remarks on the whole game, one per paragraph.
    pub about: Vec<String>,
    /// The position before the first ply that is shown.
    pub start: State,
    pub plies: Vec<Move>,
    /// A remark for each ply; may be empty as a whole.
    pub notes: Vec<String>,
    pub highlights: Vec<Highlight>,
    /// The game as a record, to be copied.
    pub record: String,
}

/// The games of a page.
pub struct Walkthrough<'g> {
    game: &'g Game,
    sources: &'g Sources,
    /// The prefix that makes ids unique in the page.
    name: String,
    frames: Frames,
    games: Vec<SteppedGame>,
    /// The clauses that at least one ply executed, with their numbers.
    clauses: BTreeMap<Span, usize>,
    texts: Texts,
}

/// A game with its positions.
struct SteppedGame {
    shown: ShownGame,
    /// One step for each position, including the first.
    steps: Vec<Step>,
}

struct Step {
    picture: Frame,
    situation: usize,
    /// The player who made the ply before this position, and the ply; empty for the first position.
    mover: String,
    ply: String,
    clauses: Vec<ToldClause>,
}

/// A clause that a ply executed: its span and the numbers of its texts.
struct ToldClause {
    span: Span,
    kind: &'static str,
    text: usize,
    notes: Vec<(Span, usize)>,
}

/// Distinct texts, numbered.
#[derive(Default)]
struct Texts {
    list: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Texts {
    /// Adds a text, with hidden characters shown by their numbers.
    fn add(&mut self, text: String) -> usize {
        let text = shown(&text).into_owned();
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        self.numbers.insert(text.clone(), self.list.len());
        self.list.push(text);
        self.list.len() - 1
    }
}

impl<'g> Walkthrough<'g> {
    /// Makes a walkthrough without games. `name` makes its ids unique in the page.
    pub fn new(game: &'g Game, sources: &'g Sources, name: &str) -> Walkthrough<'g> {
        Walkthrough {
            game,
            sources,
            name: name.to_owned(),
            frames: Frames::default(),
            games: Vec::new(),
            clauses: BTreeMap::new(),
            texts: Texts::default(),
        }
    }

    /// Tests if there is no game.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Adds a game. An illegal ply ends it; plies after [`MAX_PLIES`] are left out.
    pub fn add(&mut self, shown: ShownGame) {
        let rules = self.game.rules();
        let mut position = shown.start.clone();
        let mut steps = vec![self.step(&position, String::new(), String::new(), None)];
        let start = shown.start.clone();
        let mut interpreter = Some(Interpreter::with_past(&start));
        for ply in shown.plies.iter().take(MAX_PLIES) {
            let mover = turn(rules, position.turn()).to_owned();
            if position.play(ply).is_err() {
                break;
            }
            // Once a ply exceeds the interpreter's limit, later plies are not explained.
            let story =
                interpreter.as_mut().and_then(|interpreter| Story::of(interpreter, ply).ok());
            if story.is_none() {
                interpreter = None;
            }
            let step = self.step(&position, mover, spell(rules, ply), story.as_ref());
            steps.push(step);
        }
        let highlights =
            shown.highlights.iter().filter(|highlight| highlight.ply + 1 < steps.len()).cloned();
        let shown = ShownGame { highlights: highlights.collect(), ..shown.clone() };
        self.games.push(SteppedGame { shown, steps });
    }

    /// Adds games.
    pub fn extend(&mut self, games: impl IntoIterator<Item = ShownGame>) {
        games.into_iter().for_each(|game| self.add(game));
    }

    fn step(
        &mut self,
        position: &State,
        mover: String,
        ply: String,
        story: Option<&Story>,
    ) -> Step {
        let picture = svg_among(&Scene::of(position), &format!("{}board-", self.name));
        let clauses = story.map(|story| self.told(story)).unwrap_or_default();
        Step {
            picture: self.frames.add(&picture),
            situation: self.texts.add(situation(position)),
            mover,
            ply,
            clauses,
        }
    }

    fn told(&mut self, story: &Story) -> Vec<ToldClause> {
        let mut told = Vec::new();
        for (happening, news) in story.happenings.iter().zip(story.news()) {
            let number = self.clauses.len();
            self.clauses.entry(happening.span).or_insert(number);
            let text = match news {
                Some(news) => format!("{} ({news})", happening.text),
                None => happening.text.clone(),
            };
            let notes = happening.notes.iter().map(|note| {
                let number = self.clauses.len();
                self.clauses.entry(note.span).or_insert(number);
                (note.span, self.texts.add(note.text.clone()))
            });
            let notes = notes.collect();
            told.push(ToldClause {
                span: happening.span,
                kind: kind(happening.kind),
                text: self.texts.add(text),
                notes,
            });
        }
        told
    }

    /// Writes the games; empty if there are none.
    pub fn html(&self) -> String {
        let Some(first) = self.games.first() else { return String::new() };
        let spans: Vec<Span> = self.clauses.keys().copied().collect();
        let listing = Listing::new(self.sources, &spans);
        let mut html = String::from("<div class=\"walkthrough\">\n");
        self.tabs(&mut html);
        for (number, game) in self.games.iter().enumerate() {
            about(&mut html, number, game);
        }
        let last = first.steps.last().map(|step| self.frames.picture(&step.picture));
        let most = first.steps.len() - 1;
        let _ = write!(
            html,
            "<div class=\"stage\">\n<div class=\"side\">\n<div class=\"board\" data-part=\"board\">\n{}</div>\n\
             <p class=\"where\" data-part=\"where\" aria-live=\"polite\"></p>\n\
             <div class=\"controls\" role=\"toolbar\" aria-label=\"Step through the game\">\n",
            last.unwrap_or_default()
        );
        for (step, sign, label) in [
            ("first", "|◂", "First position"),
            ("back", "◂", "Back one ply"),
            ("on", "▸", "On one ply"),
            ("last", "▸|", "Last position"),
        ] {
            let _ = writeln!(
                html,
                "<button type=\"button\" data-step=\"{step}\" aria-label=\"{label}\" title=\"{label}\">{sign}</button>"
            );
        }
        let _ = write!(
            html,
            "<input type=\"range\" data-part=\"slider\" min=\"0\" max=\"{most}\" value=\"{most}\" aria-label=\"Ply\">\n</div>\n\
             <p class=\"keys\">Arrow keys step; Home and End go to both ends.</p>\n</div>\n<div class=\"side\">\n"
        );
        for (number, game) in self.games.iter().enumerate() {
            plies(&mut html, number, game);
        }
        html.push_str(
            "<h4>What the rules did</h4>\n<ol class=\"told\" data-part=\"told\"></ol>\n</div>\n</div>\n",
        );
        let _ = writeln!(
            html,
            "<details class=\"rules\" open>\n<summary>The rules, with the clauses of the ply marked</summary>\n\
             <div class=\"listings\" data-part=\"rules\" tabindex=\"0\" role=\"region\" aria-label=\"The rules\">\n{}</div>\n</details>",
            listing.html
        );
        // In a script element, `<` could end it.
        let data = self.json(&listing).to_string().replace('<', "\\u003c");
        let _ = writeln!(
            html,
            "<script type=\"application/json\" data-part=\"data\">{data}</script>\n</div>"
        );
        html
    }

    fn tabs(&self, html: &mut String) {
        if self.games.len() < 2 {
            return;
        }
        html.push_str("<div class=\"tabs\" role=\"group\" aria-label=\"Games\">\n");
        for (number, game) in self.games.iter().enumerate() {
            let _ = writeln!(
                html,
                "<button type=\"button\" data-game=\"{number}\" aria-pressed=\"{}\">{}</button>",
                number == 0,
                escaped(&game.shown.title)
            );
        }
        html.push_str("</div>\n");
    }

    /// Returns the data of the script: `lines` of pictures; `texts`; `clauses`, each with its first
    /// segment, the segment after its last, its line and its text; `games`, each with its `steps`.
    /// A step has `picture`, `now` (the situation), `by`, `ply` and `clauses`: number, kind, text
    /// and notes.
    fn json(&self, listing: &Listing) -> Value {
        let rules = self.game.rules();
        let mut numbered: Vec<(usize, Span)> =
            self.clauses.iter().map(|(&span, &number)| (number, span)).collect();
        numbered.sort_unstable();
        let clauses = numbered.into_iter().map(|(_, span)| {
            let segments = listing.segments(span);
            let place = line(rules, span).replace(" of the rules", "");
            json!([
                segments.start,
                segments.end,
                place,
                shown(quote(rules, span).trim_matches('`'))
            ])
        });
        let clauses: Vec<Value> = clauses.collect();
        let number = |span: &Span| self.clauses.get(span).copied().unwrap_or_default();
        let told = |clause: &ToldClause| {
            let notes: Vec<Value> =
                clause.notes.iter().map(|(span, text)| json!([number(span), text])).collect();
            json!([number(&clause.span), clause.kind, clause.text, notes])
        };
        let games: Vec<Value> = self
            .games
            .iter()
            .map(|game| {
                let steps = game.steps.iter().enumerate().map(|(index, step)| {
                    let note = index.checked_sub(1).and_then(|ply| game.shown.notes.get(ply));
                    let clauses: Vec<Value> = step.clauses.iter().map(told).collect();
                    let mut value =
                        json!({ "picture": flat(&step.picture), "now": step.situation });
                    if index > 0 {
                        value["by"] = json!(step.mover);
                        value["ply"] = json!(step.ply);
                        value["clauses"] = json!(clauses);
                    }
                    if let Some(note) = note.filter(|note| !note.is_empty()) {
                        value["note"] = json!(shown(note));
                    }
                    value
                });
                json!({ "steps": steps.collect::<Vec<Value>>() })
            })
            .collect();
        json!({ "lines": self.frames.json(), "texts": self.texts.list, "clauses": clauses, "games": games })
    }
}

/// Returns the name of a clause's highlighting.
fn kind(kind: HappeningKind) -> &'static str {
    match kind {
        HappeningKind::Choice
        | HappeningKind::Unchosen
        | HappeningKind::Requirement
        | HappeningKind::Condition
        | HappeningKind::Let => "test",
        HappeningKind::Effect | HappeningKind::TurnEnd => "effect",
        HappeningKind::NoMove | HappeningKind::Repetition | HappeningKind::Result => "result",
    }
}

/// Writes the remarks on a game, and its record.
fn about(html: &mut String, number: usize, game: &SteppedGame) {
    let hidden = if number == 0 { "" } else { " hidden" };
    let _ = writeln!(html, "<div class=\"about\" data-of=\"{number}\"{hidden}>");
    for remark in &game.shown.about {
        let _ = writeln!(html, "<p>{}</p>", escaped(remark));
    }
    if game.shown.plies.len() > MAX_PLIES {
        let _ = writeln!(html, "<p>Only the first {MAX_PLIES} plies are shown.</p>");
    }
    if !game.shown.highlights.is_empty() {
        html.push_str("<p class=\"critical\">Critical plies: ");
        for Highlight { ply, text } in &game.shown.highlights {
            let _ = writeln!(
                html,
                "<button type=\"button\" data-ply=\"{}\">{}</button>",
                ply + 1,
                escaped(text)
            );
        }
        html.push_str("</p>\n");
    }
    if !game.shown.record.is_empty() {
        let _ = writeln!(
            html,
            "<details class=\"record\"><summary>The record</summary><pre>{}</pre></details>",
            escaped(&game.shown.record)
        );
    }
    html.push_str("</div>\n");
}

/// Writes the list of plies.
fn plies(html: &mut String, number: usize, game: &SteppedGame) {
    let hidden = if number == 0 { "" } else { " hidden" };
    let _ = writeln!(
        html,
        "<ol class=\"plies\" data-of=\"{number}\" aria-label=\"Plies\" tabindex=\"0\"{hidden}>"
    );
    for (index, step) in (0..).zip(&game.steps).skip(1) {
        let critical = game.shown.highlights.iter().any(|highlight| highlight.ply + 1 == index);
        let class = if critical { " class=\"critical\"" } else { "" };
        let _ = writeln!(
            html,
            "<li{class}><button type=\"button\" data-ply=\"{index}\"><span class=\"by\">{}</span> {}</button></li>",
            escaped(&step.mover),
            escaped(&step.ply)
        );
    }
    html.push_str("</ol>\n");
}

/// Writes a page on which a game can be stepped through.
pub fn game_page(game: &Game, sources: &Sources, shown: ShownGame) -> String {
    let title = shown.title.clone();
    let mut walkthrough = Walkthrough::new(game, sources, "");
    walkthrough.add(shown);
    let body = format!(
        "<h1>{}</h1>\n<p class=\"summary\">{}</p>\n{}",
        escaped(&title),
        escaped(&game.rules().about.by()),
        walkthrough.html()
    );
    page(PageKind::Game, &title, &body)
}

/// Makes a shown game of a record, up to its first illegal ply.
///
/// # Errors
/// Returns why it cannot begin, or the first ply that cannot be played.
pub fn of_record(game: &Game, record: &Record) -> Result<ShownGame, Stopped> {
    let rules = game.rules();
    let start = record.begin(game)?;
    let mut position = start.clone();
    let shown = record.plies.len().min(MAX_PLIES + 1);
    let mut plies = Vec::new();
    for index in 0..shown {
        plies.push(record.ply(index, &position)?);
        record.play(index, &mut position)?;
    }
    let notes = record.plies.iter().take(shown).map(|ply| remark(&ply.note)).collect();
    let mut about = Vec::new();
    if !record.seats.is_empty() {
        let seats = record.seats.iter().map(|(name, player)| format!("{name}: {player}"));
        about.push(seats.collect::<Vec<String>>().join(", "));
    }
    about.extend(options(rules));
    about.extend(record.comment.clone());
    about.push(match position.outcome() {
        Some(over) => {
            format!("{} after {} plies.", shown_outcome(rules, Some(over)), position.ply_count())
        }
        None if record.plies.len() > shown => {
            format!("The record has {} plies.", record.plies.len())
        }
        None => format!("Unfinished after {} plies.", position.ply_count()),
    });
    Ok(ShownGame {
        title: rules.title.clone(),
        about,
        start,
        plies,
        notes,
        highlights: Vec::new(),
        record: record.write(),
    })
}

/// Lists the options that differ from their defaults.
fn options(rules: &Rules) -> Option<String> {
    let changed = rules.options.iter().filter(|option| option.chosen != option.default);
    let changed: Vec<String> =
        changed.map(|option| format!("{}={}", option.name, option.value())).collect();
    (!changed.is_empty()).then(|| format!("Options: {}", changed.join(" ")))
}

/// Writes the time and the comment of a ply.
fn remark(note: &PlyNote) -> String {
    let time = note.time.map(|time| format!("{:.1} s", time.as_secs_f64()));
    [time, note.comment.clone()].into_iter().flatten().collect::<Vec<String>>().join(": ")
}
