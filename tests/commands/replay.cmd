# Records played over.
$ replay games/kitaran.game tests/commands/kitaran.record
$ replay games/kitaran.game tests/commands/kitaran.record --format json
$ replay games/kitaran.game tests/commands/kitaran.record --format json --legal
$ replay games/kitaran.game tests/commands/finished.record --format json
$ replay games/kitaran.game tests/commands/finished.record
$ replay games/kitaran.game tests/commands/illegal.record
$ replay games/kitaran.game tests/commands/illegal.record --format json
$ replay games/swarm.game tests/commands/kitaran.record
