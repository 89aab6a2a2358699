" Vim filetype plugin file
" Language: rule cases of Ludwright

if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:#
setlocal commentstring=#\ %s
setlocal expandtab
setlocal shiftwidth=2
setlocal softtabstop=2

let b:undo_ftplugin = "setlocal comments< commentstring< expandtab< shiftwidth< softtabstop<"
