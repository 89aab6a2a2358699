# The same game, written otherwise; what only one of the files remembers is said.
$ diff tests/commands/diff/three.game tests/commands/diff/otherwise.game --time 1h
$ diff tests/commands/diff/three.game tests/commands/diff/three.game --format json
# Another result, another board, another mover, other moves.
$ diff tests/commands/diff/three.game tests/commands/diff/late.game
$ diff tests/commands/diff/three.game tests/commands/diff/corner.game
$ diff tests/commands/diff/three.game tests/commands/diff/second.game
$ diff games/kitaran.game games/diagonal-kitaran.game -O {tmp}/found.record --time 1h
$ replay games/kitaran.game {tmp}/found.record
$ diff games/kitaran.game games/diagonal-kitaran.game --format json -o Size=3 --time 1h
$ diff games/cicada.game games/hexomino-cicada.game -o Size=4 --time 1h
$ diff games/swarm.game games/two-dice-swarm.game
# One file with other options.
$ diff games/cicada.game -o Size=3 --right Molt=3
$ diff games/lichen-chess.game --left Pointer=any --right Pointer=own -o Hand=2 --format json --time 1h
# Boards and players that are not the same.
$ diff games/cicada.game games/hexomino-cicada.game
$ diff games/cicada.game --left Size=3
$ diff games/kitaran.game games/cicada.game --time 1h
$ diff tests/commands/diff/three.game tests/commands/diff/renamed.game
$ diff games/cicada.game games/hexomino-cicada.game --format json
# Other names.
$ diff tests/commands/diff/three.game tests/commands/diff/renamed.game --rename X=Cross --rename O=Nought
$ diff tests/commands/diff/three.game tests/commands/diff/renamed.game --rename X=Cross --rename O=Nought --rename Mark=Sign --rename place=mark
$ diff tests/commands/diff/three.game tests/commands/diff/renamed.game --match-names
# More than can be searched.
$ diff games/double-move-situ.game games/double-move-situ.game --memory 100KB --games 5 --time 1h
$ diff games/double-move-situ.game games/double-move-situ.game --memory 1KB --games 0 --time 1h
$ diff tests/commands/diff/three.game tests/commands/diff/late.game --memory 1KB --time 1h
# Each rule left out in turn.
$ diff tests/commands/diff/three.game --leave-out
$ diff tests/games/outlast.game --leave-out --positions 300 --games 3
# Wrong calls, and rules that are at fault.
$ diff games/cicada.game
$ diff games/cicada.game -o Colour=red --left Molt=6
$ diff games/cicada.game --left Colour=red
$ diff games/cicada.game -o Molt=5 --left Molt=6
$ diff games/cicada.game games/nothing.game
$ diff games/cicada.game tests/commands/faulty.game
$ diff tests/commands/diff/three.game tests/commands/diff/renamed.game --rename X=Square
$ diff tests/commands/diff/three.game tests/commands/diff/renamed.game --rename X=Sign
$ diff tests/commands/diff/three.game tests/commands/diff/renamed.game --rename X=Cross --rename O=Cross
$ diff games/cicada.game games/cicada.game --time 10
$ diff games/cicada.game games/cicada.game --memory lots
$ diff tests/commands/diff/three.game tests/commands/diff/endless.game
$ diff games/kitaran.game games/cicada.game --rename Stone
$ diff tests/commands/diff/three.game tests/commands/diff/late.game --leave-out
