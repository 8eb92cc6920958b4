//! How Python writes floats, and how it divides whole numbers.

/// From this decimal exponent on a float is written with an exponent, and below the other.
/// Source: `float.__repr__` of Python 3.
const EXPONENT_FROM: i32 = 16;
const EXPONENT_BELOW: i32 = -4;

/// What `repr(value)` gives: the shortest digits that read back as `value`, always with a point or an exponent.
pub fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if 0.0 < value { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (EXPONENT_BELOW..EXPONENT_FROM).contains(&exponent) {
        return format!("{value:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// What `f"{value:.2f}"` gives.
pub fn fixed(value: f64, decimals: usize) -> String {
    if value.is_finite() {
        return format!("{value:.decimals$}");
    }
    float(value)
}

/// What `value / divisor` gives for whole numbers: the float next to the exact quotient. The divisor is above 0.
pub fn true_division(value: i64, divisor: u32) -> f64 {
    let magnitude = u128::from(value.unsigned_abs());
    if magnitude < 1 << f64::MANTISSA_DIGITS {
        return value as f64 / f64::from(divisor);
    }
    // Far more binary digits than a float holds, and a last one that tells whether any are left: rounding
    // that to a float is rounding the exact quotient.
    const SHIFT: u32 = 60;
    let divisor = u128::from(divisor.max(1));
    let shifted = magnitude << SHIFT;
    let quotient = shifted / divisor | u128::from(shifted % divisor != 0);
    let rounded = quotient as f64 / (1_u64 << SHIFT) as f64;
    if value < 0 { -rounded } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::{fixed, float, true_division};

    #[test]
    fn floats_are_written_as_python_writes_them() {
        for (value, expected) in [
            (3.0, "3.0"),
            (-0.0, "-0.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.234_567_890_123_456_8e17, "1.2345678901234568e+17"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (-1.5e-9, "-1.5e-09"),
            (1e300, "1e+300"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ] {
            assert_eq!(float(value), expected);
        }
    }

    #[test]
    fn decimals_are_rounded_to_the_even_digit() {
        for (value, expected) in
            [(0.125, "0.12"), (0.375, "0.38"), (0.015, "0.01"), (-0.0, "-0.00"), (f64::NAN, "nan"), (f64::INFINITY, "inf")]
        {
            assert_eq!(fixed(value, 2), expected);
        }
    }

    #[test]
    fn large_whole_numbers_are_divided_exactly() {
        for (value, expected) in [
            (10_000, 1.0),
            (9_007_199_254_740_993, 900_719_925_474.099_2),
            (-9_223_372_036_854_775_808, -922_337_203_685_477.6),
            (9_223_372_036_854_775_807, 922_337_203_685_477.6),
        ] {
            assert_eq!(true_division(value, 10_000).to_bits(), f64::to_bits(expected), "{value}");
        }
    }
}
