//! The command line of Ludwright.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
