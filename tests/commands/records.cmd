# What a record holds, and what becomes of it under other rules.
$ play tests/commands/changed/before.game -o Size=2 --seat Black=random --seed 3
> a1
> comment [3 s] is no time
> a2
> save {tmp}/open.record
> undo
> b1
> record
> save {tmp}/over.record
$ play tests/commands/changed/before.game --from {tmp}/open.record
> record
$ play tests/commands/changed/before.game --from {tmp}/open.record --seat Black=human
> seats
$ play tests/commands/changed/before.game -o Size=3 --from {tmp}/open.record
# Rules that are spelled otherwise.
$ replay tests/commands/changed/alike.game {tmp}/over.record
$ play tests/commands/changed/alike.game
> load {tmp}/over.record
# Rules by which a move is not legal.
$ replay tests/commands/changed/after.game tests/commands/changed/whole.record
$ replay tests/commands/changed/after.game tests/commands/changed/whole.record --force
$ replay tests/commands/changed/after.game tests/commands/changed/whole.record --step --force
> goto 2
$ replay tests/commands/changed/after.game tests/commands/changed/whole.record --step
$ play tests/commands/changed/after.game --from tests/commands/changed/whole.record
$ play tests/commands/changed/after.game --from tests/commands/changed/whole.record --force --seed 3
> record
$ play tests/commands/changed/after.game
> load tests/commands/changed/whole.record
$ play tests/commands/changed/after.game
> load --force tests/commands/changed/whole.record
$ moves tests/commands/changed/after.game --from tests/commands/changed/whole.record
$ show tests/commands/changed/after.game --from tests/commands/changed/whole.record
# Rules by which the game ends otherwise.
$ replay tests/commands/changed/longer.game tests/commands/changed/whole.record
$ replay tests/commands/changed/longer.game tests/commands/changed/whole.record --force
# Stepping through one.
$ replay tests/commands/changed/before.game tests/commands/changed/whole.record
$ replay tests/commands/changed/before.game tests/commands/changed/whole.record --format json
$ replay tests/commands/changed/before.game tests/commands/changed/whole.record --step
> 
> 
> undo
> goto 4
> 
> 
$ replay tests/commands/changed/before.game tests/commands/changed/whole.record --step
> goto 5
> 
$ replay tests/commands/changed/before.game tests/commands/changed/whole.record --step --list
# One that begins at a position, and one that says nothing of itself.
$ play tests/commands/changed/before.game --position tests/commands/changed/begun.position --seed 3
> a1
> record
> save {tmp}/begun.record
$ replay tests/commands/changed/before.game {tmp}/begun.record
$ replay tests/commands/changed/before.game tests/commands/changed/bare.record
$ replay tests/commands/changed/before.game tests/commands/changed/bare.record --step
> record
> redo
> record
> seed
> b1
> record
$ replay tests/commands/changed/before.game tests/commands/changed/unknown-key.record
$ replay tests/commands/changed/before.game no-such.record
