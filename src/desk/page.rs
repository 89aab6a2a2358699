//! Pages that play: one HTML file with a game, the module for browsers and all that they need.
//!
//! The page works from the disk and without a network. A content security policy in the page itself
//! allows its own script and style by their hashes, the module, and nothing else; text from files
//! is escaped or embedded as data.

use super::requests::{Arguments, look};
use super::{Bundle, Desk, Draft, Origin};
use crate::answers::ByName;
use crate::engine::game::Game;
use crate::language::rules::{About, Rules};
use crate::pages::{Example, PageKind, base64, escaped, hash, script, sheet_body};
use crate::record::{Record, fingerprint};
use crate::render::{Scene, svg_among};
use crate::search::PlayerKind;
use crate::syntax::visible::shown;
use serde_json::{Map, Value, json};

const PAGE: &str = include_str!("../pages/player/player.html");
/// The script of a worker with the module.
pub const PLAY_WORKER: &str = include_str!("../pages/player/worker.js");
const STYLES: [&str; 2] =
    [include_str!("../pages/script/common.css"), include_str!("../pages/player/player.css")];
/// The JavaScript modules of the page, each after the modules that it imports. The worker's script
/// is one of their texts.
const MODULES: [(&str, &str); 11] = [
    ("errors.js", include_str!("../pages/script/errors.js")),
    ("dom.js", include_str!("../pages/script/dom.js")),
    ("motion.js", include_str!("../pages/script/motion.js")),
    ("board.js", include_str!("../pages/script/board.js")),
    ("choosing.js", include_str!("../pages/script/choosing.js")),
    ("sound.js", include_str!("../pages/script/sound.js")),
    ("game.js", include_str!("../pages/script/game.js")),
    ("controls.js", include_str!("../pages/script/controls.js")),
    ("instance.js", include_str!("../pages/script/instance.js")),
    ("connection.js", include_str!("../pages/script/connection.js")),
    ("player.js", include_str!("../pages/player/player.js")),
];

/// Where a page gets the module for browsers.
#[derive(Clone, Copy, Debug)]
pub enum ModulePlace<'p> {
    /// In the page itself: the module, packed by gzip.
    Inside(&'p [u8]),
    /// In the page itself, written in Base64 already.
    Encoded(&'p str),
    /// In a script of this name beside the page, which [`module_script`] writes.
    Beside(&'p str),
}

impl ModulePlace<'_> {
    fn element(self) -> String {
        let inside = |module: &str| {
            format!("<script type=\"application/octet-stream\" id=\"module\">{module}</script>")
        };
        match self {
            ModulePlace::Inside(module) => inside(&base64(module)),
            ModulePlace::Encoded(module) => inside(&escaped(module)),
            ModulePlace::Beside(name) => format!("<script src=\"{}\"></script>", escaped(name)),
        }
    }

    /// Returns the script sources that the content security policy allows besides the page itself.
    fn source(self) -> &'static str {
        match self {
            ModulePlace::Inside(_) | ModulePlace::Encoded(_) => "",
            ModulePlace::Beside(_) => " 'self'",
        }
    }
}

/// The first line of the script that holds the module.
pub const MODULE_MARK: &str = "// ludwright: the module for browsers";

/// Writes a module for browsers, packed by gzip, as a script that pages share and that sets the
/// global `name`. A page that is opened from the disk may load scripts, but no other files.
pub fn module_script(name: &str, module: &[u8]) -> String {
    format!("{MODULE_MARK}\nglobalThis.{name} = \"{}\";\n", base64(module))
}

/// The global name of the module in pages that play.
pub const MODULE_NAME: &str = "ludwrightModule";

/// The contents of a page that plays.
pub struct PlayPage<'p> {
    /// The game with the options that the page begins with.
    pub game: &'p Game,
    /// Example plies for the rules in words.
    pub examples: &'p [Example],
    /// The game that is shown first, if any.
    pub record: Option<&'p Record>,
    /// Who plays; players without a seat are people.
    pub seats: &'p [(String, PlayerKind)],
    /// The licence of the game, in a few words, which replaces the licence in the rules.
    pub license: Option<&'p str>,
    pub module: ModulePlace<'p>,
}

impl PlayPage<'_> {
    /// Writes the page.
    pub fn html(&self) -> String {
        let rules = self.game.rules();
        let worker = script::text("WORKER", PLAY_WORKER);
        let mut modules = vec![("worker-text.js", worker.as_str())];
        modules.extend(MODULES);
        let (style, script) = (STYLES.concat(), script::joined(&modules));
        let policy = format!(
            "default-src 'none'; script-src {}{} 'wasm-unsafe-eval'; style-src {}; worker-src blob:; \
             img-src data:; base-uri 'none'; form-action 'none'",
            hash(&script),
            self.module.source(),
            hash(&style)
        );
        // In a script element, `<` could end it.
        let data = self.data().to_string().replace('<', "\\u003c");
        filled(&[
            ("policy", &policy),
            ("mark", PageKind::Play.mark()),
            ("title", &escaped(&rules.title)),
            ("about", &escaped(&self.about())),
            ("board", &self.board()),
            ("rules", &sheet_body(self.game, self.examples)),
            ("made", &escaped(&made(rules))),
            ("style", &style),
            ("data", &shown(&data)),
            ("module", &self.module.element()),
            ("script", &script),
        ])
    }

    /// Draws the position that is shown first, visible before the module has started.
    fn board(&self) -> String {
        let position = match self.record {
            Some(record) => record.begin(self.game).ok().map(|mut position| {
                // An illegal ply ends the replay.
                let _ = record.replay(&mut position);
                position
            }),
            None => self.game.begin().ok(),
        };
        position.map(|position| svg_among(&Scene::of(&position), "first-")).unwrap_or_default()
    }

    /// Describes the position that is shown first and the choices in it, as the module does when it
    /// opens the game, so that the board can be used before the module has started.
    fn first(&self, bundle: &Bundle) -> Value {
        let chosen = self.game.rules().chosen_options();
        let origin = Origin::File(bundle.name().into());
        let mut desk = Desk::new(Draft::of_bundle(bundle, origin, chosen, 1), bundle);
        for (name, seated) in &mut desk.draft.seats {
            let wanted = self.seats.iter().rev().find(|(wanted, _)| wanted == name);
            *seated = wanted.map_or(*seated, |(_, kind)| *kind);
        }
        if let Some(record) = self.record
            && desk.take(&record.write(), bundle).is_err()
        {
            return Value::Null;
        }
        // Each opening of the page rolls its own dice, so a record with other plies is not
        // described here.
        let recorded = self.record.map_or(0, |record| record.plies.len());
        if desk.run.as_ref().is_none_or(|run| run.path.len() != recorded) {
            return Value::Null;
        }
        desk.is_thinking = desk.due().is_some();
        let arguments = Arguments::new(Map::from_iter([("chosen".to_owned(), json!([]))]));
        let choices = look(&mut desk, "choices", &arguments).and_then(Result::ok);
        json!({ "game": desk.describe_game(), "choices": choices })
    }

    fn data(&self) -> Value {
        let rules = self.game.rules();
        let bundle = Bundle::of(&rules.files);
        let seats = self.seats.iter().map(|(name, kind)| (name.clone(), json!(kind.to_string())));
        json!({
            "title": rules.title,
            "key": fingerprint(rules),
            "first": self.first(&bundle),
            "files": bundle,
            "options": ByName(rules.chosen_options()),
            "seats": seats.collect::<Map<String, Value>>(),
            "record": self.record.map(Record::write),
        })
    }

    fn about(&self) -> String {
        let about = &self.game.rules().about;
        match self.license {
            Some(license) => About { license: Some(license.to_owned()), ..about.clone() }.by(),
            None => about.by(),
        }
    }
}

fn made(rules: &Rules) -> String {
    match &rules.about.source {
        Some(source) => format!("Source: {source}. Made with Ludwright."),
        None => "Made with Ludwright.".to_owned(),
    }
}

/// Fills the placeholders of the page in one pass: inserted text is not searched for placeholders.
fn filled(parts: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        page.push_str(before);
        page.extend(parts.iter().find(|(known, _)| *known == name).map(|(_, text)| *text));
        rest = after;
    }
    page + rest
}
