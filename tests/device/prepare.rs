//! Kernels compiled ahead of their launch, and kept from one process to the next.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use amp::__private::pipelines_of;
use amp::prelude::*;
use amp::profile::Activity;
use amp::{Error, Variant};
use testkit::{assert_silent, new_views, pairs, views};

#[amp_kernel]
fn scale(idx: Index<1>, y: &mut ArrayViewMut<u32, 1>, by: u32) {
    y[idx] *= by;
}

#[amp_kernel]
fn transpose<const T: usize>(
    t_idx: TiledIndex<2, T, T>,
    from: &ArrayView<u32, 2>,
    to: &mut ArrayViewMut<u32, 2>,
) {
    #[tile_static]
    let mut tile: [[u32; T]; T];
    tile[t_idx.local[0]][t_idx.local[1]] = from[t_idx.global];
    t_idx.barrier.wait();
    to[[
        t_idx.tile[1] * T + t_idx.local[0],
        t_idx.tile[0] * T + t_idx.local[1],
    ]] = tile[t_idx.local[1]][t_idx.local[0]];
}

#[amp_kernel]
fn count(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] += idx[0] as u32;
}

#[amp_kernel]
fn half(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] /= 2.0;
}

#[test]
fn a_prepared_kernel_is_not_compiled_again() {
    // Devices are shared by views and tests, but no other test has these kernels.
    for view in views() {
        let on_device = usize::from(view.accelerator() != Accelerator::cpu());
        let from: Vec<u32> = (0..64 * 64).collect();
        let mut to = vec![0; 64 * 64];
        let from = ArrayView::new([64, 64], &from).unwrap();
        let mut to = ArrayViewMut::new([64, 64], &mut to).unwrap();
        let (tiles, wide) = (to.extent().tile::<8, 8>(), to.extent().tile::<16, 16>());
        assert_eq!(pipelines_of(&view, &transpose::<8>(&from, &mut to)), 0);
        // Both write `to`; a variant borrows nothing.
        view.prepare(&[
            Variant::new(tiles, transpose::<8>(&from, &mut to)),
            Variant::new(wide, transpose::<16>(&from, &mut to)),
            Variant::new(tiles, transpose::<8>(&from, &mut to)),
        ])
        .unwrap();
        let made = |to: &mut ArrayViewMut<'_, u32, 2>| {
            let eight = pipelines_of(&view, &transpose::<8>(&from, to));
            eight + pipelines_of(&view, &transpose::<16>(&from, to))
        };
        let prepared = made(&mut to);
        assert!(prepared >= 2 * on_device, "{view}: {prepared}");
        view.parallel_for_each(tiles, transpose::<8>(&from, &mut to))
            .unwrap();
        view.parallel_for_each(wide, transpose::<16>(&from, &mut to))
            .unwrap();
        assert_eq!(to[[3, 60]], 60 * 64 + 3, "{view}");
        assert_eq!(made(&mut to), prepared, "{view}");
    }
    assert_silent();
}

#[test]
fn kernels_are_prepared_where_they_will_run() {
    for view in new_views() {
        let mut array = Array::builder(100)
            .on(&view)
            .data(&[3; 100])
            .build()
            .unwrap();
        amp::prepare(&[Variant::new(100, scale(&mut array, 5))]).unwrap();
        let kernel = scale(&mut array, 5);
        let on_device = usize::from(view.accelerator() != Accelerator::cpu());
        assert_eq!(pipelines_of(&view, &kernel), on_device, "{view}");
        parallel_for_each(100, kernel).unwrap();
        assert_eq!(array.to_vec().unwrap(), [15; 100], "{view}");
    }
    amp::prepare(&[]).unwrap();
    assert_silent();
}

#[test]
fn prepare_refuses_what_a_launch_refuses() {
    for view in new_views() {
        let mut out = Array::<u32, 1>::builder(100).on(&view).build().unwrap();
        let variants = [100, 0].map(|length| Variant::new(length, count(&mut out)));
        let error = view.prepare(&variants).unwrap_err();
        assert!(matches!(error, Error::InvalidComputeDomain(_)), "{error}");
        // The other one is ready.
        let on_device = usize::from(view.accelerator() != Accelerator::cpu());
        assert!(pipelines_of(&view, &count(&mut out)) >= on_device);
    }
}

#[amp_kernel]
fn add(idx: Index<1>, x: &ArrayView<u32, 1>, y: &mut ArrayViewMut<u32, 1>) {
    y[idx] += x[idx];
}

/// Arrays of two views, and of another view than the one that prepares.
#[test]
fn arrays_of_other_views_are_refused_before() {
    for [first, second] in pairs() {
        let here = Array::<u32, 1>::builder(100).on(&first).build().unwrap();
        let mut there = Array::<u32, 1>::builder(100).on(&second).build().unwrap();
        let variants = [Variant::new(100, add(&here, &mut there))];
        let launched = parallel_for_each(100, add(&here, &mut there)).unwrap_err();
        assert!(matches!(launched, Error::ViewMismatch { .. }), "{launched}");
        assert_eq!(amp::prepare(&variants).unwrap_err(), launched);
        let variants = [Variant::new(100, count(&mut there))];
        let launched = first.parallel_for_each(100, count(&mut there)).unwrap_err();
        assert!(matches!(launched, Error::ViewMismatch { .. }), "{launched}");
        assert_eq!(first.prepare(&variants).unwrap_err(), launched);
        second.prepare(&variants).unwrap();
        amp::prepare(&variants).unwrap();
        // A view of an array can be used anywhere.
        first
            .prepare(&[Variant::new(100, count(&mut there.view_mut()))])
            .unwrap();
    }
    assert_silent();
}

/// Says that the process is one of its own.
const CHILD: &str = "AMP_TESTS_CHILD";

/// What a process of its own does: it launches two kernels, looks at what each did, says
/// whether the driver says that it had them, and ends without dropping its view.
fn be_a_process_of_its_own() -> ! {
    let (mut halves, mut counts) = ([4.0f32; 10], [1; 10]);
    let mut halves = ArrayViewMut::new(10, &mut halves).unwrap();
    let mut counts = ArrayViewMut::new(10, &mut counts).unwrap();
    let accelerator = Accelerator::all()[0].default_view().unwrap();
    let launch = || {
        accelerator.parallel_for_each(10, half(&mut halves))?;
        assert_eq!(halves[[9]], 2.0);
        // At once after the wait.
        accelerator.parallel_for_each(10, count(&mut counts))
    };
    let ((), profile) = accelerator.profile(launch).unwrap();
    assert_eq!(counts[[9]], 10);
    for event in profile.events() {
        if let Activity::Pipeline { kernel, from_cache } = &event.activity {
            println!("{kernel} from cache: {from_cache:?}");
        }
    }
    std::process::exit(0);
}

/// Runs that with a folder for its pipelines. Returns what it says.
fn run(folder: &Path) -> String {
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "prepare::the_next_process_finds_pipelines"])
        .arg("--nocapture")
        .env(CHILD, "1")
        .env("AMP_CACHE_DIR", folder)
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    String::from_utf8(child.stdout).expect("UTF-8")
}

#[test]
fn the_next_process_finds_pipelines() {
    if env::var_os(CHILD).is_some() {
        be_a_process_of_its_own();
    }
    if Accelerator::all().len() == 1 {
        return;
    }
    let folder = env::temp_dir().join(format!("amp-next-process-{}", std::process::id()));
    let files = || -> Vec<PathBuf> {
        let files = fs::read_dir(&folder).map(|files| files.map(|file| file.unwrap().path()));
        files.map(Iterator::collect).unwrap_or_default()
    };
    let first = run(&folder);
    assert!(!first.contains("from cache: Some(true)"), "{first}");
    assert!(
        ["half", "count"].map(|it| first.contains(it)) == [true; 2],
        "{first}"
    );
    let [file] = &files()[..] else {
        panic!("one file is written before the process ends")
    };
    let written = fs::read(file).unwrap();
    // Our header and the driver's are 92 bytes: some drivers keep nothing else.
    let tells = first.contains("from cache: Some") && written.len() > 92;
    let finds = |said: &str| !tells || said.matches("from cache: Some(true)").count() >= 2;
    let second = run(&folder);
    assert!(finds(&second), "{second}");
    // Damaged files, and files of others, do no harm and are replaced.
    for content in [&written[..written.len() / 2], b"", b"of another program"] {
        fs::write(file, content).unwrap();
        run(&folder);
        assert!(fs::read(file).unwrap().len() >= 92, "it is replaced");
        let next = run(&folder);
        assert!(finds(&next), "{next}");
    }
    assert_eq!(files().len(), 1);
    // Nor does a folder that cannot be one.
    run(&file.join("below a file"));
    // None is made where none is wanted.
    fs::remove_dir_all(&folder).unwrap();
    run(Path::new(""));
    assert!(files().is_empty());
}

#[amp_kernel]
fn fill_from(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>, first: usize) {
    out[idx[0] + first] = 7;
}

/// Launches of one kernel over one domain, of which the host proves some to stay in bounds.
#[test]
fn what_is_proven_for_a_launch_is_proven_for_those_like_it_only() {
    for view in new_views() {
        let array = |length: usize| Array::<u32, 1>::builder(length).on(&view).build();
        let (mut long, mut short) = (array(16).unwrap(), array(15).unwrap());
        let mut fill = |is_long: bool, first| {
            let out = if is_long { &mut long } else { &mut short };
            view.parallel_for_each(8, fill_from(out, first)).unwrap();
            view.wait()
        };
        for _ in 0..2 {
            fill(true, 8).unwrap();
            let told = fill(true, 9);
            assert!(matches!(told, Err(Error::KernelFault(_))), "{told:?}");
            let told = fill(false, 8);
            assert!(matches!(told, Err(Error::KernelFault(_))), "{told:?}");
            fill(false, 7).unwrap();
        }
        let written = |array: &Array<u32, 1>| array.to_vec().unwrap().iter().sum::<u32>();
        assert_eq!((written(&long), written(&short)), (7 * 8, 7 * 8));
    }
    assert_silent();
}
