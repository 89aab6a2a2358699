# Games between programs that draw nothing at random but by their seed.
$ playtest games/kitaran.game -o Size=3 --seat Black=random --seat White=greedy --games 12 --seed 2
$ playtest games/kitaran.game -o Size=3 --seat Black=random
$ playtest games/kitaran.game --seat Blak=random
$ playtest games/kitaran.game --seat Black=human --seat White=random
$ playtest games/kitaran.game --shard 5/4
$ playtest games/kitaran.game --games 0
$ playtest games/kitaran.game -O {tmp}/report.pdf
$ playtest games/kitaran.game -o Size=3 --seat Black=random --seat White=random --games 2 -O {tmp}/no-such-folder/report.md
# Parts.
$ merge {tmp}/no-such.json
$ merge tests/commands/kitaran.record
$ merge
# Variants.
$ sweep games/kitaran.game -o Size=3,4 -o Komi=0,0.5 --seat Black=random --seat White=random --games 40
$ sweep games/kitaran.game -o Size=4..3
$ sweep games/kitaran.game -o Size=3..9 -o Komi=0,1,2,3,4,5,6,7,8,9,10
$ sweep games/kitaran.game -o Szie=3
$ sweep games/kitaran.game -o Size=3 -o Size=4
