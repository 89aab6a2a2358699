//! Files to give to others, and viewing the pages among them.

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
    let kind = arguments.text("kind")?;
    let shared = subject.share(kind, &mut cases, module)?;
    let view = shared.is_shown.then(|| format!("{kind}-{}", cell.id));
    Ok(json!({ "name": shared.name, "content": shared.content, "view": view }))
}

/// Writes the page for this name: `name` is a kind and a desk, and the page shows the desk as it is
/// now, always at the same address.
pub fn view(studio: &Studio, name: &str) -> Option<Vec<u8>> {
    let (kind, desk) = name.split_once('-')?;
    let cell = super::desk(studio, desk)?;
    let arguments = Arguments::new([("kind".to_owned(), json!(kind))].into_iter().collect());
    let shared = share(studio, &cell, &arguments).ok()?;
    shared["view"].as_str()?;
    Some(shared["content"].as_str()?.as_bytes().to_vec())
}
