//! Learned evaluations, and the players that use them. All games and searches are limited by their
//! number, not by time, so that results are the same everywhere.

use crate::support::{Variant, load};
use ludwright::budget::Deadline;
use ludwright::engine::game::{Game, State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::language::sources::Sources;
use ludwright::learn::{
    Beliefs, Costs, Evaluation, Features, Learned, MatchResult, Method, Scratch, Style, Training,
    TrainingLimits, store,
};
use ludwright::measure::{CostModel, Fingerprints, Plan, Request};
use ludwright::random::{Random, mix};
use ludwright::search::alpha_beta::can_settle;
use ludwright::search::strong::Strong;
use ludwright::search::{AlphaBeta, Mcts, Player, PlayerKind, SearchLimits, Thinking, roll_with};
use std::collections::HashSet;
use std::sync::Arc;

fn variant(name: &str, options: &[(&str, &str)]) -> Variant {
    let options = options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    Variant { name: name.to_owned(), options, plies: 0 }
}

pub fn game(name: &str, options: &[(&str, &str)]) -> Game {
    load(&variant(name, options))
}

/// Returns what learning from a game and searching it is estimated to take.
pub fn costs(game: &Game) -> Costs {
    CostModel::of(game).costs(&Features::new(game))
}

/// Returns the limits of a training on a number of games, on one thread.
pub fn limits(game: &Game, games: u64) -> TrainingLimits {
    TrainingLimits {
        games: Some(games),
        seconds: None,
        costs: costs(game),
        deadline: Deadline::default(),
        seed: 1,
        threads: 1,
    }
}

/// Trains on a number of games.
pub fn train(game: &Game, games: u64, threads: usize) -> Training {
    let mut training = Training::new(game, Arc::new(Features::new(game)), 1);
    let limits = TrainingLimits { threads, ..limits(game, games) };
    training.run(&limits, &mut |_| true).expect("rules that end");
    assert_eq!(training.games(), games);
    training
}

/// Makes what was learned known to all players of the game.
fn learned(game: &Game, games: u64) -> Learned {
    let training = train(game, games, 2);
    let learned = Learned {
        evaluation: Arc::new(training.evaluation().clone()),
        seed: 1,
        games,
        seconds: 0.0,
        style: Method::AlphaBeta.into(),
        results: Vec::new(),
        beliefs: Beliefs::default(),
    };
    store::insert(game.rules(), Arc::new(learned.clone()));
    learned
}

/// Plays games from positions after `random` random plies, the player in each seat in turn against
/// the opponent in all others. Returns the wins, draws and losses.
fn play(game: &Game, player: &str, opponent: &str, games: u64, random: usize) -> [u32; 3] {
    let players = game.rules().players.len();
    let mut results = [0; 3];
    for number in 0..games {
        let seat = (number % players as u64) as usize;
        let program = |name: &str, seed: u64| {
            let kind: PlayerKind = name.parse().expect("a player");
            Player::new(kind, mix(seed, number)).expect("a program")
        };
        let mut programs: Vec<Player> = (0..players)
            .map(|index| if index == seat { program(player, 5) } else { program(opponent, 6) })
            .collect();
        let mut state = game.begin().expect("a first position");
        let mut opening = Random::new(mix(7, number / players as u64));
        while state.plies().len() < 500 {
            let ply = match state.turn() {
                Turn::Nobody => break,
                Turn::Chance => roll_with(&state, mix(number, state.plies().len() as u64)),
                Turn::Player(_) if state.plies().len() < random => {
                    let legal = state.legal();
                    legal.get(opening.below(legal.len() as u32) as usize).cloned()
                }
                Turn::Player(player) => {
                    let choice = programs[player.index()].choose(&state).expect("rules that end");
                    choice.map(|choice| choice.ply)
                }
            };
            state.play(&ply.expect("a ply")).expect("a legal ply");
        }
        match state.outcome() {
            Some(Outcome::Win(winner)) if winner.index() == seat => results[0] += 1,
            Some(Outcome::Win(_)) => results[2] += 1,
            Some(Outcome::Draw | Outcome::Shared(_)) | None => results[1] += 1,
        }
    }
    results
}

fn share([wins, draws, losses]: [u32; 3]) -> f64 {
    (f64::from(wins) + f64::from(draws) / 2.0) / f64::from(wins + draws + losses)
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game = game("breakthrough", &[("Size", "5")]);
    let one = train(&game, 60, 1);
    let two = train(&game, 60, 2);
    assert!(one.evaluation().weights.iter().any(|weight| *weight != 0.0));
    assert_eq!(one.evaluation().weights, two.evaluation().weights);
}

/// A time allows for as many games on one thread as on two, whatever the clock says; twice the time for
/// about twice as many.
#[test]
fn a_limit_of_time_is_estimated() {
    let game = game("breakthrough", &[("Size", "5")]);
    let within = |seconds: f64, threads: usize| {
        let mut training = Training::new(&game, Arc::new(Features::new(&game)), 1);
        let limits = limits(&game, 0);
        let limits = TrainingLimits { games: None, seconds: Some(seconds), threads, ..limits };
        training.run(&limits, &mut |_| true).expect("rules that end");
        training
    };
    let (one, two, longer) = (within(0.05, 1), within(0.05, 2), within(0.1, 2));
    assert_eq!((one.games(), one.seconds()), (two.games(), two.seconds()));
    assert_eq!(one.evaluation().weights, two.evaluation().weights);
    assert!((0.04..0.06).contains(&one.seconds()), "{} s", one.seconds());
    let ratio = longer.games() as f64 / one.games() as f64;
    assert!((1.7..2.3).contains(&ratio), "{} and {} games", one.games(), longer.games());
}

#[test]
fn breakthrough_is_learned() {
    let game = game("breakthrough", &[("Size", "5")]);
    learned(&game, 500);
    let random = share(play(&game, "learned", "random", 40, 2));
    assert!(random >= 0.95, "against random: {random}");
    let greedy = share(play(&game, "learned", "greedy", 40, 2));
    assert!(greedy >= 0.6, "against greedy: {greedy}");
    let deeper = share(play(&game, "strong:3000it", "greedy", 20, 2));
    assert!(deeper >= 0.7, "alpha-beta against greedy: {deeper}");
}

#[test]
fn tic_tac_toe_is_not_lost() {
    let game = game("tic-tac-toe", &[]);
    learned(&game, 1_000);
    for opponent in ["greedy", "mcts:300it"] {
        let [_, _, lost] = play(&game, "strong:12000it", opponent, 12, 0);
        assert_eq!(lost, 0, "against {opponent}");
    }
}

#[test]
fn dice_and_roles_and_three_players_are_learned() {
    for (name, options, games, least) in [
        ("swarm", &[("Size", "4"), ("Cubes", "5")][..], 80, 0.7),
        ("cicada", &[("Size", "4")], 400, 0.6),
        // A player who wins as often as two equal opponents wins a third.
        ("three-player-tic-tac-toe", &[], 600, 0.45),
    ] {
        let game = game(name, options);
        learned(&game, games);
        let score = share(play(&game, "learned", "random", 36, 1));
        assert!(score >= least, "{name}: {score}");
        // The search must come to an end, and find a ply, in any position.
        play(&game, "strong:300it", "random", 3, 0);
    }
}

/// A position seen from the other side is worth the same to the player to act.
#[test]
fn sides_are_exchanged_where_the_rules_allow_it() {
    for (name, is_relative) in [
        ("breakthrough", true),
        ("othello", true),
        ("connect-four", true),
        ("hex", true),
        ("kitaran", true),
        ("cicada", false),
        ("brandubh", false),
    ] {
        assert_eq!(Features::new(&game(name, &[])).is_relative, is_relative, "{name}");
    }
}

/// A side that acts at several points in the order of play has weights for each; what is learned
/// there adds to what is learned at all of them.
#[test]
fn each_point_in_the_order_of_play_has_weights() {
    for (name, points) in [
        ("lichen-chess", &[Some("Placing"), Some("Moving")][..]),
        ("amazons", &[Some("step 1"), Some("step 2")]),
        ("breakthrough", &[None]),
        // Who passes has nothing to choose.
        ("othello", &[None]),
        ("cicada", &[None, None]),
        ("outlast", &[None, None, None]),
    ] {
        let features = Features::new(&game(name, &[]));
        let named: Vec<Option<&str>> =
            features.heads.all.iter().map(|head| head.point.as_deref()).collect();
        assert_eq!(named, points, "{name}");
    }
    let training = train(&game("lichen-chess", &[]), 40, 1);
    let evaluation = training.evaluation();
    let size = evaluation.features.weights();
    let sets: Vec<&[f32]> = evaluation.weights.chunks(size).collect();
    assert_eq!(sets.len(), 3);
    assert!(sets.iter().all(|set| set.iter().any(|&weight| weight != 0.0)));
    assert_ne!(sets[1], sets[2]);
}

/// The sums of the tables are those of the weights one by one.
#[test]
fn tables_hold_the_sums_of_weights() {
    for name in ["breakthrough", "kitaran", "lichen-chess", "hex", "cicada", "swarm"] {
        let game = game(name, &[]);
        let features = Arc::new(Features::new(&game));
        let mut random = Random::new(3);
        let weights = (0..features.all_weights())
            .map(|_| (random.below(2_001) as f32 - 1_000.0) / 65_536.0)
            .collect();
        let evaluation = Evaluation::new(Arc::clone(&features), weights);
        let mut state: State = game.begin().expect("a first position");
        let (mut scratch, mut active) = (Scratch::new(&features, &state.position()), Vec::new());
        for _ in 0..30 {
            if state.decision().is_none() {
                break;
            }
            let (position, moves) = (state.position(), state.move_count_bound());
            features.active(&position, moves, &mut scratch, &mut active);
            let (heads, _) = features.view(&position);
            let sets = features.heads.all[heads.start].sets.iter();
            let sums = sets.map(|set| -> f32 {
                let weights = &evaluation.weights[set * features.weights()..];
                active.iter().map(|&weight| weights[weight as usize]).sum()
            });
            let sum: f32 = sums.sum();
            let logit = evaluation.logit(&state, &mut scratch);
            assert!((sum.clamp(-12.0, 12.0) - logit).abs() < 1e-3, "{name}: {sum} {logit}");
            let legal = state.candidates();
            state.advance(legal[random.below(legal.len() as u32) as usize]);
        }
    }
}

#[test]
fn a_training_is_read_as_it_was_written() {
    let game = game("breakthrough", &[("Size", "5")]);
    let training = train(&game, 30, 1);
    let learned = Learned {
        evaluation: training.rounded(),
        seed: 1,
        games: 30,
        seconds: 1.5,
        style: Style { method: Method::Leaves, exploration: Some(0.35) },
        results: vec![
            MatchResult {
                style: Method::AlphaBeta.into(),
                against: Method::Mcts.into(),
                score: 0.5,
                games: 2,
                milliseconds: 20,
            },
            MatchResult {
                style: Method::Tree.into(),
                against: Method::AlphaBeta.into(),
                score: 1.0,
                games: 3,
                milliseconds: 20,
            },
            MatchResult {
                style: Style { method: Method::Mcts, exploration: Some(1.4) },
                against: Style::PLAIN,
                score: 1.5,
                games: 3,
                milliseconds: 20,
            },
        ],
        beliefs: Beliefs {
            sentences: vec!["each own Pawn more: 58 %".to_owned()],
            explained: 0.75,
        },
    };
    let text = learned.write(game.rules());
    let read = Learned::read(&game, &text).expect("what was written");
    assert_eq!(read.evaluation.weights, learned.evaluation.weights);
    assert_eq!((read.seed, read.games, read.seconds), (1, 30, 1.5));
    assert_eq!((read.style, &read.results), (learned.style, &learned.results));
    assert_eq!(read.beliefs, learned.beliefs);
    assert_eq!(read.write(game.rules()), text);
    let other = load(&variant("breakthrough", &[("Size", "6")]));
    let refused = Learned::read(&other, &text).expect_err("other options");
    assert_eq!(refused, "the training was made for other options");
}

/// Any bytes may be read: they are a training, or the reason why not is told.
#[test]
fn other_texts_are_refused() {
    let game = game("tic-tac-toe", &[]);
    let training = train(&game, 3, 1);
    let learned = Learned {
        evaluation: Arc::new(training.evaluation().clone()),
        seed: 1,
        games: 3,
        seconds: 0.0,
        style: Method::Mcts.into(),
        results: Vec::new(),
        beliefs: Beliefs::default(),
    };
    let text = learned.write(game.rules());
    let message = |text: &str| Learned::read(&game, text).err().unwrap_or_default();
    assert_eq!(message(""), "line 1: expected `ludwright evaluation 1`");
    assert_eq!(
        message("ludwright evaluation 9\n"),
        "the training was written by another version of the program"
    );
    assert_eq!(message(&text.replace("seed: 1", "seed: x")), "line 5: expected a seed");
    assert_eq!(
        message(&text.replace("seconds: 0.0", "seconds: inf")),
        "line 7: expected a number of seconds"
    );
    let (head, weights) = text.split_once("1024ths):\n").expect("weights");
    let with = |weights: &str| message(&format!("{head}1024ths):\n{weights}"));
    assert!(with("z99999999999999").ends_with("found more"), "{}", with("z99999999999999"));
    assert!(with("1 2 3").ends_with("found 3"), "{}", with("1 2 3"));
    assert!(with("1 z-2").ends_with("expected a weight"), "{}", with("1 z-2"));
    assert_eq!(with(weights), "");
    let mut random = Random::new(9);
    for _ in 0..20 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..8 {
            let place = random.below(bytes.len() as u32) as usize;
            bytes[place] = random.below(256) as u8;
        }
        // It must only come back.
        let _ = Learned::read(&game, &String::from_utf8_lossy(&bytes));
    }
}

/// A proven value of alpha-beta is the value that `solve` finds.
#[test]
fn alpha_beta_proves_what_is_true() {
    let game = game("connect-four", &[("Columns", "4"), ("Rows", "3"), ("Line", "3")]);
    let learned = learned(&game, 100);
    let start = game.begin().expect("a first position");
    let mut search = AlphaBeta::new(Arc::clone(&learned.evaluation), 1 << 20);
    let limits = SearchLimits { iterations: Some(200_000), ..SearchLimits::default() };
    let thinking = search.think(&start, 1, &limits).expect("rules that end");
    let solution =
        ludwright::solve::solve(&start, &ludwright::solve::SolveLimits::default(), &mut |_| true)
            .expect("rules that end");
    let expected = match solution.value {
        ludwright::solve::Value::Win(winner) => Some(winner),
        _ => None,
    };
    assert!(expected.is_some(), "a won position tests more: {:?}", solution.value);
    let chances = &thinking.win_probabilities;
    let proven = thinking
        .solved
        .then(|| chances.iter().position(|&chance| chance >= 1.0).expect("a win is proven"));
    assert_eq!(proven, expected.map(|winner| winner.index()));
    // The same number of positions gives the same ply.
    let mut again = AlphaBeta::new(Arc::clone(&learned.evaluation), 1 << 20);
    let second = again.think(&start, 1, &limits).expect("rules that end");
    assert_eq!(thinking.plies, second.plies);
}

/// The seed decides between plies of nearly the same value, but never against a win.
#[test]
fn plies_that_are_nearly_as_good_are_chosen_too() {
    let game = game("connect-four", &[]);
    let learned = learned(&game, 200);
    let logit = |chance: f64| (chance / (1.0 - chance)).ln();
    let (mut others, mut positions) = (0, 0);
    for number in 0..60 {
        let mut random = Random::new(mix(9, number));
        let mut state = game.begin().expect("a first position");
        for _ in 0..number % 6 {
            let legal = state.legal();
            let ply = legal[random.below(legal.len() as u32) as usize].clone();
            state.play(&ply).expect("a legal ply");
        }
        if state.outcome().is_some() || state.legal().len() < 2 {
            continue;
        }
        positions += 1;
        // Each ply is looked at once, and nothing deeper.
        let most = state.legal().len() as u64 + 1;
        let limits = SearchLimits { iterations: Some(most), ..SearchLimits::default() };
        let choose = |search: AlphaBeta, seed: u64| {
            let mut search = search;
            search.think(&state, seed, &limits).expect("rules that end").plies
        };
        let plain = || AlphaBeta::new(Arc::clone(&learned.evaluation), 1 << 20);
        let best = choose(plain(), 1)[0].chance;
        for seed in 0..10 {
            assert_eq!(choose(plain(), seed)[0].chance, best);
            let chosen = choose(plain().varied(), seed)[0].chance;
            match best >= 1.0 {
                true => assert_eq!(chosen, 1.0),
                false => assert!(logit(best) - logit(chosen) <= 0.062, "{best} {chosen}"),
            }
            others += u32::from(chosen < best);
        }
    }
    assert!(positions > 30 && others > 20, "{others} in {positions} positions");
}

/// Players with the same evaluation repeat few games, unlike a search that always chooses the best.
#[test]
fn trained_players_differ_from_game_to_game() {
    let game = game("kitaran", &[]);
    let evaluation = learned(&game, 50).evaluation;
    let fingerprints = Fingerprints::new(&game);
    let different = |think: &mut dyn FnMut(&State, u64, &SearchLimits) -> Thinking| {
        let mut found = HashSet::new();
        for number in 0..16 {
            let mut state = game.begin().expect("a first position");
            let mut legal = Vec::new();
            let limits = SearchLimits { iterations: Some(100), ..SearchLimits::default() };
            while state.outcome().is_none() && legal.len() < 24 {
                legal.push(state.legal().len() as u32);
                let seed = mix(number, legal.len() as u64);
                let chosen = think(&state, seed, &limits).plies[0].ply.clone();
                state.play(&chosen).expect("a legal ply");
            }
            found.insert(fingerprints.of(state.plies(), &legal));
        }
        found.len()
    };
    let plain = different(&mut |state, seed, limits| {
        let mut search = AlphaBeta::new(Arc::clone(&evaluation), 1 << 20);
        search.think(state, seed, limits).expect("rules that end")
    });
    for method in [Method::AlphaBeta, Method::Leaves] {
        let varied = different(&mut |state, seed, limits| {
            let mut strong = Strong::new(Arc::clone(&evaluation), method, 1 << 20);
            let mut mcts = Mcts::new(1, 1 << 20);
            strong.think(&mut mcts, state, seed, limits).expect("rules that end")
        });
        assert!(varied >= 8 && varied > plain, "{method:?}: {varied}, {plain}");
    }
}

/// A player who has used the training of one game plays another one without it.
#[test]
fn an_evaluation_is_not_taken_to_another_game() {
    let [known, other] = ["3", "5"].map(|size| game("hex", &[("Size", size)]));
    let evaluation = Arc::new(Evaluation::new(Arc::new(Features::new(&known)), Vec::new()));
    let (style, results) = (Method::Leaves.into(), Vec::new());
    let learned = Learned {
        evaluation,
        seed: 1,
        games: 0,
        seconds: 0.0,
        style,
        results,
        beliefs: Beliefs::default(),
    };
    store::insert(known.rules(), Arc::new(learned));
    let chosen = |games: &[&Game]| {
        let mut player = Player::new(PlayerKind::StrongIterations(60), 1).expect("a program");
        let choose = |game: &&Game| {
            let choice = player.choose(&game.begin().expect("a first position"));
            choice.expect("rules that end").expect("a ply").thinking.expect("a search").plies
        };
        games.iter().map(choose).collect::<Vec<_>>().pop()
    };
    assert_eq!(chosen(&[&known, &other]), chosen(&[&other]));
}

/// However short the time, there is a ply, and none has a value that is called proven.
#[test]
fn a_search_that_stops_at_once_proves_nothing() {
    for (name, options) in
        [("three-player-tic-tac-toe", &[][..]), ("breakthrough", &[("Size", "5")])]
    {
        let game = game(name, options);
        let evaluation = Evaluation::new(Arc::new(Features::new(&game)), Vec::new());
        let start = game.begin().expect("a first position");
        let limits = SearchLimits { iterations: Some(1), ..SearchLimits::default() };
        let search = || AlphaBeta::new(Arc::new(evaluation.clone()), 0);
        for mut search in [search(), search().with_quiescence()] {
            let thinking = search.think(&start, 1, &limits).expect("rules that end");
            assert_eq!(thinking.plies.len(), 1, "{name}");
            let even = 1.0 / game.rules().players.len() as f64;
            for tried in &thinking.plies {
                assert!(!tried.solved && (tried.chance - even).abs() < 1e-3, "{name}: {tried:?}");
            }
        }
    }
}

/// Games by one training are not mixed with those by another one: plans of games differ where
/// players who use it do, and only there.
#[test]
fn a_plan_names_the_training() {
    let game = game("hex", &[("Size", "4")]);
    let start = game.begin().expect("a first position");
    let sources = Sources::named("hex.game", "");
    let plan = |seats: [&str; 2]| {
        let seats = seats.map(|seat| seat.parse::<PlayerKind>().expect("a player"));
        let seats = Some(seats.to_vec());
        let wishes = Request { games: Some(2), seats, seed: 1, limited: false };
        Plan::new(&start, &sources, &wishes, &CostModel::of(&game))
    };
    let learn = |games| learned(&game, games);
    let seats = [["mcts:9it", "strong:9it"], ["learned", "random"], ["mcts:9it", "mcts:9it"]];
    learn(3);
    let before = seats.map(plan);
    assert_eq!(before, seats.map(plan));
    learn(4);
    let after = seats.map(plan);
    assert_ne!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
    assert_eq!(before[2], after[2]);
}

/// What explores more spreads its visits over more plies.
#[test]
fn a_constant_changes_what_is_tried() {
    let game = game("connect-four", &[]);
    let training = train(&game, 50, 1);
    let start = game.begin().expect("a first position");
    for method in [Method::Tree, Method::Leaves, Method::Mcts] {
        let most = [0.25, 1.0, 4.0].map(|factor| {
            let style = Style::from(method).times(factor).expect("a tree");
            let most_visits = |seed| {
                let mut mcts = Mcts::new(1, 1 << 20);
                mcts.search_by(style, &training.rounded());
                let limits = SearchLimits { iterations: Some(400), ..SearchLimits::default() };
                let thinking = mcts.think(&start, seed, &limits, &mut |_| true);
                let plies = thinking.expect("rules that end").plies;
                plies.iter().map(|tried| tried.visits).max().expect("a ply")
            };
            (1..=5).map(most_visits).sum::<u32>()
        });
        assert!(most.is_sorted_by(|one, other| one > other), "{method:?}: {most:?}");
    }
}

/// A quiescence search is tried where pieces are taken or exchanged, but not by most plies.
#[test]
fn quiescence_is_for_games_with_captures() {
    for (name, expected) in [
        ("breakthrough", true),
        ("chess", true),
        ("hex", false),
        ("connect-four", false),
        ("othello", false),
    ] {
        assert_eq!(can_settle(&game(name, &[])), expected, "{name}");
    }
}

/// The player that looks one ply ahead says what decided.
#[test]
fn what_decided_is_told() {
    let game = game("breakthrough", &[("Size", "5")]);
    learned(&game, 60);
    let mut player = Player::new(PlayerKind::Learned, 1).expect("a program");
    let choice = player.choose(&game.begin().expect("a first position"));
    let choice = choice.expect("rules that end").expect("a ply");
    let reason = choice.reason.expect("a reason");
    assert!(reason.starts_with("White expects "), "{reason}");
    assert!(reason.contains("decided by ") && reason.contains("Pawn"), "{reason}");
}
