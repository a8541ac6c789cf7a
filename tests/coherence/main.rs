//! Random sequences of what can be done with one body of data, on several accelerators and
//! on two views of one, against a plain model of memory.
//!
//! | variable | |
//! |---|---|
//! | `AMP_COHERENCE_SEQUENCES` | how many sequences, 300 without it, 100 of threads |
//! | `AMP_COHERENCE_SEED` | the first seed, 0 without it; the others follow |
//!
//! `AMP_COHERENCE_SEQUENCES=100000 cargo test --release -p amp-tests --test coherence` by
//! hand. A sequence that goes wrong is printed with its seed, which is all that is needed
//! to see it again.

mod beside;
mod copies;
mod model;
mod part;
mod step;
mod together;

use amp::prelude::*;
use amp::{AcceleratorView, AccessType, QueuingMode};
use fastrand::Rng;

use model::{Model, Place};
use part::Part;
use step::Steps;

/// Where a sequence's data belongs.
enum Body<'a> {
    /// To a slice, or nowhere.
    View(ArrayViewMut<'a, u32, 1>),
    Array(Array<u32, 1>),
}

/// What a sequence's data is made of.
struct Start {
    words: usize,
    /// Longs, so that words can be reinterpreted as such.
    storage: Vec<u64>,
    /// Which kind of body.
    kind: u8,
    /// The array whose buffer another one is over.
    owner: Option<Array<u32, 1>>,
}

fn number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    let parsed = value.parse();
    Some(parsed.unwrap_or_else(|_| panic!("{variable}={value} is no number")))
}

/// Two views of each device, and one of the CPU accelerator; and one of each that sends every
/// launch out at once.
fn views() -> Vec<AcceleratorView> {
    use QueuingMode::{Automatic, Immediate};
    let mut views = Vec::new();
    for accelerator in testkit::accelerators() {
        let modes = match accelerator == Accelerator::cpu() {
            true => &[Automatic, Immediate][..],
            false => &[Automatic, Automatic, Immediate],
        };
        for &mode in modes {
            let view = accelerator.create_view(mode);
            views.push(view.expect("a listed accelerator can be used"));
        }
    }
    views
}

/// An array over the buffer of another, or one like that where it has none.
fn over(owner: &Array<u32, 1>) -> amp::Result<Array<u32, 1>> {
    let (view, words) = (owner.accelerator_view(), owner.extent());
    match owner.raw_buffer() {
        // SAFETY: buffers of arrays have what it takes, and this one is not used otherwise until
        // the other array is gone and the view has been waited for.
        Ok(raw) => unsafe { Array::from_raw_buffer(&view, words, raw.buffer) },
        Err(_) => Array::builder(words)
            .on(&view)
            .data(&owner.to_vec()?)
            .build(),
    }
}

impl Start {
    fn random(rng: &mut Rng) -> Self {
        let most = [8, 64, 300][rng.usize(..3)];
        let words = rng.usize(1..=most);
        Self {
            words,
            storage: (0..words.div_ceil(2)).map(|_| rng.u64(..)).collect(),
            kind: rng.u8(..4),
            owner: None,
        }
    }

    fn slice(&mut self) -> &mut [u32] {
        &mut amp::__private::bytemuck::cast_slice_mut(&mut self.storage)[..self.words]
    }

    /// The data, and what it must be.
    fn body(
        &mut self,
        rng: &mut Rng,
        views: &[AcceleratorView],
        log: &mut Vec<String>,
    ) -> amp::Result<(Body<'_>, Model)> {
        let (words, kind) = (self.words, self.kind);
        log.push(format!("{words} words, kind {kind}"));
        let mut model = Model::of(self.slice());
        let body = match kind {
            0 | 1 => Body::View(ArrayViewMut::new(words, self.slice())?),
            2 => {
                model.undefine(0..4 * words);
                Body::View(ArrayViewMut::uninit(words)?)
            }
            _ => {
                let view = &views[rng.usize(..views.len())];
                let array = Array::builder(words).data(self.slice());
                let kind = rng.u8(..4);
                log.push(format!("array {kind} on {view}"));
                Body::Array(match kind {
                    0 => array.on(view).cpu_access(AccessType::None).build()?,
                    1 => array.on(view).build()?,
                    2 => array.associated(view).build()?,
                    _ => {
                        let array = array.on(view).build()?;
                        over(self.owner.insert(array))?
                    }
                })
            }
        };
        Ok((body, model))
    }

    /// What the data is when all is done, if it is a slice.
    fn end(mut self) -> amp::Result<Option<Vec<u32>>> {
        if let Some(owner) = self.owner.take() {
            // It may go when nothing uses its buffer any more.
            owner.accelerator_view().wait()?;
        }
        Ok((self.kind < 2).then(|| self.slice().to_vec()))
    }
}

/// Runs one sequence.
fn run(seed: u64, views: &[AcceleratorView], log: &mut Vec<String>) -> amp::Result<()> {
    let mut rng = Rng::with_seed(seed);
    let mut start = Start::random(&mut rng);
    let words = start.words;
    let (mut body, mut model) = start.body(&mut rng, views, log)?;
    for _ in 0..rng.usize(5..20) {
        let mut steps = Steps {
            rng: &mut rng,
            views,
            model: &mut model,
            log,
        };
        let root = match &mut body {
            Body::View(view) => view.section(0, words)?,
            Body::Array(array) if steps.rng.u8(..4) == 0 => {
                steps.array(array)?;
                continue;
            }
            Body::Array(array) => array.view_mut(),
        };
        let (part, place) = Part::of(root, Place::words(words)).derive(&mut steps)?;
        steps.step(part, &place)?;
    }
    if let Body::Array(array) = &body {
        model.expect_words("the array at the end", &array.to_vec()?);
    }
    drop(body);
    if let Some(slice) = start.end()? {
        model.expect_words("the slice at the end", &slice);
    }
    Ok(())
}

type Sequence = fn(u64, &[AcceleratorView], &mut Vec<String>) -> amp::Result<()>;

/// Runs sequences, as many as are asked for or so many.
fn sequences(otherwise: u64, run: Sequence) {
    let first = number("AMP_COHERENCE_SEED").unwrap_or(0);
    let count = number("AMP_COHERENCE_SEQUENCES").unwrap_or(otherwise);
    let views = views();
    let mut steps = 0;
    for seed in first..first + count {
        let mut log = Vec::new();
        let sequence = std::panic::AssertUnwindSafe(|| run(seed, &views, &mut log));
        let result = std::panic::catch_unwind(sequence);
        if !matches!(result, Ok(Ok(()))) {
            let what = match result {
                Ok(result) => format!("{result:?}"),
                Err(_) => "see above".into(),
            };
            panic!("AMP_COHERENCE_SEED={seed}: {what}\n{}", log.join("\n"));
        }
        steps += log.len();
    }
    println!("{count} sequences, {steps} lines");
    testkit::assert_silent();
}

#[test]
fn all_see_the_same_memory() {
    sequences(300, run);
}

#[test]
fn threads_see_nothing_of_parts_that_others_have() {
    sequences(100, together::run);
}
