//! The generator, as kernels and the host call it.

use crate::amp_module;

/// All of it: methods are known to kernels by their module.
#[amp_module]
pub mod generator {
    use std::f32::consts::TAU;

    const ROUNDS: u32 = 10;

    /// The function behind [`Philox`]: the four words that belong to a counter and a key (J. Salmon et al.,
    /// *Parallel random numbers: as easy as 1, 2, 3*, 2011). Different counters have independent words.
    ///
    /// ```
    /// use amp::algorithms::random::philox4x32;
    ///
    /// let words = philox4x32([0; 4], [0; 2]);
    /// assert_eq!(words, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    /// ```
    pub fn philox4x32(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
        let [mut a, mut b, mut c, mut d] = counter;
        let [mut first, mut second] = key;
        for _ in 0..ROUNDS {
            let from_a = a as u64 * 0xd251_1f53;
            let from_c = c as u64 * 0xcd9e_8d57;
            let (high_a, high_c) = ((from_a >> 32) as u32, (from_c >> 32) as u32);
            (a, b, c, d) = (
                high_c ^ b ^ first,
                from_c as u32,
                high_a ^ d ^ second,
                from_a as u32,
            );
            first += 0x9e37_79b9;
            second += 0xbb67_ae85;
        }
        [a, b, c, d]
    }

    /// The upper 64 bits of a product.
    fn high_product(a: u64, b: u64) -> u64 {
        let (low_a, high_a) = (a & 0xffff_ffff, a >> 32);
        let (low_b, high_b) = (b & 0xffff_ffff, b >> 32);
        let middle = high_a * low_b + (low_a * low_b >> 32);
        high_a * high_b + (middle >> 32) + (low_a * high_b + (middle & 0xffff_ffff) >> 32)
    }

    /// A float in [0, 1), of 24 random bits.
    pub(crate) fn unit_f32(word: u32) -> f32 {
        (word >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// A float in [0, 1), of 53 random bits.
    pub(crate) fn unit_f64(low: u32, high: u32) -> f64 {
        ((high as u64) << 21 | (low >> 11) as u64) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Two numbers of the standard normal distribution, from two random words (Box and Muller).
    pub(crate) fn normals_f32(first: u32, second: u32) -> [f32; 2] {
        // Not zero, and with all the bits that a small number has.
        let chance = first as f32 * (1.0 / 4_294_967_296.0) + 0.5 / 4_294_967_296.0;
        let radius = (-2.0 * chance.ln()).sqrt();
        let (sine, cosine) = (TAU * unit_f32(second)).sin_cos();
        [radius * cosine, radius * sine]
    }

    /// The same from four words.
    pub(crate) fn normals_f64(words: [u32; 4]) -> [f64; 2] {
        let chance = 1.0 - unit_f64(words[0], words[1]);
        let radius = (-2.0 * chance.ln()).sqrt();
        let (sine, cosine) = (std::f64::consts::TAU * unit_f64(words[2], words[3])).sin_cos();
        [radius * cosine, radius * sine]
    }

    /// A stream of random numbers: Philox 4x32-10, where the seed is the key.
    ///
    /// A seed has 2⁶⁴ streams of 2⁶⁶ words each: [`stream`](Self::stream) and
    /// [`substream`](Self::substream) select one. Kernels take a generator by value, and its methods are
    /// available in kernels and on the host. Numbers of 32 bits take one word, those of 64 bits two, in the order in
    /// which they are drawn.
    ///
    /// ```
    /// use amp::algorithms::random::Philox;
    ///
    /// let mut random = Philox::new(42);
    /// let dice = [random.below(6) + 1, random.below(6) + 1];
    /// assert!(dice.iter().all(|pips| (1..=6).contains(pips)));
    /// assert_eq!(Philox::new(42).below(6) + 1, dice[0]);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Philox {
        key: [u32; 2],
        /// Of the next block: its number in the stream (two words), and the stream.
        counter: [u32; 4],
        words: [u32; 4],
        /// How many of the words have been drawn.
        used: u32,
    }

    impl Philox {
        /// Stream 0 of a seed.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// assert_eq!(Philox::new(0).next_u32(), 0x6627_e8d5);
        /// ```
        pub fn new(seed: u64) -> Self {
            Self {
                key: [seed as u32, (seed >> 32) as u32],
                counter: [0; 4],
                words: [0; 4],
                used: 4,
            }
        }

        /// The beginning of another stream of the same seed, such as that of a thread.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// let random = Philox::new(1);
        /// assert_ne!(random.stream(1).next_u32(), random.stream(2).next_u32());
        /// ```
        #[must_use]
        pub fn stream(&self, number: u32) -> Self {
            Self {
                key: self.key,
                counter: [0, 0, number, self.counter[3]],
                words: [0; 4],
                used: 4,
            }
        }

        /// The beginning of a stream with the same number and another second number, such as that of
        /// a time step.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// let random = Philox::new(1).stream(7);
        /// assert_ne!(random.substream(1).next_u32(), random.substream(2).next_u32());
        /// ```
        #[must_use]
        pub fn substream(&self, number: u32) -> Self {
            Self {
                key: self.key,
                counter: [0, 0, self.counter[2], number],
                words: [0; 4],
                used: 4,
            }
        }

        /// The block of four words of this number.
        pub(crate) fn block(&self, number: u32) -> [u32; 4] {
            philox4x32([number, 0, self.counter[2], self.counter[3]], self.key)
        }

        /// What an element draws that needs an unknown number of words.
        pub(crate) fn apart(&self, element: u32) -> Self {
            let counter = [0, element + 1, self.counter[2], self.counter[3]];
            Self {
                key: self.key,
                counter,
                words: [0; 4],
                used: 4,
            }
        }

        /// The next 32 random bits.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// assert_eq!(Philox::new(0).next_u32(), 0x6627_e8d5);
        /// ```
        pub fn next_u32(&mut self) -> u32 {
            if self.used == 4 {
                self.words = philox4x32(self.counter, self.key);
                self.counter[0] += 1;
                if self.counter[0] == 0 {
                    self.counter[1] += 1;
                }
                self.used = 0;
            }
            let word = match self.used {
                0 => self.words[0],
                1 => self.words[1],
                2 => self.words[2],
                _ => self.words[3],
            };
            self.used += 1;
            word
        }

        /// A number in [0, 1), a multiple of 2⁻²⁴.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// assert!((0.0..1.0).contains(&Philox::new(1).uniform()));
        /// ```
        pub fn uniform(&mut self) -> f32 {
            unit_f32(self.next_u32())
        }

        /// A number in [0, 1), a multiple of 2⁻⁵³.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// assert!((0.0..1.0).contains(&Philox::new(1).uniform_f64()));
        /// ```
        pub fn uniform_f64(&mut self) -> f64 {
            let low = self.next_u32();
            unit_f64(low, self.next_u32())
        }

        /// A number below `bound`, each with the same probability; 0 if the bound is 0. It takes one word,
        /// or more in `bound` of 2³² cases.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// assert!(Philox::new(1).below(10) < 10);
        /// ```
        pub fn below(&mut self, bound: u32) -> u32 {
            let word = self.next_u32();
            self.scaled(word, bound)
        }

        /// [`below`](Self::below), with the first word given.
        pub(crate) fn scaled(&mut self, word: u32, bound: u32) -> u32 {
            let mut product = word as u64 * bound as u64;
            if (product as u32) < bound {
                // So many words have one product too many to share among `bound` results (Lemire).
                let surplus = bound.wrapping_neg() % bound;
                while (product as u32) < surplus {
                    product = self.next_u32() as u64 * bound as u64;
                }
            }
            (product >> 32) as u32
        }

        /// A 64-bit number below `bound`, each with the same probability; 0 if the bound is 0. It takes two words, the
        /// lower one first, or more in `bound` of 2⁶⁴ cases.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// assert!(Philox::new(1).below_u64(1 << 40) < 1 << 40);
        /// ```
        pub fn below_u64(&mut self, bound: u64) -> u64 {
            let word = self.long_word();
            self.scaled_u64(word, bound)
        }

        fn long_word(&mut self) -> u64 {
            let low = self.next_u32() as u64;
            low | (self.next_u32() as u64) << 32
        }

        /// [`below_u64`](Self::below_u64), with the first word given.
        pub(crate) fn scaled_u64(&mut self, word: u64, bound: u64) -> u64 {
            let mut low = word.wrapping_mul(bound);
            let mut high = high_product(word, bound);
            if low < bound {
                let surplus = bound.wrapping_neg() % bound;
                while low < surplus {
                    let word = self.long_word();
                    low = word.wrapping_mul(bound);
                    high = high_product(word, bound);
                }
            }
            high
        }

        /// Two independent numbers of the standard normal distribution, up to 6.7 from zero.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// let [x, y] = Philox::new(1).normals();
        /// assert!(x.abs() < 6.7 && y.abs() < 6.7);
        /// ```
        pub fn normals(&mut self) -> [f32; 2] {
            let first = self.next_u32();
            normals_f32(first, self.next_u32())
        }

        /// Two independent numbers of the standard normal distribution, up to 8.6 from zero.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// let [x, y] = Philox::new(1).normals_f64();
        /// assert!(x.abs() < 8.6 && y.abs() < 8.6);
        /// ```
        pub fn normals_f64(&mut self) -> [f64; 2] {
            let first = [self.next_u32(), self.next_u32()];
            normals_f64([first[0], first[1], self.next_u32(), self.next_u32()])
        }

        /// A number of the Poisson distribution, for means up to a million; 0 if the mean is not
        /// positive. It takes two words or more.
        ///
        /// ```
        /// use amp::algorithms::random::Philox;
        ///
        /// let mut random = Philox::new(1);
        /// let arrivals: u32 = (0..1000).map(|_| random.poisson(3.0)).sum();
        /// assert!((2800..3200).contains(&arrivals));
        /// ```
        pub fn poisson(&mut self, mean: f32) -> u32 {
            if mean >= 10.0 {
                self.poisson_large(mean)
            } else if mean > 0.0 {
                self.poisson_small(mean)
            } else {
                0
            }
        }

        /// By the product of uniform numbers (Knuth).
        fn poisson_small(&mut self, mean: f32) -> u32 {
            let least = (-mean).exp();
            let mut count = 0;
            let mut product = self.uniform();
            while product > least {
                product *= self.uniform();
                count += 1;
            }
            count
        }

        /// By transformed rejection (Hörmann's PTRS, 1993).
        fn poisson_large(&mut self, mean: f32) -> u32 {
            let b = 0.931 + 2.53 * mean.sqrt();
            let a = 0.02483 * b - 0.059;
            let quick = 0.9277 - 3.6224 / (b - 2.0);
            let scale = 1.1239 + 1.1328 / (b - 3.4);
            loop {
                let u = self.uniform() - 0.5;
                let v = self.uniform();
                let distance = 0.5 - u.abs();
                let count = ((2.0 * a / distance + b) * u + mean + 0.43).floor();
                if distance >= 0.07 && v <= quick {
                    break count as u32;
                }
                if count >= 0.0 && (distance >= 0.013 || v <= distance) {
                    let weight = (v * scale / (a / (distance * distance) + b)).ln();
                    if weight <= log_poisson(count, mean) {
                        break count as u32;
                    }
                }
            }
        }
    }

    /// The logarithm of the probability of `count`, by Stirling's series: in this form there is no
    /// difference of large numbers.
    fn log_poisson(count: f32, mean: f32) -> f32 {
        if count == 0.0 {
            return -mean;
        }
        let excess = (mean - count) / count;
        let series = (1.0 / 12.0 - 1.0 / (360.0 * count * count)) / count;
        count * (excess.ln_1p() - excess) - 0.5 * (TAU * count).ln() - series
    }
}
