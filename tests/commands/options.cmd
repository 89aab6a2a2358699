# Options that there are not, twice, and against a record.
$ moves games/kitaran.game -o Sise=3
$ moves games/kitaran.game -o Size=30
$ moves games/kitaran.game -o Size
$ moves games/kitaran.game -o Size=3 -o Size=4
$ moves games/kitaran.game -o Size=4 --from tests/commands/kitaran.record
$ moves games/kitaran.game -o Komi=0.5 --from tests/commands/kitaran.record --format json
$ check games/kitaran.game -o Sise=3
