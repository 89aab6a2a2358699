# The one layout: of standard input, as a check, and of files that cannot be laid out.
$ fmt
> (game "Fill" (players White Black)   ; two of them
>
>
>    ; As small as it gets.
>  (board (square 2)) (piece Stone) (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop (otherwise (lose mover)))))
> )
$ fmt - --check
> (a   b)
$ fmt --check -
> (a b)
$ fmt --check games/kitaran.game tests/commands/fmt/untidy.game
$ fmt --check games/kitaran.game tests/commands/fmt/untidy.game --format json
$ fmt --format json
> (a   b)
$ fmt tests/findings/unclosed-bracket.game
$ fmt tests/findings/stray-character.game games/nothing.game games games/cicada.game
$ fmt games/cicada.game --format json
# What is no rules file is left alone.
$ fmt tests/commands/good.case tests/commands/kitaran.record games/cicada.game
$ fmt --check tests/commands/good.case --format json
$ fmt
> title: One stone.
> position:
>   1 B
>     a
