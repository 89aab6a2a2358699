autocmd BufNewFile,BufRead *.game set filetype=ludwright
autocmd BufNewFile,BufRead *.case set filetype=ludwrightcase
