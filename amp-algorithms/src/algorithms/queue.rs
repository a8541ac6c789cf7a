//! Where the kernels of an algorithm run, and the memory that they need besides their arguments.

use std::fmt;
use std::marker::PhantomData;

use super::launcher::Launcher;
use super::launcher::sealed::Sealed;
use super::source::Source;
use crate::{
    Accelerator, AcceleratorKind, AcceleratorView, ArrayViewMut, Domain, Element, Extent, Kernel,
    Recording, Result, TiledExtent,
};

/// The temporary memory of algorithms, which is kept for the next ones.
///
/// Algorithms whose names end in `_on` or `_into` leave their results on the accelerator and return as
/// soon as their kernels are queued. Where they run is a [`Queue`] that a workspace makes:
/// [`on`](Workspace::on) an accelerator view, or [`within`](Workspace::within) a graph. A replay of
/// a graph allocates nothing.
///
/// ```
/// use amp::algorithms::{Add, Workspace, reduce_into, reverse_on};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let numbers = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
/// let sum = Array::builder(1).on(&view).build()?;
/// let captures = (numbers, sum, Workspace::default());
/// let mut graph = view.record_with(captures, |recording, (numbers, sum, workspace)| {
///     let queue = &mut workspace.within(recording);
///     reverse_on(queue, numbers)?;
///     reduce_into(queue, numbers, sum, Add)
/// })?;
/// graph.replay()?;
/// assert_eq!(graph.captures().0.to_vec()?, [3, 2, 1]);
/// assert_eq!(graph.captures().1.to_vec()?, [6]);
/// graph.captures_mut().0[1] = 20;
/// graph.replay()?;
/// assert_eq!(graph.captures().1.to_vec()?, [24]);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Workspace {
    /// By the place in the order in which an algorithm takes them, and then by length. The shortest that suffices
    /// is taken, and none is given up, so that each call of a graph's closure takes what the first one did.
    kept: Vec<Vec<Bytes>>,
}

/// Memory for elements of any type.
type Bytes = ArrayViewMut<'static, u8, 1>;

/// Where the kernels of algorithms run: see [`Workspace`].
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// fn sum_of_squares(queue: &mut Queue<'_>, x: &mut Array<f32, 1>) -> amp::Result<f32> {
///     let mut sum = Array::zeroed(1)?;
///     let squares = reduction!(|x: f32| -> f32 { x * x }, |a, b| a + b);
///     transform_reduce_into(queue, x, &mut sum, squares)?;
///     Ok(sum[0])
/// }
///
/// let mut x = Array::new(2, &[3.0, 4.0])?;
/// let mut workspace = Workspace::default();
/// let mut queue = workspace.on(&x.accelerator_view());
/// assert_eq!(sum_of_squares(&mut queue, &mut x)?, 25.0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Queue<'q> {
    place: Place<'q>,
    workspace: &'q mut Workspace,
    /// How many temporaries are in use.
    taken: usize,
}

enum Place<'q> {
    View(AcceleratorView),
    Recording(&'q mut dyn Recorder),
}

/// So many tiles of 256 threads.
pub(super) fn tiles(count: usize) -> TiledExtent<1, 256> {
    Extent::new([count * 256]).tile::<256>()
}

/// A [`Recording`], whose own lifetime no queue needs to know.
trait Recorder {
    fn with(&mut self, launch: &mut dyn FnMut(&mut Recording<'_>) -> Result<()>) -> Result<()>;

    fn accelerator_view(&self) -> AcceleratorView;
}

impl Recorder for Recording<'_> {
    fn with(&mut self, launch: &mut dyn FnMut(&mut Recording<'_>) -> Result<()>) -> Result<()> {
        launch(self)
    }

    fn accelerator_view(&self) -> AcceleratorView {
        Recording::accelerator_view(self)
    }
}

/// Memory for elements that an algorithm hands from one kernel to the next.
pub(super) struct Temporary<T: Element> {
    bytes: Bytes,
    length: usize,
    place: usize,
    elements: PhantomData<T>,
}

impl<T: Element> Temporary<T> {
    pub(super) fn elements(&mut self) -> Result<ArrayViewMut<'_, T, 1>> {
        match self.length {
            // A section is never empty.
            0 => Ok((&mut []).into()),
            length => {
                let bytes = self.bytes.section(0, length * size_of::<T>())?;
                bytes.into_reinterpret()
            }
        }
    }
}

impl Workspace {
    /// A queue of an accelerator view.
    ///
    /// ```
    /// use amp::algorithms::{Min, Workspace, reduce_into};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// let view = Accelerator::default()?.default_view()?;
    /// let mut smallest = ArrayViewMut::uninit(1)?;
    /// let mut workspace = Workspace::default();
    /// let mut queue = workspace.on(&view);
    /// reduce_into(&mut queue, &ArrayView::new(3, &[5, 2, 4])?, &mut smallest, Min)?;
    /// assert_eq!(smallest.to_vec()?, [2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on(&mut self, view: &AcceleratorView) -> Queue<'_> {
        self.queue(Place::View(view.clone()))
    }

    /// A queue of a graph's closure, whose launches become part of the graph.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let view = Accelerator::default()?.default_view()?;
    /// let captures = (Array::new(2, &[2, 1])?, Workspace::default());
    /// let mut graph = view.record_with(captures, |recording, (x, workspace)| {
    ///     sort_on(&mut workspace.within(recording), x)
    /// })?;
    /// graph.replay()?;
    /// assert_eq!(graph.captures().0.to_vec()?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn within<'q>(&'q mut self, recording: &'q mut Recording<'_>) -> Queue<'q> {
        self.queue(Place::Recording(recording))
    }

    /// A queue where data lives, else of the default accelerator.
    pub(super) fn at<T: Element, const N: usize>(
        &mut self,
        source: &impl Source<T, N>,
    ) -> Result<Queue<'_>> {
        let view = match source.home() {
            Some(view) => view,
            None => Accelerator::default()?.default_view()?,
        };
        Ok(self.on(&view))
    }

    fn queue<'q>(&'q mut self, place: Place<'q>) -> Queue<'q> {
        Queue {
            place,
            workspace: self,
            taken: 0,
        }
    }
}

impl Queue<'_> {
    /// The accelerator view that it runs kernels on.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let view = Accelerator::cpu().default_view()?;
    /// assert_eq!(Workspace::default().on(&view).accelerator_view(), view);
    /// # Ok(())
    /// # }
    /// ```
    pub fn accelerator_view(&self) -> AcceleratorView {
        match &self.place {
            Place::View(view) => view.clone(),
            Place::Recording(recording) => recording.accelerator_view(),
        }
    }

    /// Whether its kernels run on the CPU accelerator.
    pub(super) fn is_on_cpu(&self) -> bool {
        self.accelerator_view().accelerator().properties().kind == AcceleratorKind::Cpu
    }

    /// Whether what it is asked for may be done at once, by the host.
    pub(super) fn is_on_host(&self) -> bool {
        matches!(self.place, Place::View(_)) && self.is_on_cpu()
    }

    /// Whether its kernels run on a Vulkan device in software.
    pub(super) fn is_on_software(&self) -> bool {
        self.accelerator_view().accelerator().properties().kind == AcceleratorKind::Software
    }

    /// Whether the device has subgroups of 32 threads that can vote, and so many bytes of tile memory.
    pub(super) fn votes_by_32(&self, tile_memory: usize) -> bool {
        let device = self.accelerator_view().accelerator().properties();
        let is_program = matches!(
            device.kind,
            AcceleratorKind::Software | AcceleratorKind::Cpu
        );
        !is_program
            && device.subgroup_size == 32
            && device
                .tile_static_bytes
                .is_none_or(|bytes| bytes as usize >= tile_memory)
            && ["arithmetic", "ballot", "shuffle"]
                .iter()
                .all(|needed| device.subgroup_operations.contains(needed))
    }

    /// Memory for so many elements. [`keep`](Self::keep) takes it back.
    pub(super) fn temporary<T: Element>(&mut self, length: usize) -> Result<Temporary<T>> {
        let place = self.taken;
        self.taken += 1;
        if self.workspace.kept.len() < self.taken {
            self.workspace.kept.push(Vec::new());
        }
        let needed = length * size_of::<T>();
        let kept = &mut self.workspace.kept[place];
        let bytes = match kept.iter().position(|bytes| bytes.extent()[0] >= needed) {
            Some(shortest) => kept.remove(shortest),
            None => ArrayViewMut::uninit(needed.next_power_of_two())?,
        };
        Ok(Temporary {
            bytes,
            length,
            place,
            elements: PhantomData,
        })
    }

    /// Takes memory back, in the reverse of the order in which it was given.
    pub(super) fn keep<T: Element>(&mut self, temporary: Temporary<T>) {
        self.taken = temporary.place;
        let kept = &mut self.workspace.kept[temporary.place];
        let length = temporary.bytes.extent()[0];
        let shorter = kept.partition_point(|bytes| bytes.extent()[0] < length);
        kept.insert(shorter, temporary.bytes);
    }
}

impl Launcher for Queue<'_> {}

impl Sealed for Queue<'_> {
    fn send<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
        match &mut self.place {
            Place::View(view) => view.send(domain, kernel),
            Place::Recording(recorder) => {
                let mut launch = Some((domain, kernel));
                recorder.with(&mut |recording| match launch.take() {
                    Some((domain, kernel)) => recording.send(domain, kernel),
                    None => Ok(()),
                })
            }
        }
    }

    fn place(&self) -> Option<AcceleratorView> {
        Some(self.accelerator_view())
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace")
            .field(
                "temporaries",
                &self.kept.iter().map(Vec::len).sum::<usize>(),
            )
            .finish()
    }
}

impl fmt::Debug for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::View(view) => write!(f, "{view}"),
            Self::Recording(recording) => write!(f, "{}, recorded", recording.accelerator_view()),
        }
    }
}
