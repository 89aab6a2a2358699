# The second player takes over the other colour, and each is told which one he plays.
$ play tests/games/hex-with-pie.game -o Size=2
> seats
> a2
> moves
> swap
> position
> seats
> b2
> explain swap
> a1
> why result
$ play tests/games/hex-with-pie.game -o Size=2
> a2
> swap
> swap
$ play tests/games/hex-with-pie.game -o Size=2
> swap

# A program begins, and plays the other colour after a swap.
$ play tests/games/hex-with-pie.game -o Size=3 --seat Red=mcts:300it --seed 3
> swap
> undo

# What a position says of it.
$ moves tests/games/hex-with-pie.game -o Size=2 --position tests/commands/pie/before.position
$ moves tests/games/hex-with-pie.game -o Size=2 --position tests/commands/pie/after.position
$ show tests/games/hex-with-pie.game -o Size=2 --position tests/commands/pie/before.position

# The word and its names.
$ explain pie rule
$ explain swap
