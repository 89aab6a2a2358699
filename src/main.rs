//! The `ludwright` command-line program.

mod cli;
mod program;
#[cfg(feature = "studio")]
mod studio;

fn main() -> std::process::ExitCode {
    cli::main(
        #[cfg(feature = "studio")]
        studio::command::run,
    )
}
