//! Files to give to others: a page that plays, a page to step through the game, the rule sheet, the
//! record, the rules with the position.

use super::Refused;
use crate::cases::Runner;
use crate::desk::{Desk, ModulePlace, PlayPage};
use crate::engine::game::State;
use crate::language::sources::Sources;
use crate::pages::{game_page, of_record, sheet};
use crate::record::{Record, Start};

/// The most rule cases that a sheet takes examples from.
const MAX_CASES: usize = 60;

/// A copy of what is shared, so that the desk stays free while the file is written.
pub struct Subject {
    sources: Sources,
    options: Vec<(String, String)>,
    position: State,
    /// The game up to the position; `whole` also has the plies that follow in the list.
    record: Record,
    whole: Record,
    stem: String,
}

/// Returns the stem of names for files about the current game: the stem of its own file, or else
/// one made from its title.
pub fn stem(desk: &Desk) -> String {
    let own = desk.draft.origin.file().and_then(|path| path.file_stem()?.to_str());
    own.map_or_else(|| stem_of(&desk.title()), str::to_owned)
}

/// A file to give away.
pub struct Shared {
    pub name: String,
    pub content: String,
    /// Whether the page of the studio shows it.
    pub is_shown: bool,
}

impl Subject {
    /// Copies the current game.
    ///
    /// # Errors
    /// If the rules have errors.
    pub fn of(desk: &mut Desk) -> Result<Subject, Refused> {
        desk.settle();
        let run = desk.run.as_ref().filter(|_| !desk.is_faulty());
        let run = run.ok_or("the rules have errors; mend them first")?;
        let tree = &desk.draft.variations;
        let mut whole = run.clone();
        tree.play_ahead(&mut whole);
        Ok(Subject {
            sources: desk.study.sources.clone(),
            options: desk.draft.options.clone(),
            position: run.state.clone(),
            record: tree.record(run, false),
            whole: tree.record(&whole, false),
            stem: stem(desk),
        })
    }

    /// Writes a file of a kind: `play`, `page`, `sheet`, `record` or `file`. Rule cases are read
    /// for examples in the rules, the module for pages that play.
    ///
    /// # Errors
    /// If there is no such kind, or the kind needs a module and there is none.
    pub fn share(
        &self,
        kind: &str,
        cases: &mut dyn Iterator<Item = String>,
        module: Result<ModulePlace, Refused>,
    ) -> Result<Shared, Refused> {
        let Subject { sources, options, position, record, whole, stem } = self;
        let game = position.game();
        let shared =
            |name: String, content: String, is_shown| Ok(Shared { name, content, is_shown });
        let mut examples = || {
            let mut runner = Runner::new(sources);
            cases
                .take(MAX_CASES)
                .flat_map(|text| runner.examples(&text, options))
                .collect::<Vec<_>>()
        };
        match kind {
            "page" => {
                let shown =
                    of_record(game, whole).map_err(|stopped| Refused::from(stopped.to_string()))?;
                shared(format!("{stem}-game.html"), game_page(game, sources, shown), true)
            }
            "sheet" => shared(format!("{stem}-rules.html"), sheet(game, &examples()), true),
            "play" => {
                let page = PlayPage {
                    game,
                    examples: &examples(),
                    record: (!record.plies.is_empty()).then_some(record),
                    seats: &[],
                    license: None,
                    module: module?,
                };
                shared(format!("{stem}.html"), page.html(), false)
            }
            "record" => shared(format!("{stem}.record"), whole.write(), false),
            "file" => shared(format!("{stem}.game"), self.rules_with_position(), false),
            _ => Err("expected `play`, `page`, `sheet`, `record` or `file`".into()),
        }
    }

    /// Writes the rules as a rules file, with the position and the plies as comments.
    fn rules_with_position(&self) -> String {
        let comment = |text: String| -> String {
            text.lines().map(|line| format!("; {line}").trim_end().to_owned() + "\n").collect()
        };
        let sources = &self.sources;
        let others = sources.names().skip(1).enumerate().map(|(index, name)| {
            let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
            format!("\n; The file {name}:\n{}", comment(sources.text_of(index + 1).to_owned()))
        });
        format!(
            "{}\n\n; The position, as `--position` reads it:\n{}\n; The game, as a record:\n{}{}",
            sources.text_of(0).trim_end(),
            comment(Start::write(&self.position)),
            comment(self.record.write()),
            others.collect::<String>(),
        )
    }
}

/// Makes the stem of a file name from a title.
fn stem_of(title: &str) -> String {
    let letters = title.chars().take(60).map(|letter| match letter {
        letter if letter.is_alphanumeric() => letter.to_ascii_lowercase(),
        _ => '-',
    });
    let name: String = letters.collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "game".to_owned() } else { name }
}
