//! Says in words what decided between two positions.

use super::channels::{Channel, ChannelSource};
use super::counters::{Counted, Counter, Observed, Within};
use super::network::{Evaluation, Features, Scratch};
use super::patterns::Patterns;
use super::sites::{Occupant, other};
use crate::board::Site;
use crate::engine::position::Position;
use crate::language::rules::{DefinitionId, PlayerId, Rules};

/// Names the players in a position's features.
pub(super) struct Names<'r> {
    rules: &'r Rules,
    /// The player who sees the position, where positions are seen by the player to act.
    viewer: Option<PlayerId>,
    is_relative: bool,
}

impl<'r> Names<'r> {
    /// Makes names without a viewer: own and enemy where positions are relative, or by name.
    pub(super) fn of(rules: &'r Rules, features: &Features) -> Names<'r> {
        Names { rules, viewer: None, is_relative: features.is_relative }
    }
}

impl Names<'_> {
    fn player(&self, player: PlayerId) -> String {
        let name = |player: PlayerId| self.rules.players[player.index()].name.clone();
        match self.viewer {
            _ if !self.is_relative => name(player),
            Some(viewer) if player == PlayerId(0) => name(viewer),
            Some(viewer) => name(other(viewer)),
            None if player == PlayerId(0) => "own".to_owned(),
            None => "enemy".to_owned(),
        }
    }

    pub(super) fn occupant(&self, occupant: Occupant) -> String {
        let piece = &self.rules.pieces[occupant.piece.index()].name;
        match occupant.owner {
            Some(owner) => format!("{} {piece}", self.player(owner)),
            None => piece.clone(),
        }
    }

    fn channel(&self, (channel, value): (Channel, u32)) -> String {
        let name = match channel.source {
            ChannelSource::Memory(id) => {
                self.whose(&self.rules.memories[id.index()].name, channel.player)
            }
            ChannelSource::Definition(id) => self.defined(id, channel.player),
            ChannelSource::Lead(id) => {
                return format!("{} ahead by {value}", self.defined(id, channel.player));
            }
        };
        if value == 1 { name } else { format!("{name} {value}") }
    }

    fn whose(&self, name: &str, player: Option<PlayerId>) -> String {
        player.map_or(name.to_owned(), |player| format!("{} {name}", self.player(player)))
    }

    fn defined(&self, definition: DefinitionId, player: Option<PlayerId>) -> String {
        self.whose(&self.rules.definitions[definition.index()].name, player)
    }

    fn within(&self, within: Within) -> String {
        match within {
            Within::All => String::new(),
            Within::Empty => " on empty sites".to_owned(),
            Within::Occupied(occupant) => format!(" on {}", self.occupant(occupant)),
        }
    }

    fn observed(&self, observed: Observed, within: Within) -> String {
        let (name, within) =
            (self.defined(observed.definition, observed.player), self.within(within));
        match observed.lead {
            Some(least) => format!("{name} ahead by {least}{within}"),
            None => format!("{name}{within}"),
        }
    }

    fn state(&self, features: &Features, state: u32) -> String {
        if state == features.patterns.outside() {
            return "edge".to_owned();
        }
        let state = state as usize;
        let occupant = features.sites.occupant(state).map(|occupant| self.occupant(occupant));
        let mut said = occupant.unwrap_or_else(|| "empty".to_owned());
        for remembered in features.sites.remembered(state) {
            said.push_str(" + ");
            said.push_str(&self.channel(remembered));
        }
        said
    }

    /// Describes a mark: its owners, its site, and the next site in its direction.
    fn mark(&self, features: &Features, weight: u32) -> String {
        let Some((table, look)) = features.marks.explain(weight) else { return String::new() };
        let memory = &self.rules.memories[table.memory.index()].name;
        let marked = |owners: u32| {
            let of: Vec<String> =
                table.players(owners).map(|player| self.whose(memory, Some(player))).collect();
            match owners {
                0 => format!("no {memory}"),
                _ if of.is_empty() => memory.clone(),
                _ => of.join(" and "),
            }
        };
        let (mark, state) = (marked(look.owners), self.state(features, look.state));
        let Some(next) = look.next_state else {
            return format!("{mark} on {state}, towards the edge");
        };
        let (next, next_mark) = (self.state(features, next), marked(look.next_owners));
        format!("{mark} on {state}, towards {next} with {next_mark}")
    }

    fn counter(&self, counter: &Counter, range: u32) -> String {
        let least = counter.least + i64::from(range) * counter.stride;
        let most = least + counter.stride - 1;
        let number = if least == most { least.to_string() } else { format!("{least} to {most}") };
        format!("{}: {number}", self.counted(counter.counted))
    }

    /// Names the number of a counter.
    pub(super) fn counted(&self, counted: Counted) -> String {
        let memory = |memory: crate::language::rules::MemoryId, player: Option<PlayerId>| {
            self.whose(&self.rules.memories[memory.index()].name, player)
        };
        match counted {
            Counted::Pieces(occupant) => format!("number of {}", self.occupant(occupant)),
            Counted::Surplus(occupant) => format!("surplus of {}", self.occupant(occupant)),
            Counted::Memory(id, player) => memory(id, player),
            Counted::Lead(id, player) => format!("lead in {}", memory(id, Some(player))),
            Counted::Observed(observed, within) => self.observed(observed, within),
            Counted::ObservedSurplus(observed, within) => {
                format!("surplus of {}", self.observed(observed, within))
            }
            Counted::Defined(id, player) => self.defined(id, player),
            Counted::DefinedLead(id, player) => {
                format!("lead in {}", self.defined(id, Some(player)))
            }
            Counted::Decision => "point in the order of play".to_owned(),
            Counted::Loop => "plies or rounds left".to_owned(),
            Counted::Moves => "number of moves".to_owned(),
        }
    }
}

/// What a feature adds to the log-odds of a player, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    pub weight: f32,
    pub text: String,
}

/// Lists the features that speak most for `chosen` and against `rejected`, at most `most`, with
/// what they add to the log-odds of `player` (with three or more players, to the sum before the
/// softmax). Neither position is over.
pub fn reasons(
    rules: &Rules,
    evaluation: &Evaluation,
    player: PlayerId,
    (chosen, moves): (&Position, u32),
    (rejected, rejected_moves): (&Position, u32),
    most: usize,
) -> Vec<Reason> {
    let mut parts = contributions(rules, evaluation, player, chosen, moves);
    for (weight, text) in contributions(rules, evaluation, player, rejected, rejected_moves) {
        parts.push((-weight, text));
    }
    // Contributions that both positions have in common cancel out.
    parts.sort_by(|one, another| one.1.cmp(&another.1));
    let mut merged: Vec<(f32, String)> = Vec::new();
    for (weight, text) in parts {
        match merged.last_mut() {
            Some((sum, known)) if *known == text => *sum += weight,
            _ => merged.push((weight, text)),
        }
    }
    merged.sort_by(|one, another| another.0.total_cmp(&one.0).then(one.1.cmp(&another.1)));
    let for_it = merged.into_iter().filter(|&(weight, _)| weight > 0.005).take(most);
    for_it.map(|(weight, text)| Reason { weight, text }).collect()
}

fn contributions(
    rules: &Rules,
    evaluation: &Evaluation,
    player: PlayerId,
    position: &Position,
    moves: u32,
) -> Vec<(f32, String)> {
    let features = &*evaluation.features;
    let mover = features.mover(position);
    let (heads, side) = features.view(position);
    let head = if features.players > 2 { player.index() } else { heads.start };
    let sign =
        if features.players == 2 && features.person(position) != player { -1.0 } else { 1.0 };
    let names = Names { viewer: Some(mover), ..Names::of(rules, features) };
    let weights = evaluation.head(head);
    let mut parts = Vec::new();
    let mut scratch = Scratch::new(features, position);
    scratch.look(position);
    let codes = features.codes(&mut scratch);
    let position = scratch.position();
    for window in &features.patterns.windows {
        let (own, shared) = features.patterns.weights_of(window, &codes);
        let weight = own.map_or(0.0, |own| weights[own as usize]) + weights[shared as usize];
        if weight != 0.0 {
            let text = window_text(rules, &names, features, side, window, &codes);
            parts.push((sign * weight, text));
        }
    }
    let first = features.patterns.weights;
    let mut counters = features.counters.counters.iter();
    let mut overlaps = Vec::new();
    features.counters.ranges(position, side, moves, &mut overlaps, |weight| {
        if let Some(counter) = counters.next() {
            let text = names.counter(counter, weight - counter.first);
            let text = format!("{text} ({} to act)", rules.players[mover.index()].name);
            parts.push((sign * weights[(first + weight) as usize], text));
        }
    });
    let first = first + features.counters.weights;
    let mut sites = features.marks.sites();
    let mut owners = Vec::new();
    features.marks.look(position, features.width, side, &codes, &mut owners, |mark| {
        let (Some(site), weight) = (sites.next(), weights[(first + mark) as usize]) else { return };
        if weight != 0.0 {
            let site = rules.board.label(features.sites.seen_from(site, side));
            parts.push((sign * weight, format!("{site} {}", names.mark(features, mark))));
        }
    });
    parts
}

fn window_text(
    rules: &Rules,
    names: &Names,
    features: &Features,
    side: usize,
    window: &super::patterns::Window,
    codes: &[u32],
) -> String {
    let patterns: &Patterns = &features.patterns;
    let block = &patterns.blocks[window.block as usize];
    let digits = patterns.digits(block, patterns.code(window, codes));
    let sites = patterns.sites_of(window);
    let label = |site: Option<Site>| {
        let site = site.map(|site| features.sites.seen_from(site, side));
        site.map_or("", |site| rules.board.label(site)).to_owned()
    };
    let mut pairs: Vec<(Option<Site>, String, String)> = sites
        .iter()
        .zip(digits)
        .filter(|(site, _)| site.is_some())
        .map(|(&site, digit)| (site, label(site), names.state(features, digit)))
        .collect();
    pairs.sort();
    let pairs: Vec<String> =
        pairs.into_iter().map(|(_, label, state)| format!("{label} {state}")).collect();
    pairs.join(", ")
}
