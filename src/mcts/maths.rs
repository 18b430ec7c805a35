//! Functions of our own, because those of the system's mathematics library may differ in the
//! last digit from machine to machine, and with them the search.

/// The natural logarithm of `x >= 1`, else 0, to about 7 digits.
#[inline]
pub(crate) fn ln(x: f32) -> f32 {
    if x <= 1.0 {
        return 0.0;
    }
    // x = 2^e * m with m in [sqrt(1/2), sqrt(2)), ln m = 2 artanh(t), t = (m - 1) / (m + 1).
    let shifted = x.to_bits().wrapping_sub(std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let exponent = (shifted as i32) >> 23;
    let m = f32::from_bits(x.to_bits().wrapping_sub((exponent << 23) as u32));
    let t = (m - 1.0) / (m + 1.0);
    let t2 = t * t;
    let series = 1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0 + t2 / 9.0)));
    exponent as f32 * std::f32::consts::LN_2 + 2.0 * t * series
}

/// The exponential function of `-x` for `x >= 0`.
pub(crate) fn exp_of_minus(x: f64) -> f64 {
    const TERMS: i32 = 14;
    // Less than the smallest of numbers, nearly.
    if x > 700.0 {
        return 0.0;
    }
    // e^-x = 2^-k * e^-r with r in [0, ln 2).
    let k = (x / std::f64::consts::LN_2).floor();
    let r = x - k * std::f64::consts::LN_2;
    let series = (1..=TERMS).rev().fold(1.0, |sum, term| 1.0 - r / f64::from(term) * sum);
    series * f64::from_bits((1023 - k as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::{exp_of_minus, ln};

    #[test]
    fn the_logarithm_is_right() {
        let mut x = 1.0f32;
        while x < 4.3e9 {
            let exact = f64::from(x).ln();
            assert!((f64::from(ln(x)) - exact).abs() <= 3e-7 * exact.max(1.0), "ln {x}");
            x *= 1.0007;
        }
        assert_eq!(ln(0.0), 0.0);
    }

    #[test]
    fn the_exponential_is_right() {
        for x in (0..5_000).map(|step| f64::from(step) * 0.137) {
            let exact = (-x).exp();
            assert!((exp_of_minus(x) - exact).abs() <= 1e-11 * exact, "exp -{x}");
        }
        assert_eq!((exp_of_minus(0.0), exp_of_minus(f64::INFINITY)), (1.0, 0.0));
    }
}
