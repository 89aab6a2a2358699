//! Formats of other programs: what is written is read again as the same game, published positions
//! have their published counts, and any bytes may be read.

use crate::generator::generate;
use crate::support::{Variant, load};
use ludwright::engine::game::{Game, PlayError, State};
use ludwright::formats::{Speller, detect, options, read, read_line, write, write_line};
use ludwright::language::notations::Format;
use ludwright::random::{Random, mix};

fn game(name: &str) -> Game {
    load(&Variant { name: name.to_owned(), options: Vec::new(), plies: 0 })
}

/// Plays a random game and calls `look` on every position.
fn wander(game: &Game, seed: u64, cap: usize, mut look: impl FnMut(&State)) -> State {
    let mut position = game.begin().expect("a position");
    let mut random = Random::new(seed);
    while !position.legal().is_empty() && position.ply_count() < cap {
        look(&position);
        let legal = position.legal();
        let ply = legal[random.below(legal.len() as u32) as usize].clone();
        match position.play(&ply) {
            // Generated rules may never reach the next ply.
            Err(PlayError::Fault(_)) => break,
            played => played.expect("a legal move"),
        }
    }
    position
}

/// Every legal move is written in a way of its own, and read again.
#[test]
fn moves_are_read_as_they_are_written() {
    for (name, formats) in [
        ("chess", &[Format::Pgn, Format::Uci][..]),
        ("go", &[Format::Gtp, Format::Sgf][..]),
        ("xiangqi", &[Format::Uci][..]),
        ("hex", &[Format::Uci][..]),
    ] {
        let game = game(name);
        for &format in formats {
            let speller = Speller::new(&game, Some(format));
            wander(&game, 3, 30, |position| {
                for ply in position.legal() {
                    let text = speller.write(position, ply);
                    assert_eq!(speller.read(position, &text).as_ref(), Ok(ply), "{name}: {text}");
                }
            });
        }
    }
}

/// A generated game spells nothing, or little: its moves are written as in records.
#[test]
fn moves_without_a_spelling_are_read_again() {
    let mut games = 0;
    for seed in 0..60 {
        let Ok(game) = ludwright::load(generate(seed).text.as_str(), &[]) else { continue };
        let speller = Speller::new(&game, None);
        wander(&game, seed, 6, |position| {
            for ply in position.legal().iter().take(20) {
                let text = speller.write(position, ply);
                assert!(!text.contains(' '), "{text}");
                assert_eq!(speller.read(position, &text).as_ref(), Ok(ply), "seed {seed}: {text}");
            }
        });
        games += 1;
    }
    assert!(games > 30, "{games}");
}

#[test]
fn records_and_positions_are_read_as_they_are_written() {
    for (name, formats) in
        [("chess", &[Format::Pgn, Format::Fen][..]), ("go", &[Format::Sgf, Format::Diagram][..])]
    {
        let game = game(name);
        for seed in 0..4 {
            let end = wander(&game, seed, 60, |position| {
                // A diagram shows no memory.
                if name == "chess" {
                    let line = write_line(position, Format::Fen).expect("a line");
                    let again = read_line(&game, Format::Fen, &line)
                        .unwrap_or_else(|error| panic!("{line}: {error}"));
                    assert_eq!(again.hash(), position.hash(), "{line}");
                    assert_eq!(again.legal(), position.legal(), "{line}");
                }
            });
            for &format in formats {
                let text = write(&end, format).expect("a text");
                assert_eq!(detect(&text, game.rules()), Some(format), "{text}");
                let again =
                    read(&game, format, &text).unwrap_or_else(|error| panic!("{text}{error}"));
                match format {
                    Format::Pgn | Format::Sgf => assert_eq!(again.plies(), end.plies(), "{text}"),
                    _ => assert_eq!(again.snapshot().pieces, end.snapshot().pieces, "{text}"),
                }
            }
        }
    }
}

/// Perft Results of the Chess Programming Wiki, positions 2 to 5.
#[test]
fn published_positions_have_their_published_counts() {
    let game = game("chess");
    for (line, counts) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2039][..]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486]),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", &[31]),
    ] {
        let position = read_line(&game, Format::Fen, line).expect("a position");
        for (depth, &count) in (1..).zip(counts) {
            let counted = game.perft(&position, depth).expect("a count");
            assert_eq!(counted, count, "{line} at {depth}");
        }
    }
}

/// Programs for xiangqi count rows from 0, and name some pieces otherwise.
#[test]
fn another_game_is_written_as_its_programs_do() {
    let game = game("xiangqi");
    let start = game.begin().expect("a position");
    let line = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    assert_eq!(write_line(&start, Format::Fen).as_deref(), Ok(line));
    assert_eq!(read_line(&game, Format::Fen, line).expect("a position").hash(), start.hash());
    let speller = Speller::new(&game, Some(Format::Uci));
    let cannon = speller.read(&start, "h2e2").expect("a move");
    assert_eq!(ludwright::notation::spell(game.rules(), &cannon), "move h3-e3");
    assert_eq!(speller.write(&start, &cannon), "h2e2");
}

/// The Immortal Game, with comments, variations and annotations as programs write them.
#[test]
fn a_record_of_another_program_is_read() {
    let game = game("chess");
    let text = "[Event \"London\"]\n[White \"Anderssen \\\"A\\\"\"]\n[Result \"1-0\"]\n\n\
        1. e4 e5 2. f4 {the King's Gambit} exf4 3.Bc4 Qh4+ (3... Nf6 4. Nc3 (4. e5)) 4. Kf1 b5 $6 5. Bxb5 Nf6 6. Nf3 Qh6\n\
        7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8\n\
        15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 ; a comment\n19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+!! Nxf6 23. Be7# 1-0\n";
    let end = read(&game, Format::Pgn, text).expect("a game");
    assert_eq!(end.ply_count(), 45);
    assert!(end.outcome().is_some());
    assert!(write(&end, Format::Pgn).expect("a text").contains("22. Qf6+ Nxf6 23. Be7# 1-0"));
    let wrong = text.replace("7. d3", "7. d5");
    let error = read(&game, Format::Pgn, &wrong).err().expect("an illegal move");
    assert_eq!(error.line, 6);
    assert!(error.message.starts_with("ply 13: `d5` is no legal move here"), "{error}");
}

#[test]
fn options_and_setups_of_records_count() {
    let rules = game("go");
    let text = "(;GM[1]SZ[5]KM[0.5]HA[2]AB[bb][dd];W[cc];B[db](;W[])(;W[aa]))";
    let chosen = options(rules.rules(), Format::Sgf, text);
    assert_eq!(
        chosen,
        [("Size".to_owned(), "5".to_owned()), ("Komi".to_owned(), "0.5".to_owned())]
    );
    let variant = Variant { name: "go".to_owned(), options: chosen, plies: 0 };
    let game = load(&variant);
    let end = read(&game, Format::Sgf, text).expect("a game");
    let spelled: Vec<String> =
        end.plies().iter().map(|ply| ludwright::notation::spell(game.rules(), ply)).collect();
    assert_eq!(spelled, ["place c3", "place d4", "pass"]);
    let diagram = "$$W A title\n$$ -----------\n$$ | . . X . . |\n$$ | . O . , . |\n$$ | + . . . . |\n$$ |.....|\n$$ | . . . . X |\n$$ -----------\n";
    let shown = read(&game, Format::Diagram, diagram).expect("a position");
    assert_eq!(ludwright::notation::turn(game.rules(), shown.turn()), "White");
    assert_eq!(
        write(&shown, Format::Diagram).expect("a diagram"),
        "$$W\n$$  5 . . X . .\n$$  4 . O . . .\n$$  3 . . . . .\n$$  2 . . . . .\n$$  1 . . . . X\n$$    a b c d e\n"
    );
}

/// Whatever is cut, doubled or replaced in a text, it is read or refused.
#[test]
fn damaged_texts_are_refused() {
    for (name, format) in [
        ("chess", Format::Pgn),
        ("chess", Format::Fen),
        ("go", Format::Sgf),
        ("go", Format::Diagram),
    ] {
        let game = game(name);
        let text = write(&wander(&game, 1, 30, |_| {}), format).expect("a text");
        for seed in 0..60 {
            let mut random = Random::new(mix(9, seed));
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len() as u32) as usize;
                match random.below(4) {
                    0 => bytes.truncate(at.max(1)),
                    1 => bytes[at] = b"[]()\"{};/9x\\\xc3\n"[random.below(14) as usize],
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, bytes[at / 2]),
                }
                if bytes.is_empty() {
                    bytes.push(b'(');
                }
            }
            let damaged = String::from_utf8_lossy(&bytes);
            detect(&damaged, game.rules());
            options(game.rules(), format, &damaged);
            if let Err(error) = read(&game, format, &damaged) {
                assert!(!error.message.is_empty(), "{damaged}");
            }
        }
    }
}

/// As many lines and words as a file can have take no longer than reading them.
#[test]
fn large_texts_are_read_once() {
    let (chess, go) = (game("chess"), game("go"));
    let many = 150_000;
    let error = read(&chess, Format::Pgn, &"{}\n$1 e4\n".repeat(many)).err().expect("no game");
    assert_eq!((error.line, error.message.contains("ply 2")), (4, true), "{error}");
    let error = read(&go, Format::Sgf, &format!("({}", ";C[x]\n".repeat(many))).err();
    assert_eq!(error.expect("it has no end").line, many + 1);
    let line = format!("8/8/8/8/8/8/8/8 w - {} 0 1", "e".repeat(many));
    assert!(read_line(&chess, Format::Fen, &line).is_err());
}
