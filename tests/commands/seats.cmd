# Programs at the table.
$ play games/kitaran.game -o Size=3 --seat White=greedy --seed 3
> b2
> undo
> a1
> quit
$ play games/kitaran.game -o Size=3 --seat White=random --seat Black=greedy --seed 3 --format json
$ play games/swarm.game -o Size=4 -o Cubes=5 --seat Red=random --seat Blue=greedy --seed 3
$ play games/kitaran.game --seat White=human --seat White=human --seat Black=human
$ play games/kitaran.game --seat Whte=random
$ play games/kitaran.game --seat Red=random
$ play games/kitaran.game --seat White=random --seat White=greedy
$ play games/kitaran.game --seat White
$ play games/kitaran.game --seat White=mcst:1s
$ play games/kitaran.game --seat White=mcts:1
