//! The products of `matmul`, and what the program makes of its command line.

use amp::{AcceleratorView, Error};
use testkit::everywhere;

use super::matmul::options::{HELP, Options};
use super::matmul::product::{self, Method, Product, TILES};
use super::matmul::{first_difference, multiply};

fn on_host(a: &[f32], b: &[f32], sizes: [usize; 3]) -> Vec<f32> {
    let [m, n, _] = sizes;
    let mut c = vec![0.0; m * n];
    let rows: Vec<usize> = (0..m).collect();
    product::serial(&mut c, a, b, sizes, &rows, || {});
    c
}

fn on_view(
    view: &AcceleratorView,
    method: Method,
    checked: bool,
    (a, b): (&[f32], &[f32]),
    sizes: [usize; 3],
) -> amp::Result<Vec<f32>> {
    let mut c = vec![f32::NAN; sizes[0] * sizes[1]];
    let mut product = Product::new(&mut c, a, b, sizes)?;
    product.launch(view, method, checked)?;
    product.finish()?;
    drop(product);
    Ok(c)
}

/// Numbers from 0 to 1 that use all bits of an `f32`.
fn numbers(count: usize, factor: f32) -> Vec<f32> {
    (0..count).map(|i| (i as f32 * factor).fract()).collect()
}

/// Requires that every kernel gives what the host does, to the last bit.
fn assert_equal_everywhere(sizes: [usize; 3]) {
    let [m, n, w] = sizes;
    let (a, b) = (numbers(m * w, 0.618_034), numbers(w * n, 0.754_877_7));
    let expected = on_host(&a, &b, sizes);
    let tiled = TILES.map(Method::Tiled);
    everywhere(|view| {
        let others = [
            Method::Simple,
            Method::Coarsened { fast: false },
            Method::Blocked { fast: false },
        ];
        for method in others.into_iter().chain(tiled) {
            for checked in [true, false] {
                let found = on_view(view, method, checked, (&a, &b), sizes).unwrap();
                let difference = first_difference(&found, &expected, n, 0..m, 0.0);
                assert_eq!(difference, None, "{view}, {method:?}, {sizes:?}, {checked}");
            }
        }
    });
}

/// Conformance row P1.
#[test]
fn all_products_of_the_book_are_equal() {
    assert_equal_everywhere([64, 512, 256]);
}

#[test]
fn sizes_need_not_be_multiples_of_a_tile() {
    for sizes in [
        [1, 1, 1],
        [33, 47, 29],
        [16, 17, 16],
        [17, 16, 32],
        [32, 32, 31],
        [3, 70, 5],
        [129, 127, 33],
        [250, 131, 15],
    ] {
        assert_equal_everywhere(sizes);
    }
}

/// Moth's worked example: tiles of 2, and the element that he follows becomes 160.
#[test]
fn the_worked_example_of_the_article() {
    let a: Vec<f32> = (1u8..=8).map(f32::from).collect();
    let b: Vec<f32> = (1u8..=24).map(f32::from).collect();
    let expected = [
        [130.0, 140.0, 150.0, 160.0, 170.0, 180.0],
        [290.0, 316.0, 342.0, 368.0, 394.0, 420.0],
    ];
    everywhere(|view| {
        let found = on_view(view, Method::Tiled(2), true, (&a, &b), [2, 6, 4]).unwrap();
        assert_eq!(found, expected.as_flattened(), "{view}");
    });
}

#[test]
fn a_tile_without_a_kernel_is_refused() {
    everywhere(|view| {
        let refused = on_view(view, Method::Tiled(3), true, (&[1.0], &[1.0]), [1, 1, 1]);
        assert!(
            matches!(refused, Err(Error::UnsupportedFeature(_))),
            "{view}"
        );
    });
}

#[test]
fn a_wrong_element_is_found() {
    let all = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    assert_eq!(first_difference(&all, &all, 2, 0..3, 0.0), None);
    assert_eq!(first_difference(&all, &[3.0, 4.0], 2, [1], 0.0), None);
    let difference = first_difference(&all, &[1.0, 2.0, 5.0, 7.0], 2, [0, 2], 0.0);
    assert_eq!(difference, Some((2, 1, 6.0, 7.0)));
    let difference = first_difference(&all, &[1.0, 2.0, 5.0, 7.0], 2, [0, 2], 0.1);
    assert_eq!(difference, Some((2, 1, 6.0, 7.0)));
    assert_eq!(first_difference(&[1.0], &[1.0625], 1, [0], 0.0625), None);
    // A product that was never written.
    assert!(first_difference(&[f32::NAN], &[1.0], 1, [0], 0.1).is_some());
}

fn options(line: &str) -> Result<Options, String> {
    match Options::parse(line.split_whitespace().map(Into::into)) {
        Ok(Some(options)) => Ok(options),
        Ok(None) => Err(HELP.into()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn the_report_says_what_was_compared() {
    everywhere(|view| {
        let options = options("--tile 8 --repeat 1 --serial sample --json 100 40 24").unwrap();
        let report = multiply(view, &options).unwrap();
        assert!(report.is_verified(), "{view}");
        let json = report.json(&options, &view.accelerator());
        assert_eq!(json["verified"], true);
        assert_eq!(json["products"][0]["rows"], 64);
        assert_eq!(json["products"][2]["product"], "tiled kernel, 8 x 8");
        let checks = &json["products"][2]["checks"];
        assert_eq!(checks[0], "= CPU serial in 64 rows");
        assert_eq!(checks[1], "= simple kernel");
        assert_eq!(json["products"][3]["product"], "coarsened kernel, 64 x 64");
        assert_eq!(json["products"][4]["product"], "blocked kernel, 128 x 128");
        assert!(
            report
                .table(&options)
                .contains("CPU serial, 64 of 100 rows")
        );
    });
}

#[test]
fn a_wrong_product_is_reported() {
    everywhere(|view| {
        let options = options("--repeat 1 --json 4 4 4").unwrap();
        let mut report = multiply(view, &options).unwrap();
        report.entries[1].checks[0].difference = Some((2, 1, 6.0, 7.0));
        assert!(!report.is_verified());
        let text = "DIFFERS from CPU serial: element (2, 1) is 6, not 7";
        assert!(report.table(&options).contains(text));
    });
}

#[test]
fn the_cpu_computes_what_it_has_time_for() {
    let rows = |line| options(line).unwrap().serial_rows();
    assert_eq!(rows("").len(), 1024);
    let sample = rows("4096 4096 4096");
    assert_eq!((sample.len(), sample[0], sample[1]), (64, 0, 64));
    assert_eq!(rows("2 100000 100000"), [0]);
    assert_eq!(rows("--serial sample 3 3 3"), [0, 1, 2]);
    assert!(rows("--serial none 3 3 3").is_empty());
    assert_eq!(rows("--serial full 5 100000 100000"), [0, 1, 2, 3, 4]);
}

#[test]
fn a_wrong_command_line_is_refused() {
    for (line, reason) in [
        ("1 2", "three sizes M N W are wanted, but 2 given"),
        (
            "1 2 0",
            "cannot parse argument \"0\": a whole number from 1 is wanted",
        ),
        (
            "--tile 3",
            "there are kernels for tiles of [2, 4, 8, 16, 32]",
        ),
        (
            "--method best",
            "simple, tiled, coarsened or blocked is wanted",
        ),
        ("--serial some", "full, sample or none is wanted"),
        ("--fast", "invalid option '--fast'"),
        ("--help", "Usage: matmul"),
    ] {
        let refused = options(line).unwrap_err();
        assert!(refused.contains(reason), "{line}: {refused}");
    }
}

#[test]
fn an_accelerator_is_found_by_part_of_its_name() {
    let cpu = amp::Accelerator::cpu();
    assert_eq!(
        options("--accelerator CPU").unwrap().accelerator(),
        Ok(cpu.clone())
    );
    assert_eq!(
        options("--accelerator accelera").unwrap().accelerator(),
        Ok(cpu)
    );
    let error = options("--accelerator abacus")
        .unwrap()
        .accelerator()
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("no accelerator matches \"abacus\"; there are: "),
        "{text}"
    );
    assert!(text.contains("CPU accelerator [cpu]"), "{text}");
}
