# A further choice in a move: what is legal, why a move without it is not, and what a ply did.
$ moves tests/games/dara.game --position tests/commands/then/dara.position
$ why tests/games/dara.game step c2-c1 --position tests/commands/then/dara.position
$ why tests/games/dara.game step c2-d2 f1 --position tests/commands/then/dara.position
$ why tests/games/dara.game step c2-c1 b1 --position tests/commands/then/dara.position
$ why tests/games/dara.game step c2-c1 f1 --position tests/commands/then/dara.position
$ play tests/games/dara.game --position tests/commands/then/dara.position
> c2-c1
> c2-c1 f1
> why
> undo
> c2-d2
# Sites that are chosen together, in any order.
$ play tests/games/connect-six.game -o Size=3
> b2
> c3 a1
> place a2 a2
$ plan tests/games/dara.game
$ plan tests/games/connect-six.game
