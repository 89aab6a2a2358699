//! Files to give to others, and the pages among them to look at.

use super::{Arguments, Refused};
use crate::program::case_files::cases_of;
use crate::program::module::{MODULE, WITHOUT};
use crate::studio::folder::read_case;
use crate::studio::{DeskCell, Studio, lock};
use ludwright::desk::ModulePlace;
use ludwright::desk::requests::share::Subject;
use serde_json::{Value, json};

/// The largest rule case that a sheet takes examples from, in bytes.
const MAX_CASE: usize = 1 << 18;

/// Makes a file to give away.
pub fn share(studio: &Studio, cell: &DeskCell, arguments: &Arguments) -> Result<Value, Refused> {
    let (subject, file) = {
        let mut desk = lock(&cell.desk);
        let subject = Subject::of(&mut desk)?;
        (subject, desk.draft.origin.file().map(|path| studio.root().join(path)))
    };
    let cases = file.iter().flat_map(|file| cases_of(file));
    let mut cases = cases.filter_map(|case| read_case(&case, MAX_CASE));
    let module = MODULE.map(ModulePlace::Inside).ok_or_else(|| Refused::from(WITHOUT));
    let shared = subject.share(arguments.text("kind")?, &mut cases, module)?;
    let view = shared.is_shown.then(|| studio.add_view(shared.content.clone())).flatten();
    Ok(json!({ "name": shared.name, "content": shared.content, "view": view }))
}
