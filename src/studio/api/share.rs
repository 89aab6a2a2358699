//! Files to give to others: the game to step through, the rule sheet, the rules with the position.

use super::{Arguments, Refused};
use crate::cli::page::{MODULE, WITHOUT};
use crate::cli::test::cases_of;
use crate::studio::folder::read_case;
use crate::studio::{DeskCell, Studio, lock};
use ludwright::cases::Runner;
use ludwright::desk::PlayPage;
use ludwright::pages::{PageKind, Walkthrough, of_record, page, sheet};
use ludwright::record::{Record, Start};
use serde_json::{Value, json};

/// The largest rule case that a sheet takes examples from, in bytes, and the most cases.
const MAX_CASE: usize = 1 << 18;
const MAX_CASES: usize = 60;

/// Makes a file to give away.
pub fn share(studio: &Studio, cell: &DeskCell, arguments: &Arguments) -> Result<Value, Refused> {
    let (sources, options, position, record, stem, file) = {
        let mut desk = lock(&cell.desk);
        desk.settle();
        let run = desk.run.as_ref().filter(|_| !desk.is_faulty());
        let run = run.ok_or("the rules have errors; mend them first")?;
        let file = desk.draft.origin.file();
        let stem = file.and_then(|path| path.file_stem()?.to_str().map(str::to_owned));
        (
            desk.study.sources.clone(),
            desk.draft.options.clone(),
            run.state.clone(),
            Record::of(&run.state, desk.draft.variations.seed),
            stem.unwrap_or_else(|| stem_of(&desk.title())),
            file.map(|path| studio.root().join(path)),
        )
    };
    let game = position.game();
    let shared = |name: String, content: String, is_page: bool| {
        let view = if is_page { studio.add_view(content.clone()) } else { None };
        Ok(json!({ "name": name, "content": content, "view": view }))
    };
    let examples = || {
        let mut runner = Runner::new(&sources);
        let mut examples = Vec::new();
        for case in file.iter().flat_map(|file| cases_of(file)).take(MAX_CASES) {
            let text = read_case(&case, MAX_CASE);
            examples.extend(text.into_iter().flat_map(|text| runner.examples(&text, &options)));
        }
        examples
    };
    match arguments.text("kind")? {
        "page" => {
            let shown =
                of_record(game, &record).map_err(|stopped| Refused::from(stopped.to_string()))?;
            let mut walkthrough = Walkthrough::new(game, &sources, "game");
            walkthrough.add(shown);
            let title = game.rules().title.clone();
            shared(
                format!("{stem}-game.html"),
                page(PageKind::Game, &title, &walkthrough.html()),
                true,
            )
        }
        "sheet" => shared(format!("{stem}-rules.html"), sheet(game, &examples()), true),
        "play" => {
            let module = MODULE.ok_or(WITHOUT)?;
            let page = PlayPage {
                game,
                examples: &examples(),
                record: (!record.plies.is_empty()).then_some(&record),
                seats: &[],
                license: None,
                module,
            };
            shared(format!("{stem}.html"), page.html(), false)
        }
        "record" => shared(format!("{stem}.record"), record.write(), false),
        "file" => {
            // The rules, with the position and the plies as comments, so that it is a rules file.
            let comment = |text: String| -> String {
                text.lines().map(|line| format!("; {line}").trim_end().to_owned() + "\n").collect()
            };
            let text = sources.text_of(0).trim_end().to_owned();
            let others = sources.names().skip(1).enumerate().map(|(index, name)| {
                let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
                format!("\n; The file {name}:\n{}", comment(sources.text_of(index + 1).to_owned()))
            });
            let content = format!(
                "{text}\n\n; The position, as `--position` reads it:\n{}\n; The game, as a record:\n{}{}",
                comment(Start::write(&position)),
                comment(record.write()),
                others.collect::<String>(),
            );
            shared(format!("{stem}.game"), content, false)
        }
        _ => Err("expected `play`, `page`, `sheet`, `record` or `file`".into()),
    }
}

/// Makes a name for a file of a title.
fn stem_of(title: &str) -> String {
    let letters = title.chars().take(60).map(|letter| match letter {
        letter if letter.is_alphanumeric() => letter.to_ascii_lowercase(),
        _ => '-',
    });
    let name: String = letters.collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "game".to_owned() } else { name }
}
