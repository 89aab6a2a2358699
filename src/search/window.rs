//! A window of tasks: published in order by one thread, run by any, and finished in order.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How often an idle thread looks for a task before it sleeps: some ten microseconds.
const LOOKS: u32 = 2_000;

/// The tasks with consecutive numbers that are published and not finished, at most as many as the
/// window has slots. The slots are reused.
pub struct Window<T> {
    slots: Vec<Mutex<T>>,
    /// By slot: the number of tasks up to the last one that has run in it, itself included.
    done: Vec<AtomicU64>,
    /// The number of tasks published so far.
    published: AtomicU64,
    /// The number of tasks that a thread has begun to run.
    claimed: AtomicU64,
    closed: AtomicBool,
    /// The number of workers that sleep, or are about to.
    sleepers: AtomicUsize,
    sleep: Mutex<()>,
    wake: Condvar,
}

impl<T> Window<T> {
    pub fn new(slots: impl Iterator<Item = T>) -> Window<T> {
        let slots: Vec<_> = slots.map(Mutex::new).collect();
        Window {
            done: slots.iter().map(|_| AtomicU64::new(0)).collect(),
            slots,
            published: AtomicU64::new(0),
            claimed: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    fn slot(&self, number: u64) -> MutexGuard<'_, T> {
        let slot = &self.slots[number as usize % self.slots.len()];
        slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function on the task with that number, which is published and not running.
    pub fn with<R>(&self, number: u64, call: impl FnOnce(&mut T) -> R) -> R {
        call(&mut self.slot(number))
    }

    /// Publishes the next task, which `prepare` writes to its slot. Only one thread may publish,
    /// and only as long as the slot is free.
    pub fn publish(&self, prepare: impl FnOnce(&mut T)) {
        let number = self.published.load(Ordering::Relaxed);
        prepare(&mut self.slot(number));
        self.published.store(number + 1, Ordering::SeqCst);
        // Either this sees the worker that is about to sleep, or that one sees the task.
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _awake = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
            self.wake.notify_one();
        }
    }

    /// Runs tasks until the one with that number has run, on this thread or another one.
    pub fn finish(&self, number: u64, mut run: impl FnMut(u64, &mut T)) {
        let done = &self.done[number as usize % self.slots.len()];
        let mut looks = 0;
        while done.load(Ordering::Acquire) <= number {
            if self.run_next(&mut run) {
                looks = 0;
                continue;
            }
            looks += 1;
            if looks < LOOKS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }

    /// Runs tasks until the window is closed.
    pub fn work(&self, mut run: impl FnMut(u64, &mut T)) {
        let mut looks = 0;
        while !self.closed.load(Ordering::SeqCst) {
            if self.run_next(&mut run) {
                looks = 0;
                continue;
            }
            looks += 1;
            if looks < LOOKS {
                std::hint::spin_loop();
                continue;
            }
            let mut asleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
            self.sleepers.fetch_add(1, Ordering::SeqCst);
            while !self.closed.load(Ordering::SeqCst)
                && self.claimed.load(Ordering::SeqCst) >= self.published.load(Ordering::SeqCst)
            {
                asleep = self.wake.wait(asleep).unwrap_or_else(PoisonError::into_inner);
            }
            self.sleepers.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Lets the workers end.
    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        let _awake = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        self.wake.notify_all();
    }

    /// Runs the first task that no thread has begun; returns false if there is none.
    fn run_next(&self, run: &mut impl FnMut(u64, &mut T)) -> bool {
        let mut next = self.claimed.load(Ordering::SeqCst);
        loop {
            if next >= self.published.load(Ordering::SeqCst) {
                return false;
            }
            match self.claimed.compare_exchange(next, next + 1, Ordering::SeqCst, Ordering::SeqCst)
            {
                Ok(_) => break,
                Err(other) => next = other,
            }
        }
        // Also when the task panics, so that no thread waits for it; the panic reaches the thread
        // that has started the workers.
        let _done = Done { done: &self.done[next as usize % self.slots.len()], count: next + 1 };
        run(next, &mut self.slot(next));
        true
    }
}

/// Marks a task as done when it is dropped.
struct Done<'w> {
    done: &'w AtomicU64,
    count: u64,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.done.store(self.count, Ordering::Release);
    }
}
