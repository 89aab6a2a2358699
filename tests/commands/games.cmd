# Games that come with the program serve by their names, a variant and its base among them.
$ games
$ check hexomino-cicada
$ check kitarn
$ new tests/commands/nothing --from no-such-game
$ new games/kitaran --from chess
$ new nothing --like capture --from chess
