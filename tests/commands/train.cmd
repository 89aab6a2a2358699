# Trained on so few games that nothing has a time, and used at the prompt.
$ train tests/games/tic-tac-toe.game --games 40 --match 0 --threads 1
$ play tests/games/tic-tac-toe.game --seed 1
> hint learned
> seats X=learned O=strong:100it
> quit

# A training is not written over what is none, and players say what they do without one.
$ train tests/games/tic-tac-toe.game --games 1 --match 0 -O tests/games/tic-tac-toe.game
$ train tests/games/tic-tac-toe.game --games 0
$ play tests/games/tic-tac-toe.game -o Size=4 --seat X=strong:20it --seed 1
> hint learned
> eval strong:50it
> auto 1 strong:20it
> seats O=learned
> quit
