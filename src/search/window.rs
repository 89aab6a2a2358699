//! A window of tasks: published in order by one thread, run by any, and finished in order.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How often an idle thread looks for a task without giving way to other threads: some
/// microseconds.
const EAGER_LOOKS: u32 = 50;
/// How often it looks before it sleeps.
const LOOKS: u32 = 200;

/// The tasks with consecutive numbers that are published and not finished, at most as many as the
/// window has slots. The slot that was freed last, which is still in the cache, is used again
/// first.
pub struct Window<T> {
    slots: Vec<Mutex<T>>,
    /// The slots without a task, the one to use next last.
    free: Mutex<Vec<usize>>,
    /// By task, in turn.
    places: Vec<Place>,
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

/// The state of a task.
#[derive(Default)]
struct Place {
    slot: AtomicUsize,
    /// The number of tasks up to the last one that has run here, including it.
    done: AtomicU64,
}

impl<T> Window<T> {
    pub fn new(slots: impl Iterator<Item = T>) -> Window<T> {
        let slots: Vec<_> = slots.map(Mutex::new).collect();
        Window {
            free: Mutex::new((0..slots.len()).rev().collect()),
            places: slots.iter().map(|_| Place::default()).collect(),
            slots,
            published: AtomicU64::new(0),
            claimed: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    fn place(&self, number: u64) -> &Place {
        &self.places[number as usize % self.places.len()]
    }

    fn slot(&self, number: u64) -> MutexGuard<'_, T> {
        lock(&self.slots[self.place(number).slot.load(Ordering::Relaxed)])
    }

    /// Ends the task with that number, which has run: calls a function on it and frees its slot,
    /// whose allocations remain for another task.
    pub fn end<R>(&self, number: u64, call: impl FnOnce(&mut T) -> R) -> R {
        let result = call(&mut self.slot(number));
        lock(&self.free).push(self.place(number).slot.load(Ordering::Relaxed));
        result
    }

    /// Publishes the next task, which `prepare` writes to its slot.
    ///
    /// Only one thread may publish and end tasks.
    ///
    /// # Panics
    /// If no slot is free.
    pub fn publish(&self, prepare: impl FnOnce(&mut T)) {
        let number = self.published.load(Ordering::Relaxed);
        let slot = lock(&self.free).pop().expect("a free slot");
        self.place(number).slot.store(slot, Ordering::Relaxed);
        prepare(&mut lock(&self.slots[slot]));
        self.published.store(number + 1, Ordering::SeqCst);
        // Either this thread sees the worker that is about to sleep, or the worker sees the task.
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _awake = lock(&self.sleep);
            self.wake.notify_one();
        }
    }

    /// Runs tasks until the one with that number has run, on this thread or another one.
    pub fn finish(&self, number: u64, mut run: impl FnMut(&mut T)) {
        let done = &self.place(number).done;
        let mut looks = 0;
        while done.load(Ordering::Acquire) <= number {
            if self.run_next(&mut run) {
                looks = 0;
                continue;
            }
            looks += 1;
            wait(looks);
        }
    }

    /// Runs tasks until the window is closed.
    pub fn work(&self, mut run: impl FnMut(&mut T)) {
        let mut looks = 0;
        while !self.closed.load(Ordering::SeqCst) {
            if self.run_next(&mut run) {
                looks = 0;
                continue;
            }
            looks += 1;
            if looks < LOOKS {
                wait(looks);
                continue;
            }
            let mut asleep = lock(&self.sleep);
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
        let _awake = lock(&self.sleep);
        self.wake.notify_all();
    }

    /// Runs the first task that no thread has begun; returns false if there is none.
    fn run_next(&self, run: &mut impl FnMut(&mut T)) -> bool {
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
        let _done = Done { done: &self.place(next).done, count: next + 1 };
        run(&mut self.slot(next));
        true
    }
}

/// Waits for a moment. If there are more threads than processors, the awaited thread may need this
/// processor.
fn wait(looks: u32) {
    if looks < EAGER_LOOKS { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Prefetches a list that another thread has written, by reading a part of each cache line: a
/// processor waits for many lines at once as long as for one. Two threads make 1.6 % more
/// iterations.
#[inline]
pub fn fetch<T, P>(list: &[T], part: impl Fn(&T) -> P) {
    const LINE: usize = 64;
    for item in list.iter().step_by((LINE / size_of::<T>()).max(1)) {
        std::hint::black_box(part(item));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
