# Wrong usage and files that are not there.
$ moves
$ mvoes games/kitaran.game
$ moves games/nothing.game
$ moves games
$ check games/nothing.game games/kitaran.game
$ replay games/kitaran.game nothing.record
$ bench games/kitaran.game --seconds -1
$ bench games/kitaran.game --seconds nan
$ perft games/kitaran.game deep
$ moves games/kitaran.game --format xml
