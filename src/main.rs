//! The `ludwright` command-line program.

mod cli;
#[cfg(feature = "studio")]
mod studio;

fn main() -> std::process::ExitCode {
    cli::main()
}
