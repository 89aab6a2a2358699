# Rules that go round without end, met in every way.
$ perft tests/commands/endless/endless.game 4 --format json
$ bench tests/commands/endless/endless.game
$ replay tests/commands/endless/endless.game tests/commands/endless/endless.record
$ replay tests/commands/endless/endless.game tests/commands/endless/endless.record --format json
$ moves tests/commands/endless/endless.game --from tests/commands/endless/endless.record
$ test tests/commands/endless/endless.game tests/commands/endless/endless.case tests/commands/endless/start.case
$ play tests/commands/endless/endless.game
> drop a1
> drop b2
> drop c3
$ play tests/commands/endless/endless.game
> load tests/commands/endless/endless.record
$ moves tests/commands/endless/steps.game
$ moves games/swarm.game --position tests/commands/endless/steps.position
