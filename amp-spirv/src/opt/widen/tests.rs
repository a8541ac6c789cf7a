//! Kernels and what they are widened to.

use std::fmt::Write;

use crate::artifact::FaultKind;
use crate::mir::interpret::{Argument, Array, Launch, Value, run};
use crate::mir::{Module, parse, verify};
use crate::opt::tests::after;

/// A kernel of rank 1 with this body behind the last component of its index, %4.
fn kernel(body: &str) -> String {
    format!(
        "kernel k over Index<1>
site #0: OutOfBounds
site #1: DivisionByZero

fn k#0(%0: Index<1>, %1: &ArrayView<u32, 1>, %2: &mut ArrayViewMut<u32, 1>, %3: u32) {{
    %4: usize = extract 0 %0
{body}}}
"
    )
}

fn widened(text: &str) -> String {
    after(text, |module, _| super::run(module))
}

/// What stands in the wide kernel behind the last component of its index.
#[track_caller]
fn becomes(body: &str, lanes: u32, expected: &str) {
    let text = widened(&kernel(body));
    let start = text.find(&format!("lanes {lanes}\n")).unwrap_or_else(|| {
        panic!("there are no {lanes} lanes:\n{text}");
    });
    let rest = &text[start..];
    let from = rest.find("%4: usize").unwrap_or_default();
    let first = rest[from..].find('\n').unwrap_or_default();
    let end = rest.find("\n}\n").unwrap_or_default();
    assert_eq!(&rest[from + first + 1..=end], expected);
}

#[track_caller]
fn stays(body: &str) {
    let text = widened(&kernel(body));
    assert!(!text.contains("lanes"), "{text}");
}

const STORE: &str = "    %20: bool = in_bounds view 1 launch 1 %2, %4
    store %2[%4], %9 if %20
    return
";

#[test]
fn neighbours_are_accessed_at_once() {
    let body = "    %5: bool = in_bounds view 1 launch 0 %1, %4
    %6: usize = extent 0 %1
    %7: bool = lt %4, %6
    note_fault #0 %7, %4, %6
    %8: u32 = load %1[%4] if %5
    %10: u32 = mul %3, %3
    %9: u32 = mul %8, %10
";
    becomes(
        &format!("{body}{STORE}"),
        4,
        "    %5: u32, %6: u32, %7: u32, %8: u32 = load_run %1[%4]
    %9: u32 = mul %3, %3
    %10: u32 = mul %5, %9
    %11: u32 = mul %6, %9
    %12: u32 = mul %7, %9
    %13: u32 = mul %8, %9
    store_run %2[%4], %10, %11, %12, %13
    return
",
    );
}

#[test]
fn what_is_beside_a_run_is_loaded_alone() {
    let body = "    %5: usize = literal 1
    %6: usize = add %4, %5
    %7: bool = in_bounds view 1 launch 0 %1, %6
    %8: u32 = load %1[%6] if %7
    %10: bool = in_bounds view 1 launch 2 %1, %4
    %11: u32 = load %1[%4] if %10
    %9: u32 = mul %8, %11
";
    becomes(
        &format!("{body}{STORE}"),
        4,
        "    %5: usize = literal 4
    %6: usize = add %4, %5
    %7: u32, %8: u32, %9: u32, %10: u32 = load_run %1[%4]
    %11: bool = in_bounds view 1 always %1, %6
    %12: u32 = load %1[%6] if %11
    %13: u32 = mul %8, %7
    %14: u32 = mul %9, %8
    %15: u32 = mul %10, %9
    %16: u32 = mul %12, %10
    store_run %2[%4], %13, %14, %15, %16
    return
",
    );
}

#[test]
fn other_faults_are_noted_for_each_index() {
    let body = "    %5: u32 = cast %4
    %6: u32 = literal 0
    %7: bool = ne %5, %6
    note_fault #1 %7, %4, %4
    %9: u32 = div %3, %5 if %7
";
    let text = widened(&kernel(&format!("{body}{STORE}")));
    for lane in 1..4 {
        let site = format!("site #{}: DivisionByZero lane {lane}\n", lane + 1);
        assert!(text.contains(&site), "{text}");
    }
    assert_eq!(text.matches("note_fault").count(), 5, "{text}");
}

#[test]
fn an_early_return_ends_one_index() {
    let text = kernel(
        "    %5: u32 = cast %4
    %6: bool = lt %5, %3
    if %6 {
        return
    } else {
        yield
    }
    %20: bool = in_bounds view 1 launch 1 %2, %4
    store %2[%4], %5 if %20
    return
",
    );
    let module = module(&widened(&text));
    assert_eq!(module.lanes, 4);
    for bound in [0, 3, 4, 6, 9] {
        let (left, _) = launch(&module, 9, bound, true);
        let expected: Vec<u32> = (0..9).map(|it| if it < bound { 1 } else { it }).collect();
        assert_eq!(left, expected);
    }
}

#[test]
fn kernels_that_reach_elsewhere_stay() {
    let load = |index: &str| {
        format!(
            "{index}    %6: bool = in_bounds view 1 launch 0 %1, %5
    %9: u32 = load %1[%5] if %6
{STORE}"
        )
    };
    stays(&load("    %5: usize = mul %4, %4\n"));
    stays(&load(
        "    %7: usize = literal 1\n    %5: usize = add %4, %7\n",
    ));
    stays(&load(
        "    %7: usize = cast %3\n    %5: usize = add %4, %7\n",
    ));
    stays(&format!(
        "    %5: bool = in_bounds view 1 unproven Data %1, %4
    %9: u32 = load %1[%4] if %5
{STORE}"
    ));
    stays(&format!("    fence Global\n    %9: u32 = cast %4\n{STORE}"));
    stays(&format!(
        "    %5: usize = literal 1\n    %9: u32 = cast %4\n    for %5, %4, %5 as %6: usize {{
        yield\n    }}\n{STORE}"
    ));
    stays("    return\n");
}

fn module(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&module).unwrap_or_else(|errors| panic!("{}\n{text}", errors.join("\n")));
    module
}

/// What a launch leaves: elements, and the threads that fault with why and what on.
type Left = (Vec<u32>, Vec<(Vec<u32>, FaultKind, Vec<Value>)>);

/// Runs a kernel over a row on an array of its numbers and one of ones.
fn launch(module: &Module, length: u32, number: u32, wide: bool) -> Left {
    let array = |of: fn(u32) -> u32| Array {
        extent: vec![length],
        elements: (0..length).map(|it| Value::Int(of(it).into())).collect(),
    };
    let mut arrays = [array(|it| it), array(|_| 1)];
    let launch = Launch {
        module,
        constants: &[],
        extent: &[length],
        tile: None,
        arguments: vec![
            Argument::Array(0),
            Argument::Array(1),
            Argument::Value(Value::Int(number.into())),
        ],
        steps: 10_000,
        wide,
    };
    let faults = run(&launch, &mut arrays);
    let faults = faults.unwrap_or_else(|error| panic!("{error:?} in\n{module}"));
    let faults = faults.into_iter().map(|fault| {
        let kind = module.sites[fault.site.0 as usize].kind;
        (fault.thread, kind, fault.operands)
    });
    let left = arrays[1].elements.iter().map(|it| it.as_int() as u32);
    (left.collect(), faults.collect())
}

/// A random kernel that qualifies.
struct Writer {
    state: u64,
    text: String,
    next: u32,
    depth: usize,
}

impl Writer {
    fn random(&mut self, below: u32) -> u32 {
        self.state = self
            .state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(1);
        (self.state >> 33) as u32 % below
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.depth);
    }

    fn value(&mut self, ty: &str, of: &str) -> u32 {
        let number = self.next;
        self.next += 1;
        self.line(&format!("%{number}: {ty} = {of}"));
        number
    }

    fn one_of(&mut self, known: &[u32]) -> u32 {
        known[self.random(known.len() as u32) as usize]
    }

    /// Statements that make numbers of numbers.
    fn statements(&mut self, known: &mut Vec<u32>) {
        for _ in 0..self.random(4) + 1 {
            let (a, b) = (self.one_of(known), self.one_of(known));
            let made = match self.random(8) {
                0 => self.load("%1", "%4"),
                1 => self.load("%2", "%4"),
                2 => {
                    let check = self.value("bool", "in_bounds view 1 launch 1 %2, %4");
                    self.line(&format!("store %2[%4], %{a} if %{check}"));
                    continue;
                }
                3 => {
                    let zero = self.value("u32", "literal 0");
                    let check = self.value("bool", &format!("ne %{b}, %{zero}"));
                    self.line(&format!("note_fault #1 %{check}, %4, %4"));
                    self.value("u32", &format!("div %{a}, %{b} if %{check}"))
                }
                4 => self.beside(),
                5 | 6 => self.branch(known, a, b),
                _ => self.value("u32", &format!("add %{a}, %{b}")),
            };
            known.push(made);
        }
    }

    fn load(&mut self, view: &str, index: &str) -> u32 {
        let check = self.value(
            "bool",
            &format!("in_bounds view 1 launch 0 {view}, {index}"),
        );
        self.value("u32", &format!("load {view}[{index}] if %{check}"))
    }

    /// The element before the index, where there is one, and what is there.
    fn beside(&mut self) -> u32 {
        let zero = self.value("usize", "literal 0");
        let inside = self.value("bool", &format!("lt %{zero}, %4"));
        let made = self.next;
        self.next += 1;
        self.line(&format!("%{made}: u32 = if %{inside} {{"));
        self.depth += 1;
        let one = self.value("usize", "literal 1");
        let before = self.value("usize", &format!("sub %4, %{one}"));
        let (a, b) = (
            self.load("%1", &format!("%{before}")),
            self.load("%1", "%4"),
        );
        let sum = self.value("u32", &format!("add %{a}, %{b}"));
        self.otherwise(sum);
        let own = self.load("%1", "%4");
        self.end(own);
        made
    }

    fn branch(&mut self, known: &[u32], a: u32, b: u32) -> u32 {
        if self.depth > 3 {
            return a;
        }
        let condition = self.value("bool", &format!("lt %{a}, %{b}"));
        let made = self.next;
        self.next += 1;
        self.line(&format!("%{made}: u32 = if %{condition} {{"));
        self.depth += 1;
        let mut inner = known.to_vec();
        self.statements(&mut inner);
        let yielded = self.one_of(&inner);
        self.otherwise(yielded);
        let mut inner = known.to_vec();
        self.statements(&mut inner);
        let yielded = self.one_of(&inner);
        self.end(yielded);
        made
    }

    fn otherwise(&mut self, yielded: u32) {
        self.line(&format!("yield %{yielded}"));
        self.depth -= 1;
        self.line("} else {");
        self.depth += 1;
    }

    fn end(&mut self, yielded: u32) {
        self.line(&format!("yield %{yielded}"));
        self.depth -= 1;
        self.line("}");
    }
}

#[test]
fn random_kernels_do_the_same() {
    let mut widened_ones = 0;
    for seed in 0..150 {
        let mut writer = Writer {
            state: seed,
            text: String::new(),
            next: 6,
            depth: 1,
        };
        writer.line("%5: u32 = cast %4");
        let mut known = vec![3, 5];
        let mut last = 5;
        for _ in 0..3 {
            writer.statements(&mut known);
            last = known[known.len() - 1];
        }
        let check = writer.value("bool", "in_bounds view 1 launch 1 %2, %4");
        writer.line(&format!("store %2[%4], %{last} if %{check}"));
        writer.line("return");
        let text = kernel(&writer.text);
        let module = module(&widened(&text));
        widened_ones += u32::from(module.lanes > 1);
        for length in [1, 3, 4, 5, 14] {
            for number in [0, 3, 7] {
                assert_eq!(
                    launch(&module, length, number, true),
                    launch(&module, length, number, false),
                    "seed {seed}\n{module}"
                );
            }
        }
    }
    assert!(widened_ones > 75, "only {widened_ones} are widened");
}
