//! The plan of a playtest: a game with its options, pairings, and the batches in which they are
//! played. It depends only on the request, not on who plays which batch and when.

use super::cost_model::CostModel;
use super::first_plies::FirstPlies;
use crate::engine::game::{State, Turn};
use crate::language::rules::{PlayerId, Rules};
use crate::language::sources::{FetchError, Fetched, Sources};
use crate::learn::{Learned, Method, Style, store};
use crate::notation::{player, spell};
use crate::random::mix;
use crate::record::fingerprint;
use crate::search::PlayerKind;
use crate::search::selection::against_plain;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// The number of strengths of the default players.
pub const STRENGTHS: usize = 4;
/// The limits of games, and of recorded games, per pairing.
pub const MAX_GAMES: u64 = 10_000_000;
const MAX_WRITTEN: u64 = 1_000_000;
const MAX_PAIRINGS: usize = 64;
/// The limit of positions for solving.
const MAX_POSITIONS: u64 = 100_000_000;

/// A self-contained description of a playtest; any part of it can be played from this alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The title of the game.
    pub game: String,
    /// The fingerprint of its rules.
    pub rules: String,
    /// The files of the game, the main file first.
    pub files: Vec<File>,
    /// Every option with its value.
    pub options: Vec<(String, String)>,
    /// The names of the players.
    pub players: Vec<String>,
    /// The plies that begin every game, in the notation of records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    pub seed: u64,
    /// Milliseconds per ply of a player at which a report gives the length of games in minutes.
    #[serde(default = "usual_pace", skip_serializing_if = "is_usual_pace")]
    pub pace: u64,
    /// The number of sites of the board.
    pub sites: usize,
    /// Iterations per estimate of winning chances.
    pub judge: u64,
    /// Iterations per estimate after each first ply; 0 if there are no such estimates.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub openings: u64,
    /// The number of games in which the second player mirrors.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mirrored: u64,
    /// The plies for counting the reachable positions; 0 for the usual number.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub counted: u64,
    /// The positions for solving the game, or else smaller boards, before it is played; 0 if that
    /// is not tried.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub exact: u64,
    /// The processor time for the ladder of levels; `None` if it is not climbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Allowance>,
    /// The training of the second family of players, or of players that were asked for, even if it
    /// has not beaten plain playouts. `None` if there is none, or no player needs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<TrainingSummary>,
    /// The processor time for all batches. With it, as many games between searchers are played as
    /// fit; without it, all games of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowance: Option<Allowance>,
    /// The plain names by which players were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<(PlayerKind, String)>,
    pub pairings: Vec<Pairing>,
}

/// Processor time, and the cost of random play by which it is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    pub milliseconds: u64,
    /// Picoseconds per ply of random play.
    pub ply: u64,
    /// Picoseconds that listing the legal plies adds to an iteration, where there are very many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub listing: u64,
}

/// What is known of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TrainingSummary {
    /// How its players search: `alpha-beta`, `tree` and so on, or `mcts` if nothing beats plain
    /// playouts.
    pub method: String,
    /// The constant of its tree, if that is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploration: Option<f32>,
    /// The number of games from which it was learned.
    pub games: u64,
    /// The score of this method against plain playouts, and of how many games.
    pub score: f64,
    pub of: u32,
    /// A fingerprint of what was learned.
    pub fingerprint: String,
}

impl TrainingSummary {
    fn of(learned: &Learned) -> TrainingSummary {
        let mut matches = against_plain(&learned.results);
        let own = matches.find(|result| result.style.method == learned.style.method);
        let weights = learned.evaluation.weights.iter();
        let hash = weights.fold(0, |hash, weight| mix(hash, u64::from(weight.to_bits())));
        let Style { method, exploration } = learned.style;
        TrainingSummary {
            method: method.name().to_owned(),
            exploration: exploration.filter(|_| exploration != method.exploration()),
            games: learned.games,
            score: own.map_or(0.0, |own| own.score),
            of: own.map_or(0, |own| own.games),
            fingerprint: format!("{hash:016x}"),
        }
    }

    /// Tests if its players search with the evaluation.
    pub fn is_used(&self) -> bool {
        self.method != Method::Mcts.name()
    }
}

/// The usual pace: half a minute per ply.
pub const USUAL_PACE: u64 = 30_000;

fn usual_pace() -> u64 {
    USUAL_PACE
}

fn is_usual_pace(pace: &u64) -> bool {
    *pace == USUAL_PACE
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A file of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
    pub name: String,
    pub text: String,
}

/// Who plays whom, and how often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// The seatings, in the order of the players; games cycle through them.
    pub seats: Vec<Vec<PlayerKind>>,
    /// The player whose score against the others is measured; it changes seats.
    pub challenger: Option<PlayerKind>,
    /// The index of the rung, if this is a doubling of the skill ladder.
    pub rung: Option<u32>,
    /// The number of games.
    pub games: u64,
    /// This many consecutive games share their dice (common random numbers).
    pub group: u64,
    /// How many games, from the first, are recorded.
    pub written: u64,
    /// How many games, from the first, have estimated winning chances.
    pub judged: u64,
    /// How many games, from the first, have their clause coverage counted.
    pub listened: u64,
    /// The size of a batch of unrecorded games.
    pub lot: u64,
}

/// A unit of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// Counts the reachable positions.
    Census,
    /// Games that are recorded in full.
    Written { pairing: usize, first: u64, games: u64 },
    /// Games of which only ending and length are kept.
    Light { pairing: usize, first: u64, games: u64 },
    /// Judges each first ply.
    Openings,
    /// Games in which the second player mirrors.
    Mirrored,
    /// Solves the game, or else smaller boards.
    Exact,
    /// Climbs the ladder of levels.
    Levels,
}

impl Batch {
    /// Returns the index of its pairing.
    pub fn pairing(self) -> Option<usize> {
        match self {
            Batch::Census | Batch::Openings | Batch::Mirrored | Batch::Exact | Batch::Levels => {
                None
            }
            Batch::Written { pairing, .. } | Batch::Light { pairing, .. } => Some(pairing),
        }
    }

    /// Returns the number of its games.
    pub fn games(self) -> u64 {
        match self {
            Batch::Census | Batch::Openings | Batch::Mirrored | Batch::Exact | Batch::Levels => 0,
            Batch::Written { games, .. } | Batch::Light { games, .. } => games,
        }
    }
}

/// A request for a playtest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Games per pairing; by default as many as fit into about a minute.
    pub games: Option<u64>,
    /// The players in order; by default several strengths play each other.
    pub seats: Option<Vec<PlayerKind>>,
    pub seed: u64,
    /// Whether to end when the processor time of a default playtest is used up. Only without
    /// `games`; such a plan cannot be played in shards.
    pub limited: bool,
}

impl Pairing {
    /// Tests if all players are random, so that games are cheap.
    pub fn is_random(&self) -> bool {
        self.seats.iter().flatten().all(|kind| *kind == PlayerKind::Random)
    }

    /// Tests if all players are of the same kind.
    pub fn is_even(&self) -> bool {
        self.seats.iter().flatten().all(|kind| Some(kind) == self.seats[0].first())
    }

    /// Tests if the plies of a player depend on the clock.
    pub fn is_timed(&self) -> bool {
        let is_timed =
            |kind: &PlayerKind| matches!(kind, PlayerKind::Time(_) | PlayerKind::StrongTime(_));
        self.seats.iter().flatten().any(is_timed)
    }

    /// Returns the players if they are equals who play alike in every game: neither by the clock
    /// nor by a training alone.
    pub fn comparable(&self) -> Option<PlayerKind> {
        let kind = self.seats.first()?.first().copied()?;
        let is_alike = !matches!(kind, PlayerKind::Human | PlayerKind::Learned);
        (self.challenger.is_none() && self.is_even() && is_alike && !self.is_timed())
            .then_some(kind)
    }

    /// Returns the seating of a game.
    pub fn arrangement(&self, game: u64) -> &[PlayerKind] {
        &self.seats[(game % self.seats.len() as u64) as usize]
    }

    /// Returns the title of the pairing.
    pub fn name(&self, players: &[String]) -> String {
        match (&self.challenger, self.seats[0].first()) {
            (Some(challenger), _) => {
                let other =
                    self.seats[0].iter().find(|kind| *kind != challenger).unwrap_or(challenger);
                format!("{challenger} against {other}")
            }
            (None, Some(kind)) if self.is_even() => format!("{kind} against itself"),
            _ => {
                let seated = players
                    .iter()
                    .zip(&self.seats[0])
                    .map(|(player, kind)| format!("{player}={kind}"));
                seated.collect::<Vec<String>>().join(" ")
            }
        }
    }
}

impl Plan {
    /// Makes a plan for a request; games begin with the plies already made in `start`.
    pub fn new(start: &State, sources: &Sources, wishes: &Request, effort: &CostModel) -> Plan {
        let rules = start.game().rules();
        let limited = wishes.limited && wishes.games.is_none();
        let effort = &if limited { effort.limited() } else { *effort };
        let openings = match (rules.players.len(), start.turn(), &wishes.seats) {
            (2, Turn::Player(_), None) => effort.openings(FirstPlies::of(start).count() as u64),
            _ => 0,
        };
        let mirrored = match (rules.players.len(), &wishes.seats) {
            (2, None) => effort.mirrored().min(wishes.games.unwrap_or(u64::MAX)),
            _ => 0,
        };
        let needs_training = match &wishes.seats {
            None => true,
            Some(seats) => seats.iter().any(|kind| kind.uses_training()),
        };
        let learned = needs_training.then(|| store::find(start.game())).flatten();
        let training = learned.as_deref().map(TrainingSummary::of);
        // Programs that do not search say nothing about best play.
        let searches = |kind: &PlayerKind| !matches!(kind, PlayerKind::Random | PlayerKind::Greedy);
        let exact = match (start.turn(), &wishes.seats) {
            (Turn::Nobody, _) => 0,
            (_, Some(seats)) if !seats.iter().any(searches) => 0,
            _ => effort.exact(start.legal().len() as u64),
        };
        let levels = match (rules.players.len(), start.turn(), &wishes.seats) {
            (2, Turn::Player(_) | Turn::Chance, None) => Some(effort.levels(wishes.games)),
            _ => None,
        };
        let names: Vec<&str> = sources.names().collect();
        let files = names.iter().enumerate().map(|(index, name)| File {
            name: (*name).to_owned(),
            text: sources.text_of(index).to_owned(),
        });
        Plan {
            game: rules.title.clone(),
            rules: fingerprint(rules),
            files: files.collect(),
            options: rules.chosen_options(),
            players: rules.teams.numbers().map(|team| team_name(rules, team)).collect(),
            opening: start.plies().iter().map(|ply| spell(rules, ply)).collect(),
            seed: wishes.seed,
            pace: USUAL_PACE,
            sites: rules.board.len(),
            judge: effort.judge(),
            openings,
            mirrored,
            counted: effort.counted(),
            exact,
            levels,
            allowance: limited.then(|| effort.allowance()),
            named: Vec::new(),
            pairings: match &wishes.seats {
                Some(seats) => vec![chosen(seats, wishes.games, effort)],
                None => strengths(rules, wishes.games, effort, learned.as_deref()),
            },
            training,
        }
    }

    /// Makes a plan in which the players who meet as equals in this plan play another game, as
    /// often as here, and nothing that a comparison does not need. `None` if there are no such
    /// players.
    pub fn for_comparison(
        &self,
        start: &State,
        sources: &Sources,
        effort: &CostModel,
        seed: u64,
    ) -> Option<Plan> {
        let players = start.game().rules().teams.count();
        let own = self.pairings.iter().filter_map(|own| Some((own, own.comparable()?)));
        let own = own.filter(|(_, kind)| !kind.uses_training() || self.training.is_none());
        let again = |(own, kind): (&Pairing, PlayerKind)| {
            // Random games are not limited as they are played, so only those that fit are planned.
            let games = match self.allowance {
                Some(_) if own.is_random() => own.games.min(effort.light_games()),
                _ => own.games,
            };
            let again = pairing(vec![vec![kind; players]], games, effort);
            Pairing { judged: again.judged.min(own.judged), listened: 0, ..again }
        };
        let pairings: Vec<Pairing> = own.map(again).collect();
        let seats = pairings.last()?.seats[0].clone();
        let wishes = Request { games: Some(1), seats: Some(seats), seed, limited: false };
        Some(Plan {
            pace: self.pace,
            judge: self.judge,
            counted: 1,
            exact: 0,
            levels: None,
            allowance: self.allowance.map(|_| effort.limited().allowance()),
            pairings,
            ..Plan::new(start, sources, &wishes, effort)
        })
    }

    /// Validates a plan that was read from a file.
    ///
    /// # Errors
    /// Returns a message without its period.
    pub fn check(&self) -> Result<(), String> {
        let fits = |pairing: &Pairing| {
            let seated = |seats: &Vec<PlayerKind>| {
                seats.len() == self.players.len() && !seats.contains(&PlayerKind::Human)
            };
            !pairing.seats.is_empty()
                && pairing.seats.iter().all(seated)
                && pairing.group > 0
                && pairing.lot > 0
                && (1..=MAX_GAMES).contains(&pairing.games)
                && pairing.written <= pairing.games.min(MAX_WRITTEN)
        };
        let searched =
            self.openings <= MAX_GAMES && self.mirrored <= MAX_GAMES && self.exact <= MAX_POSITIONS;
        let fit = searched
            && !self.players.is_empty()
            && self.pairings.len() <= MAX_PAIRINGS
            && self.pairings.iter().all(fits);
        if fit { Ok(()) } else { Err("its plan is not valid".to_owned()) }
    }

    /// Returns the batches in order. Shard i of n plays every nth batch.
    pub fn batches(&self) -> Vec<Batch> {
        let mut lots = vec![Batch::Census];
        for (index, pairing) in self.pairings.iter().enumerate() {
            let mut first = 0;
            while first < pairing.games {
                let left = pairing.games - first;
                let light = first >= pairing.written;
                let games = if light { pairing.lot.min(left) } else { pairing.group.min(left) };
                lots.push(if light {
                    Batch::Light { pairing: index, first, games }
                } else {
                    Batch::Written { pairing: index, first, games }
                });
                first += games;
            }
        }
        lots.extend((self.openings > 0).then_some(Batch::Openings));
        lots.extend((self.mirrored > 0).then_some(Batch::Mirrored));
        lots.extend((self.exact > 0).then_some(Batch::Exact));
        lots.extend(self.levels.map(|_| Batch::Levels));
        lots
    }

    /// Returns the tree searches that play against equals, weakest first.
    pub fn ladder(&self) -> Vec<PlayerKind> {
        let equals = self.pairings.iter().filter(|pairing| pairing.challenger.is_none());
        let kinds = equals.filter(|pairing| pairing.is_even()).filter_map(|pairing| {
            let kind = pairing.seats[0].first().copied()?;
            matches!(kind, PlayerKind::Iterations(_)).then_some(kind)
        });
        let mut kinds: Vec<PlayerKind> = kinds.collect();
        kinds.sort_by_key(iterations);
        kinds.dedup();
        kinds
    }

    /// Returns the seed of a game.
    pub fn seed_of(&self, pairing: usize, game: u64) -> u64 {
        mix(mix(self.seed, pairing as u64), game)
    }

    /// Returns the seed of a game's dice, which is the same for its whole group.
    pub fn dice_of(&self, pairing: usize, game: u64) -> u64 {
        mix(!mix(self.seed, pairing as u64), game / self.pairings[pairing].group)
    }

    /// Returns the files of the game, for loading it.
    pub fn sources(&self) -> Sources {
        let Some(main) = self.files.first() else { return Sources::named("", "") };
        let fetch = |from: &str, wanted: &str| {
            let path = plain(&Path::new(from).parent().unwrap_or(Path::new("")).join(wanted));
            let found = self.files.iter().find(|file| plain(Path::new(&file.name)) == path);
            found
                .map(|file| Fetched::new(&file.name, &file.text))
                .ok_or(FetchError::Unreadable(String::from("it is not in the report")))
        };
        Sources::gather(Fetched::new(&main.name, &main.text), &mut { fetch })
    }
}

/// Returns the iterations per ply of a player; 1 if it does not search by iterations.
pub fn iterations(kind: &PlayerKind) -> u64 {
    if let PlayerKind::Iterations(iterations) = kind { *iterations } else { 1 }
}

/// Removes `.` components from a path.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// Makes a pairing of the requested players.
fn chosen(seats: &[PlayerKind], games: Option<u64>, effort: &CostModel) -> Pairing {
    let all_random = seats.iter().all(|kind| *kind == PlayerKind::Random);
    let games = games
        .unwrap_or_else(|| if all_random { effort.light_games() } else { effort.games(seats) });
    let pairing = pairing(vec![seats.to_vec()], games, effort);
    if !all_random {
        return pairing;
    }
    // Large runs of random games should not be dominated by the analysis of a few.
    let whole = |sample: u64| effort.part(sample, games).next_multiple_of(pairing.group).min(games);
    let [written, judged, listened] =
        [pairing.written, pairing.judged, pairing.listened].map(whole);
    Pairing { written, judged, listened, ..pairing }
}

/// Makes a pairing with the recording that suits its kind.
fn pairing(seats: Vec<Vec<PlayerKind>>, games: u64, effort: &CostModel) -> Pairing {
    let group = seats[0].len().max(2) as u64;
    let random = seats.iter().flatten().all(|kind| *kind == PlayerKind::Random);
    let written = if random { games.min(effort.written()) } else { games };
    let whole = |sample: u64| written.min(sample.next_multiple_of(group));
    Pairing {
        challenger: None,
        rung: None,
        games,
        group,
        written: whole(written),
        judged: whole(effort.judged()),
        listened: whole(effort.listened()),
        lot: effort.lot(games),
        seats,
    }
}

/// Names a team in one word, as a player: `North & South`.
fn team_name(rules: &Rules, team: PlayerId) -> String {
    let names: Vec<&str> = rules.teams.members(team).map(|one| player(rules, one)).collect();
    names.join(" & ")
}

/// Returns the program of each team, from the programs of the players.
///
/// # Errors
/// Returns a message that names two players of a team with different programs.
pub fn team_seats(rules: &Rules, seats: &[PlayerKind]) -> Result<Vec<PlayerKind>, String> {
    let seat = |team: PlayerId| {
        let first = rules.teams.first(team);
        let kind = seats[first.index()];
        let other = rules.teams.members(team).find(|one| seats[one.index()] != kind);
        other.map_or(Ok(kind), |other| {
            Err(format!(
                "{} and {} are in one team, and one program plays for both in a playtest",
                player(rules, first),
                player(rules, other)
            ))
        })
    };
    rules.teams.numbers().map(seat).collect()
}

/// Makes the default pairings: random players; each strength of search against itself; trained
/// players, if their style uses the evaluation, with as much time as the strongest search; the
/// second and the third strength against the strength below; the strongest against half its
/// iterations.
fn strengths(
    rules: &Rules,
    games: Option<u64>,
    effort: &CostModel,
    learned: Option<&Learned>,
) -> Vec<Pairing> {
    let players = rules.teams.count();
    let learned = learned.filter(|learned| learned.style.method != Method::Mcts);
    let kinds = effort.strengths(learned.is_some()).map(PlayerKind::Iterations);
    let [.., strongest] = kinds;
    let even = |kind: PlayerKind, games: u64| pairing(vec![vec![kind; players]], games, effort);
    let mut pairings =
        vec![even(PlayerKind::Random, games.unwrap_or_else(|| effort.light_games()))];
    let games = games.unwrap_or_else(|| effort.games_of_each(learned.is_some()));
    pairings.extend(kinds.map(|kind| even(kind, games)));
    pairings.extend(learned.map(|learned| {
        let most = effort.equivalent(iterations(&strongest), learned);
        even(PlayerKind::StrongIterations(most), games)
    }));
    if players < 2 {
        return pairings;
    }
    let whole = games.next_multiple_of(players as u64);
    let against = |challenger: PlayerKind, others: PlayerKind| {
        let seat = |place: usize| {
            (0..players).map(|seat| if seat == place { challenger } else { others }).collect()
        };
        let pairing = pairing((0..players).map(seat).collect(), whole, effort);
        // Of such pairings only the scores are of interest.
        Pairing { challenger: Some(challenger), judged: 0, listened: 0, ..pairing }
    };
    pairings.extend([against(kinds[1], kinds[0]), against(kinds[2], kinds[1])]);
    let half = PlayerKind::Iterations((iterations(&strongest) / 2).max(1));
    pairings.push(Pairing { rung: Some(0), ..against(strongest, half) });
    pairings
}
