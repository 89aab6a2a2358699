//! The two modules for browsers: the module of pages that play, which contain it or lie beside it,
//! and the module that answers the questions of the studio as a page.

use super::failure::Failure;
use ludwright::files::read;
use std::borrow::Cow;
use std::path::Path;

/// The packed module for browsers, if the program was built with it.
#[cfg(feature = "web")]
pub const MODULE: Option<&[u8]> =
    Some(include_bytes!(concat!(env!("OUT_DIR"), "/ludwright.wasm.gz")));
/// The packed module for browsers; this program was built without it.
#[cfg(not(feature = "web"))]
pub const MODULE: Option<&[u8]> = None;

#[cfg(all(feature = "studio", feature = "web"))]
const ASKING: Option<&[u8]> =
    Some(include_bytes!(concat!(env!("OUT_DIR"), "/ludwright-ask.wasm.gz")));
#[cfg(all(feature = "studio", not(feature = "web")))]
const ASKING: Option<&[u8]> = None;

/// Help for a program that was built without the module.
pub const WITHOUT: &str = "this ludwright was built without the module for browsers; `cargo \
    install --path . --features web` builds both";

/// The maximum size of a packed module, in bytes.
const LIMIT: usize = 16 << 20;

/// The script with the module, which all pages share.
pub const SCRIPT: &str = "ludwright.js";

/// The script with the module that answers questions.
#[cfg(feature = "studio")]
pub const ASKING_SCRIPT: &str = "ludwright-ask.js";

/// Returns the module for browsers: from a file, or the one that the program carries.
///
/// # Errors
/// If the file cannot be read or is no packed module, or the program was built without one.
pub fn module(file: Option<&Path>) -> Result<Cow<'static, [u8]>, Failure> {
    read_module(file, MODULE)
}

/// Returns the module that answers questions: the one that the program carries, or the one beside
/// `file`, which `src/web/build.sh` names `NAME-ask.wasm.gz`.
///
/// # Errors
/// As for [`module`].
#[cfg(feature = "studio")]
pub fn asking(file: Option<&Path>) -> Result<Cow<'static, [u8]>, Failure> {
    let beside = file.map(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        file.with_file_name(format!("{stem}-ask{}", &name[stem.len()..]))
    });
    read_module(beside.as_deref(), ASKING)
}

fn read_module(
    file: Option<&Path>,
    own: Option<&'static [u8]>,
) -> Result<Cow<'static, [u8]>, Failure> {
    let Some(path) = file else {
        return own.map(Cow::Borrowed).ok_or_else(|| Failure::usage(WITHOUT));
    };
    let bytes = read(path, LIMIT).map_err(|error| Failure::file("read", path, &error))?;
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => Ok(Cow::Owned(bytes)),
        false => Err(Failure::input(format!("{} is no packed module", path.display()))),
    }
}
