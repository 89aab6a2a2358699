//! The language server `ludwright lsp`, asked by a client over pipes.

#![cfg(feature = "lsp")]

mod authors;
mod cases;
mod client;
mod reading;
mod robustness;
