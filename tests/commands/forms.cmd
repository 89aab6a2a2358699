# A move is understood if it fits one legal move only.
$ play tests/games/breakthrough.game -o Size=4
> a2a3
> B3 c2
> a3 n
> quit
$ play games/kitaran.game -o Size=3
> B2
> plac a1
> c1, c3
> a3 b3
> quit
$ play tests/games/chess.game
> e4
> e7e5
> Nf3
> why e1e3
> quit
# Where several fit, they are listed.
$ play tests/games/breakthrough.game -o Size=4
> b3
$ play games/kitaran.game -o Size=3
> pl
# Several plies are played together, or none of them.
$ play games/kitaran.game -o Size=3
> b2, b2
$ play games/kitaran.game -o Size=3
> b2 z9
$ play games/kitaran.game -o Size=3 --seat White=random
> b2, a1
# What is illegal in any form is explained.
$ play games/kitaran.game -o Size=3
> b2
> B2
$ play tests/games/breakthrough.game -o Size=4
> a1a3
$ play tests/games/breakthrough.game -o Size=4
> why a1a3
# Records are read in the same way.
$ replay games/kitaran.game tests/commands/forms.record --list
$ replay tests/games/breakthrough.game tests/commands/forms-ambiguous.record --list
# Short commands, and taking back several plies.
$ play games/kitaran.game -o Size=3
> b2 a1 c3
> undo 2
> undo 9
> q
$ play games/kitaran.game -o Size=3
> undo x
$ play games/kitaran.game -o Size=3
> undo 0
$ play games/kitaran.game -o Size=3
> ? undo
> exit
# Names of the game are explained.
$ play games/kitaran.game -o Size=3
> explain place
> explain Stone
> explain Fresh
> explain Komi
$ play games/cicada.game
> explain Group
$ play games/hexomino-cicada.game
> explain Molt
# A turn of a program is told in a line.
$ play games/swarm.game --seed 4
> auto 8 random
$ play games/kitaran.game -o Size=3 --seat White=mcts:20it --seed 3 --plan
> b2
# The end says why.
$ play tests/games/tic-tac-toe.game
> b2 a1 b1 a2 b3
