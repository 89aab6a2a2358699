# Legal moves, in text and JSON, from the start and from a record, and the end of a game.
$ moves games/kitaran.game -o Size=3
$ moves games/kitaran.game -o Size=3 --format json
$ moves games/swarm.game --format json
$ moves games/lichen-chess.game --format json -o Wings=off -o Hand=1
$ moves games/kitaran.game --from tests/commands/kitaran.record --format json
$ moves games/kitaran.game --from tests/commands/finished.record --format json
$ moves games/kitaran.game --from tests/commands/finished.record
