//! `a % b`: long division of the mantissas, eight bits of the quotient a round.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;
use super::super::format::Format;
use super::super::library::Routine;

impl Emitter<'_> {
    /// `a % b`, exactly.
    pub fn float_remainder(&mut self, format: Format, a: Word, b: Word) -> Word {
        let ty = self.float_ty(format);
        self.call_routine(Routine::Remainder(format), ty, &[a, b])
    }

    pub(in crate::emit) fn emit_remainder(&mut self, id: Word, format: Format) {
        let (ty, word) = (self.float_ty(format), self.word_ty(format));
        let (u32_ty, i32_ty) = (self.b.scalar.u32, self.b.scalar.i32);
        let name = match format.bits {
            32 => "amp::fmod",
            _ => "amp::fmod_f64",
        };
        let params = self.b.begin_function(id, name, ty, &[ty, ty]);
        let sign = self.constant_word(format, format.sign());
        let magnitude = self.constant_word(format, format.magnitude());
        let x = self.b.bitcast(word, params[0]);
        let y = self.b.bitcast(word, params[1]);
        let sign = self.on_words(format, Op::BitwiseAnd, x, sign);
        let ax = self.on_words(format, Op::BitwiseAnd, x, magnitude);
        let ay = self.on_words(format, Op::BitwiseAnd, y, magnitude);

        // x is not finite, y is zero or NaN: no remainder.
        let zero = self.constant_word(format, 0);
        let infinity = self.constant_word(format, format.infinity());
        let no_x = self.b.test(Op::UGreaterThanEqual, ax, infinity);
        let zero_y = self.b.test(Op::IEqual, ay, zero);
        let nan_y = self.b.test(Op::UGreaterThan, ay, infinity);
        let bad = self.b.test(Op::LogicalOr, no_x, zero_y);
        let bad = self.b.test(Op::LogicalOr, bad, nan_y);
        self.return_if(bad, |emitter| {
            let nan = emitter.constant_word(format, format.nan());
            emitter.b.bitcast(ty, nan)
        });
        let smaller = self.b.test(Op::ULessThan, ax, ay);
        self.return_if(smaller, |_| params[0]);

        let (mx, ex) = self.decompose(format, ax);
        let (my, ey) = self.decompose(format, ay);
        let difference = self.b.op(Op::ISub, i32_ty, &[ex, ey]);
        let difference = self.b.bitcast(u32_ty, difference);
        let start = self.on_words(format, Op::UMod, mx, my);

        let [header, test, inside, next, merge] = [(); 5].map(|()| self.b.id());
        let [rest, left, next_rest, next_left] = [(); 4].map(|()| self.b.id());
        let before = self.b.block;
        self.b.branch(header);
        self.b.label(header);
        let edges = [start, before, next_rest, next];
        self.b.define(rest, Op::Phi, word, &edges);
        let edges = [difference, before, next_left, next];
        self.b.define(left, Op::Phi, u32_ty, &edges);
        self.b.loop_merge(merge, next);
        self.b.branch(test);
        self.b.label(test);
        let none = self.b.u32(0);
        let more = self.b.test(Op::INotEqual, left, none);
        self.b.branch_if(more, inside, merge);
        self.b.label(inside);
        let eight = self.b.u32(8);
        let bits = self.b.glsl(GLOp::UMin, u32_ty, &[left, eight]);
        let shifted = self.on_words(format, Op::ShiftLeftLogical, rest, bits);
        self.b.branch(next);
        self.b.label(next);
        self.b.define(next_rest, Op::UMod, word, &[shifted, my]);
        self.b.define(next_left, Op::ISub, u32_ty, &[left, bits]);
        self.b.branch(header);
        self.b.label(merge);

        let nothing = self.b.test(Op::IEqual, rest, zero);
        self.return_if(nothing, |emitter| emitter.b.bitcast(ty, sign));
        // A remainder is a multiple of y's last place: nothing is rounded.
        let (bits, up) = self.raise(format, rest, format.bits - 2);
        let bias = self.b.i32(format.bias);
        let exponent = self.b.op(Op::ISub, i32_ty, &[ey, bias]);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, up]);
        let result = self.pack(format, sign, bits, exponent);
        self.b.ret(Some(result));
        self.b.end_function();
    }
}
