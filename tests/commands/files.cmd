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
# What a variant omits leaves the look of its base game; its own look cannot speak of it.
$ check tests/commands/omitted/plain.game
$ check tests/commands/omitted/own-look.game
