# Nothing is overwritten, and a name must be one.
$ new games/kitaran
$ new nowhere/kitaran
$ new ..
$ new kitaran --like chess
$ completions tcsh
