# A number, a condition, a region, a site, a player.
$ eval games/kitaran.game (count (empty))
$ eval games/kitaran.game (any (mine))
$ eval games/kitaran.game (theirs) --from tests/commands/kitaran.record
$ eval games/kitaran.game (step c3 N)
$ eval games/kitaran.game (step c5 N)
$ eval games/kitaran.game (next mover)
$ eval games/kitaran.game Size -o Size=4
$ eval games/kitaran.game Fresh --from tests/commands/kitaran.record
# What variables run through.
$ eval games/kitaran.game players
$ eval games/kitaran.game (groups (pieces)) --from tests/commands/kitaran.record
# A free variable stands for all of its values.
$ eval games/cicada.game (any (and (beside s) (pieces Nymph))) --from tests/pictures/cicada.record
$ eval games/cicada.game (count (Group s)) --from tests/pictures/cicada.record
$ eval games/kitaran.game (any (of p))
$ eval games/kitaran.game (in (step a1 d) (empty))
$ eval games/kitaran.game (> (count (mine)) n) --from tests/commands/kitaran.record
$ eval games/kitaran.game (beside s all) -o Size=3
$ eval games/lichen-chess.game (count (pieces k))
# The same as JSON.
$ eval games/kitaran.game (count (empty)) --format json
$ eval games/kitaran.game (theirs) --from tests/commands/kitaran.record --format json
$ eval games/kitaran.game (any (of p)) --format json
$ eval games/kitaran.game (count (beside s)) --format json -o Size=3
$ eval games/kitaran.game players --format json
$ eval games/kitaran.game (step c5 N) --format json
# Mistakes are shown in the text typed.
$ eval games/cicada.game (count (Grup c3))
$ eval games/cicada.game (count (empty)
$ eval games/cicada.game (count (empty)))
$ eval games/cicada.game (put Nymph c3)
$ eval games/cicada.game place
$ eval games/cicada.game (+ 1 c3)
$ eval games/cicada.game (> (count (Group s)) n)
$ eval games/cicada.game (count (Group c9))
$ eval games/cicada.game (count (pieces Nimph))
$ eval games/cicada.game (step c3 ne)
$ eval games/cicada.game (mine) (theirs)
$ eval games/cicada.game (always (any (mine)))
# Why an expression has its value.
$ why games/cicada.game (<= (count (Group d5)) Molt) --from tests/pictures/cicada.record
$ why games/cicada.game (Group d5) --from tests/pictures/cicada.record
$ why games/cicada.game (Group s)
$ why games/cicada.game (any (mine)) --format json
# After each ply of a record.
$ trace games/kitaran.game tests/commands/kitaran.record --watch (count(empty)) --watch (mine)
$ trace games/kitaran.game tests/commands/kitaran.record --watch (count(beside --format json
# At the prompt.
$ play games/cicada.game -o Size=3
> b2
> (pieces Nymph)
> (in s (beside b2))
> (count (Group s))
> eval (count (empty))
> Molt
> why (any (Group b2))
> watch (count (empty))
> watch (Group b2)
> a1
> watch
> watch off
> watch
$ play games/cicada.game -o Size=3
> (put Nymph b2)
$ play games/cicada.game -o Size=3 --format json
> (count (empty))
> watch (count (empty))
> b2
# Moves that can be made.
$ eval tests/plain/games/facts-can.game (can p step)
