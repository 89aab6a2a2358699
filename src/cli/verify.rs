//! `ludwright verify`: checks a certificate that `ludwright solve` has written.

use crate::program::answers::subject::Subject;
use crate::program::arguments::Verify;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::read_text;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, print};
use ludwright::notation::{Misread, counted, outcome, shown_outcome};
use ludwright::record::Record;
use ludwright::verify::{Certificate, LIMIT, Verified, verify};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// A value that a certificate shows.
#[derive(Serialize, JsonSchema)]
pub struct VerifyAnswer {
    #[serde(flatten)]
    subject: Subject,
    /// Who wins, in words, or `draw`.
    value: String,
    /// The number of positions that were looked at.
    positions: u64,
}

impl Answer for VerifyAnswer {
    const NAME: &'static str = "verify";
}

/// Checks the certificate.
pub fn run(task: &Verify, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let path = &task.certificate;
    let text = read_text(path, LIMIT)?;
    let misread = |misread: Misread| Failure::input(format!("in {}, {misread}", path.display()));
    let plain = Loaded::new(&task.game, None, console)?;
    let certificate = Certificate::parse(&text, plain.game.rules()).map_err(misread)?;
    // The game is loaded with the options of the certificate.
    let options = Record { options: certificate.options.clone(), ..Record::default() };
    let loaded = Loaded::new(&task.game, Some((path, &options)), console)?;
    let rules = loaded.game.rules();
    match verify(&loaded.game, &certificate, &mut |_| true) {
        Ok(Verified { value, positions }) if console.json() => {
            let (subject, value) = (loaded.subject(), outcome(rules, Some(value)));
            print(&VerifyAnswer { subject, value, positions }, out)?;
            Ok(0)
        }
        Ok(Verified { value, positions }) => {
            let looked = counted(positions, "position");
            writeln!(out, "verified: {}; {looked} looked at", shown_outcome(rules, Some(value)))?;
            Ok(0)
        }
        Err(refused) => {
            let at = refused.position.map(|position| format!(":\n\n{position}"));
            let message = format!("{} shows nothing: {}", path.display(), refused.message);
            Err(Failure::input(message + &at.unwrap_or_default()))
        }
    }
}
