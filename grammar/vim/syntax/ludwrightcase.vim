" Vim syntax file
" Language: rule cases of Ludwright

if exists("b:current_syntax")
  finish
endif

syntax match ludwrightcaseKey "^\s*[^#:]\+:"
" In the rows of a diagram, `#` is a site.
syntax match ludwrightcaseComment "^\s*#.*$" contains=@Spell
syntax match ludwrightcaseComment "\%(^\s*[^#:]\+:[^#]*\)\@<=#.*$" contains=@Spell

highlight default link ludwrightcaseKey Keyword
highlight default link ludwrightcaseComment Comment

let b:current_syntax = "ludwrightcase"
