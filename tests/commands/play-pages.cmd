# What a page that plays cannot be made of.
$ page kitaran --seat Green=mcts:1s -O {tmp}/page.html
$ page kitaran --from tests/commands/illegal.record -O {tmp}/page.html
$ page kitaran --module tests/commands/no-such.wasm.gz -O {tmp}/page.html
$ page kitaran --module tests/commands/good.case -O {tmp}/page.html
$ page kitaran --force -O {tmp}/page.html
