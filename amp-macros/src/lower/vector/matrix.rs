//! The formulas of matrices, as in glam's `src/f32/mat3.rs` and `src/f32/scalar/`.
//!
//! A matrix is an array of its columns.

use amp_spirv::tree::{self, BinaryOp, Scalar, Type};

use super::{
    calculation::{Calculation, count},
    is_matrix,
};
use crate::infer::Operation;

impl Calculation<'_, '_, '_> {
    /// A function of a matrix type. The arguments are kept, `ty` is that of the result.
    pub fn matrix_method(
        &mut self,
        operation: &Operation,
        arguments: &[tree::Expr],
        ty: Type,
    ) -> tree::Expr {
        let m = &arguments[0];
        let second = arguments.get(1).unwrap_or(m).clone();
        match operation {
            Operation::FromDiagonal => self.diagonal_matrix(m, ty),
            Operation::Diagonal => {
                let parts = (0..count(&ty)).map(|k| self.entry(m, k, k)).collect();
                self.construct(ty, parts)
            }
            Operation::Transpose => self.transpose(m),
            Operation::Column => self.at(m, second),
            Operation::Row => {
                let transposed = self.transpose(m);
                let transposed = self.keep(transposed);
                self.at(&transposed, second)
            }
            Operation::Determinant => self.determinant(m),
            Operation::Inverse => match count(&m.ty) {
                2 => self.inverse2(m),
                3 => self.inverse3(m),
                _ => self.inverse4(m),
            },
            Operation::MulVector => self.transform(m, &second),
            Operation::MulScalar => self.matrix_operator(BinaryOp::Mul, m, &second),
            Operation::DivScalar => self.matrix_operator(BinaryOp::Div, m, &second),
            Operation::TransformPoint => {
                let moved = self.transform(m, &second);
                let moved = self.keep(self.add(self.last(m), moved));
                self.shortened(&moved, ty)
            }
            Operation::TransformVector => {
                let turned = self.transform(m, &second);
                let turned = self.keep(turned);
                self.shortened(&turned, ty)
            }
            Operation::ProjectPoint => {
                let moved = self.transform(m, &second);
                let moved = self.keep(self.add(self.last(m), moved));
                let divided = self.keep(self.div(moved.clone(), self.part(&moved, 3)));
                self.shortened(&divided, ty)
            }
            _ => unreachable!("inference gives a matrix no function of a vector"),
        }
    }

    /// An operator with a matrix on one side at least.
    pub fn matrix_operator(
        &mut self,
        op: BinaryOp,
        left: &tree::Expr,
        right: &tree::Expr,
    ) -> tree::Expr {
        let by_column =
            |cx: &Self, matrix: &tree::Expr, f: &dyn Fn(tree::Expr, usize) -> tree::Expr| {
                let columns = cx.parts(matrix).into_iter().enumerate();
                let columns = columns.map(|(k, column)| f(column, k)).collect();
                cx.construct(matrix.ty.clone(), columns)
            };
        match (is_matrix(&left.ty), is_matrix(&right.ty)) {
            (true, true) if op == BinaryOp::Mul => {
                let columns = self.parts(right);
                let columns = columns
                    .iter()
                    .map(|column| self.transform(left, column))
                    .collect();
                self.construct(left.ty.clone(), columns)
            }
            (true, true) => by_column(self, left, &|column, k| {
                self.binary(op, column, self.part(right, k))
            }),
            (true, false) if matches!(right.ty, Type::Vector(..)) => self.transform(left, right),
            (true, false) => by_column(self, left, &|column, _| {
                self.binary(op, column, right.clone())
            }),
            _ => by_column(self, right, &|column, _| {
                self.binary(op, column, left.clone())
            }),
        }
    }

    /// The component of a column.
    fn entry(&self, m: &tree::Expr, column: usize, row: usize) -> tree::Expr {
        self.part(&self.part(m, column), row)
    }

    fn last(&self, m: &tree::Expr) -> tree::Expr {
        self.part(m, count(&m.ty) - 1)
    }

    /// The first components of a kept vector, as many as the type has.
    fn shortened(&self, vector: &tree::Expr, ty: Type) -> tree::Expr {
        let mut parts = self.parts(vector);
        parts.truncate(count(&ty));
        self.construct(ty, parts)
    }

    /// The columns, each multiplied by a component of `vector`, summed up; columns that
    /// the vector has no component for are left out.
    fn transform(&mut self, m: &tree::Expr, vector: &tree::Expr) -> tree::Expr {
        let columns = self.parts(m).into_iter().zip(self.parts(vector));
        let products = columns.map(|(column, by)| self.mul(column, by)).collect();
        let sum = self.fold(BinaryOp::Add, products);
        self.keep(sum)
    }

    fn diagonal_matrix(&self, diagonal: &tree::Expr, ty: Type) -> tree::Expr {
        let size = count(&ty);
        let column = |k: usize| {
            let mut parts = vec![self.number(diagonal, 0.0); size];
            parts[k] = self.part(diagonal, k);
            self.vector(parts)
        };
        self.construct(ty, (0..size).map(column).collect())
    }

    fn transpose(&self, m: &tree::Expr) -> tree::Expr {
        let size = count(&m.ty);
        let column = |row: usize| {
            let parts = (0..size).map(|column| self.entry(m, column, row));
            self.vector(parts.collect())
        };
        self.construct(m.ty.clone(), (0..size).map(column).collect())
    }

    /// `a * b - c * d`, of entries given as column and row.
    fn minor(&mut self, m: &tree::Expr, entries: [(usize, usize); 4]) -> tree::Expr {
        let [a, b, c, d] = entries.map(|(column, row)| self.entry(m, column, row));
        let difference = self.sub(self.mul(a, b), self.mul(c, d));
        self.keep(difference)
    }

    fn determinant(&mut self, m: &tree::Expr) -> tree::Expr {
        match count(&m.ty) {
            2 => self.minor(m, [(0, 0), (1, 1), (0, 1), (1, 0)]),
            3 => {
                let cross = self.cross(&self.part(m, 1), &self.part(m, 2));
                let cross = self.keep(cross);
                self.dot(&self.part(m, 0), &cross)
            }
            _ => self.determinant4(m),
        }
    }

    fn determinant4(&mut self, m: &tree::Expr) -> tree::Expr {
        // Of the last two columns, the rows `i` and `j`.
        let mut of_rows = |i, j| self.minor(m, [(2, i), (3, j), (2, j), (3, i)]);
        let (a23, a13, a12) = (of_rows(2, 3), of_rows(1, 3), of_rows(1, 2));
        let (a03, a02, a01) = (of_rows(0, 3), of_rows(0, 2), of_rows(0, 1));
        // Each is `m1i * a - m1j * b + m1k * c`.
        let of_three = |[(i, a), (j, b), (k, c)]: [(usize, &tree::Expr); 3]| {
            let product = |row, by: &tree::Expr| self.mul(self.entry(m, 1, row), by.clone());
            self.add(self.sub(product(i, a), product(j, b)), product(k, c))
        };
        let terms = [
            of_three([(1, &a23), (2, &a13), (3, &a12)]),
            of_three([(0, &a23), (2, &a03), (3, &a02)]),
            of_three([(0, &a13), (1, &a03), (3, &a01)]),
            of_three([(0, &a12), (1, &a02), (2, &a01)]),
        ];
        let [t0, t1, t2, t3] = {
            let mut row = 0;
            terms.map(|term| {
                row += 1;
                self.mul(self.entry(m, 0, row - 1), term)
            })
        };
        self.sub(self.add(self.sub(t0, t1), t2), t3)
    }

    fn inverse2(&mut self, m: &tree::Expr) -> tree::Expr {
        let determinant = self.determinant(m);
        let one = self.number(&determinant, 1.0);
        let recip = self.keep(self.div(one, determinant));
        let negated = self.keep(self.neg(recip.clone()));
        let columns = vec![
            self.vector(vec![
                self.mul(self.entry(m, 1, 1), recip.clone()),
                self.mul(self.entry(m, 0, 1), negated.clone()),
            ]),
            self.vector(vec![
                self.mul(self.entry(m, 1, 0), negated),
                self.mul(self.entry(m, 0, 0), recip),
            ]),
        ];
        self.construct(m.ty.clone(), columns)
    }

    fn inverse3(&mut self, m: &tree::Expr) -> tree::Expr {
        let [x, y, z] = [0, 1, 2].map(|k| self.part(m, k));
        let rows = [(&y, &z), (&z, &x), (&x, &y)].map(|(a, b)| {
            let cross = self.cross(a, b);
            self.keep(cross)
        });
        let determinant = self.dot(&x, &rows[0]);
        let one = self.number(&determinant, 1.0);
        let recip = self.keep(self.div(one, determinant));
        let scaled = rows.map(|row| self.mul(row, recip.clone()));
        let scaled = self.construct(m.ty.clone(), scaled.into());
        let scaled = self.keep(scaled);
        self.transpose(&scaled)
    }

    /// The cofactors of pairs of columns, as glam's scalar `Mat4` orders them.
    fn inverse4(&mut self, m: &tree::Expr) -> tree::Expr {
        let mut factors = Vec::new();
        for (i, j) in [(2, 3), (1, 3), (1, 2), (0, 3), (0, 2), (0, 1)] {
            let mut of_columns = |a, b| self.minor(m, [(a, i), (b, j), (b, i), (a, j)]);
            let (first, second, third) = (of_columns(2, 3), of_columns(1, 3), of_columns(1, 2));
            let factor = self.vector(vec![first.clone(), first, second, third]);
            factors.push(self.keep(factor));
        }
        let rows: Vec<tree::Expr> = (0..4)
            .map(|row| {
                let (first, second) = (self.entry(m, 1, row), self.entry(m, 0, row));
                let row = self.vector(vec![first, second.clone(), second.clone(), second]);
                self.keep(row)
            })
            .collect();
        // `rows[i] * factors[a] - rows[j] * factors[b] + rows[k] * factors[c]`
        let columns = [
            [(1, 0), (2, 1), (3, 2)],
            [(0, 0), (2, 3), (3, 4)],
            [(0, 1), (1, 3), (3, 5)],
            [(0, 2), (1, 4), (2, 5)],
        ];
        let column = Type::Vector(Scalar::F32, 4);
        let mut adjugate = Vec::new();
        for (k, terms) in columns.into_iter().enumerate() {
            let [a, b, c] =
                terms.map(|(row, factor)| self.mul(rows[row].clone(), factors[factor].clone()));
            let sum = self.add(self.sub(a, b), c);
            let signs = (0..4).map(|row| match (row + k) % 2 {
                0 => self.number(&m.clone(), 1.0),
                _ => self.number(&m.clone(), -1.0),
            });
            let signs = self.construct(column.clone(), signs.collect());
            adjugate.push(self.mul(sum, signs));
        }
        let adjugate = self.construct(m.ty.clone(), adjugate);
        let adjugate = self.keep(adjugate);
        let firsts = (0..4).map(|k| self.entry(&adjugate, k, 0)).collect();
        let firsts = self.keep(self.vector(firsts));
        let determinant = self.dot(&self.part(m, 0), &firsts);
        let one = self.number(&determinant, 1.0);
        let recip = self.keep(self.div(one, determinant));
        self.matrix_operator(BinaryOp::Mul, &adjugate, &recip)
    }
}
