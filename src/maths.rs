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

/// The exponential function, to about 12 digits; 0 for `x` below -700, infinite above 700.
#[inline]
pub(crate) fn exp(x: f64) -> f64 {
    // Of k from 1 to 10: a term of the series is the one before times r / k.
    const INVERSES: [f64; 10] =
        [1.0, 0.5, 1.0 / 3.0, 0.25, 0.2, 1.0 / 6.0, 1.0 / 7.0, 0.125, 1.0 / 9.0, 0.1];
    const LIMIT: f64 = 700.0;
    if x < -LIMIT {
        return 0.0;
    }
    if x > LIMIT {
        return f64::INFINITY;
    }
    // e^x = 2^n * e^r with a whole n and r in [-ln 2 / 2, ln 2 / 2].
    let n = (x * std::f64::consts::LOG2_E).round();
    let r = x - n * std::f64::consts::LN_2;
    let series = INVERSES.iter().rev().fold(1.0, |sum, inverse| 1.0 + sum * (r * inverse));
    series * f64::from_bits(((n as i64 + 1023) as u64) << 52)
}

/// The logistic curve, `1 / (1 + e^-x)`.
#[inline]
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::{exp, ln, logistic};

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
        for x in (-5_000..5_000).map(|step| f64::from(step) * 0.137) {
            let exact = x.exp();
            assert!((exp(x) - exact).abs() <= 1e-12 * exact, "exp {x}");
        }
        assert_eq!((exp(0.0), exp(f64::NEG_INFINITY)), (1.0, 0.0));
        assert_eq!((exp(1e9), exp(f64::INFINITY)), (f64::INFINITY, f64::INFINITY));
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn the_logistic_curve_is_right() {
        assert_eq!((logistic(0.0), logistic(1e9), logistic(-1e9)), (0.5, 1.0, 0.0));
        for x in (-400..400).map(|step| f64::from(step) * 0.1) {
            let exact = 1.0 / (1.0 + (-x).exp());
            assert!((logistic(x) - exact).abs() <= 1e-12 * exact, "logistic {x}");
        }
    }
}
