//! The file in which the pipelines of a device outlive the process.
//!
//! There is one for each device and version of its driver, in the platform's cache folder or
//! where `AMP_CACHE_DIR` says. In front of the driver's data stands a header of our own, with
//! a checksum: drivers have crashed on data that was cut short. A file that is not whole, or
//! of another device, is as good as none.
//!
//! A file is replaced as a whole, so processes may read and write it at the same time. What
//! processes leave that end while they write is removed by who writes later.
//! Nothing here makes a launch fail: what goes wrong is logged, and pipelines are made anew.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs, io, process};

use ash::vk;

/// Says in which folder to keep pipelines; with an empty value they are not kept.
const VARIABLE: &str = "AMP_CACHE_DIR";
/// What a file starts with; the number is the version of the format.
const MAGIC: [u8; 16] = *b"amp pipelines 1\n";
/// Magic number, identity, length of the data and its checksum.
const HEADER: usize = MAGIC.len() + IDENTITY + 8 + 8;
const IDENTITY: usize = 3 * 4 + vk::UUID_SIZE;
/// From this age on a new file will not be finished any more.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// More data than this is not kept.
pub(super) const MOST: usize = 64 << 20;

/// Where a device's pipelines are kept.
#[derive(Clone, Debug)]
pub(super) struct PipelineFile {
    path: PathBuf,
    /// Vendor, device, version of the driver, and the UUID of its pipelines.
    identity: [u8; IDENTITY],
}

impl PipelineFile {
    /// The file of a device, or `None` if pipelines are not to be kept or there is no place
    /// for them.
    pub(super) fn of(properties: &vk::PhysicalDeviceProperties) -> Option<Self> {
        let folder = folder(|variable| env::var_os(variable))?;
        Some(Self::within(&folder, properties))
    }

    /// The file of a device in a folder.
    pub(super) fn within(folder: &Path, properties: &vk::PhysicalDeviceProperties) -> Self {
        let numbers = [
            properties.vendor_id,
            properties.device_id,
            properties.driver_version,
        ];
        let mut identity = [0; IDENTITY];
        identity[..12].copy_from_slice(bytemuck::cast_slice(&numbers.map(u32::to_le)));
        identity[12..].copy_from_slice(&properties.pipeline_cache_uuid);
        let [vendor, device, driver] = numbers;
        let uuid = properties.pipeline_cache_uuid;
        let uuid: String = uuid.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{vendor:04x}-{device:04x}-{driver:08x}-{uuid}.pipelines");
        Self {
            path: folder.join(name),
            identity,
        }
    }

    /// The driver's data, if there is a whole file of this device.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        // Asked before it is opened: opening a pipe waits for a process that writes to it.
        if !fs::metadata(&self.path).ok()?.is_file() {
            return None;
        }
        let mut file = Vec::new();
        // Not by its length, which some file systems do not know and other processes change.
        let most = (HEADER + MOST) as u64;
        let opened = fs::File::open(&self.path).ok()?;
        opened.take(most + 1).read_to_end(&mut file).ok()?;
        if file.len() as u64 > most {
            return None;
        }
        let whole = self.header(file.get(HEADER..)?)[..] == file[..HEADER];
        if !whole {
            tracing::info!(path = %self.path.display(), "no pipelines of this device, or damaged");
            return None;
        }
        Some(file.split_off(HEADER))
    }

    /// Replaces the file.
    pub(super) fn write(&self, data: &[u8]) {
        match self.replace(data) {
            Ok(()) => tracing::debug!(path = %self.path.display(), "kept pipelines"),
            Err(error) => {
                tracing::info!(path = %self.path.display(), %error, "could not keep pipelines");
            }
        }
    }

    fn replace(&self, data: &[u8]) -> io::Result<()> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
            sweep(folder);
        }
        // No other thread or process writes a file of that name.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let unique = format!("{}-{number}.new", process::id());
        let new = self.path.with_extension(unique);
        let content = [&self.header(data)[..], data].concat();
        let replaced = fs::write(&new, content).and_then(|()| fs::rename(&new, &self.path));
        if replaced.is_err() {
            // What cannot be removed was not made, or stays.
            let _ = fs::remove_file(&new);
        }
        replaced
    }

    /// Removes the file.
    pub(super) fn remove(&self) {
        // Without the right to, it stays.
        let _ = fs::remove_file(&self.path);
    }

    fn header(&self, data: &[u8]) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        let (magic, rest) = header.split_at_mut(MAGIC.len());
        let (identity, rest) = rest.split_at_mut(IDENTITY);
        let (length, sum) = rest.split_at_mut(8);
        magic.copy_from_slice(&MAGIC);
        identity.copy_from_slice(&self.identity);
        length.copy_from_slice(&(data.len() as u64).to_le_bytes());
        sum.copy_from_slice(&checksum(data).to_le_bytes());
        header
    }
}

/// Removes unfinished files of any device whose writer is gone.
fn sweep(folder: &Path) {
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_abandoned = || {
            let written = file.metadata().and_then(|it| it.modified()).ok()?;
            Some(written.elapsed().ok()? >= ABANDONED)
        };
        if is_new(&file.file_name()) && is_abandoned() == Some(true) {
            // Another process may have removed it meanwhile.
            let _ = fs::remove_file(file.path());
        }
    }
}

/// Whether a name is that of a new file, as [`PipelineFile::replace`] gives them.
fn is_new(name: &OsStr) -> bool {
    let parts = || {
        let name = name.to_str()?.strip_suffix(".new")?;
        let (device, process) = name.split_once('.')?;
        Some((device, process.split_once('-')?))
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    parts().is_some_and(|(device, (process, number))| {
        let identity: Vec<_> = device.split('-').collect();
        let is_hex = |part: &&str| part.bytes().all(|it| it.is_ascii_hexdigit());
        let has_uuid = identity
            .last()
            .is_some_and(|uuid| uuid.len() == 2 * vk::UUID_SIZE);
        identity.len() == 4
            && has_uuid
            && identity.iter().all(is_hex)
            && is_number(process)
            && is_number(number)
    })
}

/// The folder, by the environment.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(own) = variable(VARIABLE) {
        return (!own.is_empty()).then(|| own.into());
    }
    let absolute = |name| {
        let path = PathBuf::from(variable(name)?);
        path.is_absolute().then_some(path)
    };
    let caches = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else if cfg!(target_vendor = "apple") {
        absolute("HOME").map(|home| home.join("Library/Caches"))
    } else {
        let home = || absolute("HOME").map(|home| home.join(".cache"));
        absolute("XDG_CACHE_HOME").or_else(home)
    };
    caches.map(|caches| caches.join("amp"))
}

/// Finds out what was damaged by accident (FNV-1a over words of 64 bits).
fn checksum(data: &[u8]) -> u64 {
    let (words, rest) = data.as_chunks::<8>();
    let words = words.iter().map(|&word| u64::from_le_bytes(word));
    let rest = rest.iter().map(|&byte| u64::from(byte));
    words.chain(rest).fold(0xcbf2_9ce4_8422_2325, |sum, next| {
        // The high bits have to come down, for products only carry up.
        ((sum ^ next).wrapping_mul(0x0000_0100_0000_01b3)).rotate_left(29)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::SystemTime;

    use super::*;

    /// A folder of this process that goes away.
    pub(in super::super) struct Folder(pub(in super::super) PathBuf);

    impl Folder {
        pub(in super::super) fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("amp-{name}-{}", process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        /// Its files.
        pub(in super::super) fn files(&self) -> Vec<PathBuf> {
            let files = fs::read_dir(&self.0).unwrap();
            files.map(|file| file.unwrap().path()).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn device(device_id: u32) -> vk::PhysicalDeviceProperties {
        vk::PhysicalDeviceProperties {
            vendor_id: 0x10de,
            device_id,
            driver_version: 7,
            pipeline_cache_uuid: [0xab; 16],
            ..Default::default()
        }
    }

    #[test]
    fn a_file_gives_back_what_was_written_last() {
        let folder = Folder::new("pipelines");
        let file = PipelineFile::within(&folder.0.join("new/er"), &device(1));
        assert_eq!(file.read(), None);
        for data in [&b"first"[..], &[7; 100_003], b""] {
            file.write(data);
            assert_eq!(file.read().as_deref(), Some(data));
        }
        let files = fs::read_dir(folder.0.join("new/er")).unwrap();
        let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        let name = format!("10de-0001-00000007-{}.pipelines", "ab".repeat(16));
        assert_eq!(names, [OsString::from(name)]);
        file.remove();
        assert_eq!(file.read(), None);
    }

    #[test]
    fn damaged_and_foreign_files_are_ignored() {
        let folder = Folder::new("damaged");
        let file = PipelineFile::within(&folder.0, &device(1));
        let data: Vec<u8> = (0..1000).map(|i| (i % 251) as u8).collect();
        file.write(&data);
        let whole = fs::read(&file.path).unwrap();
        let places = || (0..HEADER).chain((HEADER..whole.len()).step_by(97));
        for position in places() {
            let mut damaged = whole.clone();
            damaged[position] ^= 1 << (position % 8);
            fs::write(&file.path, &damaged).unwrap();
            assert_eq!(file.read(), None, "byte {position}");
        }
        for length in places() {
            fs::write(&file.path, &whole[..length]).unwrap();
            assert_eq!(file.read(), None, "{length} bytes");
        }
        fs::write(&file.path, [&whole[..], b"\n"].concat()).unwrap();
        assert_eq!(file.read(), None, "more than was written");

        let other = PipelineFile::within(&folder.0, &device(2));
        fs::write(&other.path, &whole).unwrap();
        assert_eq!(other.read(), None, "of another device");
        other.write(&data);
        assert_eq!(other.read(), Some(data));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_failure() {
        let folder = Folder::new("closed");
        let blocked = folder.0.join("a file");
        fs::write(&blocked, "in the way").unwrap();
        let file = PipelineFile::within(&blocked, &device(1));
        file.write(b"data");
        assert_eq!(file.read(), None);
        // A folder in the way of the file itself.
        let file = PipelineFile::within(&folder.0, &device(1));
        fs::create_dir_all(file.path.join("more")).unwrap();
        file.write(b"data");
        assert_eq!(file.read(), None);
        assert_eq!(folder.files().len(), 2, "nothing else is left behind");
    }

    /// Opening a pipe waits for a writer, and a device that never ends would fill the memory.
    #[cfg(unix)]
    #[test]
    fn pipes_and_endless_files_are_not_read() {
        let folder = Folder::new("endless");
        let pipe = PipelineFile::within(&folder.0, &device(1));
        let made = process::Command::new("mkfifo").arg(&pipe.path).status();
        assert!(made.unwrap().success());
        let endless = PipelineFile::within(&folder.0, &device(2));
        std::os::unix::fs::symlink("/dev/zero", &endless.path).unwrap();
        for file in [pipe, endless] {
            assert_eq!(file.read(), None);
            file.write(b"data");
            assert_eq!(file.read().as_deref(), Some(&b"data"[..]), "it is replaced");
        }
    }

    #[test]
    fn a_file_that_is_too_long_is_not_read() {
        let folder = Folder::new("long");
        let file = PipelineFile::within(&folder.0, &device(1));
        let long = fs::File::create(&file.path).unwrap();
        long.set_len((HEADER + MOST + 1) as u64).unwrap();
        assert_eq!(file.read(), None);
    }

    /// Of processes that were killed while they wrote; not of those that are writing, nor what
    /// others have put there.
    #[test]
    fn abandoned_files_are_removed() {
        let folder = Folder::new("swept");
        let file = PipelineFile::within(&folder.0, &device(1));
        let other = PipelineFile::within(&folder.0, &device(0x12345));
        let old = SystemTime::now() - 2 * ABANDONED;
        let put = |path: PathBuf, is_old: bool| {
            let file = fs::File::create(&path).unwrap();
            if is_old {
                file.set_modified(old).unwrap();
            }
            path
        };
        let swept = [&file, &other].map(|file| put(file.path.with_extension("77-0.new"), true));
        let kept = [
            put(file.path.with_extension("78-3.new"), false),
            put(folder.0.join("report.77-0.new"), true),
            put(folder.0.join("a-b-c-d.77-0.new"), true),
            put(other.path.clone(), true),
        ];
        file.write(b"data");
        assert!(swept.iter().all(|path| !path.exists()));
        assert!(kept.iter().all(|path| path.exists()));
        assert_eq!(folder.files().len(), kept.len() + 1);
    }

    #[test]
    fn the_environment_says_where() {
        let with = |variables: &[(&str, &str)]| {
            folder(|name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.into())
            })
        };
        assert_eq!(with(&[(VARIABLE, "here")]), Some("here".into()));
        assert_eq!(with(&[(VARIABLE, ""), ("HOME", "/home/u")]), None);
        assert_eq!(with(&[]), None);
        if cfg!(all(unix, not(target_vendor = "apple"))) {
            let home = ("HOME", "/home/u");
            assert_eq!(with(&[home]), Some("/home/u/.cache/amp".into()));
            let caches = ("XDG_CACHE_HOME", "/caches");
            assert_eq!(with(&[home, caches]), Some("/caches/amp".into()));
            // The standard says to ignore paths that are not absolute.
            let relative = ("XDG_CACHE_HOME", "caches");
            assert_eq!(with(&[home, relative]), Some("/home/u/.cache/amp".into()));
        }
    }
}
