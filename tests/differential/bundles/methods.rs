//! Methods of structs with views, by reference and by value, their own and those of traits.

use amp::prelude::*;
use glam::Vec3;
use testkit::{everywhere, gives, input, launch};

#[amp_module]
mod types {
    use amp::prelude::*;
    use glam::Vec3;

    #[amp_struct]
    pub struct Cloud<'a> {
        pub at: ArrayView<'a, Vec3, 1>,
        pub speed: ArrayViewMut<'a, Vec3, 1>,
        pub pull: f32,
    }

    #[amp_struct]
    pub struct Line<'a> {
        pub of: ArrayView<'a, f32, 2>,
    }

    pub trait Summed {
        fn sum(&self, i: usize) -> f32;

        fn twice(&self, i: usize) -> f32 {
            self.sum(i) + self.sum(i)
        }
    }

    impl Summed for Line<'_> {
        fn sum(&self, i: usize) -> f32 {
            let row = self.of.row(i);
            let mut sum = 0.0;
            for j in 0..row.extent()[0] {
                sum += row[j];
            }
            sum
        }
    }

    impl Line<'_> {
        const SCALE: f32 = 2.0;

        fn scaled(self, i: usize, by: f32) -> f32 {
            self.twice(i) * by * Self::SCALE
        }

        fn first_of(a: &Self, b: &Line<'_>) -> f32 {
            a.of[[0, 0]] + b.of[[0, 1]]
        }
    }

    impl Cloud<'_> {
        fn force(&self, i: usize) -> Vec3 {
            let mut sum = Vec3::ZERO;
            let others = self.at.section(0, i + 1);
            for j in 0..others.extent()[0] {
                sum += (others[j] - self.at[i]) * self.pull;
            }
            sum
        }

        fn push(&mut self, i: usize, time: f32) {
            let force = self.force(i);
            let mut own = self.speed.section(i, 1);
            own[0] += force * time;
        }
    }

    #[amp_kernel]
    pub fn advance(idx: Index<1>, cloud: &mut Cloud, time: f32) {
        cloud.push(idx[0], time);
        cloud.push(idx[0], time * 2.0);
    }

    #[amp_kernel]
    pub fn sums(idx: Index<1>, line: &Line, out: &mut ArrayViewMut<f32, 1>) {
        let i = idx[0];
        out[i] = line.sum(i) + line.scaled(i, 0.5) + Line::first_of(line, line);
    }
}

#[test]
fn methods_of_structs_with_views() {
    let at: Vec<Vec3> = (0..5)
        .map(|i| Vec3::new(i as f32, 1.0, -0.5 * i as f32))
        .collect();
    let expected: Vec<Vec3> = (0..5)
        .map(|i| {
            let mut speed = Vec3::ONE;
            for time in [0.25, 0.5] {
                let mut force = Vec3::ZERO;
                for other in &at[..=i] {
                    force += (*other - at[i]) * 0.5;
                }
                speed += force * time;
            }
            speed
        })
        .collect();
    everywhere(|view| {
        let mut speed = vec![Vec3::ONE; 5];
        let mut cloud = types::Cloud {
            at: input(&at),
            speed: ArrayViewMut::new(5, &mut speed).unwrap(),
            pull: 0.5,
        };
        launch(view, 5, types::advance(&mut cloud, 0.25)).unwrap();
        drop(cloud);
        assert_eq!(speed, expected, "{view}");
    });
    let line = [1.0, 2.0, 3.0, 4.0f32];
    gives(&[3.0 + 6.0 + 3.0, 7.0 + 14.0 + 3.0], |view, out| {
        let line = types::Line {
            of: ArrayView::new([2, 2], &line)?,
        };
        launch(view, 2, types::sums(&line, out))
    });
}

#[amp_struct]
struct Graph<'a> {
    offsets: ArrayView<'a, u32, 1>,
    targets: ArrayView<'a, u32, 1>,
}

#[amp_fn]
impl Graph<'_> {
    fn edges(&self, vertex: usize) -> std::ops::Range<usize> {
        self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize
    }

    fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> {
        self.edges(vertex).map(|edge| self.targets[edge] as usize)
    }
}

#[amp_kernel]
fn reached(idx: Index<1>, graph: &Graph, out: &mut ArrayViewMut<u32, 1>) {
    let mut sum = graph.edges(idx[0]).len() as u32;
    for vertex in graph.neighbours(idx[0]) {
        sum += 10 * graph.neighbours(vertex).map(|v| v as u32).sum::<u32>();
    }
    out[idx] = sum;
}

#[test]
fn methods_of_structs_with_views_return_iterators() {
    let (offsets, targets) = ([0, 2, 3, 3], [1, 2, 0]);
    gives(&[2, 1 + 10 * 3, 0], |view, out| {
        let graph = Graph {
            offsets: input(&offsets),
            targets: input(&targets),
        };
        launch(view, 3, reached(&graph, out))
    });
}
