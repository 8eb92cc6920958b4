//! `callgate trends`: how the evaluations of the store changed over time, and whether it gets worse.

use crate::audit::query::Filter;
use crate::audit::record::Record;
use crate::cli::args::Global;
use crate::cli::audit::args::FilterArgs;
use crate::cli::audit::asked::{TrendsArgs, UnitName};
use crate::cli::audit::existing;
use crate::cli::chosen::Output;
use crate::cli::commands::audit::{failure, filter_of, opened};
use crate::cli::commands::ended;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output::Outputs;
use crate::finding::hide::Hidden;
use crate::history::period::Unit;
use crate::history::trends::Trends;
use crate::report::history::alert;
use crate::report::registry::{self as reporters, TRENDS};
use crate::report::{Style, Writer};
use crate::value::store_place::StorePlace;
use crate::value::time::DAY;

/// The format of pages.
const PAGE: &str = "html";
/// Writes only what rises.
static ALERT: Writer<Trends> = Writer { name: "alert", summary: "what rises, or nothing", write: alert::write };

/// Writes how evaluations changed.
///
/// # Errors
///
/// When there is no store, or it cannot be read.
pub fn run(args: &TrendsArgs, global: &Global) -> Result<Exit, Failure> {
    let place = existing(args.store.store.as_deref(), global)?;
    let mut outputs = open(args, global)?;
    place.file().into_iter().for_each(|file| outputs.spare(file));
    let trends = trends(args, &place)?;
    outputs.write(Style::default(), |writer, style, out| (writer.write)(Hidden::without_any(&trends), style, out));
    let exit = if args.alert && !trends.rising.rises.is_empty() { Exit::Warn } else { Exit::Allow };
    Ok(ended(exit, &outputs.finish(), global))
}

/// The page is an output like the others; what rises is written alone, unless a format is named.
fn open(args: &TrendsArgs, global: &Global) -> Result<Outputs<Writer<Trends>>, Failure> {
    let mut chosen = args.format.clone();
    let usual = if args.alert { ALERT.name } else { TRENDS[0].name };
    if let Some(page) = &args.html {
        // A page is no reason to leave out what was asked for, but the usual table need not come with it.
        chosen.extend(args.alert.then(|| Output { format: ALERT.name.to_owned(), file: None }));
        chosen.push(Output { format: PAGE.to_owned(), file: Some(page.clone()) });
    }
    let by_name = |name: &str| if name == ALERT.name { Some(&ALERT) } else { reporters::trends_writer(name) };
    Outputs::open((&chosen, args.store.output.as_deref()), usual, global.color, by_name)
}

fn trends(args: &TrendsArgs, place: &StorePlace) -> Result<Trends, Failure> {
    let store = opened(place)?;
    let by = match args.by {
        UnitName::Day => Unit::Day,
        UnitName::Hour => Unit::Hour,
    };
    let end = args.filter.until.unwrap_or_else(Record::now);
    let usual = by.begin(end - if by == Unit::Day { 29 * DAY } else { 47 * Unit::Hour.millis() });
    let filter = filter_of(&args.filter)?;
    let filter = Filter { since: Some(filter.since.unwrap_or(usual)), without_clean: args.no_clean, ..filter };
    let mut trends = store.trends(&filter, by, args.window, end).map_err(|fault| failure(place, &fault))?;
    trends.filters = told(&args.filter);
    Ok(trends)
}

/// What was asked for beside the time.
fn told(filter: &FilterArgs) -> Vec<(&'static str, String)> {
    let named = [
        ("tenant", filter.all_tenants.then(|| "all".to_owned()).or_else(|| filter.tenant.clone())),
        ("session", filter.session.clone()),
        ("agent", filter.agent.clone()),
        ("rule", filter.rule.clone()),
        ("path", filter.path.clone()),
        ("verdict", filter.verdict.map(|verdict| format!("{verdict} or stricter"))),
    ];
    named.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}
