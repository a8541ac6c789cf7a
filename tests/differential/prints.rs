//! Prints of kernels: every accelerator hands the same prints, in the same order, to the
//! view's hook at the next wait.

use std::sync::{Arc, Mutex};

use amp::prelude::*;
use amp::{Error, KernelPrint, PrintStream};
use amp_test_helpers::announced;
use testkit::{assert_silent, launch, new_views};

/// What a view's hook has been given.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<KernelPrint>>>);

impl Heard {
    fn on(view: &AcceleratorView) -> Self {
        let heard = Self::default();
        let prints = Arc::clone(&heard.0);
        view.set_print_hook(move |print| prints.lock().unwrap().push(print.clone()));
        heard
    }

    fn prints(&self) -> Vec<KernelPrint> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }

    fn text(&self) -> String {
        self.prints().iter().map(|print| &*print.text).collect()
    }
}

/// Requires that launches print a text on every accelerator.
fn prints(expected: &str, launches: impl Fn(&AcceleratorView) -> amp::Result<()>) {
    for view in new_views() {
        let heard = Heard::on(&view);
        launches(&view).unwrap();
        view.wait().unwrap();
        assert_eq!(heard.text(), expected, "{view}");
    }
    assert_silent();
}

#[amp_kernel]
fn greeting(idx: Index<1>, x: f32) {
    let i = idx[0];
    println!("thread {i}: {:>6.2}", x * i as f32);
    if i % 100 == 7 {
        for k in 0..3 {
            print!("{k}{}", if k == 2 { 10 } else { 20 });
        }
        println!();
    }
}

#[test]
fn threads_print_in_order() {
    let mut expected = String::new();
    for i in 0..300 {
        expected += &format!("thread {i}: {:>6.2}\n", 0.3f32 * i as f32);
        if i % 100 == 7 {
            expected += "020120210\n";
        }
    }
    prints(&expected, |view| launch(view, 300, greeting(0.3)));
}

#[amp_kernel]
fn of_rank_2(idx: Index<2>) {
    println!("{idx}");
}

#[test]
fn rows_print_in_order() {
    let (mut expected, extent) = (String::new(), [5, 40]);
    for i in 0..extent[0] {
        for k in 0..extent[1] {
            expected += &format!("({i}, {k})\n");
        }
    }
    prints(&expected, |view| launch(view, extent, of_rank_2()));
}

#[amp_kernel]
fn across_a_barrier(t_idx: TiledIndex<2, 2, 2>) {
    #[tile_static]
    let mut shared: [u32; 4];
    let at = t_idx.local[0] * 2 + t_idx.local[1];
    print!("{}", t_idx.global);
    shared[at] = at as u32;
    t_idx.barrier.wait();
    println!(" {}", shared[3 - at]);
}

#[test]
fn tiled_kernels_print() {
    let mut expected = String::new();
    for i in 0..4 {
        for k in 0..6 {
            expected += &format!("({i}, {k}) {}\n", 3 - (i % 2 * 2 + k % 2));
        }
    }
    prints(&expected, |view| {
        launch(view, Extent::new([4, 6]).tile::<2, 2>(), across_a_barrier())
    });
}

#[amp_kernel]
fn on_both(_idx: Index<1>) {
    println!("out");
    eprintln!("err {:?}", (1, true, 0.5_f32));
    announced(3);
}

#[test]
fn a_print_knows_where_it_comes_from() {
    for view in new_views() {
        let heard = Heard::on(&view);
        launch(&view, 1, on_both()).unwrap();
        view.wait().unwrap();
        let prints = heard.prints();
        let streams: Vec<_> = prints.iter().map(|it| (it.stream, &*it.text)).collect();
        let expected = [
            (PrintStream::Stdout, "out\n"),
            (PrintStream::Stderr, "err (1, true, 0.5)\n"),
            (PrintStream::Stdout, "3 is announced\n"),
        ];
        assert_eq!(streams, expected, "{view}");
        for print in prints {
            assert_eq!((&*print.kernel, &*print.thread), ("on_both", &[0][..]));
        }
    }
}

const LINE: u32 = line!();

#[amp_kernel]
fn shown(idx: Index<1>, x: f32, out: &mut ArrayViewMut<f32, 1>) {
    let y = dbg!({ x * 2.0 }) + 1.0;
    let (a, b) = dbg!(y - x, [idx[0] as u32, 7]);
    std::dbg!();
    out[idx] = if dbg!(b[1] > 3) { a } else { y };
}

#[test]
fn values_are_shown_with_their_places() {
    for view in new_views() {
        let heard = Heard::on(&view);
        let mut found = [0.0; 2];
        let mut out = ArrayViewMut::from(&mut found);
        launch(&view, 2, shown(1.5, &mut out)).unwrap();
        out.synchronize().unwrap();
        view.wait().unwrap();
        drop(out);
        assert_eq!(found, [2.5; 2], "{view}");
        let prints = heard.prints();
        assert!(
            prints
                .iter()
                .all(|print| print.stream == PrintStream::Stderr)
        );
        let text: String = prints.iter().map(|print| &*print.text).collect();
        let mut expected = String::new();
        for i in 0..2 {
            for (line, what) in [
                ("4:13", " { x * 2.0 } = 3.0"),
                ("5:18", " y - x = 2.5"),
                ("5:18", &format!(" [idx[0] as u32, 7] = {:#?}", [i, 7])),
                ("6:5", ""),
                ("7:19", " b[1] > 3 = true"),
            ] {
                let (line, column) = line.split_once(':').unwrap();
                let line = LINE + line.parse::<u32>().unwrap();
                expected += &format!("[{}:{line}:{column}]{what}\n", file!());
            }
        }
        assert_eq!(text, expected, "{view}");
    }
    assert_silent();
}

#[test]
fn launches_print_one_after_the_other() {
    // More launches than have a print buffer at a time.
    let mut expected = String::new();
    for k in 0..30 {
        for i in 0..2 {
            expected += &format!("thread {i}: {:>6.2}\n", k as f32 * i as f32);
        }
    }
    prints(&expected, |view| {
        (0..30).try_for_each(|k| launch(view, 2, greeting(k as f32)))
    });
}

#[amp_kernel]
fn chatty(idx: Index<1>, n: u32) {
    for k in 0..n {
        println!("{idx} {k}");
    }
}

#[test]
fn prints_beyond_the_buffer_are_counted() {
    for view in new_views() {
        let heard = Heard::on(&view);
        launch(&view, 1000, chatty(20)).unwrap();
        view.wait().unwrap();
        let prints = heard.prints();
        let (last, kept) = prints.split_last().unwrap();
        assert_eq!(kept.len(), 16384, "{view}");
        assert_eq!(last.stream, PrintStream::Stderr);
        assert_eq!(
            last.text,
            "kernel `chatty` printed 3616 times more; a launch keeps the first 16384\n"
        );
        // Of each thread those that were kept are the first ones, whole and in order.
        let mut next = vec![0; 1000];
        for print in kept {
            let k = &mut next[print.thread[0]];
            assert_eq!(print.text, format!("({}) {k}\n", print.thread[0]), "{view}");
            *k += 1;
        }
    }
}

#[amp_kernel]
fn with_a_fault(idx: Index<1>) {
    println!("before {}", idx[0]);
    assert!(idx[0] != 1, "thread {}", idx[0]);
    println!("after");
}

#[test]
fn prints_come_before_the_fault() {
    for view in new_views() {
        let heard = Heard::on(&view);
        launch(&view, 2, with_a_fault()).unwrap();
        let Err(Error::KernelFault(fault)) = view.wait() else {
            panic!("{view}: no fault")
        };
        assert_eq!(fault.message, "thread 1", "{view}");
        assert_eq!(heard.text(), "before 0\nafter\nbefore 1\nafter\n", "{view}");
    }
}

#[test]
fn unchecked_kernels_print() {
    prints("(0) 0\n(0) 1\n(1) 0\n(1) 1\n", |view| {
        // SAFETY: nothing in it can fault.
        let kernel = unsafe { chatty(2).unchecked() };
        launch(view, 2, kernel)
    });
}

#[amp_kernel]
fn silent(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    assert!(idx[0] < 4, "{idx}");
    out[idx] = 1;
}

#[test]
fn a_kernel_that_prints_nothing_has_no_print_buffer() {
    let mut array = Array::zeroed(4).unwrap();
    let artifact = silent(&mut array).artifact();
    assert_eq!(artifact.print_words, 0);
    assert_ne!(on_both().artifact().print_words, 0);
}

#[amp_kernel]
fn doubled(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] *= 2;
    println!("{}", out[idx]);
}

#[test]
fn reading_results_shows_prints() {
    for view in new_views() {
        let heard = Heard::on(&view);
        let mut data = [1, 2, 3];
        let mut out = ArrayViewMut::new(3, &mut data).unwrap();
        launch(&view, 3, doubled(&mut out)).unwrap();
        out.synchronize().unwrap();
        assert_eq!(heard.text(), "2\n4\n6\n", "{view}");
        drop(out);
        assert_eq!(data, [2, 4, 6]);
    }
}
