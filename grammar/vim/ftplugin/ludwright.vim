" Vim filetype plugin file
" Language: Ludwright, rules of board games

if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

let s:cpo_save = &cpo
set cpo&vim

setlocal comments=:;
setlocal commentstring=;\ %s
setlocal formatoptions-=t
setlocal formatoptions+=croql
setlocal expandtab
setlocal shiftwidth=2
setlocal softtabstop=2
" The characters of words, so that `w` and `*` take `row-of` and `so-that` as one.
setlocal iskeyword=@,48-57,33,35-39,42,43,45-47,58,60-64,94,95,124,126,192-255
setlocal suffixesadd=.game

let b:undo_ftplugin = "setlocal comments< commentstring< formatoptions< expandtab<"
      \ . " shiftwidth< softtabstop< iskeyword< suffixesadd<"

let &cpo = s:cpo_save
unlet s:cpo_save
