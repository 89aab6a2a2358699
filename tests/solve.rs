//! Exact values: held against published ones, and against a plain search written here that knows nothing of symmetries, keys or retrograde analysis.

use ludwright::board::{Direction, Site};
use ludwright::engine::game::{Argument, Game, Match, Move, Turn};
use ludwright::engine::position::Outcome;
use ludwright::engine::setting::{Content, Setting};
use ludwright::language::rules::PlayerId;
use ludwright::notation::{outcome, spell};
use ludwright::random::Random;
use ludwright::solve::symmetry::{Symmetry, symmetries};
use ludwright::solve::{Budget, Ending, RanOut, Solution, Unknown, Value, solve};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

fn game(file: &str, choices: &[(&str, &str)]) -> Game {
    let choices: Vec<(String, String)> = choices.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    ludwright::load_file(Path::new(file), &choices).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn solved(from: &Match, budget: &Budget) -> Solution {
    solve(from, budget, &mut |_| true).expect("rules that come to an end")
}

fn files() -> Vec<PathBuf> {
    let entries = ["games", "tests/games"].into_iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder of games"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "game"));
    paths.sort_unstable();
    paths
}

// ---- Values that are published.

/// A file, its options, the value, the plies it takes, and the first moves that keep it where they are published.
type Published = (&'static str, &'static [(&'static str, &'static str)], &'static str, Option<&'static [&'static str]>);

const PUBLISHED: &[Published] = &[
    // Folklore.
    ("tests/games/tic-tac-toe.game", &[], "draw", None),
    // Martin Gardner, Mathematical Puzzles and Diversions, 1959: on small boards of Hex the first player wins in the centre, on 4x4 only on the short diagonal.
    ("tests/games/hex.game", &[("Size", "2")], "Red wins", Some(&["place a1", "place b2"])),
    ("tests/games/hex.game", &[("Size", "3")], "Red wins", None),
    // John Tromp's table of small boards of Connect Four, tromp.github.io/c4/c4.html.
    ("tests/games/connect-four.game", &[("Columns", "4"), ("Rows", "4")], "draw", None),
    // Berlekamp, Conway and Guy, Winning Ways: on three by three the first player wins.
    ("tests/games/dodgem.game", &[], "Blue wins", None),
    // The second player wins Othello on four by four (Joel Feinstein, 1993, for six by six; four by four by exhaustion, Iwata and Kasai 1994).
    ("tests/games/othello.game", &[("Size", "4")], "White wins", None),
    // Solomon Golomb and Alfred Hales, Hypercube Tic-Tac-Toe, 2002: the first to be forced to make a row is the second, the centre saves the first.
    ("tests/games/misere-tic-tac-toe.game", &[], "draw", Some(&["place b2"])),
];

#[test]
fn published_values_are_found() {
    for (file, choices, value, first) in PUBLISHED {
        let game = game(file, choices);
        let solution = solved(&game.begin().expect("it begins"), &Budget::default());
        assert_eq!(worth(&game, solution.value), *value, "{file} {choices:?}");
        if let Some(first) = first {
            let found: Vec<String> = solution.optimal().map(|first| spell(game.rules(), &first.ply)).collect();
            assert_eq!(found, *first, "{file} {choices:?}");
        }
    }
}

/// David desJardins, 1996: on four by four squares and on five by five, Dodgem never ends without a mistake.
#[test]
fn a_play_that_never_ends_is_a_draw() {
    let game = game("tests/games/dodgem.game", &[("Size", "4")]);
    let solution = solved(&game.begin().expect("it begins"), &Budget::default());
    assert_eq!(solution.value, Value::Draw);
    assert!(matches!(solution.ending, Ending::Round(_)), "{:?}", solution.ending);
    assert_eq!((solution.acyclic, solution.longest), (Some(false), None));
}

/// The first player of Hex wins on four by four, and only from the short diagonal: HexWiki, "Small boards".
#[test]
#[ignore = "takes minutes unless built for release"]
fn hex_on_four_by_four() {
    let game = game("tests/games/hex.game", &[("Size", "4")]);
    let solution = solved(&game.begin().expect("it begins"), &Budget::default());
    assert_eq!(solution.value, Value::Win(PlayerId(0)));
    let first: Vec<String> = solution.optimal().map(|first| spell(game.rules(), &first.ply)).collect();
    assert_eq!(first, ["place a1", "place b2", "place c3", "place d4"]);
}

fn worth(game: &Game, value: Value) -> String {
    match value {
        Value::Win(winner) => outcome(game.rules(), Some(Outcome::Win(winner))),
        Value::Draw => "draw".to_owned(),
        other => format!("{other:?}"),
    }
}

// ---- A plain search.

type Key = (Setting, usize, Vec<i32>);

/// Every position after one, by brute force: what is worth knowing of each, and which come after it. The first is the one begun at.
struct Brute {
    positions: Vec<Node>,
}

struct Node {
    turn: Turn,
    outcome: Option<Outcome>,
    after: Vec<(Move, usize)>,
}

impl Brute {
    /// Finds them; none if there are more than so many.
    fn find(game: &Game, start: &Key, most: usize) -> Option<Brute> {
        let mut numbers: HashMap<Key, usize> = HashMap::from([(start.clone(), 0)]);
        let mut ends: HashMap<Outcome, usize> = HashMap::new();
        let mut waiting = vec![Some(start.clone())];
        let mut positions = Vec::new();
        while positions.len() < waiting.len() {
            if waiting.len() > most {
                return None;
            }
            let Some((setting, decision, counters)) = waiting[positions.len()].clone() else {
                let outcome = ends.iter().find(|(_, number)| **number == positions.len()).map(|(outcome, _)| *outcome);
                positions.push(Node { turn: Turn::Nobody, outcome, after: Vec::new() });
                continue;
            };
            let here = game.begin_at(&setting, decision, &counters).expect("a position");
            let mut after = Vec::new();
            for ply in here.legal().to_vec() {
                let mut next = here.clone();
                next.play(&ply).expect("a legal move");
                let fresh = waiting.len();
                let number = match next.outcome() {
                    Some(outcome) => *ends.entry(outcome).or_insert(fresh),
                    None => *numbers.entry(key(&next)).or_insert(fresh),
                };
                if number == fresh {
                    waiting.push(next.outcome().is_none().then(|| key(&next)));
                }
                after.push((ply, number));
            }
            positions.push(Node { turn: here.turn(), outcome: None, after });
        }
        Some(Brute { positions })
    }

    /// In how many plies these players together can force one of these outcomes, by rounds: what can be forced in one ply, in two, and so on until nothing is new.
    fn force(&self, players: &dyn Fn(PlayerId) -> bool, ends: &dyn Fn(Outcome) -> bool) -> Vec<Option<u32>> {
        let mut plies: Vec<Option<u32>> = self.positions.iter().map(|node| node.outcome.filter(|&end| ends(end)).map(|_| 0)).collect();
        for round in 1.. {
            let known = |plies: &[Option<u32>], number: usize| plies[number].is_some_and(|known| known < round);
            let new: Vec<usize> = (0..plies.len())
                .filter(|&index| plies[index].is_none() && self.positions[index].outcome.is_none())
                .filter(|&index| {
                    let node = &self.positions[index];
                    match node.turn {
                        Turn::Player(player) if players(player) => node.after.iter().any(|(_, after)| known(&plies, *after)),
                        _ => node.after.iter().all(|(_, after)| known(&plies, *after)),
                    }
                })
                .collect();
            if new.is_empty() {
                break;
            }
            new.into_iter().for_each(|index| plies[index] = Some(round));
        }
        plies
    }

    /// The first player's expected score, where no position arises twice.
    fn score(&self, index: usize, known: &mut HashMap<usize, f64>) -> f64 {
        if let Some(&score) = known.get(&index) {
            return score;
        }
        let node = &self.positions[index];
        let scores: Vec<f64> = node.after.iter().map(|(_, after)| self.score(*after, known)).collect();
        let score = match (node.outcome, node.turn) {
            (Some(Outcome::Win(winner)), _) => f64::from(winner == PlayerId(0)),
            (Some(Outcome::Draw), _) => 0.5,
            (None, Turn::Player(PlayerId(0))) => scores.into_iter().fold(0.0, f64::max),
            (None, Turn::Player(_)) => scores.into_iter().fold(1.0, f64::min),
            (None, _) => scores.iter().sum::<f64>() / scores.len() as f64,
        };
        known.insert(index, score);
        score
    }

    /// Whether some position can arise again.
    fn comes_round(&self) -> bool {
        let mut open: Vec<usize> = self.positions.iter().map(|node| node.after.len()).collect();
        loop {
            let settled = |open: &[usize], index: usize| open[index] == 0;
            let now: Vec<usize> = (0..open.len())
                .map(|index| self.positions[index].after.iter().filter(|(_, after)| !settled(&open, *after)).count())
                .collect();
            if now == open {
                return open.iter().any(|&left| left > 0);
            }
            open = now;
        }
    }
}

fn key(of: &Match) -> Key {
    (of.setting(), of.decision().expect("it is not over"), of.counters())
}

/// Holds a solution against brute force; false if there are too many positions for that.
fn agrees(what: &str, game: &Game, start: &Key, most: usize) -> bool {
    let Some(brute) = Brute::find(game, start, most) else { return false };
    let from = game.begin_at(&start.0, start.1, &start.2).expect("a position");
    for symmetric in [true, false] {
        let solution = solved(&from, &Budget { symmetric, ..Budget::default() });
        compare(what, game, &brute, &solution);
    }
    // With so little memory nothing but depth-first search will do, which tells no distances.
    let proven = solved(&from, &Budget { memory: LITTLE, ..Budget::default() });
    if provable(game) {
        assert_eq!((proven.acyclic, proven.distance), (None, None), "{what}");
        compare_proof(what, game, &brute, &proven);
    }
    true
}

/// Too little memory for looking at every position of any game.
const LITTLE: u64 = 1 << 20;

fn provable(game: &Game) -> bool {
    game.rules().players.len() == 2 && game.decisions().iter().all(|decision| decision.mover.is_some())
}

fn compare_proof(what: &str, game: &Game, brute: &Brute, solution: &Solution) {
    let wins: Vec<Vec<Option<u32>>> =
        [PlayerId(0), PlayerId(1)].map(|player| brute.force(&|other| other == player, &|end| end == Outcome::Win(player))).into();
    let value = |index: usize| {
        wins.iter().position(|plies| plies[index].is_some()).map_or(Value::Draw, |winner| Value::Win(PlayerId(winner as u16)))
    };
    assert_eq!(solution.value, value(0), "{what}");
    let after = |at: usize, ply: &Move| brute.positions[at].after.iter().find(|(other, _)| other == ply).expect("a legal move").1;
    for first in &solution.first {
        assert_eq!(first.value, value(after(0, &first.ply)), "{what}: {}", spell(game.rules(), &first.ply));
        assert_eq!(first.optimal, first.value == solution.value, "{what}");
    }
    let mut at = 0;
    for ply in &solution.line {
        at = after(at, ply);
        assert_eq!(value(at), solution.value, "{what}: after {}", spell(game.rules(), ply));
    }
    match solution.ending {
        Ending::Over(end) => assert_eq!(brute.positions[at].outcome, Some(end), "{what}"),
        Ending::Round(_) => assert_eq!(solution.value, Value::Draw, "{what}"),
        Ending::Chance | Ending::Open => assert!(brute.comes_round(), "{what}: {:?}", solution.ending),
    }
}

fn compare(what: &str, game: &Game, brute: &Brute, solution: &Solution) {
    let rules = game.rules();
    let players = || (0..rules.players.len() as u16).map(PlayerId);
    let of = |ply: &Move| brute.positions[0].after.iter().find(|(other, _)| other == ply).expect("a legal move").1;
    assert_eq!(solution.first.len(), brute.positions[0].after.len(), "{what}");
    assert_eq!(solution.acyclic, Some(!brute.comes_round()), "{what}");
    if game.decisions().iter().any(|decision| decision.mover.is_none()) {
        if !brute.comes_round() {
            let known = &mut HashMap::new();
            let Value::Score(score) = solution.value else { panic!("{what}: {:?}", solution.value) };
            assert!((score - brute.score(0, known)).abs() < 1e-9, "{what}");
            for first in &solution.first {
                let Value::Score(after) = first.value else { panic!("{what}: {:?}", first.value) };
                assert!((after - brute.score(of(&first.ply), known)).abs() < 1e-9, "{what}");
            }
        }
        return;
    }
    let wins: Vec<Vec<Option<u32>>> =
        players().map(|player| brute.force(&|other| other == player, &|end| end == Outcome::Win(player))).collect();
    let losses: Vec<Vec<Option<u32>>> = players()
        .map(|player| brute.force(&|other| other != player, &|end| matches!(end, Outcome::Win(winner) if winner != player)))
        .collect();
    let value = |index: usize| match players().find(|player| wins[player.index()][index].is_some()) {
        Some(winner) => (Value::Win(winner), wins[winner.index()][index]),
        None if losses.iter().all(|plies| plies[index].is_none()) => (Value::Draw, None),
        None => (Value::Open, None),
    };
    assert_eq!((solution.value, solution.distance), value(0), "{what}");
    for first in &solution.first {
        let (expected, plies) = value(of(&first.ply));
        assert_eq!((first.value, first.distance), (expected, plies.map(|plies| plies + 1)), "{what}: {}", spell(rules, &first.ply));
        assert_eq!(first.optimal, expected == solution.value, "{what}: {}", spell(rules, &first.ply));
    }
    // The line keeps the value to its end.
    let mut at = 0;
    for ply in &solution.line {
        at = brute.positions[at].after.iter().find(|(other, _)| other == ply).expect("a legal move").1;
        assert_eq!(value(at).0, solution.value, "{what}: after {}", spell(rules, ply));
    }
    match solution.ending {
        Ending::Over(end) => assert_eq!(brute.positions[at].outcome, Some(end), "{what}"),
        Ending::Round(_) => assert_eq!(solution.value, Value::Draw, "{what}"),
        Ending::Chance | Ending::Open => assert_eq!(solution.value, Value::Open, "{what}"),
    }
    if let Some(plies) = solution.distance {
        assert_eq!(plies as usize, solution.line.len(), "{what}");
    }
}

/// A file and its options.
type Small<'a> = (&'a str, &'a [(&'a str, &'a str)]);

/// From their first positions.
#[test]
fn small_games_agree_with_brute_force() {
    let small: &[Small] = &[
        ("tests/games/tic-tac-toe.game", &[]),
        ("tests/games/misere-tic-tac-toe.game", &[]),
        ("tests/games/three-player-tic-tac-toe.game", &[("Size", "3")]),
        ("tests/games/hex.game", &[("Size", "2")]),
        ("tests/games/hex.game", &[("Size", "3")]),
        ("tests/games/dodgem.game", &[]),
        ("games/cicada.game", &[("Size", "3")]),
        ("games/cicada.game", &[("Size", "3"), ("Molt", "3")]),
        ("games/hexomino-cicada.game", &[("Size", "3")]),
        ("games/lichen-chess.game", &[("Hand", "1")]),
        ("games/lichen-chess.game", &[("Hand", "1"), ("Wings", "off"), ("Facing", "back"), ("Pointer", "any")]),
    ];
    for (file, choices) in small {
        let game = game(file, choices);
        let what = format!("{file} {choices:?}");
        assert!(agrees(&what, &game, &key(&game.begin().expect("it begins")), 40_000), "{what} has too many positions");
    }
}

/// Near the ends of random games.
#[test]
fn late_positions_agree_with_brute_force() {
    let small: &[(Small, usize)] = &[
        (("games/kitaran.game", &[("Size", "3")]), 4),
        (("games/kitaran.game", &[("Size", "4"), ("Komi", "0.5")]), 3),
        (("games/diagonal-kitaran.game", &[("Size", "3")]), 3),
        (("games/cicada.game", &[("Size", "4"), ("Molt", "4")]), 4),
        (("games/double-move-situ.game", &[("Order", "2"), ("Surplus", "1")]), 3),
        (("games/double-move-situ.game", &[("Order", "2"), ("Grid", "square"), ("Surplus", "2")]), 3),
        (("games/double-move-situ.game", &[("Order", "2"), ("Grid", "diagonal")]), 3),
        (("games/swarm.game", &[("Size", "4"), ("Cubes", "5")]), 2),
        (("games/swarm.game", &[("Size", "4"), ("Cubes", "6"), ("Chain", "on")]), 2),
        (("games/lichen-chess.game", &[("Hand", "2"), ("Wings", "off")]), 2),
        (("tests/games/connect-four.game", &[("Columns", "5"), ("Rows", "4")]), 4),
        (("tests/games/cylinder-connect-four.game", &[("Columns", "4"), ("Rows", "4")]), 4),
        (("tests/games/othello.game", &[("Size", "4")]), 4),
        (("tests/games/breakthrough.game", &[("Size", "4")]), 4),
        (("tests/games/hex-breakthrough.game", &[("Size", "4")]), 4),
        (("tests/games/dodgem.game", &[("Size", "4")]), 3),
        (("tests/games/amazons.game", &[]), 1),
    ];
    let mut compared: BTreeSet<&str> = BTreeSet::new();
    for (index, ((file, choices), games)) in small.iter().enumerate() {
        let game = game(file, choices);
        let mut random = Random::new(index as u64);
        for number in 0..*games {
            let mut play = game.begin().expect("it begins");
            let mut keys = Vec::new();
            while play.outcome().is_none() && keys.len() < 300 {
                keys.push(key(&play));
                let ply = play.legal()[random.below(play.legal().len() as u32) as usize].clone();
                play.play(&ply).expect("a legal move");
            }
            // From the end backwards, for as long as brute force can do it.
            for (back, key) in keys.iter().rev().enumerate() {
                if !agrees(&format!("{file} {choices:?}, game {number}, {back} plies before the end"), &game, key, 1_500) {
                    break;
                }
                compared.insert(file);
            }
        }
    }
    for ((file, _), _) in small {
        assert!(compared.contains(file), "{file} was never compared");
    }
}

// ---- Symmetries.

fn turned(symmetry: &Symmetry, game: &Game, setting: &Setting) -> Setting {
    let rules = game.rules();
    let mut image = Setting::empty(rules);
    for site in rules.board.sites() {
        image.pieces[symmetry.site(site).index()] = setting.pieces[site.index()];
    }
    let sites = |sites: &[Site]| {
        let mut turned: Vec<Site> = sites.iter().map(|&site| symmetry.site(site)).collect();
        turned.sort();
        turned
    };
    image.cut = sites(&setting.cut);
    for (memory, contents) in setting.contents.iter().enumerate() {
        let directions = &rules.memories[memory].per_direction;
        for (place, content) in contents.iter().enumerate() {
            let to = match directions.len() {
                0 => place,
                many => {
                    let turned = symmetry.direction(directions[place % many]);
                    place - place % many + directions.iter().position(|&other| other == turned).expect("a direction of the memory")
                }
            };
            image.contents[memory][to] = match content {
                Content::Sites(all) => Content::Sites(sites(all)),
                Content::Site(site) => Content::Site(site.map(|site| symmetry.site(site))),
                Content::NumberPerSite(numbers) => {
                    let mut image = numbers.clone();
                    rules.board.sites().for_each(|site| image[symmetry.site(site).index()] = numbers[site.index()]);
                    Content::NumberPerSite(image)
                }
                other => other.clone(),
            };
        }
    }
    image
}

fn turned_ply(symmetry: &Symmetry, ply: &Move) -> Move {
    let turned = |argument: &Argument| match *argument {
        Argument::Site(site) => Argument::Site(symmetry.site(site)),
        Argument::Direction(direction) => Argument::Direction(symmetry.direction(direction)),
        other => other,
    };
    Move { rule: ply.rule, arguments: ply.arguments.iter().map(turned).collect() }
}

fn spelled(game: &Game, plies: impl Iterator<Item = Move>) -> BTreeSet<String> {
    plies.map(|ply| spell(game.rules(), &ply)).collect()
}

/// Plays random games beside their images: what is legal, what follows and how it ends must be images too.
#[test]
fn images_of_games_are_games() {
    for (index, path) in files().iter().enumerate() {
        let game = ludwright::load_file(path, &[]).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for symmetry in symmetries(&game) {
            let mut random = Random::new(index as u64);
            let mut play = game.begin().expect("it begins");
            let start = turned(&symmetry, &game, &play.setting());
            let mut image = game.begin_at(&start, play.decision().expect("a decision"), &play.counters()).expect("an image");
            for _ in 0..80 {
                let what = format!("{}: {symmetry:?}", path.display());
                assert_eq!(turned(&symmetry, &game, &play.setting()), image.setting(), "{what}");
                assert_eq!((play.outcome(), play.decision()), (image.outcome(), image.decision()), "{what}");
                let legal = spelled(&game, play.legal().iter().map(|ply| turned_ply(&symmetry, ply)));
                assert_eq!(legal, spelled(&game, image.legal().iter().cloned()), "{what}");
                if play.legal().is_empty() {
                    break;
                }
                let ply = play.legal()[random.below(play.legal().len() as u32) as usize].clone();
                play.play(&ply).expect("a legal move");
                image.play(&turned_ply(&symmetry, &ply)).expect("a legal image");
            }
        }
    }
}

/// How many symmetries each game has that are not the identity, and why not more.
#[test]
fn symmetries_are_found_as_far_as_they_go() {
    let expected = [
        // The square has eight symmetries, and nothing in the rules tells them apart.
        ("games/cicada.game", 7),
        ("games/diagonal-kitaran.game", 7),
        ("games/hexomino-cicada.game", 7),
        ("games/kitaran.game", 7),
        ("tests/games/amazons.game", 7),
        ("tests/games/ataxx.game", 7),
        ("tests/games/othello.game", 7),
        ("tests/games/misere-tic-tac-toe.game", 7),
        ("tests/games/three-player-tic-tac-toe.game", 7),
        ("tests/games/tic-tac-toe.game", 7),
        // A hexagon whose sides differ by turns.
        ("games/double-move-situ.game", 5),
        ("games/wide-situ.game", 5),
        // Stones fall, pawns go ahead, men step forward: left and right may be exchanged.
        ("tests/games/breakthrough.game", 1),
        ("tests/games/connect-four.game", 1),
        ("tests/games/draughts.game", 1),
        ("tests/games/flying-draughts.game", 1),
        // The two directions ahead may be exchanged, which turns the rhombus over along its long diagonal; the far row stays where it is on no such turn.
        ("tests/games/hex-breakthrough.game", 0),
        // Seven columns round the cylinder, either way.
        ("tests/games/cylinder-connect-four.game", 13),
        // Each player's sides change places under a half turn.
        ("tests/games/hex.game", 1),
        // Each player has ways of his own.
        ("tests/games/dodgem.game", 0),
        // The holes leave the two diagonals, and a half turn.
        ("tests/games/holed-othello.game", 3),
        // A rook that castles is relocated site by site, in an order that the proof does not see through.
        ("tests/games/chess.game", 0),
        // Cubes are swarmed in the order of directions, which matters when the supply runs out.
        ("games/swarm.game", 0),
        ("games/two-dice-swarm.game", 0),
        // Stones are harvested in order, which the proof does not see through.
        ("games/lichen-chess.game", 0),
    ];
    let expected: HashMap<PathBuf, usize> = expected.into_iter().map(|(file, count)| (PathBuf::from(file), count)).collect();
    for path in files() {
        let game = ludwright::load_file(&path, &[]).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(Some(&symmetries(&game).len()), expected.get(&path), "{}", path.display());
    }
}

/// A rule that names a direction, a site, a row or an order is bound to it.
#[test]
fn what_tells_sites_apart_breaks_symmetry() {
    let count = |part: &str| {
        let text = format!(
            "(game \"Test\" (players A B) (board (square 4)) (piece Stone) (remember Last site) {part} (play (turns (choose put))))"
        );
        let game = ludwright::load(text.as_str(), &[]).unwrap_or_else(|error| panic!("{part}: {error}"));
        symmetries(&game).len() + 1
    };
    for (part, symmetries) in [
        ("(move put (to t (empty)) (put Stone t))", 8),
        ("(move put (to t (empty)) (put Stone t) (set Last t))", 8),
        ("(move put (to t (empty)) (require (none (step t N))) (put Stone t))", 2),
        ("(move put (to t (empty)) (require (none (beside t (list N S)))) (put Stone t))", 4),
        ("(move put (to t (empty)) (require (none (beside t diagonal))) (put Stone t))", 8),
        ("(move put (to t (and (empty) (not (sites a1)))) (put Stone t))", 2),
        ("(move put (to t (and (empty) (not (sites b1)))) (put Stone t))", 1),
        ("(move put (to t (and (empty) (not (or (row 1) (row 4))))) (put Stone t))", 4),
        ("(move put (to t (empty)) (for d orthogonal (put Stone (step t d))))", 1),
        // North and east change places under a reflection. That of two stones side by side either is beside the other, the proof does not see.
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (some d (list N E) (any (where s (mine) (in (step s d) (mine))))) (win mover)))",
            2,
        ),
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (some d (list N E) (any (where s (mine) (>= (count (walk s d (mine))) 2)))) (win mover)))",
            8,
        ),
        // The region of the row depends on the direction.
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (some d (list N E) (any (where s (and (mine) (beside (mine) d)) (>= (count (walk s d (and (mine) (beside (mine) d)))) 2)))) (win mover)))",
            2,
        ),
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (some d (list N E) (any (where s (mine) (and (in (step s d) (mine)) (in (step s (opposite d)) (mine)))))) (win mover)))",
            8,
        ),
        ("(move put (to t (empty)) (put Stone t)) (end (if (any (and (group (and (row 1) (mine)) (mine)) (row 4))) (win mover)))", 4),
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (any (and (group (and (row 1) (mine)) (mine) (list N E)) (row 4))) (win mover)))",
            1,
        ),
    ] {
        assert_eq!(count(part), symmetries, "{part}");
    }
}

// ---- Budgets.

#[test]
fn memory_is_bounded() {
    let game = game("games/swarm.game", &[]);
    let begun = game.begin().expect("it begins");
    let info = allocation_counter::measure(|| {
        let solution = solved(&begun, &Budget { memory: 8 << 20, time: None, symmetric: true });
        assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Memory)));
        assert!(solution.nodes > 1_000, "{}", solution.nodes);
    });
    assert!(info.bytes_max < 16 << 20, "{} bytes", info.bytes_max);
}

#[test]
fn time_is_bounded() {
    let game = game("games/swarm.game", &[]);
    let began = Instant::now();
    let solution = solved(&game.begin().expect("it begins"), &Budget { time: Some(Duration::from_millis(100)), ..Budget::default() });
    assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Time)));
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(solution.line.is_empty() && solution.first.iter().all(|first| !first.optimal && first.value == solution.value));
}

#[test]
fn one_can_stop_it() {
    let game = game("games/swarm.game", &[]);
    let solution = solve(&game.begin().expect("it begins"), &Budget::default(), &mut |progress| progress.nodes < 5_000).expect("an end");
    assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Patience)));
}

#[test]
fn results_are_the_same_every_time() {
    let game = game("games/kitaran.game", &[("Size", "3")]);
    let once = || Solution { seconds: 0.0, ..solved(&game.begin().expect("it begins"), &Budget::default()) };
    assert_eq!(once(), once());
}

// ---- Repetition, and what else a value depends on.

/// Two stones that step to and fro, and a rule of repetition.
fn shuttle(rule: &str) -> Match {
    let text = format!(
        "(game \"Shuttle\" (players A B) (board (rectangle 2 2)) (piece Stone)
           (setup (put Stone a1 A) (put Stone b2 B))
           (move step (from s (mine)) (to t (and (beside s (list N S)) (empty))) (relocate s t))
           (play (turns (choose step))) {rule})"
    );
    ludwright::load(text.as_str(), &[]).expect("a game").begin().expect("it begins")
}

#[test]
fn repetition_is_heeded() {
    let value = |rule: &str| solved(&shuttle(rule), &Budget::default()).value;
    assert_eq!(value(""), Value::Draw);
    assert_eq!(value("(repetition 3 (draw))"), Value::Draw);
    // Whoever makes a repetition loses; who that is depends on what came before, so that it is not known.
    assert_eq!(value("(repetition 3 (lose mover))"), Value::Unknown(Unknown::Repetition));
    // Here it is: what arises first a second time is the first position, and B makes it so.
    assert_eq!(value("(repetition 2 (lose mover))"), Value::Win(PlayerId(0)));
}

/// A position that has been there too often already is an end.
#[test]
fn what_was_played_before_counts() {
    let mut play = shuttle("(repetition 2 (win B))");
    for ply in ["step a1-a2", "step b2-b1", "step a2-a1"] {
        let ply = ludwright::notation::read(&play, ply).expect("a legal move");
        play.play(&ply).expect("a legal move");
    }
    // B steps back to where it began.
    let solution = solved(&play, &Budget::default());
    assert_eq!((solution.value, solution.distance), (Value::Win(PlayerId(1)), Some(1)));
}

#[test]
fn a_finished_game_is_worth_its_result() {
    let game = game("tests/games/tic-tac-toe.game", &[]);
    let mut play = game.begin().expect("it begins");
    for ply in ["place a1", "place a2", "place b1", "place b2", "place c1"] {
        let ply = ludwright::notation::read(&play, ply).expect("a legal move");
        play.play(&ply).expect("a legal move");
    }
    let solution = solved(&play, &Budget::default());
    assert_eq!((solution.value, solution.distance), (Value::Win(PlayerId(0)), Some(0)));
    assert!(solution.first.is_empty() && solution.line.is_empty());
}

#[test]
fn dice_are_worth_what_can_be_expected() {
    // A rolls a die; with five or six he wins, and else B may roll or resign: he wins with six.
    let text = r#"(game "Dice" (players A B) (board (square 1)) (piece Stone) (remember Die number)
      (move roll (number n 1 6) (set Die n))
      (move go) (move stop (set Die 0))
      (play (chance roll) (if (>= Die 5) (win A)) (turn B (choose go stop)) (if (= Die 0) (win A)) (chance roll) (if (= Die 6) (win B) (else (win A)))))"#;
    let game = ludwright::load(text, &[]).expect("a game");
    let solution = solved(&game.begin().expect("it begins"), &Budget::default());
    let Value::Score(score) = solution.value else { panic!("{:?}", solution.value) };
    assert!((score - (1.0 / 3.0 + 2.0 / 3.0 * 5.0 / 6.0)).abs() < 1e-12, "{score}");
    assert_eq!(solution.ending, Ending::Chance);
}

#[test]
fn directions_and_their_images_have_opposites_alike() {
    let game = game("games/double-move-situ.game", &[]);
    for symmetry in symmetries(&game) {
        assert!(Direction::ALL.iter().all(|&way| symmetry.direction(way.opposite()) == symmetry.direction(way).opposite()));
    }
}

// ---- The command.

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludwright")).arg("solve").args(arguments).output().expect("the binary");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_tells_what_was_found() {
    let (code, text, _) = run(&["tests/games/dodgem.game"]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("value       Blue wins in 20 plies\noptimal     1 of 3: drive a3-b3\nline        drive a3-b3, "), "{text}");
    let (code, text, _) = run(&["tests/games/hex.game", "-o", "Size=2", "--format", "json"]);
    assert_eq!(code, Some(0));
    let mut report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    report.as_object_mut().expect("an object").remove("seconds").expect("how long it took");
    assert_eq!(
        report,
        json!({
            "value": "Red wins", "why": null, "scores": null, "distance": 3,
            "optimal": ["place a1", "place b2"],
            "moves": [
                {"move": "place a1", "value": "Red wins", "distance": 3}, {"move": "place a2", "value": "Blue wins", "distance": 4},
                {"move": "place b1", "value": "Blue wins", "distance": 4}, {"move": "place b2", "value": "Red wins", "distance": 3}
            ],
            "line": ["place a1", "place a2", "place b2"], "ending": "Red wins",
            "nodes": 12, "symmetries": 2, "acyclic": true, "longest": 4
        })
    );
}

#[test]
fn the_command_says_when_it_ran_out() {
    let (code, text, _) = run(&["games/swarm.game", "--time", "50ms"]);
    assert_eq!(code, Some(3));
    assert!(
        text.starts_with(
            "value       unknown: time ran out\ntry         more time (`--time`), a smaller board (`-o`), or a later position (`--from`)\n"
        ),
        "{text}"
    );
    let (code, text, _) = run(&["games/swarm.game", "--memory", "4MB", "--format", "json"]);
    assert_eq!(code, Some(3));
    assert!(text.contains(r#""value":"unknown","why":"memory ran out""#), "{text}");
    let (code, _, complaint) = run(&["games/swarm.game", "--memory", "much"]);
    assert_eq!(code, Some(2));
    assert!(complaint.contains("expected a size such as 500MB or 8GB"), "{complaint}");
}

#[test]
fn the_command_writes_the_line_as_a_record() {
    let record = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dodgem.record");
    let record = record.to_str().expect("a path");
    let (code, _, _) = run(&["tests/games/dodgem.game", "--line", record]);
    assert_eq!(code, Some(0));
    let replayed =
        Command::new(env!("CARGO_BIN_EXE_ludwright")).args(["replay", "tests/games/dodgem.game", record]).output().expect("the binary");
    assert!(replayed.status.success());
    assert!(String::from_utf8_lossy(&replayed.stdout).contains("Blue wins"));
}

#[test]
fn the_command_prints_a_table() {
    let (code, text, _) = run(&["tests/games/hex.game", "--table", "--memory", "2MB", "--time", "2s"]);
    assert_eq!(code, Some(0));
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().take(4).collect()).collect();
    assert_eq!(rows[..3], [["Size", "value", "plies", "first"], ["2", "Red", "wins", "3"], ["3", "Red", "wins", "5"]], "{text}");
    assert!(text.lines().last().is_some_and(|last| last.contains("unknown: time ran out")), "{text}");
}
