//! Pictures whose sites can be chosen, with the mouse or the keyboard, on a page that listens.
//!
//! Above the board lies one transparent cell for each site. It has the site's label as `data-site`,
//! can be focused, and describes the contents of the site to a screen reader. The legend is not
//! part of the picture: the page lays it out as text that keeps its size.
//!
//! The pieces of each pile lie fanned out above its site, in a group with the site's label as
//! `data-fan`. The group is hidden until the page shows it.

use super::caption::{LegendEntry, legend};
use super::plane::Plane;
use super::writer::{Writer, attributes, closed, short};
use super::{DARK, PAGE, bounds, figures_used, picture, piece_radius, plane_of};
use crate::board::Site;
use crate::engine::snapshot::Occupant;
use crate::language::rules::{MemoryId, PlayerId};
use crate::render::scene::Scene;

/// A picture with the positions of its sites.
#[derive(Clone, Debug)]
pub struct TouchPicture {
    pub svg: String,
    /// The sites, in the order of the board.
    pub sites: Vec<TouchSite>,
    /// The distance from the centre of a cell to its sides, in units of the picture.
    pub radius: f64,
    /// The colours of the players that the board can show.
    pub players: Vec<Option<String>>,
    /// The colour of the board.
    pub ground: String,
    pub legend: Vec<LegendEntry>,
}

/// A site of a picture.
#[derive(Clone, Debug)]
pub struct TouchSite {
    pub name: String,
    /// The label and contents of the site.
    pub label: String,
    /// The centre, in units of the picture.
    pub at: (f64, f64),
}

/// Renders a scene with a cell to choose for each site. Ids in the picture start with `name`.
pub fn touch_svg(scene: &Scene, name: &str) -> TouchPicture {
    let labels = labels(scene);
    let plane = plane_of(scene);
    let radius = plane.inner_radius();
    let board = &scene.rules.board;
    let place = |number: f64| short(number).parse().unwrap_or(number);
    let sites = board.sites().map(|site| {
        let center = plane.center(site);
        let label = labels[site.index()].clone();
        let at = (place(center.x), place(center.y));
        TouchSite { name: board.label(site).to_owned(), label, at }
    });
    let cells = |writer: &mut Writer, plane: &Plane| {
        for site in board.sites() {
            let path = closed(&plane.area(site, 0.0));
            let style = attributes! {
                "class": "site", "data-site": board.label(site), "role": "button",
                "tabindex": "-1", "aria-label": &*labels[site.index()], "d": &*path,
                "fill": "#000000", "fill-opacity": "0",
            };
            writer.element("path", style);
        }
        fans(writer, plane, scene, name);
    };
    let svg = picture(scene, name, Some(&cells));
    let color =
        |player: PlayerId| scene.shows(player).then(|| scene.palette.player(player).to_string());
    let players =
        (0..scene.rules.players.len()).map(|player| color(PlayerId(player as u16))).collect();
    let ground = scene.palette.board().to_string();
    TouchPicture { svg, sites: sites.collect(), radius, players, ground, legend: legend(scene) }
}

/// Draws the pieces of each pile beside its site, one above the other, the lowest at the bottom.
fn fans(writer: &mut Writer, plane: &Plane, scene: &Scene, name: &str) {
    let occupants = figures_used(scene, true);
    let (least, most) = bounds(plane);
    let radius = piece_radius(plane, scene.has_tokens());
    let half = radius * 1.25;
    for (site, pile) in scene.piles() {
        let center = plane.center(site);
        let above = (pile.len() - 1) as f64;
        let step = (radius * 2.1).min((most.y - least.y - 2.0 * half) / above).max(1.0);
        let high = step * above + 2.0 * half;
        let right = center.x + plane.inner_radius() + half;
        let x = if right + half > most.x { center.x - plane.inner_radius() - half } else { right };
        let top = (center.y - high / 2.0).min(most.y - high).max(least.y);
        writer.open("g", attributes! { "class": "fan", "data-fan": scene.rules.board.label(site), "display": "none", "pointer-events": "none" });
        let panel = attributes! {
            "x": x - half, "y": top, "width": 2.0 * half, "height": high, "rx": half * 0.4, "fill": PAGE, "stroke": DARK, "stroke-width": 1.5,
        };
        writer.element("rect", panel);
        for (level, occupant) in pile.iter().enumerate() {
            let Some(index) = occupants.iter().position(|known| known == occupant) else {
                continue;
            };
            let (id, y) = (format!("#{name}piece{index}"), top + high - half - step * level as f64);
            writer.element("use", attributes! { "href": &*id, "x": x, "y": y });
        }
        writer.close("g");
    }
}

/// Describes the contents of each site, by site number.
fn labels(scene: &Scene) -> Vec<String> {
    let rules = scene.rules;
    let said = |occupant: Occupant| {
        let kind = &rules.pieces[occupant.piece.index()].name;
        match occupant.owner {
            Some(owner) => format!("{} {kind}", rules.players[owner.index()].name),
            None => kind.clone(),
        }
    };
    let mut labels = vec![String::new(); rules.board.slots()];
    for site in rules.board.sites() {
        let what = match scene.occupant(site) {
            Some(occupant) => said(occupant),
            None if scene.is_cut(site) => "cut out".to_owned(),
            None => "empty".to_owned(),
        };
        labels[site.index()] = format!("{}, {what}", rules.board.label(site));
    }
    let mut add = |site: Site, text: &str| {
        if let Some(label) = labels.get_mut(site.index()) {
            label.extend([", ", text]);
        }
    };
    let name = |memory: MemoryId| &rules.memories[memory.index()].name;
    let whose = |owner: Option<PlayerId>| {
        owner.map_or(String::new(), |owner| format!(" of {}", rules.players[owner.index()].name))
    };
    for mark in scene.marks() {
        add(mark.site, &format!("{}{}", name(mark.memory), whose(mark.owner)));
    }
    for token in scene.tokens() {
        let direction = rules.board.direction_name(token.direction);
        add(token.site, &format!("{} {direction}{}", name(token.memory), whose(token.owner)));
    }
    for (link, end) in scene.links() {
        for (site, other) in [(link.site, end), (end, link.site)] {
            let to = rules.board.label(other);
            add(site, &format!("{}{} to {to}", name(link.memory), whose(link.owner)));
        }
    }
    for (site, direction, memory) in scene.facings() {
        add(site, &format!("{} {}", name(memory), rules.board.direction_name(direction)));
    }
    for (site, number, _) in scene.numbers() {
        add(site, &number.to_string());
    }
    for (site, pile) in scene.piles() {
        let below: Vec<String> = pile.iter().rev().skip(1).map(|&below| said(below)).collect();
        add(site, &format!("on {}", below.join(", ")));
    }
    labels
}
