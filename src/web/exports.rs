//! The functions that JavaScript calls, and the functions that it provides. `call` is defined by
//! each module: `src/web/module.rs` or `src/web/asking_module.rs`.

use std::sync::Once;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Takes the message of a panic.
    fn panicked(pointer: *const u8, length: usize);

    /// Takes a text for the page before the answer.
    fn told(pointer: *const u8, length: usize);
}

/// Reserves bytes; the caller fills and passes them to `call`, or frees them.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Frees bytes.
///
/// # Safety
/// The bytes must come from [`alloc`] or `call`, with this length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(pointer: *mut u8, length: usize) {
    // SAFETY: the caller promises that a boxed slice of this length was made of it.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, length)) });
}

/// Sends a text to the page before the answer.
pub fn tell(text: &str) {
    // SAFETY: the text lives until the call returns.
    unsafe { told(text.as_ptr(), text.len()) };
}

/// Answers a request, and frees it. Returns the length of the answer in four bytes, the least
/// significant first, and then the answer; the caller frees both together.
///
/// # Safety
/// The request must come from [`alloc`], with this length.
pub unsafe fn answer(
    pointer: *mut u8,
    length: usize,
    answer: impl FnOnce(&[u8]) -> String,
) -> *mut u8 {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string();
            // SAFETY: the text lives until the call returns.
            unsafe { panicked(text.as_ptr(), text.len()) };
        }));
    });
    // SAFETY: the caller promises that a boxed slice of this length was made of it.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, length)) };
    let answer = answer(&request);
    let mut bytes = (answer.len() as u32).to_le_bytes().to_vec();
    bytes.extend(answer.as_bytes());
    Box::into_raw(bytes.into_boxed_slice()).cast()
}
