# A playtest compared with a game that the same players play, and with a report.
$ playtest tests/games/three-player-tic-tac-toe.game --seat X=random --seat O=random --seat Y=random --games 40 -O {tmp}/three.json
$ playtest games/kitaran.game -o Size=3 --seat Black=random --seat White=random --games 40 --compare-with tic-tac-toe --compare-with {tmp}/three.json -O {tmp}/own.json
$ merge {tmp}/own.json --compare-with {tmp}/three.json
# An option of the other game, which the game itself has, too.
$ playtest games/kitaran.game -o Size=3 --seat Black=random --seat White=random --games 40 --compare-with games/kitaran.game --compare-with tic-tac-toe --other Size=4
# Games that cannot be compared.
$ merge {tmp}/three.json --compare-with games/kitaran.game
$ playtest games/kitaran.game --seat Black=greedy --seat White=greedy --games 40 --compare-with {tmp}/three.json
$ playtest games/kitaran.game --seat Black=random --seat White=greedy --games 40 --compare-with tic-tac-toe
$ playtest games/kitaran.game --seat Black=random --seat White=random --compare-with {tmp}/no-such.json
$ playtest games/kitaran.game --seat Black=random --seat White=random --compare-with tests/commands/faulty.game
$ playtest games/kitaran.game --seat Black=random --seat White=random --compare-with tests/commands/compared/over.game
$ playtest games/kitaran.game --seat Black=random --seat White=random --compare-with chess --shard 1/2
$ playtest games/kitaran.game --compare-with a --compare-with b --compare-with c --compare-with d --compare-with e --compare-with f --compare-with g --compare-with h --compare-with i
$ playtest games/kitaran.game --seat Black=random --seat White=random --games 40 --compare-with games/kitaran.game --other Sise=4
$ playtest games/kitaran.game --seat Black=random --seat White=random --games 40 --compare-with games/kitaran.game --other Size=1000
$ playtest games/kitaran.game --games 40 --other Size=4
