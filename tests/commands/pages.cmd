# Pages of games and rule sheets.
$ show games/kitaran.game --html tests/pictures/kitaran.record -O {tmp}/kitaran.html
$ show --html tests/pictures/kitaran.record -O {tmp}/kitaran.html --format json
$ show --html tests/commands/hole.record -O {tmp}/hole.html
$ rules games/kitaran.game -O {tmp}/rules.html
$ rules lichen-chess -o Wings=off -O {tmp}/rules.html
# A page of another kind is left as it is.
$ show games/kitaran.game --html tests/pictures/kitaran.record -O {tmp}/rules.html
$ rules games/kitaran.game -O {tmp}/kitaran.html
# What cannot be shown.
$ show games/kitaran.game --html tests/commands/illegal.record
$ show --html tests/commands/good.case
$ show --html tests/commands/no-such.record
$ show -O {tmp}/board.svg
$ show games/kitaran.game --html tests/pictures/kitaran.record --svg
