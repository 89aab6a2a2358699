# A game in several files, and what can be wrong with the files.
$ moves tests/commands/variant.game
$ moves tests/commands/variant.game -o Size=4
$ perft tests/commands/variant.game 2 --format json
$ check tests/commands/variant.game --format json
$ check tests/commands/strange-variant.game
$ check tests/commands/strange-variant.game --format json
$ check tests/commands/parts/corners.game
$ check tests/findings/unreadable-file.game
$ check tests/commands/folder-variant.game
$ check tests/findings/outside-folder.game
$ check tests/findings/file-cycle.game
$ check tests/findings/not-definitions.game
