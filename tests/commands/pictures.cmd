# Pictures of positions.
$ show games/kitaran.game -o Size=3 --svg
$ show games/kitaran.game -o Size=3 --svg --targets b2
$ show games/kitaran.game -O {tmp}/board.svg
$ show games/kitaran.game -O {tmp}/board.PNG --targets all --format json
$ show games/kitaran.game --svg -O {tmp}/board --from tests/commands/kitaran.record
$ show tests/commands/empty.game --svg
$ show games/kitaran.game --svg --png
$ show games/kitaran.game -O {tmp}/board.jpg
$ show games/kitaran.game --targets all
$ show games/kitaran.game --svg --targets z9
$ show games/kitaran.game -O {tmp}/no/board.svg
$ show games/kitaran.game --png --format json
# The last move cut a site out.
$ replay games/double-move-situ.game tests/commands/hole.record
$ show games/double-move-situ.game --from tests/commands/hole.record --svg
# What is there and is no picture of that kind is left as it is.
$ new {tmp}/mine
$ show {tmp}/mine.game --svg -O {tmp}/mine.game
$ show {tmp}/mine.game -O {tmp}/mine.svg
$ show {tmp}/mine.game -O {tmp}/mine.svg
$ show {tmp}/mine.game --png -O {tmp}/mine.svg
$ check {tmp}/mine.game
