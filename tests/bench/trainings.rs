//! Trainings for the players that are measured.

use super::Settings;
use ludwright::budget::Deadline;
use ludwright::engine::game::Game;
use ludwright::learn::file::key;
use ludwright::learn::{Features, Learned, Style, Training, TrainingLimits};
use ludwright::search::selection::{MatchLimits, USUAL_GAMES, USUAL_TIME, best, play_matches};
use std::sync::Arc;
use std::time::Duration;

/// The most time of the matches that decide how the player searches, on one thread: as much as
/// `ludwright train` has on two.
const MAX_MATCH_TIME: Duration = Duration::from_secs(300);

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
    let time = Duration::from_secs_f64(settings.train);
    let mut training = Training::new(game, Arc::new(Features::new(game)), 1);
    let deadline = Deadline::after(Some(time));
    let limits = TrainingLimits { games: None, deadline, seed: 1, threads: 1 };
    training.run(&limits, &mut |_| true).expect("rules that end");
    let evaluation = training.rounded();
    let limits = MatchLimits {
        games: if settings.method.is_some() { 0 } else { USUAL_GAMES },
        time: USUAL_TIME,
        most: Some(MAX_MATCH_TIME),
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
        evaluation,
    };
    if let Some(path) = kept {
        std::fs::write(path, learned.write(game.rules())).expect("a folder that can be written");
    }
    Arc::new(learned)
}
