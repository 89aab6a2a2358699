# Counts.
$ perft games/kitaran.game 3 --format json
$ perft games/kitaran.game 0 --format json
$ perft games/kitaran.game 2 --format json --divide --from tests/commands/kitaran.record
$ perft games/kitaran.game 1 --format json --from tests/commands/finished.record
