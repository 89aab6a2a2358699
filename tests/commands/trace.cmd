# Each ply with the clauses that did it.
$ trace games/kitaran.game tests/commands/trace/kitaran.record
$ trace games/cicada.game tests/commands/trace/cicada.record
$ trace games/double-move-situ.game tests/commands/trace/double-move-situ.record
$ trace games/lichen-chess.game tests/commands/trace/lichen-chess.record
$ trace games/swarm.game tests/commands/trace/swarm.record
$ trace games/lichen-chess.game tests/commands/trace/lichen-chess.record --format json
$ trace games/kitaran.game tests/commands/illegal.record
