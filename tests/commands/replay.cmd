# Records played over.
$ replay games/kitaran.game tests/commands/kitaran.record
$ replay games/kitaran.game tests/commands/kitaran.record --format json
$ replay games/kitaran.game tests/commands/kitaran.record --format json --legal
$ replay games/kitaran.game tests/commands/finished.record --format json
$ replay games/kitaran.game tests/commands/finished.record
$ replay games/kitaran.game tests/commands/illegal.record
$ replay games/kitaran.game tests/commands/illegal.record --format json
$ replay games/swarm.game tests/commands/kitaran.record
# Misspelled.
$ replay games/lichen-chess.game tests/commands/refused/direction.record
$ replay tests/games/chess.game tests/commands/refused/piece.record
$ replay games/kitaran.game tests/commands/refused/verb.record
$ replay games/kitaran.game tests/commands/refused/site.record
$ play games/kitaran.game --from tests/commands/refused/site.record
# Illegal by rules in several files.
$ replay games/hexomino-cicada.game tests/commands/refused/variant.record
