//! The game at a desk as the page shows it.

use super::offsets::Offsets;
use super::{Desk, kind_of, program};
use crate::board::Site;
use crate::cases::{CaseAnswer, CaseReport};
use crate::engine::game::{State, Turn};
use crate::engine::snapshot::Snapshot;
use crate::language::rules::Rules;
use crate::notation::{capital, player, write_memories};
use crate::render::{
    LegendEntry, LegendPart, Scene, TouchPicture, TouchSite, situation, touch_svg,
};
use crate::syntax::Span;
use crate::syntax::visible::shown;
use crate::why::{Ending, why_result};
use serde_json::{Map, Value, json};
use std::path::Path;

impl Desk {
    /// Describes the current position, the plies that led to it, and who plays.
    pub fn describe_game(&self) -> Value {
        let mut described = json!({
            "ply": 0, "plies": [], "tree": [], "board": "", "sites": [], "turn": null,
            "undoable": false, "chance": false, "status": "", "lines": [], "seats": {},
            "thinking": self.is_thinking, "paused": self.paused,
        });
        if self.is_faulty() {
            described["faulty"] = json!(true);
        }
        if let Some(stopped) = &self.halt {
            let reason = String::from(stopped.clone());
            described["stopped"] = json!({
                "ply": stopped.ply, "text": shown(&stopped.text), "reason": shown(&reason),
            });
        }
        let Some(run) = &self.run else { return described };
        let position = &run.state;
        let rules = position.game().rules();
        let tree = &self.draft.variations;
        let here = run.node();
        let ply = |(number, &node): (usize, &usize)| {
            let one = &tree.nodes[node];
            json!({
                "id": node, "ply": number + 1, "text": shown(&one.text), "player": one.player,
                "seat": one.seat,
            })
        };
        let line: Vec<usize> = run.path.iter().copied().chain(tree.ahead(here)).collect();
        let scene = Scene::of(position);
        let picture = touch_svg(&scene, "board-");
        let turn = match position.turn() {
            Turn::Player(mover) => {
                let color = picture.players.get(mover.index()).cloned().flatten();
                json!({ "player": player(rules, mover), "color": color })
            }
            Turn::Chance | Turn::Nobody => Value::Null,
        };
        described["ply"] = json!(run.path.len());
        described["undoable"] = json!(!run.path.is_empty() || self.has_before());
        described["plies"] = line.iter().enumerate().map(ply).collect();
        described["tree"] = self.describe_tree(here);
        described["restorable"] = json!(tree.restorable());
        described["board"] = json!(picture.svg);
        described["sites"] = sites(&picture);
        described["radius"] = json!(picture.radius);
        described["turn"] = turn;
        described["chance"] = json!(position.turn() == Turn::Chance);
        described["programs"] = json!(program(&self.draft.seats, position).is_some());
        described["status"] = json!(shown(&situation(position)));
        described["players"] = players(rules, &picture);
        described["ground"] = json!(picture.ground);
        described["legend"] = picture.legend.iter().map(|entry| legend(rules, entry)).collect();
        described["lines"] = json!(lines(rules, &scene, &position.snapshot()));
        described["seats"] = self.describe_seats(rules);
        if let Err(message) = self.listable() {
            described["crowded"] = json!(message);
        }
        if position.outcome().is_some() {
            described["result"] = match why_result(position) {
                Ok(answer) => {
                    let clause = answer.clause.and_then(|clause| self.clause(rules, clause));
                    let mut result = json!({ "text": shown(&answer.message), "clause": clause });
                    if let Some(Ending { brief, sites }) = answer.ending {
                        // Marking most of the board would point out nothing.
                        let few = 2 * sites.len() <= rules.board.len();
                        let sites = sites.iter().filter(|_| few);
                        let sites: Vec<&str> = sites.map(|&site| rules.board.label(site)).collect();
                        result["brief"] = json!(shown(&brief));
                        result["sites"] = json!(sites);
                    }
                    result
                }
                Err(message) => json!({ "text": shown(&capital(&message)) }),
            };
        }
        described
    }

    /// Returns the place of a clause of the played rules, if the current text is the text of these
    /// rules.
    pub fn clause(&self, rules: &Rules, clause: Span) -> Option<Value> {
        let (file, span) = rules.files.place(clause);
        let text = rules.files.text_of(file);
        let is_own = file == 0 && text == self.draft.text;
        is_own.then(|| json!({ "at": Offsets::new(text).range(span) }))
    }

    fn describe_tree(&self, here: usize) -> Value {
        let all = &self.draft.variations.nodes;
        let mut depths = vec![0usize; all.len()];
        // Removing a ply removes all plies that follow it.
        let mut removed = vec![false; all.len()];
        let mut described = Vec::new();
        for (id, node) in all.iter().enumerate().skip(1) {
            let parent = node.parent.unwrap_or(0);
            depths[id] = depths[parent] + 1;
            removed[id] = node.is_removed || removed[parent];
            if removed[id] {
                continue;
            }
            described.push(json!({
                "id": id, "parent": parent, "text": shown(&node.text), "ply": depths[id],
                "player": node.player, "current": id == here, "first": all[parent].first == Some(id),
            }));
        }
        Value::Array(described)
    }

    fn describe_seats(&self, rules: &Rules) -> Value {
        let names = rules.players.iter().map(|player| player.name.clone());
        let seat = |name: String| {
            let kind = kind_of(&self.draft.seats, &name).to_string();
            (name, json!(kind))
        };
        Value::Object(names.map(seat).collect::<Map<String, Value>>())
    }
}

/// Describes a rule case that was run, with boards for each line that disagrees with the rules: the
/// position `here`, and for a diagram the position that is `demanded`. Ids in the pictures start
/// with `name`; without a name, no boards are drawn.
pub fn describe_case(file: &str, report: &CaseReport, name: Option<&str>) -> Value {
    let mut described = json!(CaseAnswer::of(Path::new(file), report));
    let Some(name) = name else { return described };
    for (number, difference) in report.differences.iter().enumerate() {
        let Some(boards) = &difference.boards else { continue };
        let draw = |position: &State, kind: &str| {
            describe_board(position, &format!("{name}{number}{kind}-"))
        };
        let pieces = |position: &State| position.snapshot().pieces;
        let differ: Vec<&str> = boards
            .expected
            .iter()
            .flat_map(|expected| {
                let (here, demanded) = (pieces(&boards.found), pieces(expected));
                let board = &boards.found.game().rules().board;
                let differs = move |site: &Site| here[site.index()] != demanded[site.index()];
                board.sites().filter(differs).map(|site| board.label(site)).collect::<Vec<&str>>()
            })
            .collect();
        described["differences"][number]["boards"] = json!({
            "differ": differ,
            "here": draw(&boards.found, "h"),
            "demanded": boards.expected.as_ref().map(|demanded| draw(demanded, "d")),
        });
    }
    described
}

/// Draws a position for a page. Ids in the picture start with `name`.
pub fn describe_board(position: &State, name: &str) -> Value {
    let picture = touch_svg(&Scene::of(position), name);
    json!({
        "board": picture.svg, "sites": sites(&picture), "radius": picture.radius,
        "players": players(position.game().rules(), &picture),
    })
}

fn sites(picture: &TouchPicture) -> Value {
    picture.sites.iter().map(site).collect()
}

fn site(TouchSite { name, label, at }: &TouchSite) -> Value {
    json!({ "name": name, "label": label, "at": [at.0, at.1] })
}

/// Lists the players with their colours.
fn players(rules: &Rules, picture: &TouchPicture) -> Value {
    let names = rules.players.iter().map(|player| &player.name);
    let player = |(name, color)| json!({ "name": name, "color": color });
    names.zip(&picture.players).map(player).collect()
}

/// Lists the memories with a value that neither the board nor its legend shows, one per line.
fn lines(rules: &Rules, scene: &Scene, snapshot: &Snapshot) -> Vec<String> {
    write_memories(rules, snapshot)
        .into_iter()
        .filter(|line| !line.per_site && (line.hand || !line.idle))
        .filter(|line| !scene.is_drawn(line.memory))
        .map(|line| format!("{}: {}", line.name, line.value))
        .collect()
}

fn legend(rules: &Rules, entry: &LegendEntry) -> Value {
    let part = |part: &LegendPart| match part {
        LegendPart::Words(words) => json!({ "words": shown(words) }),
        LegendPart::Picture(svg) => json!({ "picture": svg }),
    };
    let player = entry.player.map(|player| rules.players[player.index()].name.clone());
    json!({ "parts": entry.parts.iter().map(part).collect::<Vec<Value>>(), "player": player })
}
