//! What the driver keeps of pipelines, from one process to the next.
//!
//! The driver's cache starts with what the device's [`PipelineFile`] has, and goes back there
//! soon after pipelines were made: at the next wait, for a process may end without dropping
//! its views, unless that has taken too much time so far; and when the device is closed.
//! Nothing here makes a launch fail, and no thread waits for another that writes the file.
//!
//! What the file looks like is [`pipeline_file`](super::pipeline_file)'s.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, TryLockError};
use std::time::{Duration, Instant};

use ash::vk;

use super::gate::{self, Within};
use super::pipeline_file::{MOST, PipelineFile};

/// What waits may spend on the file in any case, so that a short program keeps all its
/// pipelines, however soon it makes one after the other.
const ALLOWANCE: Duration = Duration::from_millis(100);
/// The part of the time since the device was opened that they may spend beside.
const PART: u32 = 20;

/// The driver's cache of a device's pipelines.
pub(super) struct PipelineCache {
    device: ash::Device,
    pub(super) raw: vk::PipelineCache,
    /// Where it is kept, if it is.
    file: Option<PipelineFile>,
    /// Whether pipelines were made that the file may not have.
    unkept: AtomicBool,
    opened: Instant,
    /// What has been spent on the file, for who may write it.
    spent: Mutex<Duration>,
}

impl PipelineCache {
    /// A cache with what a file has.
    pub(super) fn new(
        device: &ash::Device,
        file: Option<PipelineFile>,
    ) -> Result<Self, vk::Result> {
        let data = file.as_ref().and_then(PipelineFile::read);
        Ok(Self {
            device: device.clone(),
            raw: filled(device, &data.unwrap_or_default())?,
            file,
            unkept: AtomicBool::new(false),
            opened: Instant::now(),
            spent: Mutex::default(),
        })
    }

    /// Notes that a pipeline was made with it, which the file may not have.
    pub(super) fn note_pipeline(&self) {
        self.unkept.store(true, Ordering::Relaxed);
    }

    /// Destroys it.
    ///
    /// # Safety
    ///
    /// No thread may be making a pipeline.
    pub(super) unsafe fn destroy(&self) {
        // SAFETY: not used (contract).
        unsafe { self.device.destroy_pipeline_cache(self.raw, None) };
    }

    /// The functions of its device.
    fn device(&self) -> Within<&ash::Device> {
        gate::within(|| &self.device)
    }

    /// Writes the file if pipelines were made since it was last written, unless that has been
    /// done too often of late, or another thread is writing it.
    pub(super) fn keep_by_and_by(&self) {
        let allowed = || ALLOWANCE + self.opened.elapsed() / PART;
        self.keep_if(|spent| spent <= allowed());
    }

    /// Writes the file if pipelines were made since it was last written, unless another thread
    /// is writing it: then they are kept the next time.
    pub(super) fn keep(&self) {
        self.keep_if(|_| true);
    }

    /// Writes the file if that is due, by what has been spent on it.
    fn keep_if(&self, is_due: impl FnOnce(Duration) -> bool) {
        let Some(file) = &self.file else { return };
        if !self.unkept.load(Ordering::Relaxed) {
            return;
        }
        // One thread writes, others need not wait for it.
        let mut spent = match self.spent.try_lock() {
            Ok(spent) => spent,
            Err(TryLockError::Poisoned(spent)) => spent.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        if !is_due(*spent) || !self.unkept.swap(false, Ordering::Relaxed) {
            return;
        }
        let start = Instant::now();
        // Another process may have written the file meanwhile: keep what it made too.
        let there = file.read();
        match self.merged(there.as_deref().unwrap_or_default()) {
            Ok(data) if there.as_ref() == Some(&data) => {}
            Ok(data) if data.len() <= MOST => file.write(&data),
            // What is needed comes back by and by, and what is not does not.
            Ok(_) => file.remove(),
            Err(error) => {
                self.unkept.store(true, Ordering::Relaxed);
                tracing::info!(?error, "could not keep pipelines");
            }
        }
        *spent += start.elapsed();
    }

    /// The data of our cache together with other data.
    fn merged(&self, other: &[u8]) -> Result<Vec<u8>, vk::Result> {
        let both = filled(&self.device(), other)?;
        // SAFETY: both caches are of this device, and the target is used here alone.
        let data = unsafe {
            let ours = [self.raw];
            let merged = self.device().merge_pipeline_caches(both, &ours);
            merged.and_then(|()| self.device().get_pipeline_cache_data(both))
        };
        // SAFETY: made above, and not used any more.
        unsafe { self.device().destroy_pipeline_cache(both, None) };
        data
    }
}

/// A cache with data of the driver, or an empty one if the driver does not take them.
fn filled(device: &ash::Device, data: &[u8]) -> Result<vk::PipelineCache, vk::Result> {
    let info = vk::PipelineCacheCreateInfo::default().initial_data(data);
    // SAFETY: the data is what this driver gave for this device, whole (`PipelineFile`).
    match unsafe { device.create_pipeline_cache(&info, None) } {
        Err(_) if !data.is_empty() => filled(device, &[]),
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use amp_spirv::artifact::FloatFaults;

    use super::super::device::Device;
    use super::super::pipeline::Key;
    use super::super::search::adapters_that_keep_pipelines;
    use super::*;
    use crate::device::code::Switches;
    use crate::device::profiler::Profiler;
    use crate::device::shape::Shape;

    /// A thread that waits for the device does not wait for one that writes the file.
    #[test]
    fn a_wait_does_not_wait_for_the_file() {
        for (adapter, folder) in adapters_that_keep_pipelines("writing") {
            let device = adapter.open().unwrap();
            let stream = device.stream(false).unwrap();
            device.float_faults(FloatFaults::ARITHMETIC).unwrap();
            device.pipelines.cache.unkept.store(true, Ordering::Relaxed);
            for file in folder.files() {
                std::fs::remove_file(file).unwrap();
            }
            let writing = device.pipelines.cache.spent.lock().unwrap();
            let (sender, receiver) = std::sync::mpsc::channel();
            let waiting = std::thread::spawn(move || {
                stream.wait().unwrap();
                stream.keep_pipelines();
                sender.send(()).unwrap();
            });
            let waited = receiver.recv_timeout(std::time::Duration::from_secs(60));
            drop(writing);
            waiting.join().unwrap();
            waited.expect("it waited for who writes");
            assert!(folder.files().is_empty());
            drop(device);
            assert_eq!(
                folder.files().len(),
                1,
                "what was not kept then is at the end"
            );
        }
    }

    #[test]
    fn pipelines_outlive_the_device() {
        for (adapter, folder) in adapters_that_keep_pipelines("kept") {
            let shape = Shape::new(&[1 << 20], None, &[], &adapter.limits()).unwrap();
            let artifact = super::super::float_probe::probe();
            let make = |device: &Device| {
                let plain = FloatFaults::default();
                let key = Key::new(artifact, &[], &shape, Switches::OFF, plain);
                device.pipeline(artifact, key, &Profiler::new()).unwrap();
                assert_eq!(device.pipelines_of(artifact), 1);
            };
            let device = adapter.open().unwrap();
            device.keep_pipelines();
            assert!(folder.files().is_empty(), "there is nothing to keep");
            make(&device);
            device.keep_pipelines_by_and_by();
            let [file] = &folder.files()[..] else {
                panic!("one file")
            };
            let first = std::fs::read(file).unwrap();
            // At once again, but not for ever.
            for (more, files) in [(0, 1), (3600, 0)] {
                std::fs::remove_file(file).unwrap_or_default();
                device.pipelines.cache.note_pipeline();
                *device.pipelines.cache.spent.lock().unwrap() = Duration::from_secs(more);
                device.keep_pipelines_by_and_by();
                assert_eq!(folder.files().len(), files);
            }
            drop(device);
            assert!(std::fs::read(file).unwrap() == first, "closing keeps them");

            // The next device finds it, and one that finds it damaged makes it anew.
            for content in [first.clone(), first[..first.len() - 1].to_vec(), Vec::new()] {
                std::fs::write(file, content).unwrap();
                let device = adapter.open().unwrap();
                make(&device);
                drop(device);
                let file = adapter.pipeline_file().and_then(PipelineFile::read);
                assert!(file.is_some());
            }
        }
        assert_eq!(super::super::validation_messages(), 0);
    }
}
