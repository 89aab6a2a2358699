# Rules left out of a playtest
$ playtest tests/games/tic-tac-toe.game --seat X=random --seat O=random --games 60 --leave-out
$ playtest tests/games/tic-tac-toe.game --seat X=random --seat O=random --games 14 --leave-out
