//! A macro that another module imports.

macro_rules! thirds {
    ($($x:expr),+) => {
        0 $(+ $x / 3)+
    };
}

pub(crate) use thirds;
