//! Why a value or a point of control flow varies: a chain of places that ends at an
//! origin, kept so that a diagnostic can retrace it.
//!
//! A chain never grows beyond [`LONGEST`] places: what is in the middle is left out, so
//! that a long program does not make a long explanation.

use std::{fmt, rc::Rc};

use crate::analysis::varies::Varies;
use crate::tree::Span;

/// Where a chain is cut to its newest place and its origin.
const LONGEST: usize = 6;

/// A shared chain; the newest place first.
pub(super) type Why<'m> = Rc<Cause<'m>>;

/// One place of a chain.
#[derive(Clone, Debug)]
pub(super) struct Cause<'m> {
    /// Where in the source.
    pub(super) span: Span,
    /// What happens there.
    pub(super) step: Step<'m>,
    /// Why it does; nothing for an origin.
    pub(super) from: Option<Why<'m>>,
    /// What the value or the point varies along, for this reason and all that it has besides.
    pub(super) varies: Varies,
    length: usize,
}

/// What a place contributes. `Display` is the text of its label.
#[derive(Clone, Debug)]
pub(super) enum Step<'m> {
    /// Origin: the place, as written, is different in each thread.
    Thread(String),
    /// Origin: an element of a view that the kernel may write.
    Written(&'m str),
    /// Origin: a tile_static variable that is not at rest between two barriers.
    Shared(&'m str),
    /// Origin: what an atomic operation found.
    Atomic,
    /// Origin: what a subgroup has come to.
    Subgroup,
    /// Stands for the origin that the caller knows: leaf `leaf` of argument `argument`.
    Argument { argument: usize, leaf: usize },
    /// An element at an index that varies.
    Element(&'m str),
    /// A condition of `if`, `while`, `&&` or `||`.
    Condition,
    /// The range of a `for`.
    Range,
    /// `break`, `continue`, `return` or `panic!` taken by some threads.
    Jump(Jump),
    /// A variable that takes a varying value.
    Assigned(&'m str),
    /// A variable that some threads assign and others do not.
    AssignedBySome(&'m str),
    /// A varying value given to a parameter of a function.
    Passed {
        parameter: &'m str,
        function: &'m str,
    },
}

/// A way to leave a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jump {
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return,
    /// `panic!` and the like.
    Panic,
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Thread(place) => write!(f, "`{place}` is different in each thread"),
            Step::Written(view) => {
                write!(
                    f,
                    "`{view}` can be written by this kernel, so what is read from it may differ between threads"
                )
            }
            Step::Shared(name) => {
                write!(
                    f,
                    "`{name}` may be written between the same two barriers, so threads may read different values"
                )
            }
            Step::Atomic => f.write_str(
                "each thread gets what this place held when its turn came, which may differ",
            ),
            Step::Subgroup => f.write_str("the subgroups of a tile come to different values here"),
            Step::Argument { .. } => {
                f.write_str("this argument differs between the threads of a tile")
            }
            Step::Element(name) => write!(f, "each thread reads its own element of `{name}`"),
            Step::Condition => f.write_str("this condition differs between the threads of a tile"),
            Step::Range => f.write_str("this range differs between the threads of a tile"),
            Step::Jump(Jump::Break) => f.write_str("some threads of a tile leave by this `break`"),
            Step::Jump(Jump::Continue) => {
                f.write_str("some threads of a tile skip ahead by this `continue`")
            }
            Step::Jump(Jump::Return) => {
                f.write_str("some threads of a tile leave by this `return`")
            }
            Step::Jump(Jump::Panic) => f.write_str("some threads of a tile leave by this panic"),
            Step::Assigned(name) => {
                write!(f, "`{name}` is assigned here from a value that differs")
            }
            Step::AssignedBySome(name) => write!(
                f,
                "`{name}` is assigned here by some threads of a tile only"
            ),
            Step::Passed {
                parameter,
                function,
            } => {
                write!(
                    f,
                    "parameter `{parameter}` of `{function}` gets a value here that differs"
                )
            }
        }
    }
}

impl<'m> Cause<'m> {
    /// The start of a chain.
    pub(super) fn origin(span: Span, step: Step<'m>, varies: Varies) -> Why<'m> {
        Rc::new(Cause {
            span,
            step,
            from: None,
            varies,
            length: 1,
        })
    }

    /// The same reason for what varies along more.
    pub(super) fn and(self: &Rc<Self>, varies: Varies) -> Why<'m> {
        match self.varies.includes(varies) {
            true => self.clone(),
            false => Rc::new(Cause {
                varies: self.varies | varies,
                ..Cause::clone(self)
            }),
        }
    }

    /// One reason for what varies for several.
    pub(super) fn all(whys: impl IntoIterator<Item = Why<'m>>) -> Option<Why<'m>> {
        let mut whys = whys.into_iter();
        let first = whys.next()?;
        Some(whys.fold(first, |first, other| first.and(other.varies)))
    }

    /// A place that varies because of `from`.
    pub(super) fn through(span: Span, step: Step<'m>, from: &Why<'m>) -> Why<'m> {
        let varies = from.varies;
        let from = if from.length < LONGEST {
            from
        } else {
            from.last()
        };
        Rc::new(Cause {
            span,
            step,
            varies,
            length: from.length + 1,
            from: Some(from.clone()),
        })
    }

    /// The chain, newest place first.
    pub(super) fn chain(&self) -> impl Iterator<Item = &Cause<'m>> {
        std::iter::successors(Some(self), |cause| cause.from.as_deref())
    }

    /// The chain in the words of a caller, who knows what its arguments vary by.
    pub(super) fn in_caller(
        self: &Rc<Self>,
        argument: &dyn Fn(usize, usize) -> Option<Why<'m>>,
    ) -> Why<'m> {
        let why = match (&self.step, &self.from) {
            (
                &Step::Argument {
                    argument: index,
                    leaf,
                },
                _,
            ) => argument(index, leaf).unwrap_or_else(|| self.clone()),
            (_, None) => self.clone(),
            (step, Some(from)) => {
                Cause::through(self.span, step.clone(), &from.in_caller(argument))
            }
        };
        why.and(self.varies)
    }

    fn last<'a>(self: &'a Rc<Self>) -> &'a Why<'m> {
        let mut last = self;
        while let Some(from) = &last.from {
            last = from;
        }
        last
    }
}
