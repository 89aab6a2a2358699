# Rule cases that pass, fail, and cannot be read.
$ test games/kitaran.game tests/commands/good.case
$ test games/kitaran.game tests/commands/good.case --show
$ test games/kitaran.game tests/commands/wrong.case
$ test games/kitaran.game tests/commands/wrong.case tests/commands/good.case --format json
$ test games/kitaran.game tests/commands/unreadable.case
$ test games/kitaran.game nothing
$ test tests/commands/empty.game
$ test games/swarm.game tests/commands/format.case
$ test games/kitaran.game tests/commands/cut.case
