//! What an evaluation believes, in words that a player uses: what a piece is worth, where it stands
//! well, how much more room to move counts, and what the rules themselves define.
//!
//! Single weights say little: the worth of a Queen is spread over thousands of them. So the values
//! that the evaluation gives to positions are explained by a linear regression on named quantities.
//! The positions are of games in which the evaluation chooses about half of the plies. Quantities
//! are added in groups (all kinds of pieces; all places of a kind). Each step adds the group that
//! explains most beyond the chosen groups, if it explains at least `LEAST_GAIN` more (forward
//! selection: Norman Draper and Harry Smith, *Applied Regression Analysis*, chapter 15, 3rd ed.
//! 1998). Of two groups that say the same, only the first is chosen.

use super::counters::{Counted, Counter};
use super::describe::Names;
use super::network::{Evaluation, Features, Scratch, logistic, logit};
use super::sites::{Occupant, other};
use crate::board::{Board, Direction, Site};
use crate::engine::game::{Game, State};
use crate::language::rules::{MemoryType, PieceId, PlayerId, Rules};
use crate::notation::list;
use crate::random::{Random, mix};
use crate::solve::symmetry::symmetries;

/// The games, the most positions in all, the most plies of a game, and the most plies of a position
/// that are evaluated to choose one.
const GAMES: u64 = 200;
const MAX_POSITIONS: usize = 3_000;
const MAX_PLIES: usize = 300;
const MAX_EVALUATED: usize = 16;
/// Values are clamped to this log-odds: how surely a won game is won explains nothing.
const MAX_VALUE: f32 = 5.0;
/// A group is added if it raises the explained share of the variance by at least this.
const LEAST_GAIN: f64 = 0.015;
/// The most groups.
const MOST_GROUPS: usize = 6;
/// Up to this many places over all kinds together, a place is a class of sites that symmetries make
/// alike. With more, only rows from the own edge and steps from the middle are quantities.
const MAX_PLACES: usize = 60;
/// The most best places of a kind that are named, besides the worst one.
const NAMED_PLACES: usize = 2;
/// A smaller change of the log-odds, about a hundredth of an even chance, is not mentioned.
const LEAST_TOLD: f64 = 0.04;
/// The ridge that keeps the equations solvable where quantities depend on each other.
const RIDGE: f64 = 1e-3;

/// What an evaluation believes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beliefs {
    /// One sentence per group, the group that explains most first.
    pub sentences: Vec<String>,
    /// The share of the variance of the values that the groups explain together, from 0 to 1.
    pub explained: f64,
}

/// A quantity of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Quantity {
    /// A counter, by index.
    Counter(usize),
    /// The pieces in a class of sites, less the other side's where sides can be exchanged.
    Place(Occupant, u16),
    /// The sum of the rows from the own edge, or of the steps from the middle, of these pieces;
    /// less the other side's sum where sides can be exchanged.
    Advance(Occupant),
    Remoteness(Occupant),
}

/// Quantities that are reported together.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Group {
    Material,
    Counter(usize),
    Places(Occupant),
    Advance(Occupant),
    Remoteness(Occupant),
}

/// The quantities of a game.
struct Quantities<'g> {
    rules: &'g Rules,
    features: &'g Features,
    all: Vec<(Group, Quantity)>,
    /// By slot: the class of alike sites, the rows from the own edge, and the steps from the
    /// middle.
    classes: Vec<u16>,
    rows: Vec<f64>,
    remote: Vec<f64>,
}

/// By position: the values of the quantities, and the log-odds that the evaluation gives.
struct Table {
    rows: Vec<Vec<f64>>,
    values: Vec<f64>,
}

impl Beliefs {
    /// Finds what an evaluation believes of its game. Empty if its games have few positions or all
    /// values are the same.
    pub fn of(game: &Game, evaluation: &Evaluation) -> Beliefs {
        let quantities = Quantities::of(game, &evaluation.features);
        let table = quantities.observe(game, evaluation);
        let Some(equations) = Equations::of(&table) else { return Beliefs::default() };
        let (groups, explained) = quantities.select(&equations);
        let columns = quantities.columns(&groups);
        let slopes = equations.slopes(&columns);
        let mut sentences = Vec::new();
        for group in groups {
            let known = columns.iter().zip(&slopes).filter_map(|(&column, &slope)| {
                let (of, quantity) = quantities.all[column];
                (of == group).then_some((quantity, slope, equations.spreads[column]))
            });
            sentences.extend(quantities.sentence(group, &known.collect::<Vec<_>>()));
        }
        Beliefs { sentences, explained }
    }
}

impl<'g> Quantities<'g> {
    fn of(game: &'g Game, features: &'g Features) -> Quantities<'g> {
        let (rules, board) = (game.rules(), &game.rules().board);
        let counters = &features.counters.counters;
        // A surplus already combines the two players' numbers of pieces.
        let has_surplus = |piece: PieceId| {
            let is_surplus = |counter: &Counter| matches!(counter.counted, Counted::Surplus(of) if of.piece == piece);
            counters.iter().any(is_surplus)
        };
        let is_relative = features.is_relative;
        let group = |index: usize| match counters[index].counted {
            Counted::Decision => None,
            Counted::Memory(id, _) => match rules.memories[id.index()].holds {
                MemoryType::Kind | MemoryType::Player => None,
                _ => Some(Group::Counter(index)),
            },
            Counted::Pieces(of) => {
                let is_told = !is_relative || of.owner.is_none() || !has_surplus(of.piece);
                is_told.then_some(Group::Material)
            }
            Counted::Surplus(_) => is_relative.then_some(Group::Material),
            _ => Some(Group::Counter(index)),
        };
        let counted = |index: usize| Some((group(index)?, Quantity::Counter(index)));
        let mut all: Vec<(Group, Quantity)> = (0..counters.len()).filter_map(counted).collect();
        let classes = classes(game);
        let own = |occupant: &&Occupant| !is_relative || occupant.owner == Some(PlayerId(0));
        let kinds: Vec<Occupant> = features.sites.occupants.iter().filter(own).copied().collect();
        let count = classes.iter().max().map_or(0, |&most| usize::from(most) + 1);
        let rows = rows(board, rules.players.first().and_then(|player| player.forward));
        for &kind in &kinds {
            if count * kinds.len() <= MAX_PLACES && count > 1 {
                let places = (0..count as u16).map(|class| Quantity::Place(kind, class));
                all.extend(places.map(|place| (Group::Places(kind), place)));
                continue;
            }
            if is_relative && rules.players.iter().all(|player| player.forward.is_some()) {
                all.push((Group::Advance(kind), Quantity::Advance(kind)));
            }
            all.push((Group::Remoteness(kind), Quantity::Remoteness(kind)));
        }
        let remote = remoteness(board);
        Quantities { rules, features, all, classes, rows, remote }
    }

    /// Plays games and reads quantities and values of their positions.
    fn observe(&self, game: &Game, evaluation: &Evaluation) -> Table {
        let mut table = Table { rows: Vec::new(), values: Vec::new() };
        let Ok(start) = game.begin() else { return table };
        let mut scratch = Scratch::new(self.features, &start.position());
        let mut scores = vec![0.0; self.features.players];
        for number in 0..GAMES {
            let mut random = Random::new(mix(number, 0xbe11ef));
            let mut state = start.clone();
            for _ in 0..MAX_PLIES {
                let Some(decision) = state.decision() else { break };
                let mut legal = state.candidates();
                if legal.is_empty() || state.fault().is_some() {
                    break;
                }
                let mut ply = legal[random.below(legal.len() as u32) as usize];
                if game.decisions()[decision].mover.is_some() {
                    if table.rows.len() >= MAX_POSITIONS {
                        return table;
                    }
                    self.read(&state, evaluation, &mut scratch, &mut table);
                    if random.below(2) == 0 {
                        let mover = self.features.person(scratch.position()).index();
                        random.shuffle(&mut legal);
                        let mut best = f32::NEG_INFINITY;
                        for &tried in legal.iter().take(MAX_EVALUATED) {
                            state.ahead(tried, |after| {
                                evaluation.scores(after, &mut scratch, &mut scores)
                            });
                            if scores[mover] > best {
                                (best, ply) = (scores[mover], tried);
                            }
                        }
                    }
                }
                state.advance(ply);
            }
        }
        table
    }

    /// Adds a row for a position: the value of the player to act where positions are seen by that
    /// player, otherwise of the first player.
    fn read(
        &self,
        state: &State,
        evaluation: &Evaluation,
        scratch: &mut Scratch,
        table: &mut Table,
    ) {
        let features = self.features;
        let mut scores = vec![0.0; features.players];
        evaluation.scores(state, scratch, &mut scores);
        let position = scratch.position().clone();
        let player = if features.is_relative { features.person(&position).index() } else { 0 };
        table.values.push(f64::from(logit(scores[player]).clamp(-MAX_VALUE, MAX_VALUE)));
        let (_, side) = features.view(&position);
        let counters = features.counters.numbers(&position, side, state.move_count_bound());
        let codes = features.codes(scratch);
        let mut counts = vec![0.0; self.all.len()];
        for (count, &(_, quantity)) in counts.iter_mut().zip(&self.all) {
            if let Quantity::Counter(index) = quantity {
                *count = counters[index] as f64;
            }
        }
        for (slot, &code) in codes.iter().enumerate().take(self.classes.len()) {
            let Some(occupant) = features.sites.occupant(code as usize) else { continue };
            // An enemy piece counts at the place where its owner sees it.
            let is_enemy = features.is_relative && occupant.owner == Some(PlayerId(1));
            let (kind, slot, sign) = match is_enemy {
                true => {
                    let image = features.sites.seen_from(Site(slot as u16), 1).index();
                    (Occupant { owner: occupant.owner.map(other), ..occupant }, image, -1.0)
                }
                false => (occupant, slot, 1.0),
            };
            for (count, &(_, quantity)) in counts.iter_mut().zip(&self.all) {
                match quantity {
                    Quantity::Place(of, class) if of == kind && class == self.classes[slot] => {
                        *count += sign;
                    }
                    Quantity::Advance(of) if of == kind => *count += sign * self.rows[slot],
                    Quantity::Remoteness(of) if of == kind => *count += sign * self.remote[slot],
                    _ => {}
                }
            }
        }
        table.rows.push(counts);
    }

    /// Returns the columns of groups.
    fn columns(&self, groups: &[Group]) -> Vec<usize> {
        (0..self.all.len()).filter(|&column| groups.contains(&self.all[column].0)).collect()
    }

    /// Chooses the groups that explain most, best first; also returns what they explain together.
    fn select(&self, equations: &Equations) -> (Vec<Group>, f64) {
        let mut groups: Vec<Group> = Vec::new();
        for &(group, _) in &self.all {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        let (mut chosen, mut explained) = (Vec::new(), 0.0);
        while chosen.len() < MOST_GROUPS {
            let tried = groups.iter().filter(|group| !chosen.contains(*group)).map(|&group| {
                let with: Vec<Group> = chosen.iter().copied().chain([group]).collect();
                (group, equations.explained(&self.columns(&with)))
            });
            let best = tried.max_by(|one, other| one.1.total_cmp(&other.1));
            let Some((group, share)) = best.filter(|best| best.1 >= explained + LEAST_GAIN) else {
                break;
            };
            chosen.push(group);
            explained = share;
        }
        (chosen, explained)
    }

    /// Says what a group is worth, from the slope and the standard deviation of each quantity.
    fn sentence(&self, group: Group, known: &[(Quantity, f64, f64)]) -> Option<String> {
        let names = Names::of(self.rules, self.features);
        let (slope, spread) = known.first().map(|&(_, slope, spread)| (slope, spread))?;
        let (what, worth) = match group {
            Group::Material => return self.material(known, &names),
            Group::Places(kind) => return self.places(kind, known, &names),
            Group::Counter(index) => {
                let what = names.counted(self.features.counters.counters[index].counted);
                let step = spread.round().max(1.0);
                (format!("{what}, {step:.0} more"), slope * step)
            }
            Group::Advance(kind) => {
                (format!("each {} one row further on", names.occupant(kind)), slope)
            }
            Group::Remoteness(kind) => {
                let where_to = if slope > 0.0 { "further from" } else { "nearer to" };
                let kind = names.occupant(kind);
                (format!("each {kind} one step {where_to} the middle"), slope.abs())
            }
        };
        (worth.abs() >= LEAST_TOLD).then(|| format!("{what}: {}", self.chance(worth)))
    }

    /// Says what pieces are worth, as multiples of the cheapest common kind.
    fn material(&self, known: &[(Quantity, f64, f64)], names: &Names) -> Option<String> {
        let counted = |quantity: Quantity| match quantity {
            Quantity::Counter(index) => match self.features.counters.counters[index].counted {
                Counted::Pieces(occupant) | Counted::Surplus(occupant) => Some(occupant),
                _ => None,
            },
            _ => None,
        };
        let mut kinds: Vec<(Occupant, f64)> = known
            .iter()
            .filter_map(|&(quantity, slope, _)| Some((counted(quantity)?, slope)))
            .collect();
        kinds.sort_by(|one, other| one.1.total_cmp(&other.1));
        let is_clear = |&(_, worth): &(Occupant, f64)| worth >= LEAST_TOLD;
        let is_one_side = self.features.is_relative && kinds.iter().all(is_clear);
        kinds.retain(|&(_, worth)| worth.abs() >= LEAST_TOLD);
        let (unit, worth) = *kinds.first()?;
        if !is_one_side || kinds.len() == 1 {
            let each = kinds.iter().rev().map(|&(kind, slope)| {
                format!("each {} more: {}", names.occupant(kind), self.chance(slope))
            });
            return Some(each.collect::<Vec<_>>().join("; "));
        }
        let piece = |kind: Occupant| self.rules.pieces[kind.piece.index()].name.as_str();
        let others =
            kinds[1..].iter().map(|&(kind, slope)| format!("{} {:.1}", piece(kind), slope / worth));
        let (first, chance) = (names.occupant(unit), self.chance(worth));
        let others: Vec<String> = others.collect();
        Some(format!("each {first} more: {chance}; worth in these: {}", others.join(", ")))
    }

    /// Names the best and the worst places of a kind.
    fn places(
        &self,
        kind: Occupant,
        known: &[(Quantity, f64, f64)],
        names: &Names,
    ) -> Option<String> {
        let mut classes: Vec<(u16, f64)> = known
            .iter()
            .filter_map(|&(quantity, slope, spread)| match quantity {
                Quantity::Place(_, class) if spread > 0.0 && slope.abs() >= LEAST_TOLD => {
                    Some((class, slope))
                }
                _ => None,
            })
            .collect();
        classes.sort_by(|one, other| other.1.total_cmp(&one.1));
        let sites = |class: u16| {
            let sites = self.rules.board.sites();
            let alike = sites.filter(|site| self.classes[site.index()] == class);
            let labels: Vec<String> =
                alike.map(|site| self.rules.board.label(site).to_owned()).collect();
            match labels.len() {
                0..=4 => list(&labels, "or"),
                _ => format!("{}, {} or alike", labels[0], labels[1]),
            }
        };
        let said =
            |&(class, slope): &(u16, f64)| format!("{}: {}", sites(class), self.chance(slope));
        let best: Vec<String> = classes.iter().take(NAMED_PLACES).map(said).collect();
        let worst = classes.iter().skip(NAMED_PLACES.max(classes.len() - 1)).map(said);
        let told: Vec<String> = best.into_iter().chain(worst).collect();
        (!told.is_empty())
            .then(|| format!("each {} on {}", names.occupant(kind), told.join("; on ")))
    }

    /// Formats the chance into which a change of the log-odds turns an even chance.
    fn chance(&self, slope: f64) -> String {
        let even = if self.features.players > 2 { 1.0 / self.features.players as f64 } else { 0.5 };
        let chance = logistic(logit(even as f32) + slope as f32);
        format!("{:.0} %", 100.0 * chance)
    }
}

/// Numbers the classes of sites that symmetries of the rules make alike, by slot.
fn classes(game: &Game) -> Vec<u16> {
    let board = &game.rules().board;
    let mut classes = vec![u16::MAX; board.slots()];
    let symmetries = symmetries(game);
    let mut next = 0;
    for site in board.sites() {
        if classes[site.index()] != u16::MAX {
            continue;
        }
        classes[site.index()] = next;
        let mut open = vec![site];
        while let Some(site) = open.pop() {
            for image in symmetries.iter().map(|symmetry| symmetry.site(site)) {
                if classes[image.index()] == u16::MAX {
                    classes[image.index()] = next;
                    open.push(image);
                }
            }
        }
        next += 1;
    }
    classes.iter_mut().filter(|class| **class == u16::MAX).for_each(|class| *class = 0);
    classes
}

/// Returns the row of each slot, from 1 at the own edge; 0 without a forward direction.
fn rows(board: &Board, forward: Option<Direction>) -> Vec<f64> {
    let mut rows = vec![0.0; board.slots()];
    let Some(forward) = forward else { return rows };
    for number in 1..=board.rows_from(forward) {
        for site in board.row_from(forward, number).unwrap_or_default() {
            rows[site.index()] = number as f64;
        }
    }
    rows
}

/// Returns the steps from each slot to the nearest middle site; 0 if there is no path.
fn remoteness(board: &Board) -> Vec<f64> {
    let mut least = vec![0.0; board.slots()];
    let from: Vec<Vec<u16>> =
        board.centre().into_iter().map(|site| board.distances(site, board.all())).collect();
    for site in board.sites() {
        let nearest = from.iter().map(|distances| distances[site.index()]).min();
        least[site.index()] =
            f64::from(nearest.filter(|&steps| steps < Board::FAR as u16).unwrap_or(0));
    }
    least
}

/// The normal equations of a regression on standardized quantities.
struct Equations {
    /// By column: the standard deviation of a quantity.
    spreads: Vec<f64>,
    /// The correlations of the columns with each other, and with the values.
    together: Vec<Vec<f64>>,
    with_value: Vec<f64>,
    /// The standard deviation of the values.
    spread: f64,
    rows: f64,
}

impl Equations {
    /// Computes the equations; `None` if there are too few rows or the values do not differ.
    fn of(table: &Table) -> Option<Equations> {
        let rows = table.rows.len();
        let columns = table.rows.first()?.len();
        if rows < 4 * MOST_GROUPS {
            return None;
        }
        let standard = |column: Vec<f64>| {
            let mean = column.iter().sum::<f64>() / rows as f64;
            let spread =
                (column.iter().map(|each| (each - mean).powi(2)).sum::<f64>() / rows as f64).sqrt();
            let scale = if spread > 0.0 { 1.0 / spread } else { 0.0 };
            (column.into_iter().map(|each| (each - mean) * scale).collect::<Vec<f64>>(), spread)
        };
        let (values, spread) = standard(table.values.clone());
        let columns: Vec<(Vec<f64>, f64)> = (0..columns)
            .map(|column| standard(table.rows.iter().map(|row| row[column]).collect()))
            .collect();
        let mean = |one: &[f64], other: &[f64]| {
            one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>() / rows as f64
        };
        let together = columns
            .iter()
            .map(|(one, _)| columns.iter().map(|(other, _)| mean(one, other)).collect())
            .collect();
        let with_value = columns.iter().map(|(column, _)| mean(column, &values)).collect();
        let spreads = columns.iter().map(|&(_, spread)| spread).collect();
        let made = Equations { spreads, together, with_value, spread, rows: rows as f64 };
        (spread > 0.0).then_some(made)
    }

    /// Returns the standardized coefficients of some columns, by Cholesky decomposition.
    fn solve(&self, columns: &[usize]) -> Vec<f64> {
        let size = columns.len();
        let mut lower = vec![vec![0.0; size]; size];
        for row in 0..size {
            for column in 0..=row {
                let ridge = if row == column { RIDGE } else { 0.0 };
                let inner: f64 = (0..column).map(|at| lower[row][at] * lower[column][at]).sum();
                let rest = self.together[columns[row]][columns[column]] + ridge - inner;
                lower[row][column] = if row == column {
                    rest.max(1e-12).sqrt()
                } else {
                    rest / lower[column][column]
                };
            }
        }
        let mut solved = vec![0.0; size];
        for row in 0..size {
            let inner: f64 = (0..row).map(|at| lower[row][at] * solved[at]).sum();
            solved[row] = (self.with_value[columns[row]] - inner) / lower[row][row];
        }
        for row in (0..size).rev() {
            let inner: f64 = (row + 1..size).map(|at| lower[at][row] * solved[at]).sum();
            solved[row] = (solved[row] - inner) / lower[row][row];
        }
        solved
    }

    /// Returns the share of the variance that some columns explain, corrected for their number
    /// (Ezekiel's adjusted R²).
    fn explained(&self, columns: &[usize]) -> f64 {
        let solved = self.solve(columns);
        let explained: f64 =
            columns.iter().zip(&solved).map(|(&column, each)| each * self.with_value[column]).sum();
        let freedom = (self.rows - columns.len() as f64 - 1.0).max(1.0);
        1.0 - (1.0 - explained) * (self.rows - 1.0) / freedom
    }

    /// Returns by how much the log-odds rise with each unit of some columns.
    fn slopes(&self, columns: &[usize]) -> Vec<f64> {
        let solved = self.solve(columns);
        let slope = |(&column, each): (&usize, f64)| match self.spreads[column] {
            spread if spread > 0.0 => each * self.spread / spread,
            _ => 0.0,
        };
        columns.iter().zip(solved).map(slope).collect()
    }
}
