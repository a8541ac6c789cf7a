//! Sentries: threads begin the end of the process before all handlers of `exit`.
//!
//! Handlers run in the reverse order of their registration, and LLVM and the validation layer
//! register some while they work: those would come before ours, and destroy what other threads
//! use. But before all of them `exit` destroys the locals of the thread that has called it. So
//! each thread that is counted at the [`gate`](super::gate), and the main thread, which may have
//! left everything to others, has a local that begins the end of the process ([`begin_with`]) if
//! `exit` destroys it.
//!
//! Left out are systems other than GNU's, and other threads, which have only the handler.

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn post() {}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn begin_with(_: extern "C" fn()) {}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) use gnu::{begin_with, post};

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod gnu {
    use std::ffi::{c_int, c_void};
    use std::sync::OnceLock;

    /// The end of the process.
    static END: OnceLock<extern "C" fn()> = OnceLock::new();

    struct Sentry;

    thread_local! {
        static SENTRY: Sentry = const { Sentry };
    }

    /// From now on sentries begin the end of the process, with a function.
    pub(in crate::device::vulkan) fn begin_with(end: extern "C" fn()) {
        END.get_or_init(|| end);
    }

    /// From now on this thread has a sentry.
    pub(in crate::device::vulkan) fn post() {
        // A thread that has lost it is at its end.
        let _ = SENTRY.try_with(|_| ());
    }

    impl Drop for Sentry {
        fn drop(&mut self) {
            if let Some(end) = END.get()
                && is_exiting()
            {
                end();
            }
        }
    }

    extern "C" fn post_at_start() {
        post();
    }

    /// Before `main`, on its thread.
    // SAFETY: the section has pointers to functions, which the loader calls with arguments that
    // they may ignore.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static AT_START: extern "C" fn() = post_at_start;

    /// What the unwinder shows a frame of the stack by.
    type Frame = *mut c_void;
    /// What a visitor of frames returns.
    const GO_ON: c_int = 0;
    const STOP: c_int = 5;

    // Of the unwinder that std uses, by the C++ ABI.
    unsafe extern "C" {
        fn _Unwind_Backtrace(
            visit: extern "C" fn(Frame, *mut c_void) -> c_int,
            data: *mut c_void,
        ) -> c_int;
        fn _Unwind_GetIP(frame: Frame) -> usize;
        fn _Unwind_FindEnclosingFunction(address: *mut c_void) -> *mut c_void;
        #[link_name = "exit"]
        fn libc_exit(status: c_int) -> !;
    }

    /// Whether this thread has called `exit`, rather than come to its own end.
    fn is_exiting() -> bool {
        extern "C" fn visit(frame: Frame, found: *mut c_void) -> c_int {
            // SAFETY: the frame is the unwinder's, and any address may be asked for.
            let function =
                unsafe { _Unwind_FindEnclosingFunction(_Unwind_GetIP(frame) as *mut c_void) };
            if function.addr() != (libc_exit as *const ()).addr() {
                return GO_ON;
            }
            // SAFETY: it points to `found` below.
            unsafe { *found.cast::<bool>() = true };
            STOP
        }
        let mut found = false;
        // SAFETY: `visit` unwinds nothing, and `found` is there until the call is over.
        unsafe { _Unwind_Backtrace(visit, (&raw mut found).cast()) };
        found
    }
}
