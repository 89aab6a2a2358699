" Vim indent file
" Language: Ludwright, rules of board games

if exists("b:did_indent")
  finish
endif
let b:did_indent = 1

setlocal nolisp
setlocal nosmartindent
setlocal autoindent
setlocal indentexpr=LudwrightIndent(v:lnum)
setlocal indentkeys=!^F,o,O

let b:undo_indent = "setlocal lisp< smartindent< autoindent< indentexpr< indentkeys<"

if exists("*LudwrightIndent")
  finish
endif

" The group at a place: brackets in texts and comments do not count.
function! s:IsCode(line, column) abort
  let l:group = synIDattr(synID(a:line, a:column, 0), "name")
  return l:group !~# '^ludwright\%(String\|Comment\)$'
endfunction

" As `ludwright fmt` does: the parts of a form are indented by two columns against its bracket, or
" aligned with the first form among them if its word is not one of 'lispwords'.
function! LudwrightIndent(line) abort
  " A line that begins in a text stays.
  if a:line > 1 && synIDattr(synID(a:line, 1, 0), "name") ==# "ludwrightString"
    return -1
  endif
  call cursor(a:line, 1)
  let [l:row, l:column] = searchpairpos("(", "", ")", "bnW", "!s:IsCode(line('.'), col('.'))")
  if l:row == 0
    return 0
  endif
  let l:form = strpart(getline(l:row), l:column - 1)
  let l:word = matchstr(l:form, '^(\s*\zs[^ \t()";]\+')
  let l:indented = virtcol([l:row, l:column]) - 1 + shiftwidth()
  if l:word =~# '^\u' || index(split(&l:lispwords, ","), l:word) >= 0
    return l:indented
  endif
  " The first form after the word, or else the first part.
  let l:first = match(l:form, '(', 1)
  let l:first = l:first < 0 ? match(l:form, '\S', 1 + len(l:word)) : l:first
  return l:first < 0 ? l:indented : virtcol([l:row, l:column + l:first]) - 1
endfunction
