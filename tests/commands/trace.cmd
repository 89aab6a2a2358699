# Each ply with the clauses that did it.
$ trace games/kitaran.game tests/commands/trace/kitaran.record
# Cicada.
$ trace games/cicada.game tests/commands/trace/cicada.record
# Double-Move Situ.
$ trace games/double-move-situ.game tests/commands/trace/double-move-situ.record
# Lichen Chess.
$ trace games/lichen-chess.game tests/commands/trace/lichen-chess.record
# Swarm.
$ trace games/swarm.game tests/commands/trace/swarm.record
# As JSON.
$ trace games/lichen-chess.game tests/commands/trace/lichen-chess.record --format json
# A record with an illegal ply.
$ trace games/kitaran.game tests/commands/illegal.record
