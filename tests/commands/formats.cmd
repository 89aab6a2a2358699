# Records and positions of other programs, read and written.
$ convert tests/games/chess.game tests/commands/formats/opera.pgn --to record
$ convert tests/games/chess.game tests/commands/formats/opera.pgn --to pgn
$ convert tests/games/chess.game tests/commands/formats/opera.pgn --to fen --format json
$ convert tests/games/go.game tests/commands/formats/small.sgf --to sgf
$ convert tests/games/go.game tests/commands/formats/small.sgf --to record
$ convert tests/games/go.game tests/commands/formats/small.sgf --to diagram
$ convert tests/games/go.game tests/commands/formats/board.txt --to position -o Size=5
$ convert tests/games/chess.game tests/positions/kiwipete.position --to fen
# What fits no format or no game.
$ convert tests/games/chess.game tests/commands/formats/wrong.fen --to position
$ convert tests/games/chess.game tests/commands/formats/wrong.pgn --to record
$ convert tests/games/go.game tests/commands/formats/wrong.sgf --to record
$ convert tests/games/go.game tests/commands/formats/board.txt --to position
$ convert tests/games/chess.game tests/commands/formats/small.sgf --to record
$ convert games/kitaran.game tests/commands/kitaran.record --to pgn
$ convert tests/games/chess.game nothing.pgn --to fen
$ engine games/kitaran.game --protocol uci
# A chess program asks.
$ engine tests/games/chess.game --protocol uci
> uci
> isready
> ucinewgame
> position startpos moves e2e4 e7e5
> query fen
> position moves g1f3
> undo 2
> query fen
> undo 7
> position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1
> query fen
> query moves
> query hash
> position startpos moves e2e5
> position fen nonsense
> debug on
# XBoard asks.
$ engine tests/games/chess.game --protocol cecp
> xboard
> protover 2
> new
> force
> usermove e2e4
> e7e5
> e1e3
> nonsense
> undo
> setboard 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1
> usermove f7g7
> ping 3
> setboard nonsense
# A Go program asks.
$ engine tests/games/go.game --protocol gtp
> 1 protocol_version
> known_command komi
> known_command tea
> boardsize 5
> komi 0.5
> clear_board
> play black C3
> play b d4
> play w D4
> play b c6
> 7 showboard
> undo
> undo
> undo
> play b pass
> play w PASS
> final_score
> genmove b
> printsgf
> boardsize 99
> nonsense
> 12 quit
