//! The module for browsers of pages that play, and of the studio as a page.
#![cfg_attr(target_arch = "wasm32", no_main)]

#[cfg(target_arch = "wasm32")]
mod exports {
    use ludwright::web::{Browser, exports::answer};
    use std::cell::RefCell;

    thread_local! {
        static BROWSER: RefCell<Browser> = RefCell::default();
    }

    /// Answers a request.
    ///
    /// # Safety
    /// As for [`answer`].
    #[unsafe(no_mangle)]
    unsafe extern "C" fn call(pointer: *mut u8, length: usize) -> *mut u8 {
        let call = |request: &[u8]| BROWSER.with_borrow_mut(|browser| browser.call(request));
        // SAFETY: the caller promises the same.
        unsafe { answer(pointer, length, call) }
    }
}

/// On other targets the program does nothing.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
