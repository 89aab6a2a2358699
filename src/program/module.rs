//! The module for browsers, which pages that play contain or lie beside.

use super::failure::Failure;
use ludwright::files::read;
use std::borrow::Cow;
use std::path::Path;

/// The module for browsers, packed, which the program carries if it was built with it.
#[cfg(feature = "web")]
pub const MODULE: Option<&[u8]> =
    Some(include_bytes!(concat!(env!("OUT_DIR"), "/ludwright.wasm.gz")));
/// The module for browsers, which this program was built without.
#[cfg(not(feature = "web"))]
pub const MODULE: Option<&[u8]> = None;

/// What to do without a module.
pub const WITHOUT: &str = "this ludwright was built without the module for browsers; `cargo \
    install --path . --features web` builds both";

/// The largest packed module that is read, in bytes.
const LIMIT: usize = 16 << 20;

/// The script with the module, which all pages share.
pub const SCRIPT: &str = "ludwright.js";

/// Returns the module for browsers: that of a file, or the one that the program carries.
///
/// # Errors
/// If the file cannot be read or is no packed module, or the program was built without one.
pub fn module(file: Option<&Path>) -> Result<Cow<'static, [u8]>, Failure> {
    let Some(path) = file else {
        return MODULE.map(Cow::Borrowed).ok_or_else(|| Failure::usage(WITHOUT));
    };
    let bytes = read(path, LIMIT).map_err(|error| Failure::file("read", path, &error))?;
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => Ok(Cow::Owned(bytes)),
        false => Err(Failure::input(format!("{} is no packed module", path.display()))),
    }
}
