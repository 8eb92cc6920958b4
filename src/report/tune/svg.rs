//! Tunings as a picture: the ROC curves of all models, and for each model how the scores of good and bad files lie. The picture
//! stands for itself: it asks for nothing from outside and runs nothing.

use std::fmt::{self, Write as _};
use std::io;

use crate::finding::hide::Hidden;
use crate::report::html::text;
use crate::tune::{Class, ModelTuning, Tuning};

/// Width of the picture.
const WIDTH: f64 = 1000.0;
/// Space around everything.
const MARGIN: f64 = 40.0;
/// Where the curves begin, from the top.
const CURVES_TOP: f64 = 104.0;
/// Length of an axis of the curves.
const SQUARE: f64 = 400.0;
/// Where the axes of the curves begin, from the left.
const SQUARE_LEFT: f64 = 92.0;
/// Histograms side by side.
const COLUMNS: usize = 3;
/// Width and height of a histogram with its titles.
const CELL: (f64, f64) = (306.0, 196.0);
/// Width and height of what is drawn of a histogram.
const BARS: (f64, f64) = (272.0, 124.0);
/// Bars of a histogram, each as wide as a twentieth of the scale; one more is for what could not be judged.
const BINS: usize = 20;
/// Least distance of the legend's lines.
const LINE: f64 = 26.0;

const STYLE: &str = "text{font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;fill:#1f2933}\
.h{font-size:20px;font-weight:600}.t{font-size:14px;font-weight:600}.s{font-size:12px;fill:#5b6773}.x{font-size:11px;fill:#5b6773}\
.e{text-anchor:end}.m{text-anchor:middle}.g{stroke:#e4e8ec;fill:none}.a{stroke:#9aa5b1;fill:none}\
.c{fill:none;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}.d{stroke:#9aa5b1;stroke-dasharray:3 4;fill:none}\
.good{fill:#2f7fb8}.bad{fill:#c8452f}.w{stroke:#b7791f;stroke-width:1.5;stroke-dasharray:4 3}.b{stroke:#8b1e14;stroke-width:1.5}";

/// Colours that people tell apart whatever they see of colours (Okabe and Ito 2008, without black and with the yellow darkened);
/// where there are more models, the same again in dashes.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a7a00"];
const DASHES: [&str; 3] = ["none", "7 4", "2 4"];

/// Writes a picture of a tuning.
///
/// # Errors
///
/// When the writer fails.
pub fn write(tuning: Hidden<'_, Tuning>, writer: &mut dyn io::Write) -> io::Result<()> {
    let tuning = tuning.get();
    let mut picture = String::new();
    // Writing to memory does not fail.
    let _ = draw(tuning, &mut picture);
    writer.write_all(picture.as_bytes())
}

/// Text as it may stand in an SVG file: marked characters escaped, and none that XML forbids or that would not be seen.
struct Text<'t>(&'t str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", text::Text(&self.0.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")))
    }
}

fn draw(tuning: &Tuning, out: &mut String) -> fmt::Result {
    let mut models: Vec<&ModelTuning> = tuning.models.iter().filter(|model| !model.roc.is_empty()).collect();
    let area = |model: &ModelTuning| model.auc.map_or(0.0, |auc| auc.value);
    models.sort_by(|left, right| area(right).total_cmp(&area(left)));
    let legend = LINE * models.len() as f64 + 56.0;
    let histograms_top = CURVES_TOP + SQUARE.max(legend) + 108.0;
    let height = histograms_top + CELL.1 * models.len().div_ceil(COLUMNS) as f64 + 8.0;
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">"#
    )?;
    let title = format!("{}: {} good, {} bad files", tuning.labels, tuning.good, tuning.bad);
    writeln!(out, "<title>callgate tune: {}</title>\n<style>{STYLE}</style>", Text(&title))?;
    writeln!(out, r##"<rect width="{WIDTH}" height="{height}" fill="#fff"/>"##)?;
    label(out, MARGIN, 44.0, "h", "How well scores tell bad files from good ones")?;
    label(out, MARGIN, 66.0, "s", &clipped(&title, 120))?;
    axes(out)?;
    for (at, model) in models.iter().enumerate().rev() {
        curve(model, at, out)?;
    }
    legend_of(&models, out)?;
    histograms(&models, histograms_top, out)?;
    writeln!(out, "</svg>")
}

fn label(out: &mut String, x: f64, y: f64, class: &str, text: &str) -> fmt::Result {
    writeln!(out, r#"<text x="{x:.1}" y="{y:.1}" class="{class}">{}</text>"#, Text(text))
}

fn line(out: &mut String, class: &str, (x, y): (f64, f64), (to_x, to_y): (f64, f64)) -> fmt::Result {
    writeln!(out, r#"<line class="{class}" x1="{x:.1}" y1="{y:.1}" x2="{to_x:.1}" y2="{to_y:.1}"/>"#)
}

/// So much of a text as has room.
fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    // Of a path the end says more.
    let end: Vec<char> = text.chars().rev().take(most - 1).collect();
    std::iter::once('…').chain(end.into_iter().rev()).collect()
}

/// The place of a pair of rates.
fn place(good: f64, bad: f64) -> (f64, f64) {
    (SQUARE_LEFT + SQUARE * good, CURVES_TOP + SQUARE * (1.0 - bad))
}

fn axes(out: &mut String) -> fmt::Result {
    for step in 0..=5 {
        let rate = f64::from(step) / 5.0;
        let class = if step == 0 { "a" } else { "g" };
        line(out, class, place(rate, 0.0), place(rate, 1.0))?;
        line(out, class, place(0.0, rate), place(1.0, rate))?;
        let (x, y) = place(rate, 0.0);
        label(out, x, y + 18.0, "x m", &format!("{} %", step * 20))?;
        let (x, y) = place(0.0, rate);
        label(out, x - 8.0, y + 4.0, "x e", &format!("{} %", step * 20))?;
    }
    line(out, "d", place(0.0, 0.0), place(1.0, 1.0))?;
    let (x, y) = place(0.5, 0.0);
    label(out, x, y + 40.0, "s m", "good files flagged (false positives)")?;
    let (x, y) = place(0.0, 0.5);
    let x = x - 50.0;
    writeln!(out, r#"<text class="s m" transform="translate({x:.1} {y:.1}) rotate(-90)">bad files found (true positives)</text>"#)
}

/// How the curve of a model is drawn.
fn stroke(nth: usize) -> (&'static str, &'static str) {
    (COLOURS[nth % COLOURS.len()], DASHES[nth / COLOURS.len() % DASHES.len()])
}

fn curve(model: &ModelTuning, nth: usize, out: &mut String) -> fmt::Result {
    let (colour, dashes) = stroke(nth);
    let (good, bad) = (model.good.count().max(1) as f64, model.bad.count().max(1) as f64);
    let (x, y) = place(0.0, 0.0);
    write!(out, r#"<path class="c" stroke="{colour}" stroke-dasharray="{dashes}" d="M{x:.1} {y:.1}"#)?;
    for point in &model.roc {
        let (x, y) = place(point.good as f64 / good, point.bad as f64 / bad);
        write!(out, "L{x:.1} {y:.1}")?;
    }
    writeln!(out, r#""><title>{}</title></path>"#, Text(&model.name))
}

fn legend_of(models: &[&ModelTuning], out: &mut String) -> fmt::Result {
    let left = SQUARE_LEFT + SQUARE + 60.0;
    let right = WIDTH - MARGIN;
    label(out, left, CURVES_TOP + 6.0, "t", "model")?;
    label(out, right - 132.0, CURVES_TOP + 6.0, "t e", "AUC")?;
    label(out, right, CURVES_TOP + 6.0, "t e", "95 % interval")?;
    for (nth, model) in models.iter().enumerate() {
        let y = CURVES_TOP + 34.0 + LINE * nth as f64;
        let (colour, dashes) = stroke(nth);
        let to = left + 30.0;
        let middle = y - 4.0;
        writeln!(out, r#"<path class="c" stroke="{colour}" stroke-dasharray="{dashes}" d="M{left:.1} {middle:.1}H{to:.1}"/>"#)?;
        label(out, left + 42.0, y, "", &clipped(&model.name, 28))?;
        if let Some(auc) = model.auc {
            label(out, right - 132.0, y, "e", &format!("{:.3}", auc.value))?;
            label(out, right, y, "s e", &format!("{:.3} – {:.3}", auc.low, auc.high))?;
        }
    }
    let y = CURVES_TOP + 40.0 + LINE * models.len() as f64;
    label(out, left, y, "x", "0.5 is what guessing reaches (dotted diagonal)")?;
    label(out, left, y + 16.0, "x", "curves that are equal lie on each other")
}

fn histograms(models: &[&ModelTuning], top: f64, out: &mut String) -> fmt::Result {
    let y = top - 26.0;
    label(out, MARGIN, y, "t", "Scores")?;
    let mut x = MARGIN + 74.0;
    for (class, text) in [("bad", "bad files"), ("good", "good files")] {
        writeln!(out, r#"<rect class="{class}" x="{x:.1}" y="{:.1}" width="12" height="12" rx="2"/>"#, y - 11.0)?;
        label(out, x + 18.0, y, "s", text)?;
        x += 100.0;
    }
    for (class, text) in [("b", "block from"), ("w", "warn from")] {
        line(out, class, (x, y - 12.0), (x, y + 2.0))?;
        label(out, x + 8.0, y, "s", text)?;
        x += 92.0;
    }
    label(out, x, y, "s", "? could not be judged")?;
    for (nth, model) in models.iter().enumerate() {
        let corner = (MARGIN + CELL.0 * (nth % COLUMNS) as f64, top + CELL.1 * (nth / COLUMNS) as f64);
        histogram(model, corner, out)?;
    }
    Ok(())
}

/// Bad files stand above the line and good ones hang below it, each as a share of its own kind.
fn histogram(model: &ModelTuning, (left, top): (f64, f64), out: &mut String) -> fmt::Result {
    label(out, left, top + 12.0, "t", &clipped(&model.name, 30))?;
    let (bad, good) = (bins(&model.bad), bins(&model.good));
    let most = bad.iter().chain(&good).copied().fold(0.0, f64::max);
    let most = if most <= 0.0 { 1.0 } else { most };
    let (middle, half) = (top + 26.0 + BARS.1 / 2.0, BARS.1 / 2.0);
    let width = BARS.0 / (BINS + 3) as f64;
    let at = |bin: usize| left + width * if bin < BINS { bin as f64 } else { bin as f64 + 2.0 };
    for (bin, (bad, good)) in bad.iter().zip(&good).enumerate() {
        let x = at(bin) + 0.8;
        for (class, share, is_up) in [("bad", bad / most, true), ("good", good / most, false)] {
            // What is there at all must be seen.
            let height = if 0.0 < share { (share * (half - 2.0)).max(1.5) } else { continue };
            let y = if is_up { middle - height } else { middle };
            let bar = width - 1.6;
            writeln!(out, r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{bar:.1}" height="{height:.1}"/>"#)?;
        }
    }
    line(out, "a", (left, middle), (left + BARS.0, middle))?;
    let score = |score: f64| left + width * BINS as f64 * score / 100.0;
    for (class, cut) in [("w", model.warn()), ("b", model.block())] {
        if let Some(threshold) = cut.and_then(|cut| cut.threshold) {
            line(out, class, (score(threshold), middle - half), (score(threshold), middle + half))?;
        }
    }
    let y = top + 26.0 + BARS.1 + 14.0;
    for (number, class) in [(0.0, "x"), (50.0, "x m"), (100.0, "x m")] {
        label(out, score(number), y, class, &number.to_string())?;
    }
    label(out, at(BINS) + width / 2.0, y, "x m", "?")
}

/// The share of a class in each bin; the last holds what could not be judged.
fn bins(class: &Class) -> [f64; BINS + 1] {
    let mut bins = [0.0; BINS + 1];
    for rank in &class.ranks {
        let step = 100.0 / BINS as f64;
        let bin = if rank.is_finite() { ((rank / step) as usize).min(BINS - 1) } else { BINS };
        bins[bin] += 1.0 / class.count() as f64;
    }
    bins
}
