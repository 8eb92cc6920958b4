//! Trends as one page, to be read, printed and handed on. The page asks for nothing from outside and runs nothing.

mod chart;
mod tables;

use std::fmt::{self, Write as _};
use std::io;

use crate::finding::hide::Hidden;
use crate::history::rising::{EVALUATIONS, HITS, RATIO, Z};
use crate::history::trends::Trends;
use crate::report::Style;
use crate::report::history::{grouped, moment, percent, score, sentence, span};
use crate::report::html;
use crate::report::html::text::{Text, policy_source};

const PAGE: &str = include_str!("page.html");
/// What all pages are styled by, and what only trends have.
const STYLE: &str = concat!(include_str!("../../html/page.css"), include_str!("page.css"));

/// Writes trends as one page.
///
/// # Errors
///
/// When the writer fails.
pub fn write(trends: Hidden<'_, Trends>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let trends = trends.get();
    let mut page = String::new();
    // Writing to memory does not fail.
    let _ = fill(trends, &mut page);
    writer.write_all(page.as_bytes())
}

/// Fills the places of the page in.
fn fill(trends: &Trends, page: &mut String) -> fmt::Result {
    html::fill(("trends", PAGE), page, |place, page| match place {
        "policy" => write!(page, "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'", policy_source(STYLE)),
        "style" => page.write_str(STYLE),
        "title" => title(trends, page),
        "lead" => lead(trends, page),
        "rising" => rising(trends, page),
        "tiles" => tiles(trends, page),
        "verdicts" => chart::verdicts(trends, page),
        "scores" => chart::scores(trends, page),
        "rules" => tables::rules(trends, page),
        "sessions" => tables::sessions(trends, page),
        "models" => tables::models(trends, page),
        "footer" => footer(trends, page),
        _ => Ok(()),
    })
}

fn title(trends: &Trends, page: &mut String) -> fmt::Result {
    match (trends.total.evaluations(), trends.total.verdicts[2]) {
        (0, _) => write!(page, "No evaluation"),
        (all, 0) => write!(page, "{} evaluations, none blocked", grouped(all)),
        (all, blocked) => write!(page, "{} evaluations, {} blocked", grouped(all), grouped(blocked)),
    }
}

fn lead(trends: &Trends, page: &mut String) -> fmt::Result {
    if let Some((first, last)) = trends.periods.first().zip(trends.periods.last()) {
        let day = |at: i64| moment(at).chars().take(10).collect::<String>();
        write!(page, "From <b>{}</b> to <b>{}</b>, by {}.", day(first.start), day(last.start), trends.by.name())?;
    }
    let filters: Vec<String> = trends.filters.iter().map(|(name, value)| format!("{name} <b>{}</b>", Text(value))).collect();
    if !filters.is_empty() {
        write!(page, " Only {}.", filters.join(", "))?;
    }
    Ok(())
}

/// What a reader must know first.
fn rising(trends: &Trends, page: &mut String) -> fmt::Result {
    let rising = &trends.rising;
    let length = span(rising.window);
    let (class, title) = match (rising.compared, rising.rises.len()) {
        (0, _) => ("rising", format!("Too few evaluations to compare the last {length} with those before")),
        (_, 0) => ("rising", format!("Nothing rises: the last {length} are like the {length} before")),
        (_, 1) => ("rising up", format!("One thing rises in the last {length}")),
        (_, count) => ("rising up", format!("{count} things rise in the last {length}")),
    };
    writeln!(page, r#"<section class="{class}"><h2>{title}</h2>"#)?;
    if !rising.rises.is_empty() {
        let of_several = 1 < rising.compared + rising.too_few.len();
        write!(page, "<ul>")?;
        rising.rises.iter().try_for_each(|rise| write!(page, "<li>{}</li>", Text(&sentence(rise, of_several))))?;
        writeln!(page, "</ul>")?;
    }
    writeln!(page, "<p>Compared with as long before, up to {} UTC.</p></section>", moment(rising.end))
}

fn tiles(trends: &Trends, page: &mut String) -> fmt::Result {
    let total = &trends.total;
    let share = |count: u64| if total.evaluations() == 0 { String::new() } else { percent(count as f64 / total.evaluations() as f64) };
    let [allowed, warned, blocked] = total.verdicts;
    let numbers = [
        (grouped(total.evaluations()), "evaluations".to_owned()),
        (grouped(allowed), format!("allowed, {}", share(allowed))),
        (grouped(warned), format!("warned of, {}", share(warned))),
        (grouped(blocked), format!("blocked, {}", share(blocked))),
        (grouped(total.undetermined), "not judged, or not wholly".to_owned()),
        (grouped(total.accepted), "matches accepted".to_owned()),
        (score(total.mean_score()), "mean score".to_owned()),
    ];
    let mut numbers = numbers.iter();
    numbers.try_for_each(|(number, words)| writeln!(page, "<div><b>{number}</b><span>{}</span></div>", words.trim_end_matches(", ")))
}

fn footer(trends: &Trends, page: &mut String) -> fmt::Result {
    writeln!(
        page,
        "<p>Something rises if its share of all evaluations is at least {RATIO} times what it was, in at least {HITS} evaluations, and so much is \
         improbable by chance (two-proportion z at least {Z}); the mean score by Welch's z. Of fewer than {EVALUATIONS} evaluations in \
         either window nothing is said.</p>"
    )?;
    if !trends.rising.too_few.is_empty() {
        let names = trends.rising.too_few.iter().map(|tenant| tenant.as_deref().unwrap_or("those without a tenant"));
        writeln!(page, "<p>Too few evaluations: {}</p>", Text(&names.collect::<Vec<_>>().join(", ")))?;
    }
    writeln!(page, "<p>callgate {}. The store holds no content of what was judged.</p>", env!("CARGO_PKG_VERSION"))
}
