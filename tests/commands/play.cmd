# The prompt, from a pipe.
$ play games/kitaran.game -o Size=3
> place b2
> b1
> undo
> redo
> moves
> options
> board
> save {tmp}/saved.record
> undo
> undo
> load {tmp}/saved.record
> quit
> place a1
$ play games/kitaran.game --from {tmp}/saved.record
> help
$ moves games/kitaran.game --from {tmp}/saved.record --format json
# Moves and commands that are not understood.
$ play games/kitaran.game
> place c3
> place c3
> place c4
$ play games/kitaran.game
> undu
$ play games/kitaran.game
> placé
$ play games/kitaran.game
> z9
$ play games/kitaran.game
> place
$ play games/kitaran.game
> save
$ play games/kitaran.game
> load {tmp}/nothing.record
$ play games/kitaran.game -o Size=4
> load tests/commands/kitaran.record
# Games over, under way and with directions or dice.
$ play games/kitaran.game --from tests/commands/finished.record
> undo
> c3
> moves
> a1
$ play games/kitaran.game --from tests/commands/kitaran.record --format json
> a1
> moves
> quit
$ play games/lichen-chess.game
> c3 w
$ play games/swarm.game --seed 5 -o Size=4
> c1 c2
