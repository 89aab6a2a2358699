//! The studio as a page: one HTML file with the page that the server serves, and a transport that
//! asks the module for browsers instead of the server.
//!
//! The module lies beside the page, as a script. So does the module that answers questions, which
//! the page fetches at the first question. The games that come with the program and the templates
//! are data of the page.

use super::api::home::games;
use super::assets;
use crate::program::templates;
use include_dir::{Dir, include_dir};
use ludwright::catalog;
use ludwright::desk::{Bundle, PLAY_WORKER};
use ludwright::pages::{PageKind, escaped, hash, script};
use ludwright::syntax::visible::shown;
use serde_json::{Value, json};

static OWN: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/studio/site");

/// The JavaScript modules of the page, each after the modules that it imports.
const MODULES: [&str; 40] = [
    "errors.js",
    "dom.js",
    "text.js",
    "timing.js",
    "tab.js",
    "store.js",
    "kept.js",
    "instance.js",
    "connection.js",
    "transport.js",
    "motion.js",
    "board.js",
    "choosing.js",
    "sound.js",
    "game.js",
    "layout.js",
    "controls.js",
    "options.js",
    "appearance.js",
    "history.js",
    "editor.js",
    "assist.js",
    "search.js",
    "case_watch.js",
    "seats.js",
    "commands.js",
    "replace.js",
    "rework.js",
    "must.js",
    "setup.js",
    "pictures.js",
    "drop.js",
    "findings.js",
    "running.js",
    "charts.js",
    "answers.js",
    "ask.js",
    "home.js",
    "tour.js",
    "studio.js",
];
const STYLES: [&str; 4] = ["common.css", "style.css", "ask.css", "write.css"];

/// The global name of the module that answers questions.
pub const ASKING_NAME: &str = "ludwrightAsking";

/// Writes the page. `module` and `asking` are the names of the scripts with the modules.
pub fn page(module: &str, asking: &str) -> String {
    let worker = script::text("WORKER", PLAY_WORKER);
    let texts = MODULES.map(|name| (name, text(name)));
    let modules: Vec<(&str, &str)> =
        [("worker-text.js", worker.as_str())].into_iter().chain(texts).collect();
    let script = script::joined(&modules);
    let style: String = STYLES.iter().map(|name| text(name)).collect();
    let policy = format!(
        "default-src 'none'; script-src {} 'self' 'wasm-unsafe-eval'; style-src {}; worker-src blob:; \
         img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n{}\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<style>{style}</style>\n",
        PageKind::Studio.mark()
    );
    // In a script element, `<` could end it.
    let data = data(asking).to_string().replace('<', "\\u003c");
    let end = format!(
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script src=\"{}\"></script>\n\
         <script>{script}</script>\n",
        shown(&data),
        escaped(module)
    );
    assets::page(&head, &end)
}

fn text(name: &str) -> &'static str {
    let own = OWN.get_file(name).and_then(|file| file.contents_utf8());
    own.or_else(|| assets::text(name)).unwrap_or_default()
}

/// Describes what can be opened, with the texts, and names the script with the module that answers
/// questions.
fn data(asking: &str) -> Value {
    let games = games().as_array().into_iter().flatten().filter_map(|game| {
        let mut game = game.clone();
        let entry = catalog::find(game["name"].as_str()?)?;
        game["files"] = json!(Bundle::of(&entry.sources()));
        Some(game)
    });
    let templates = templates::beginnings().map(|template| {
        json!({
            "name": template.name,
            "title": template.title,
            "summary": template.summary,
            "text": templates::named(template, "My Game"),
        })
    });
    json!({
        "games": games.collect::<Vec<Value>>(), "templates": templates.collect::<Vec<Value>>(),
        "asking": asking,
    })
}
