# Files without and with findings.
$ check games/kitaran.game games/cicada.game games/swarm.game games/lichen-chess.game games/double-move-situ.game
$ check games/kitaran.game tests/commands/faulty.game
$ check games/kitaran.game tests/commands/faulty.game --format json
$ moves tests/commands/faulty.game
# A look at many positions.
$ check --deep tests/survey/endless.game

# A glance at a few hundred plies is always taken.
$ check tests/survey/endless.game tests/survey/no-move.game
