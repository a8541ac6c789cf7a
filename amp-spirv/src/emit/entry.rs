//! The entry point: from workgroup to index, from argument block to parameters, and
//! around the kernel the test whether the thread is in the domain at all.

use spirv::{BuiltIn, Decoration, Op, StorageClass, Word};

use super::Emitter;
use super::argument::Block;
use super::function::Register;
use super::types::UNIT;
use crate::artifact::{SPEC_LINEAR, SPEC_SIZE_X, SPEC_WIDE};
use crate::tree::{Domain, Len, Type};

/// Where a thread of a kernel over `Index` stands.
struct Point {
    index: Vec<Word>,
    /// Whether that is in the domain.
    inside: Word,
    /// Whether it is the first of several indices, if there is a wide kernel.
    wide: Option<Word>,
}

impl<'m> Emitter<'m> {
    /// Emits the entry point.
    pub fn entry(&mut self) {
        let ir = self.ir;
        let size = self.workgroup_size();
        let id = self.b.id();
        let void = self.b.scalar.void;
        self.b.begin_function(id, "main", void, &[]);
        let block = self.open_block();
        match &ir.domain {
            Domain::Tiled { tile } => {
                let index = self.tiled_index(tile.len() as u32, &block, &size);
                self.run(&block, index, None);
            }
            Domain::Range { rank } => {
                let point = self.point(*rank, &block, size[0]);
                let (inside, done) = (self.b.id(), self.b.id());
                self.b.selection_merge(done);
                self.b.branch_if(point.inside, inside, done);
                self.b.label(inside);
                let index = self.aggregate(&Type::Index(*rank), point.index);
                self.run(&block, index, point.wide);
                self.b.branch(done);
                self.b.label(done);
            }
        }
        self.b.ret(None);
        self.b.end_function();
        self.fault_library();
        self.print_library();
        let interface = std::mem::take(&mut self.interface);
        self.b.entry_point(id, &ir.name, &interface);
    }

    /// Calls the kernel, or the wide one, and reports what went wrong in it.
    fn run(&mut self, block: &Block, index: Word, wide: Option<Word>) {
        let mut operands = vec![index];
        for register in self.block_params(block) {
            match register {
                Register::View(view) => {
                    operands.push(view.pointer);
                    operands.extend(view.extents);
                    operands.extend(view.strides);
                }
                Register::Word(value) => {
                    operands.extend((value != UNIT).then_some(value));
                }
            }
        }
        match (wide, &*self.functions) {
            (Some(wide), &[.., wide_kernel, kernel]) => {
                let (yes, no, merge) = (self.b.id(), self.b.id(), self.b.id());
                self.b.selection_merge(merge);
                self.b.branch_if(wide, yes, no);
                for (label, function) in [(yes, wide_kernel), (no, kernel)] {
                    self.b.label(label);
                    self.call_kernel(function, &operands);
                    self.b.branch(merge);
                }
                self.b.label(merge);
            }
            (_, &[.., kernel]) => self.call_kernel(kernel, &operands),
            _ => {}
        }
        self.report_fault(block);
        self.try_own_loops(block);
    }

    fn call_kernel(&mut self, kernel: Word, operands: &[Word]) {
        let void = self.b.scalar.void;
        let operands = [&[kernel], operands].concat();
        self.b.op(Op::FunctionCall, void, &operands);
    }

    /// The workgroup's size in x, y and z.
    fn workgroup_size(&mut self) -> [Word; 3] {
        let u32_ty = self.b.scalar.u32;
        // For tools that look at the module as it is, a literal tile is the default.
        let default = |dimension: usize| match &self.ir.domain {
            Domain::Tiled { tile } => match tile.iter().rev().nth(dimension) {
                Some(Len::Literal(size)) => (*size / self.merged(dimension)).max(1),
                _ => 1,
            },
            Domain::Range { .. } => 1,
        };
        let defaults = [default(0), default(1), default(2)];
        let mut size = [0; 3];
        for (dimension, name) in ["size_x", "size_y", "size_z"].into_iter().enumerate() {
            size[dimension] = self.specialization(
                Op::SpecConstant,
                u32_ty,
                &[defaults[dimension]],
                SPEC_SIZE_X + dimension as u32,
                name,
            );
        }
        let vector = self.vector();
        let whole = self
            .b
            .global(Op::SpecConstantComposite, Some(vector), &size);
        self.b.decorate(
            whole,
            Decoration::BuiltIn,
            Some(BuiltIn::WorkgroupSize as Word),
        );
        size
    }

    /// How many threads of a tile one thread runs along x, y or z.
    fn merged(&self, axis: usize) -> u32 {
        self.ir.merged.iter().rev().nth(axis).copied().unwrap_or(1)
    }

    pub fn vector(&mut self) -> Word {
        let u32_ty = self.b.scalar.u32;
        self.b.intern(Op::TypeVector, None, &[u32_ty, 3])
    }

    /// A component of a three-dimensional built-in variable.
    pub fn builtin(&mut self, builtin: BuiltIn, component: u32) -> Word {
        let vector = self.vector();
        let variable = self.builtin_variable(builtin, vector);
        let whole = self.b.load(vector, variable);
        self.b.extract(self.b.scalar.u32, whole, component)
    }

    /// The variable of a built-in of this type.
    pub fn builtin_variable(&mut self, builtin: BuiltIn, ty: Word) -> Word {
        if let Some(variable) = self.builtins.get(&builtin) {
            return *variable;
        }
        let name = format!("{builtin:?}");
        let variable = self.global_variable(StorageClass::Input, ty, &name);
        self.b
            .decorate(variable, Decoration::BuiltIn, Some(builtin as Word));
        self.builtins.insert(builtin, variable);
        variable
    }

    fn tiled_index(&mut self, rank: u32, block: &Block, size: &[Word; 3]) -> Word {
        let index_ty = self.index_ty();
        let linear = self.linear_tile(rank, block);
        let is_linear = self.switch(SPEC_LINEAR, "linear");
        let [mut global, mut local, mut tile, mut origin] = [const { Vec::new() }; 4];
        for (dimension, linear) in (0..rank).rev().zip(linear) {
            let group = self.builtin(BuiltIn::WorkgroupId, dimension);
            let thread = self.builtin(BuiltIn::LocalInvocationId, dimension);
            let (group, thread) = (self.as_index(group), self.as_index(thread));
            let group = self.b.select(index_ty, is_linear, linear, group);
            let mut size = self.as_index(size[dimension as usize]);
            let merged = self.merged(dimension as usize);
            if merged > 1 {
                let merged = self.index_number(merged);
                size = self.index_op(Op::IMul, size, merged);
            }
            let first = self.index_op(Op::IMul, group, size);
            global.push(self.index_op(Op::IAdd, first, thread));
            local.push(thread);
            tile.push(group);
            origin.push(first);
        }
        let parts = [global, local, tile, origin]
            .map(|part| self.aggregate(&Type::Index(rank), part))
            .to_vec();
        self.aggregate(&Type::TiledIndex(rank), parts)
    }

    fn point(&mut self, rank: u32, block: &Block, size: Word) -> Point {
        let mut extents: Vec<Word> = (0..rank)
            .map(|k| self.block_domain_extent(block, k))
            .collect();
        if self.ir.lanes == 1 {
            return self.thread(block, &extents, size);
        }
        let last = rank as usize - 1;
        let length = extents[last];
        extents[last] = self.threads_of_row(length);
        let thread = self.thread(block, &extents, size);
        self.first_of_several(thread, length)
    }

    /// How many threads a row of this length has.
    fn threads_of_row(&mut self, length: Word) -> Word {
        let lanes = self.index_number(self.ir.lanes);
        let runs = self.index_op(Op::UDiv, length, lanes);
        let rest = self.index_op(Op::UMod, length, lanes);
        let threads = self.index_op(Op::IAdd, runs, rest);
        let (ty, is_wide) = (self.index_ty(), self.switch(SPEC_WIDE, "wide"));
        self.b.select(ty, is_wide, threads, length)
    }

    /// Where a thread stands if the first ones of its row have several indices.
    fn first_of_several(&mut self, thread: Point, length: Word) -> Point {
        let Point {
            mut index, inside, ..
        } = thread;
        let lanes = self.index_number(self.ir.lanes);
        let further = self.index_number(self.ir.lanes - 1);
        let runs = self.index_op(Op::UDiv, length, lanes);
        let mut last = index.pop().unwrap_or_default();
        let (ty, is_wide) = (self.index_ty(), self.switch(SPEC_WIDE, "wide"));
        let is_run = self.b.test(Op::ULessThan, last, runs);
        let is_run = self.b.test(Op::LogicalAnd, is_wide, is_run);
        let first = self.index_op(Op::IMul, last, lanes);
        let before = self.index_op(Op::IMul, runs, further);
        let single = self.index_op(Op::IAdd, last, before);
        let single = self.b.select(ty, is_wide, single, last);
        last = self.b.select(ty, is_run, first, single);
        index.push(last);
        Point {
            index,
            inside,
            wide: Some(is_run),
        }
    }

    /// Where a thread stands among those of a domain, in workgroups of `size` threads along x.
    fn thread(&mut self, block: &Block, extents: &[Word], size: Word) -> Point {
        let linear = self.linear_point(block, extents, size);
        let grid = self.grid_point(extents);
        let (bool, index_ty) = (self.b.scalar.bool, self.index_ty());
        let is_linear = self.switch(SPEC_LINEAR, "linear");
        let index = linear
            .index
            .iter()
            .zip(&grid.index)
            .map(|(a, b)| self.b.select(index_ty, is_linear, *a, *b))
            .collect();
        let inside = self.b.select(bool, is_linear, linear.inside, grid.inside);
        Point {
            index,
            inside,
            wide: None,
        }
    }

    /// The number of a workgroup, where they are numbered one after the other.
    fn workgroup_number(&mut self, block: &Block) -> Word {
        let x = self.builtin(BuiltIn::WorkgroupId, 0);
        let y = self.builtin(BuiltIn::WorkgroupId, 1);
        let width = self.builtin(BuiltIn::NumWorkgroups, 0);
        let row = self.b.int(Op::IMul, y, width);
        let group = self.b.int(Op::IAdd, row, x);
        let group = self.as_index(group);
        match self.block_first_workgroup(block) {
            Some(first) => self.index_op(Op::IAdd, group, first),
            None => group,
        }
    }

    /// The tile of a workgroup by its number.
    fn linear_tile(&mut self, rank: u32, block: &Block) -> Vec<Word> {
        let number = self.workgroup_number(block);
        // All tiles of the most significant dimension have a number.
        let mut tiles = vec![number];
        tiles.extend((0..rank - 1).map(|k| self.block_domain_extent(block, k)));
        self.decode(number, &tiles)
    }

    /// Workgroups numbered one after the other, threads along x.
    fn linear_point(&mut self, block: &Block, extents: &[Word], size: Word) -> Point {
        let group = self.workgroup_number(block);
        let size = self.as_index(size);
        let first = self.index_op(Op::IMul, group, size);
        let thread = self.builtin(BuiltIn::LocalInvocationId, 0);
        let thread = self.as_index(thread);
        let flat = self.index_op(Op::IAdd, first, thread);
        let index = self.decode(flat, extents);
        let groups = self.block_workgroups(block);
        let in_grid = self.b.test(Op::ULessThan, group, groups);
        let in_domain = self.b.test(Op::ULessThan, index[0], extents[0]);
        Point {
            index,
            inside: self.b.test(Op::LogicalAnd, in_grid, in_domain),
            wide: None,
        }
    }

    /// x and y are the last two components, z is all others.
    fn grid_point(&mut self, extents: &[Word]) -> Point {
        let flattened = extents.len().saturating_sub(2);
        let mut index = Vec::new();
        if flattened > 0 {
            let z = self.builtin(BuiltIn::GlobalInvocationId, 2);
            let z = self.as_index(z);
            index = self.decode(z, &extents[..flattened]);
        }
        for dimension in (0..(extents.len() - flattened) as u32).rev() {
            let position = self.builtin(BuiltIn::GlobalInvocationId, dimension);
            index.push(self.as_index(position));
        }
        let mut inside = self.b.test(Op::ULessThan, index[0], extents[0]);
        for k in flattened.max(1)..extents.len() {
            let within = self.b.test(Op::ULessThan, index[k], extents[k]);
            inside = self.b.test(Op::LogicalAnd, inside, within);
        }
        Point {
            index,
            inside,
            wide: None,
        }
    }

    /// The row-major index of a position; only the first component can be too large.
    fn decode(&mut self, flat: Word, extents: &[Word]) -> Vec<Word> {
        let mut index = vec![flat; extents.len()];
        let mut rest = flat;
        for k in (1..extents.len()).rev() {
            index[k] = self.index_op(Op::UMod, rest, extents[k]);
            rest = self.index_op(Op::UDiv, rest, extents[k]);
        }
        index[0] = rest;
        index
    }
}
