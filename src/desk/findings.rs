//! The text of a desk as the page shows it: findings with their places, and options.

use super::offsets::Offsets;
use super::{Desk, Origin, identity};
use crate::editor::outline;
use crate::editor::tokens::Token;
use crate::language::finding::Finding;
use crate::language::rules::Choice;
use crate::syntax::Span;
use crate::syntax::visible::shown;
use serde_json::{Value, json};

/// The most findings that are sent.
const MAX_FINDINGS: usize = 200;
/// The most words that are coloured.
const MAX_TOKENS: usize = 50_000;
/// The most values of an option that are listed.
const MAX_VALUES: usize = 400;

impl Desk {
    /// Describes the current text: its findings and its options.
    pub fn describe_check(&self) -> Value {
        let offsets = self.offsets();
        let findings: Vec<Value> = self
            .study
            .sources
            .by_file(&self.findings())
            .into_iter()
            .flat_map(|(file, findings)| findings.into_iter().map(move |finding| (file, finding)))
            .take(MAX_FINDINGS)
            .map(|(file, finding)| self.describe(file, &finding, &offsets))
            .collect();
        let rules = self.study.checked.rules.as_ref().or_else(|| self.rules());
        let options: Vec<Value> =
            rules.map(|rules| rules.options.iter().map(option).collect()).unwrap_or_default();
        json!({
            "revision": self.revision,
            "identity": identity(&self.study.sources, rules),
            "ok": !self.is_faulty(),
            "findings": findings,
            "tokens": self.tokens(&offsets),
            "options": options,
            "title": self.title(),
        })
    }

    /// Returns the title of the game, or else the name of the file.
    pub fn title(&self) -> String {
        let title = outline::title(self.study.sources.text_of(0)).map(|(title, _)| title);
        title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| match &self.draft.origin {
            Origin::File(path) => path.display().to_string(),
            Origin::Shipped(name) => name.clone(),
            Origin::New => "untitled".to_owned(),
        })
    }

    fn describe(&self, file: usize, finding: &Finding, offsets: &Offsets) -> Value {
        let mut described = json!({
            "severity": finding.severity().name(),
            "code": finding.code.name(),
            "message": shown(&finding.message),
            "help": finding.help.as_ref().map(|help| shown(help).into_owned()),
            "record": finding.record.as_ref().map(|record| &record.0),
        });
        if file > 0 {
            let name = self.study.sources.names().nth(file).unwrap_or_default();
            let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
            let text = self.study.sources.text_of(file);
            let before = text.get(..finding.span.start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            described["at"] = json!([0, 0]);
            described["labels"] = json!([]);
            described["edits"] = json!([]);
            described["other"] = json!({ "file": name, "text": format!("line {line} of {name}") });
            return described;
        }
        let label =
            |span: Span, text: &str| json!({ "at": offsets.range(span), "text": shown(text) });
        let mut labels = Vec::new();
        if !finding.label.is_empty() {
            labels.push(label(finding.span, &finding.label));
        }
        labels.extend(finding.others.iter().map(|other| label(other.span, &other.text)));
        let edits: Vec<Value> = finding
            .fix
            .iter()
            .map(|fix| {
                let changes = fix
                    .edits
                    .iter()
                    .map(|edit| json!({ "at": offsets.range(edit.span), "text": edit.text }));
                json!({ "title": shown(&fix.title), "changes": changes.collect::<Vec<Value>>() })
            })
            .collect();
        described["at"] = offsets.range(finding.span);
        described["labels"] = json!(labels);
        described["edits"] = json!(edits);
        described
    }

    /// Lists the words of the text with their token kinds, for colouring.
    fn tokens(&self, offsets: &Offsets) -> Vec<Value> {
        let token = |token: Token| {
            let Span { start, end } = token.span;
            json!([offsets.unit(start), offsets.unit(end), token.kind.name()])
        };
        self.study.tokens(0).into_iter().take(MAX_TOKENS).map(token).collect()
    }
}

/// Describes an option as a form control.
fn option(option: &Choice) -> Value {
    let numbers: Option<Vec<i64>> = option.values.iter().map(|value| value.parse().ok()).collect();
    let is_range = |numbers: &Vec<i64>| {
        numbers.len() > 1 && numbers.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(1))
    };
    let value = option.value();
    let mut described = json!({
        "name": option.name,
        "value": value,
        "default": option.values[option.default],
        "text": option.description,
    });
    match numbers.filter(is_range) {
        Some(numbers) => {
            described["kind"] = json!("number");
            described["min"] = json!(numbers.first());
            described["max"] = json!(numbers.last());
        }
        None => {
            let values: Vec<&String> = option.values.iter().take(MAX_VALUES).collect();
            described["kind"] = json!("choice");
            described["choices"] = json!(values);
        }
    }
    described
}
