//! Fuzzing the prompt: each line gets an answer, and the game continues.

use super::{Terminal, fresh_state};
use ludwright::play::{Reply, Session, Wanted};
use ludwright::random::Random;

/// Words of the lines, without long searches.
const WORDS: [&str; 68] = [
    "moves",
    "play",
    "undo",
    "redo",
    "goto",
    "board",
    "targets",
    "why",
    "hint",
    "eval",
    "auto",
    "seats",
    "options",
    "restart",
    "seed",
    "position",
    "comment",
    "record",
    "save",
    "load",
    "explain",
    "help",
    "quit",
    "/",
    "draw",
    "place",
    "move",
    "roll",
    "pass",
    "enter",
    "convert",
    "a1",
    "b2",
    "c3",
    "d4-d3",
    "a1-a2",
    "0",
    "1",
    "2",
    "7",
    "99999999999999999999",
    "-1",
    "greedy",
    "random",
    "human",
    "mcts:3it",
    "White=greedy",
    "Red=human",
    "Size=3",
    "Size=4",
    "Size=",
    "=",
    "result",
    "beside",
    "--force",
    "#",
    "🎲",
    "(",
    ":",
    "option: Size=3",
    "watch",
    "(count",
    "(empty))",
    "(in s",
    "(mine))",
    ",",
    "b2b3",
    "ne",
];

/// Tests if a line would start a search with a time limit.
fn takes_time(line: &str) -> bool {
    let mut words = line.trim_start().trim_start_matches('/').split_whitespace();
    let asks = matches!(words.next(), Some("hint" | "eval" | "auto" | "seats"));
    asks && !words.any(|word| ["greedy", "random", "mcts:3it"].contains(&word))
}

fn mutated(random: &mut Random, pool: &[String]) -> String {
    let count = random.below(4) + 1;
    let mut pick = |from: &[&str]| from[random.below(from.len() as u32) as usize].to_owned();
    let words: Vec<String> = (0..count).map(|_| pick(&WORDS)).collect();
    let mut line = words.join(" ");
    if random.below(3) == 0 && !pool.is_empty() {
        line = pool[random.below(pool.len() as u32) as usize].clone();
    }
    if random.below(4) == 0 && !line.is_empty() {
        let at = random.below(line.chars().count() as u32) as usize;
        let other = char::from_u32(random.below(0x250)).unwrap_or('x');
        line = line
            .chars()
            .enumerate()
            .map(|(index, old)| if index == at { other } else { old })
            .collect();
    }
    line
}

fn bytes(random: &mut Random) -> String {
    let length = random.below(120);
    let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn any_line_is_answered() {
    let asked = std::env::var("PROMPT_LINES").ok().and_then(|lines| lines.parse::<u32>().ok());
    let count = asked.unwrap_or(if cfg!(debug_assertions) { 1200 } else { 4000 });
    let files = [
        "games/kitaran.game",
        "games/swarm.game",
        "games/lichen-chess.game",
        "tests/commands/prompt/verbs.game",
    ];
    for (file, seed) in files.into_iter().zip(1..) {
        let sources = ludwright::files::gather(std::path::Path::new(file)).expect("a file");
        let game = ludwright::load(&sources, &[]).expect("a game");
        let mut random = Random::new(seed);
        let begun = Session::begin(sources, &[], game.begin().expect("a position"), &[], 7);
        let mut session = begun.unwrap_or_else(|refused| panic!("{file}: {refused}"));
        let mut saved = String::new();
        let mut done = 0;
        for number in 0..count / files.len() as u32 {
            let (_, offers) = session.words().completions("");
            let line = if random.below(4) == 0 {
                bytes(&mut random)
            } else {
                mutated(&mut random, &offers)
            };
            if takes_time(&line) {
                continue;
            }
            let cut = random.below(line.len() as u32 + 1) as usize;
            let typed = line.get(..cut).unwrap_or("");
            let (begin, _) = session.words().completions(typed);
            assert!(typed.is_char_boundary(begin), "{typed:?}");
            session.words().hint(typed);
            session.words().sense(typed);
            match session.obey(&line) {
                Ok(Reply::Save { text, .. }) => saved = text,
                Ok(Reply::Load { wanted, .. }) => {
                    // A saved record, possibly truncated.
                    let mut text = saved.clone();
                    if random.below(2) == 0 {
                        text.truncate(
                            (0..=text.len())
                                .filter(|&end| text.is_char_boundary(end))
                                .nth(number as usize % 90)
                                .unwrap_or(0),
                        );
                    }
                    let _ = session.take(wanted, &text);
                    let _ = session.take(Wanted::Position, &bytes(&mut random));
                    done += 1;
                }
                Ok(_) => done += 1,
                Err(refused) => assert!(
                    !refused.message.trim().is_empty(),
                    "{line:?} is refused without a word"
                ),
            }
            for _ in 0..20 {
                if session.let_program_play().is_err() || !session.is_due() {
                    break;
                }
            }
            session.pause();
            // The record is valid in every state.
            if number % 16 == 0 {
                let text = session.record(true).write();
                ludwright::record::Record::parse(&text)
                    .unwrap_or_else(|misread| panic!("{file}, {line:?}: {misread}\n{text}"));
            }
        }
        assert!(done > 20, "{file}: hardly a line was obeyed");
    }
}

/// Text of a file cannot act on the terminal.
#[test]
fn titles_are_shown_and_not_obeyed() {
    let state = fresh_state("titles");
    let game = "(game \"Fill\u{1b}[2J\u{1b}]0;evil\u{7}\u{202e}\" (players A B) (board (square 2)) (piece Stone) (move put (to t (empty)) (put Stone t)) (play (turns (choose put))))";
    std::fs::write(state.join("evil.game"), game).expect("a file");
    let mut terminal =
        Terminal::open(&state, 80, &format!("play {}/evil.game --seed 1", state.display()));
    assert!(
        terminal.text().contains("Fill\\u{1b}[2J\\u{1b}]0;evil\\u{7}\\u{202e}"),
        "{}",
        terminal.text()
    );
    terminal.line("help", "A> ");
    assert!(terminal.text().contains("Enter a move of Fill\\u{1b}[2J"), "{}", terminal.text());
    terminal.leave();
}
