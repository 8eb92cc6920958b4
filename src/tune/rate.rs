//! Rates: shares of files, and how far a share that was seen may lie from the true one.

use crate::tune::auc::Z;

/// A share of files; none of none.
pub fn share(part: usize, whole: usize) -> Option<f64> {
    (0 < whole).then(|| part as f64 / whole as f64)
}

/// The upper end of the 95 % interval of a share, 0–1, by Wilson (1927). It is 1 for none of none.
pub fn at_most(part: usize, whole: usize) -> f64 {
    if whole == 0 || whole <= part {
        return 1.0;
    }
    let (count, share) = (whole as f64, part as f64 / whole as f64);
    let centre = share + Z * Z / (2.0 * count);
    let spread = Z * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
    ((centre + spread) / (1.0 + Z * Z / count)).clamp(0.0, 1.0)
}

/// A share in percent, with as many digits as say something.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let rounded = if percent < 1.0 { (percent * 100.0).round() / 100.0 } else { (percent * 10.0).round() / 10.0 };
    format!("{rounded} %")
}
