//! Trainings for the players that are measured.

use super::Settings;
use ludwright::budget::Deadline;
use ludwright::engine::game::Game;
use ludwright::learn::file::key;
use ludwright::learn::{Beliefs, Features, Learned, Style, Training, TrainingLimits};
use ludwright::measure::CostModel;
use ludwright::search::selection::{MatchLimits, USUAL_GAMES, USUAL_TIME, best, play_matches};
use std::sync::Arc;

/// The most time of the matches that decide how the player searches, in estimated seconds.
const MATCH_SECONDS: f64 = 300.0;

/// Trains on one thread and plays the matches, as `ludwright train` does; or reads the training
/// that was kept.
pub fn training(game: &Game, settings: &Settings) -> Arc<Learned> {
    let kept = settings.trainings.as_ref().map(|folder| folder.join(key(game.rules())));
    if let Some(text) = kept.as_ref().and_then(|path| std::fs::read_to_string(path).ok()) {
        let read = Learned::read(game, &text).expect("a training");
        return Arc::new(Learned {
            style: settings.method.map_or(read.style, Style::from),
            ..read
        });
    }
    let features = Arc::new(Features::new(game));
    let costs = CostModel::of(game).costs(&features);
    let mut training = Training::new(game, features, 1);
    let limits = TrainingLimits {
        games: None,
        seconds: Some(settings.train),
        costs,
        deadline: Deadline::default(),
        seed: 1,
        threads: 1,
    };
    training.run(&limits, &mut |_| true).expect("rules that end");
    let evaluation = training.rounded();
    let limits = MatchLimits {
        games: if settings.method.is_some() { 0 } else { USUAL_GAMES },
        costs,
        time: USUAL_TIME,
        most: Some(MATCH_SECONDS),
        seed: 1,
        threads: 1,
        stop: None,
    };
    let results = play_matches(game, &evaluation, &limits).expect("rules that end");
    let learned = Learned {
        seed: 1,
        games: training.games(),
        seconds: settings.train,
        style: match settings.method {
            Some(method) => method.into(),
            None => best(&results, game.rules().players.len()),
        },
        results,
        beliefs: Beliefs::default(),
        evaluation,
    };
    if let Some(path) = kept {
        std::fs::write(path, learned.write(game.rules())).expect("a folder that can be written");
    }
    Arc::new(learned)
}
