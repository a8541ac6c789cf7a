//! Launches on every accelerator of the machine, with the validation layer listening.

#[allow(dead_code)]
mod support;

use amp_runtime::private::Binding;
use amp_runtime::{Array, ArrayView, ArrayViewMut, Error, Extent, parallel_for_each};
use support::{assert_valid, device_views, gather, positions, scale, transpose, views};

type Test = amp_runtime::Result<()>;

#[test]
fn a_view_is_read_back_by_indexing() -> Test {
    for (name, view) in views() {
        let mut data: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let mut x = ArrayViewMut::new(1000, &mut data)?;
        view.parallel_for_each(x.extent(), scale(&mut x, 2.0))?;
        view.parallel_for_each(x.extent(), scale(&mut x, 3.0))?;
        assert_eq!(x[999], 5994.0, "{name}");
        x[0] = 7.0;
        view.parallel_for_each(1000, scale(&mut x, 2.0))?;
        assert_eq!((x[0], x[1]), (14.0, 12.0), "{name}");
        drop(x);
        assert_eq!((data[0], data[500]), (14.0, 6000.0), "{name}");
    }
    assert_valid();
    Ok(())
}

#[test]
fn every_point_is_visited_once() -> Test {
    for (name, view) in views() {
        for extent in [
            [1, 1, 1],
            [3, 7, 100],
            [70_000, 1, 2],
            [2, 300, 5],
            [1, 1, 5000],
        ] {
            let mut out = ArrayViewMut::uninit(extent)?;
            out.data_mut()?.fill(0);
            view.parallel_for_each(extent, positions(&mut out))?;
            let found = out.to_vec()?;
            assert!(
                found.iter().zip(1..).all(|(&a, b)| a == b),
                "{name} {extent:?}"
            );
        }
    }
    assert_valid();
    Ok(())
}

#[test]
fn tiles_share_memory() -> Test {
    for (name, view) in views() {
        let source: Vec<i32> = (0..64 * 24).collect();
        let a = ArrayView::new([64, 24], &source)?;
        let mut out = vec![0; source.len()];
        let mut b = ArrayViewMut::new([24, 64], &mut out)?;
        b.discard_data();
        view.parallel_for_each(a.extent().tile::<8, 8>(), transpose(&a, &mut b))?;
        b.synchronize()?;
        for i in 0..64 {
            for j in 0..24 {
                assert_eq!(b[[j, i]], a[[i, j]], "{name}");
            }
        }
    }
    assert_valid();
    Ok(())
}

#[test]
fn large_blocks_go_by_address() -> Test {
    for (name, view) in views() {
        let mut out = ArrayViewMut::uninit(100)?;
        for round in 0..1000 {
            let table = std::array::from_fn(|i| round + i as u32);
            view.parallel_for_each(100, gather(table, &mut out))?;
        }
        assert_eq!((out[0], out[99]), (999, 999 + 3 + 99), "{name}");
    }
    assert_valid();
    Ok(())
}

#[test]
fn arrays_live_on_their_view() -> Test {
    for (name, view) in views() {
        let mut array = Array::builder(300).on(&view).data(&[1.5; 300]).build()?;
        parallel_for_each(300, scale(&mut array, 2.0))?;
        assert_eq!(array.to_vec()?, [3.0; 300], "{name}");
        array.copy_from(&[4.0; 300])?;
        parallel_for_each(array.extent(), scale(&mut array, 0.5))?;
        let mut out = [0.0; 300];
        array.copy_to(&mut out)?;
        assert_eq!(out, [2.0; 300], "{name}");
        let mut through = array.view_mut();
        parallel_for_each(300, scale(&mut through, 2.0))?;
        assert_eq!(through[299], 4.0);
        through[0] = 1.0;
        drop(through);
        assert_eq!(array.view()[0], 1.0);
        assert_eq!(array.to_vec()?[..2], [1.0, 4.0], "{name}");
        let zeroes = Array::<i32, 2>::builder([5, 7]).on(&view).build()?;
        assert_eq!(zeroes.to_vec()?, [0; 35], "{name}");
    }
    assert_valid();
    Ok(())
}

#[test]
fn two_views_of_a_launch_are_refused() -> Test {
    let all = views();
    let (_, first) = &all[0];
    let (_, second) = &all[1];
    let a = Array::builder([8, 8]).on(first).data(&[1; 64]).build()?;
    let mut b = Array::builder([8, 8]).on(second).data(&[2; 64]).build()?;
    let domain = Extent::new([8, 8]).tile::<8, 8>();
    let error = parallel_for_each(domain, transpose(&a, &mut b)).unwrap_err();
    assert!(matches!(error, Error::ViewMismatch { .. }), "{error}");
    let error = second
        .parallel_for_each(domain, transpose(&a, &mut b))
        .unwrap_err();
    assert!(matches!(error, Error::ViewMismatch { .. }), "{error}");
    assert_eq!(b.to_vec()?, [2; 64]);
    Ok(())
}

#[test]
fn data_follows_from_view_to_view() -> Test {
    let all = views();
    let mut data = vec![1.0f32; 5000];
    let mut x = ArrayViewMut::new(5000, &mut data)?;
    for _ in 0..2 {
        for (_, view) in &all {
            view.parallel_for_each(5000, scale(&mut x, 2.0))?;
        }
    }
    let expected = 4f32.powi(all.len() as i32);
    assert_eq!(x.to_vec()?, vec![expected; 5000]);
    drop(x);
    assert_eq!(data[4999], expected);
    assert_valid();
    Ok(())
}

#[test]
fn a_fault_is_reported_once_by_the_next_wait() -> Test {
    for (name, view) in views() {
        let mut x = ArrayViewMut::uninit(300)?;
        x.data_mut()?.fill(1.0);
        view.parallel_for_each(400, scale(&mut x, 2.0))?;
        let Err(Error::KernelFault(fault)) = view.wait() else {
            panic!("{name}: no fault")
        };
        assert!(
            fault
                .message
                .starts_with("index out of bounds: the extent is 300"),
            "{fault}"
        );
        assert!((300..400).contains(&fault.thread[0]), "{fault}");
        assert_eq!(fault.kernel, "main");
        view.wait()?;
        x.synchronize()?;
        assert_eq!((x[0], x[299]), (2.0, 2.0), "{name}");

        view.parallel_for_each(400, scale(&mut x, 2.0))?;
        assert!(
            matches!(x.synchronize(), Err(Error::KernelFault(_))),
            "{name}"
        );
        x.synchronize()?;
        view.wait()?;
    }
    assert_valid();
    Ok(())
}

#[test]
fn unchecked_kernels_have_no_faults_on_devices() -> Test {
    for (name, view) in device_views() {
        let mut x = ArrayViewMut::uninit(512)?;
        x.data_mut()?.fill(1.0);
        let kernel = scale(&mut x, 2.0);
        // SAFETY: the domain is the view's.
        view.parallel_for_each(512, unsafe { kernel.unchecked() })?;
        view.wait()?;
        assert_eq!(x[511], 2.0, "{name}");
    }
    assert_valid();
    Ok(())
}

#[test]
fn a_bad_domain_leaves_everything_as_it_was() -> Test {
    for (name, view) in views() {
        let source = [1; 100 * 64];
        let a = ArrayView::new([100, 64], &source)?;
        let mut b = ArrayViewMut::uninit([64, 100])?;
        b.data_mut()?.fill(9);
        let domain = a.extent().tile::<8, 8>();
        let error = view
            .parallel_for_each(domain, transpose(&a, &mut b))
            .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("tile 8×8 does not divide extent 100×64"),
            "{error}"
        );
        let mut x = ArrayViewMut::uninit(1)?;
        for empty in [0, usize::MAX] {
            let error = view
                .parallel_for_each(empty, scale(&mut x, 1.0))
                .unwrap_err();
            assert!(
                matches!(error, Error::InvalidComputeDomain(_)),
                "{name}: {error}"
            );
        }
        assert_eq!(b[[63, 99]], 9);
    }
    Ok(())
}

#[test]
fn many_threads_launch_on_one_view() -> Test {
    for (name, view) in views() {
        std::thread::scope(|scope| {
            let launch = |start: f32| {
                let view = &view;
                move || -> Test {
                    let mut data = vec![start; 777];
                    let mut x = ArrayViewMut::new(777, &mut data)?;
                    for _ in 0..50 {
                        view.parallel_for_each(777, scale(&mut x, 1.5))?;
                        view.parallel_for_each(777, scale(&mut x, 2.0 / 1.5))?;
                        view.parallel_for_each(777, scale(&mut x, 0.5))?;
                    }
                    x.synchronize()?;
                    let exact = (x[0] - start).abs() <= start * 1e-3;
                    assert!(exact && x.data()?.iter().all(|&v| v == x[0]));
                    Ok(())
                }
            };
            let threads: Vec<_> = (1..5).map(|i| scope.spawn(launch(i as f32))).collect();
            for thread in threads {
                thread
                    .join()
                    .expect("no panic")
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        });
    }
    assert_valid();
    Ok(())
}

#[test]
fn long_series_recycle_their_resources() -> Test {
    for (name, view) in views() {
        let mut x = Array::builder(64).on(&view).data(&[1.0; 64]).build()?;
        let rounds = if cfg!(debug_assertions) { 6000 } else { 20_000 };
        for _ in 0..rounds {
            parallel_for_each(64, scale(&mut x, 1.0))?;
        }
        assert_eq!(x.to_vec()?, [1.0; 64], "{name}");
    }
    assert_valid();
    Ok(())
}

#[test]
fn time_is_measured_where_it_passes() -> Test {
    for (name, view) in views() {
        let mut x = Array::builder(1 << 16).on(&view).build()?;
        let mut time_of = |launches| {
            view.elapsed(|| {
                (0..launches).try_for_each(|_| parallel_for_each(1 << 16, scale(&mut x, 2.0)))
            })
        };
        // A launch may have to wait for other programs, but not each time.
        let mut one = time_of(1)?;
        for _ in 0..20 {
            one = one.min(time_of(1)?);
        }
        let many = time_of(200)?;
        assert!(one.as_nanos() > 0 && many > one, "{name}: {one:?} {many:?}");
    }
    assert_valid();
    Ok(())
}

#[test]
fn wrong_arguments_are_named() -> Test {
    let (_, view) = &views()[0];
    let mut x = ArrayViewMut::<f32, 1>::uninit(4)?;
    static EMPTY: std::sync::OnceLock<amp_runtime::private::Artifact> = std::sync::OnceLock::new();
    let artifact = EMPTY.get_or_init(|| amp_runtime::private::Artifact {
        name: "k".into(),
        spirv: Vec::new().into(),
        rank: 1,
        tiled: false,
        has_barrier: false,
        params: Vec::new().into(),
        block_bytes: 16,
        spilled: false,
        constant_bytes: Vec::new().into(),
        features: Vec::new().into(),
        files: Vec::new().into(),
        faults: Vec::new().into(),
        messages: Vec::new().into(),
        ..amp_runtime::private::Artifact::default()
    });
    let mut binding = Binding::new(artifact, &[]);
    binding.write(&mut x);
    let kernel = binding.finish::<amp_runtime::Index<1>, _>(|_, _| {});
    let error = view.parallel_for_each(4, kernel).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("takes 0 arguments but 1 were bound"),
        "{error}"
    );

    let kernel = Binding::new(artifact, &[]).finish::<amp_runtime::Index<1>, _>(|_, _| {});
    let accelerator = view.accelerator();
    if accelerator != amp_runtime::Accelerator::cpu() {
        let error = view.parallel_for_each(4, kernel).unwrap_err();
        assert!(error.to_string().contains("no SPIR-V"), "{error}");
    }
    Ok(())
}
