//! Which copies of an allocation's bytes are current.

use std::sync::Arc;

use super::Ranges;
use crate::device::vulkan::{Buffer, Stream};

/// The copies of an allocation, and which of their bytes are current.
#[derive(Debug)]
pub(super) struct Copies {
    /// What is current on the host.
    host: Ranges,
    /// Bytes whose contents do not matter: every copy of them is current, those of copies
    /// to come included.
    discarded: Ranges,
    devices: Vec<DeviceCopy>,
}

/// The copy on a stream.
#[derive(Debug)]
pub(super) struct DeviceCopy {
    pub(super) stream: Arc<Stream>,
    pub(super) buffer: Arc<Buffer>,
    current: Ranges,
}

impl Copies {
    /// All on the host.
    pub(super) fn on_host(whole: &Ranges) -> Self {
        Self {
            host: whole.clone(),
            discarded: Ranges::default(),
            devices: Vec::new(),
        }
    }

    /// Contents that do not matter.
    pub(super) fn undefined(whole: &Ranges) -> Self {
        Self {
            discarded: whole.clone(),
            ..Self::on_host(whole)
        }
    }

    /// The copies on streams.
    pub(super) fn iter(&self) -> impl Iterator<Item = &DeviceCopy> {
        self.devices.iter()
    }

    fn find(&self, stream: &Arc<Stream>) -> Option<&DeviceCopy> {
        self.iter().find(|copy| Arc::ptr_eq(&copy.stream, stream))
    }

    /// The copy on a stream.
    pub(super) fn on_stream(&self, stream: &Arc<Stream>) -> Option<&Arc<Buffer>> {
        self.find(stream).map(|copy| &copy.buffer)
    }

    /// A new copy, in place of those that are not needed any more.
    pub(super) fn add(&mut self, stream: &Arc<Stream>, buffer: &Arc<Buffer>) {
        self.let_go();
        self.devices.push(DeviceCopy {
            stream: Arc::clone(stream),
            buffer: Arc::clone(buffer),
            current: self.discarded.clone(),
        });
    }

    /// Lets copies go whose views are gone, but for those that alone have something current.
    fn let_go(&mut self) {
        let mut at = 0;
        while at < self.devices.len() {
            match self.devices[at].stream.is_abandoned() && !self.is_needed(at) {
                true => drop(self.devices.remove(at)),
                false => at += 1,
            }
        }
    }

    /// Whether a copy has something current that no other has.
    fn is_needed(&self, at: usize) -> bool {
        let mut alone = self.devices[at].current.difference(&self.host);
        for (other, copy) in self.devices.iter().enumerate() {
            if other != at && !copy.stream.has_ended() {
                alone.remove(&copy.current);
            }
        }
        !alone.is_empty()
    }

    /// Whether the contents of some bytes do not matter.
    pub(super) fn has_discarded(&self) -> bool {
        !self.discarded.is_empty()
    }

    /// Which of these bytes have contents that do not matter.
    pub(super) fn discarded(&self, bytes: &Ranges) -> Ranges {
        self.discarded.intersection(bytes)
    }

    /// What of these bytes is stale on the host.
    pub(super) fn missing_on_host(&self, bytes: &Ranges) -> Ranges {
        match self.host.covers(bytes) {
            true => Ranges::default(),
            false => bytes.difference(&self.host),
        }
    }

    /// What of these bytes is stale on a stream.
    pub(super) fn missing_on_stream(&self, stream: &Arc<Stream>, bytes: &Ranges) -> Ranges {
        match self.find(stream) {
            Some(copy) if copy.current.covers(bytes) => Ranges::default(),
            Some(copy) => bytes.difference(&copy.current),
            None => bytes.clone(),
        }
    }

    /// Which copies on streams have these bytes, each byte named once. Streams that have
    /// ended are asked for what no other has, and will refuse.
    pub(super) fn holders(&self, mut bytes: Ranges) -> Vec<(Arc<Stream>, Arc<Buffer>, Ranges)> {
        let mut holders = Vec::new();
        let mut copies: Vec<_> = self.devices.iter().collect();
        copies.sort_by_key(|copy| copy.stream.has_ended());
        for copy in copies {
            let there = copy.current.intersection(&bytes);
            if !there.is_empty() {
                bytes.remove(&there);
                holders.push((Arc::clone(&copy.stream), Arc::clone(&copy.buffer), there));
            }
        }
        holders
    }

    /// Where these bytes are current, each byte named once: on the host (`None`) or on a
    /// stream, where `rank` is lower first.
    pub(super) fn places(
        &self,
        mut bytes: Ranges,
        rank: impl Fn(Option<&Arc<Stream>>) -> u32,
    ) -> Vec<(Option<&DeviceCopy>, Ranges)> {
        let mut copies: Vec<_> = self.devices.iter().map(Some).collect();
        copies.insert(0, None);
        copies.sort_by_key(|copy| {
            let has_ended = copy.is_some_and(|copy| copy.stream.has_ended());
            (has_ended, rank(copy.map(|copy| &copy.stream)))
        });
        let mut places = Vec::new();
        for copy in copies {
            let current = copy.map_or(&self.host, |copy| &copy.current);
            let there = current.intersection(&bytes);
            if !there.is_empty() {
                bytes.remove(&there);
                places.push((copy, there));
            }
        }
        places
    }

    /// These bytes have become current on the host.
    pub(super) fn add_on_host(&mut self, bytes: &Ranges) {
        self.host.insert(bytes);
    }

    /// These bytes have become current on a stream.
    pub(super) fn add_on_stream(&mut self, stream: &Arc<Stream>, bytes: &Ranges) {
        for copy in &mut self.devices {
            if Arc::ptr_eq(&copy.stream, stream) {
                copy.current.insert(bytes);
            }
        }
    }

    /// These bytes are current on the host alone.
    pub(super) fn write_on_host(&mut self, bytes: &Ranges) {
        for copy in &mut self.devices {
            copy.current.remove(bytes);
        }
        self.discarded.remove(bytes);
        self.host.insert(bytes);
    }

    /// These bytes are current on a stream alone. Returns whether the host had one of them.
    pub(super) fn write_on_stream(&mut self, stream: &Arc<Stream>, bytes: &Ranges) -> bool {
        for copy in &mut self.devices {
            match Arc::ptr_eq(&copy.stream, stream) {
                true => copy.current.insert(bytes),
                false => _ = copy.current.remove(bytes),
            }
        }
        self.discarded.remove(bytes);
        self.host.remove(bytes)
    }

    /// Gives up what only streams that have ended have of these bytes: the host's are
    /// current in their place.
    pub(super) fn forsake(&mut self, bytes: &Ranges) {
        let mut lost = Ranges::default();
        for copy in self
            .devices
            .iter_mut()
            .filter(|copy| copy.stream.has_ended())
        {
            lost.insert(&copy.current.intersection(bytes));
            copy.current.remove(bytes);
        }
        for copy in &self.devices {
            lost.remove(&copy.current);
        }
        self.host.insert(&lost);
    }

    /// The contents of these bytes do not matter.
    pub(super) fn discard(&mut self, bytes: &Ranges) {
        for copy in &mut self.devices {
            copy.current.insert(bytes);
        }
        self.discarded.insert(bytes);
        self.host.insert(bytes);
    }

    /// What of these bytes is current on the host is stale elsewhere.
    pub(super) fn keep_on_host(&mut self, bytes: &Ranges) {
        let kept = self.host.intersection(bytes);
        self.write_on_host(&kept);
    }

    /// What of these bytes is current on a stream is stale elsewhere.
    pub(super) fn keep_on_stream(&mut self, stream: &Arc<Stream>, bytes: &Ranges) {
        if let Some(copy) = self.find(stream) {
            let kept = copy.current.intersection(bytes);
            self.write_on_stream(stream, &kept);
        }
    }
}
