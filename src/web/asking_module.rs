//! The module for browsers that answers the questions of the studio as a page.
#![cfg_attr(target_arch = "wasm32", no_main)]

#[cfg(target_arch = "wasm32")]
mod exports {
    use ludwright::web::asking::Asking;
    use ludwright::web::exports::{answer, tell};

    /// Answers a request.
    ///
    /// # Safety
    /// As for [`answer`].
    #[unsafe(no_mangle)]
    unsafe extern "C" fn call(pointer: *mut u8, length: usize) -> *mut u8 {
        // SAFETY: the caller promises the same.
        unsafe { answer(pointer, length, |request| Asking.call(request, tell)) }
    }
}

/// On other targets the program does nothing.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
