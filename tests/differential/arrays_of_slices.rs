//! Arrays made of slices with `try_into`, and numbers of such bytes.

use amp::prelude::*;
use testkit::{accelerators, input, launch, twice};

const NUMBERS: [u32; 5] = [0, 1, 0x0102_0304, 0xfffe_fdfc, u32::MAX];

twice! {
    of_local_arrays(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let bytes = x.to_be_bytes();
        let whole = u32::from_le_bytes(bytes[..].try_into().unwrap());
        let halves: u32 = bytes
            .chunks_exact(2)
            .map(|half| u16::from_be_bytes(half.try_into().unwrap()) as u32)
            .sum();
        let middle: [u8; 2] = bytes[1..3].try_into().expect("two of four");
        let last = <[u8; 3]>::try_from(&bytes[1..]).unwrap()[2];
        let same = u32::from_ne_bytes(bytes.try_into().unwrap()) == u32::from_ne_bytes(bytes);
        whole ^ halves.rotate_left(3) ^ u16::from_le_bytes(middle) as u32 ^ last as u32 ^ same as u32
    }
}

#[amp_kernel]
fn of_views(idx: Index<1>, bytes: &ArrayView<u8, 1>, out: &mut ArrayViewMut<u64, 1>, n: usize) {
    let start = idx[0] * 8;
    let header = u16::from_be_bytes(bytes[start..start + 2].try_into().unwrap());
    let rest = &bytes[start..];
    let body: [u8; 4] = rest[2..2 + n].try_into().expect("a body of four bytes");
    out[idx] = u64::from_le_bytes(rest[..8].try_into().unwrap())
        ^ u64::from(u32::from_be_bytes(body))
        ^ u64::from(header);
}

#[test]
fn try_into_of_parts_of_views() {
    let data: Vec<u8> = (1..=24).collect();
    for accelerator in accelerators() {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let mut out = ArrayViewMut::<u64, 1>::uninit(3).unwrap();
        launch(&view, 3, of_views(&input(&data), &mut out, 4)).unwrap();
        let expected: Vec<u64> = data
            .chunks_exact(8)
            .map(|part| {
                u64::from_le_bytes(part.try_into().unwrap())
                    ^ u64::from(u32::from_be_bytes(part[2..6].try_into().unwrap()))
                    ^ u64::from(u16::from_be_bytes(part[..2].try_into().unwrap()))
            })
            .collect();
        assert_eq!(out.to_vec().unwrap(), expected, "{accelerator}");
        let mut out = ArrayViewMut::<u64, 1>::uninit(1).unwrap();
        launch(&view, 1, of_views(&input(&data), &mut out, 5)).unwrap();
        let error = out.synchronize().unwrap_err().to_string();
        assert!(error.contains("a body of four bytes"), "{error}");
    }
    testkit::assert_silent();
}
