//! The operators of `Wrapping`. A quotient of it cannot fault by an overflow, and so is not that of its number:
//! it is left out.

impl<T: Copy + Add<Output = T>> Add for Wrapping<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Wrapping(self.0 + other.0)
    }
}

impl<T: Copy + Add<Output = T>> AddAssign for Wrapping<T> {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0 + other.0;
    }
}

impl<T: Copy + Sub<Output = T>> Sub for Wrapping<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Wrapping(self.0 - other.0)
    }
}

impl<T: Copy + Sub<Output = T>> SubAssign for Wrapping<T> {
    fn sub_assign(&mut self, other: Self) {
        self.0 = self.0 - other.0;
    }
}

impl<T: Copy + Mul<Output = T>> Mul for Wrapping<T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Wrapping(self.0 * other.0)
    }
}

impl<T: Copy + Mul<Output = T>> MulAssign for Wrapping<T> {
    fn mul_assign(&mut self, other: Self) {
        self.0 = self.0 * other.0;
    }
}

impl<T: Copy + BitAnd<Output = T>> BitAnd for Wrapping<T> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Wrapping(self.0 & other.0)
    }
}

impl<T: Copy + BitAnd<Output = T>> BitAndAssign for Wrapping<T> {
    fn bitand_assign(&mut self, other: Self) {
        self.0 = self.0 & other.0;
    }
}

impl<T: Copy + BitOr<Output = T>> BitOr for Wrapping<T> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Wrapping(self.0 | other.0)
    }
}

impl<T: Copy + BitOr<Output = T>> BitOrAssign for Wrapping<T> {
    fn bitor_assign(&mut self, other: Self) {
        self.0 = self.0 | other.0;
    }
}

impl<T: Copy + BitXor<Output = T>> BitXor for Wrapping<T> {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Wrapping(self.0 ^ other.0)
    }
}

impl<T: Copy + BitXor<Output = T>> BitXorAssign for Wrapping<T> {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 = self.0 ^ other.0;
    }
}

impl<T: Copy + Shl<usize, Output = T>> Shl<usize> for Wrapping<T> {
    type Output = Self;

    fn shl(self, count: usize) -> Self {
        Wrapping(self.0 << count)
    }
}

impl<T: Copy + Shl<usize, Output = T>> ShlAssign<usize> for Wrapping<T> {
    fn shl_assign(&mut self, count: usize) {
        self.0 = self.0 << count;
    }
}

impl<T: Copy + Shr<usize, Output = T>> Shr<usize> for Wrapping<T> {
    type Output = Self;

    fn shr(self, count: usize) -> Self {
        Wrapping(self.0 >> count)
    }
}

impl<T: Copy + Shr<usize, Output = T>> ShrAssign<usize> for Wrapping<T> {
    fn shr_assign(&mut self, count: usize) {
        self.0 = self.0 >> count;
    }
}

impl<T: Copy + Not<Output = T>> Not for Wrapping<T> {
    type Output = Self;

    fn not(self) -> Self {
        Wrapping(!self.0)
    }
}

impl<T: Copy + Sub<Output = T>> Neg for Wrapping<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Wrapping(self.0 - self.0 - self.0)
    }
}
