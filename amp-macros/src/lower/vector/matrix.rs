//! Matrices: arrays of their columns.

use amp_spirv::tree::{self, BinaryOp, Type};

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
            Operation::Matrix(op, _) => self.matrix_operator(*op, m, &second),
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

    /// The columns, each multiplied by a component of `vector`, summed up.
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
}
