//! What the program has handed over is used no more when all that holds it is dropped.

use std::cell::RefCell;
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use amp::interop::ash::vk;
use amp::prelude::*;
use amp::{CompletionFuture, Error, copy};
use testkit::launch;

use super::machine::{Machine, Plan, assert_silent, machines, turn};

#[amp_kernel]
fn slow(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    let mut sum = 0_u32;
    for i in 0..5000_u32 {
        sum = sum * 31 + i;
    }
    x[idx] += sum;
}

#[amp_kernel]
fn assign(idx: Index<1>, from: &ArrayView<u32, 1>, to: &mut ArrayViewMut<u32, 1>) {
    to[idx] = from[idx];
}

const N: usize = 20_000;

/// A view whose device is let go of when the keeper has no other owner.
fn kept(machine: &Machine, keeper: &Arc<()>) -> AcceleratorView {
    let hand_over = |keeper: &Arc<()>| Some(Arc::clone(keeper) as _);
    let view = machine.try_view(|existing| existing.keeper = hand_over(keeper));
    view.unwrap()
}

/// The marker of a launch that takes a while, after a task has asked for it.
fn polled(view: &AcceleratorView, waker: &Waker) -> (CompletionFuture<'static>, bool) {
    let mut x = Array::<u32, 1>::builder(N).on(view).build().unwrap();
    launch(view, N, slow(&mut x)).unwrap();
    let mut marker = view.create_marker();
    let poll = Pin::new(&mut marker).poll(&mut Context::from_waker(waker));
    (marker, poll == Poll::Pending)
}

/// A thread waits for the batch, to wake the task.
#[test]
fn a_future_that_was_polled_and_dropped_keeps_no_device() {
    let _turn = turn();
    for machine in machines(&Plan::default()) {
        for _ in 0..20 {
            let keeper = Arc::new(());
            let view = kept(&machine, &keeper);
            drop(polled(&view, Waker::noop()));
            drop(view);
            assert_eq!(Arc::strong_count(&keeper), 1);
        }
    }
    assert_silent();
}

/// Who looks at data is told of faults behind it, but does not keep their device.
#[test]
fn what_came_of_data_of_a_device_keeps_no_device() {
    let _turn = turn();
    let cpu = Accelerator::cpu().default_view().unwrap();
    for machine in machines(&Plan::default()) {
        let keeper = Arc::new(());
        let view = kept(&machine, &keeper);
        let mut copied = Array::<u32, 1>::builder(N).on(&cpu).build().unwrap();
        let mut computed = Array::<u32, 1>::builder(N).on(&cpu).build().unwrap();
        let mut data = vec![1; N];
        let mut x = ArrayViewMut::new(N, &mut data).unwrap();
        let array = Array::builder(N).on(&view).data(&[5; N]).build().unwrap();
        launch(&view, N, assign(&array, &mut x)).unwrap();
        launch(&cpu, N, assign(&x, &mut computed)).unwrap();
        launch(&view, N, assign(&array, &mut x)).unwrap();
        copy(&x, &mut copied).unwrap();
        drop((x, array, view));
        assert_eq!(Arc::strong_count(&keeper), 1);
        assert!(copied.to_vec().unwrap() == [5; N] && computed.to_vec().unwrap() == [5; N]);
    }
    assert_silent();
}

/// A task that lets go of the last view.
struct Last {
    view: Mutex<Option<AcceleratorView>>,
    go: Mutex<Receiver<()>>,
    keeper: Arc<()>,
    told: Sender<usize>,
}

impl Wake for Last {
    fn wake(self: Arc<Self>) {
        self.go.lock().unwrap().recv().unwrap();
        drop(self.view.lock().unwrap().take());
        self.told.send(Arc::strong_count(&self.keeper)).unwrap();
    }
}

#[test]
fn a_waker_may_drop_the_last_view() {
    let _turn = turn();
    for machine in machines(&Plan::default()) {
        for _ in 0..5 {
            let (keeper, (go, gone), (told, tells)) =
                (Arc::new(()), mpsc::channel(), mpsc::channel());
            let view = kept(&machine, &keeper);
            let last = Last {
                view: Mutex::new(Some(view.clone())),
                go: Mutex::new(gone),
                keeper: Arc::clone(&keeper),
                told,
            };
            let (marker, waits) = polled(&view, &Arc::new(last).into());
            drop((marker, view));
            // Where the marker was there at once, no waiter is woken.
            if waits {
                go.send(()).unwrap();
                // This one and that of the task.
                assert_eq!(tells.recv().unwrap(), 2);
            }
        }
    }
    assert_silent();
}

/// A buffer of the program, bound to memory that the host sees.
struct Own<'m> {
    machine: &'m Machine,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
}

impl<'m> Own<'m> {
    fn new(machine: &'m Machine, value: u32) -> Self {
        use vk::BufferUsageFlags as Usage;
        let device = &machine.device;
        let info = vk::BufferCreateInfo::default().size(4 * N as u64).usage(
            Usage::STORAGE_BUFFER
                | Usage::TRANSFER_SRC
                | Usage::TRANSFER_DST
                | Usage::SHADER_DEVICE_ADDRESS,
        );
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        // SAFETY: plain calls with live handles; the mapping has the numbers.
        unsafe {
            let buffer = device.create_buffer(&info, None).unwrap();
            let needs = device.get_buffer_memory_requirements(buffer);
            let memory = machine
                .instance
                .get_physical_device_memory_properties(machine.physical_device);
            let is_wanted = |kind: &u32| {
                let flags = memory.memory_types[*kind as usize].property_flags;
                needs.memory_type_bits & (1 << kind) != 0 && flags.contains(wanted)
            };
            let kind = (0..memory.memory_type_count).find(is_wanted).unwrap();
            let mut flags = vk::MemoryAllocateFlagsInfo::default()
                .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(kind)
                .push_next(&mut flags);
            let memory = device.allocate_memory(&info, None).unwrap();
            device.bind_buffer_memory(buffer, memory, 0).unwrap();
            let flags = vk::MemoryMapFlags::empty();
            let mapped = device.map_memory(memory, 0, vk::WHOLE_SIZE, flags).unwrap();
            std::slice::from_raw_parts_mut(mapped.cast::<u32>(), N).fill(value);
            device.unmap_memory(memory);
            Self {
                machine,
                buffer,
                memory,
            }
        }
    }

    fn array(&self, view: &AcceleratorView) -> Array<u32, 1> {
        // SAFETY: it was made as is wanted, and tests drop it after the array, with a wait
        // between.
        unsafe { Array::from_raw_buffer(view, N, self.buffer) }.unwrap()
    }
}

impl Drop for Own<'_> {
    fn drop(&mut self) {
        // SAFETY: nothing uses them, or the validation layer says so.
        unsafe {
            self.machine.device.destroy_buffer(self.buffer, None);
            self.machine.device.free_memory(self.memory, None);
        }
    }
}

/// The buffer of another one may be where that of the first was.
#[test]
fn a_graph_replays_nothing_with_a_buffer_that_is_gone() {
    let _turn = turn();
    for machine in machines(&Plan::default()) {
        let view = machine.view();
        let foreign = RefCell::new(None);
        let out = RefCell::new(Array::<u32, 1>::builder(N).on(&view).build().unwrap());
        let first = Own::new(&machine, 7);
        *foreign.borrow_mut() = Some(first.array(&view));
        let graph = view
            .record(|g| {
                let foreign = foreign.borrow();
                let gone = || Error::InvalidArgument("it is gone".into());
                let foreign = foreign.as_ref().ok_or_else(gone)?;
                g.parallel_for_each(N, assign(foreign, &mut *out.borrow_mut()))
            })
            .unwrap();
        graph.replay().unwrap();
        assert!(out.borrow().to_vec().unwrap() == [7; N]);

        drop(foreign.borrow_mut().take());
        view.wait().unwrap();
        drop(first);
        for _ in 0..2 {
            let error = graph.replay().unwrap_err().to_string();
            assert!(error.contains("it is gone"), "{error}");
        }
        view.wait().unwrap();

        let second = Own::new(&machine, 9);
        *foreign.borrow_mut() = Some(second.array(&view));
        for _ in 0..2 {
            graph.replay().unwrap();
            assert!(out.borrow().to_vec().unwrap() == [9; N]);
        }
        drop(graph);
        drop(foreign.take());
        view.wait().unwrap();
    }
    assert_silent();
}
