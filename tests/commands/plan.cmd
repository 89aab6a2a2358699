# How a game is executed, clause by clause, and why not all at once.
$ plan games/kitaran.game
$ plan games/cicada.game
$ plan games/lichen-chess.game
$ plan games/double-move-situ.game
$ plan games/double-move-situ.game -o Order=7
$ plan games/swarm.game
$ plan games/swarm.game -o Chain=on
$ plan games/hexomino-cicada.game
$ plan tests/games/chess.game
$ plan tests/games/draughts.game
$ plan games/kitaran.game -o Size=3 --code
$ plan games/cicada.game --format json
$ plan tests/commands/empty.game
$ plan --help
