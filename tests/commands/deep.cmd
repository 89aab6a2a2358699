# How much was looked at is always said.
$ check --deep tests/commands/deep/far.game
$ check --deep tests/commands/deep/far.game tests/survey/never-acts.game --format json
$ check --deep tests/findings/no-start.game
$ check tests/commands/deep/far.game --format json
