# A game that was not finished is gone on with.
$ play games/kitaran.game -o Size=3 --resume
$ play games/kitaran.game -o Size=3 --seat White=greedy --seed 3
> b2
> comment the middle
> b1
> undo
$ play games/kitaran.game --resume
> redo
> record
> save {tmp}/kept.record
# What is saved is kept elsewhere, and what is over need not be kept.
$ play games/kitaran.game --resume
$ play games/kitaran.game --from tests/commands/finished.record
> undo
> c3
$ play games/kitaran.game --resume
# An error in a script loses nothing.
$ play games/cicada.game -o Size=3 --seed 3
> b2
> b9
$ play games/cicada.game -o Size=4 --resume
$ play games/cicada.game --resume
> record
> quit
# Of two games that were left, the newer one comes first.
$ play games/cicada.game --resume
> restart Size=4
> d4
$ play games/cicada.game --resume
> record
> save {tmp}/newer.record
$ play games/cicada.game --resume
> record
# Without a ply there is nothing to keep.
$ play games/lichen-chess.game
> moves
$ play games/lichen-chess.game --resume
$ play games/kitaran.game --resume --from tests/commands/kitaran.record
