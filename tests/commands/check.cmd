# Files without and with findings.
$ check games/kitaran.game games/cicada.game games/swarm.game games/lichen-chess.game games/double-move-situ.game
$ check games/kitaran.game tests/commands/faulty.game
$ check games/kitaran.game tests/commands/faulty.game --format json
$ moves tests/commands/faulty.game
# A look at many positions.
$ check --deep tests/survey/endless.game

# A glance at a few hundred plies is always taken.
$ check tests/survey/endless.game tests/survey/no-move.game

# Standard input, and what other programs need to correct it.
$ check -
> (game "Fill" (players White Black) (board (square 2)) (piece Stone)
>   (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))
$ check - --format json
> (game "Fill é" (players White Black) (board (square 2)) (piece stone)
>   (move drop (to t (emtpy)) (put stone t)) (play (turns (choose drop))))

# Folders: every rules file below, games and definitions.
$ check tests/commands/check tests/commands/parts
$ check tests/commands/check --deep --format json
$ check tests/commands/check/inner/good
$ check src/language games/nothing.game games/kitaran.game
