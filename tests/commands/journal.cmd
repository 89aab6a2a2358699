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
# Nothing is written over but a record that was saved in the same session.
$ new {tmp}/mine
$ play {tmp}/mine.game
> save {tmp}/mine.game
$ play {tmp}/mine.game --seed 1
> a1
> save {tmp}/mine.record
> b2
> save {tmp}/mine.record
$ play {tmp}/mine.game --seed 1
> save {tmp}/mine.record
$ solve games/kitaran.game -o Size=3 --line {tmp}/mine.game
$ diff {tmp}/mine.game games/kitaran.game -O {tmp}/mine.game
$ playtest {tmp}/mine.game --games 1 -O {tmp}/mine.game/report.json
$ playtest {tmp}/mine.game --games 1 -O Cargo.json -O README.md
$ check {tmp}/mine.game
