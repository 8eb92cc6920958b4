//! For people: the places with their lines, a table of all findings, and the verdict last.

mod accepted;
mod delta;
mod explanation;
mod lines;
mod opinion;
pub mod paint;
mod statistics;

use std::fmt::{self, Write as _};
use std::io;

use comfy_table::{Attribute, Cell, Color, ColumnConstraint, ContentArrangement, Table, presets};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, Report as Diagnostic, Severity as Level};

use crate::finding::hide::Hidden;
use crate::finding::item;
use crate::finding::placed::PlacedMatch;
use crate::finding::{Entry, FeatureSheet, Finding, Report, Run};
use crate::model::Evaluation;
use crate::report::Style;
use crate::report::table::lines::Lines;
use crate::report::table::opinion::{opinion, parts};
use crate::report::table::paint::paint;
use crate::subject::Kind;
use crate::value::severity::Severity;
use crate::value::source::shown;
use crate::value::verdict::Verdict;

/// How many matches of one finding are shown with their lines, unless all are asked for.
const SHOWN: usize = 3;
/// How many further matches of one finding are listed.
const LISTED: usize = 10;
/// How many further places of matches that say the same are named.
const PLACES: usize = 3;
/// How many findings are shown with their lines, unless all are asked for.
const FINDINGS: usize = 50;

/// Writes a report for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let report = report.get();
    if let Some(counted) = &report.statistics {
        statistics::write(counted, style, writer)?;
        return if style.quiet { write!(writer, "{}", loosened(&report.run)) } else { totals(report, style, writer) };
    }
    // What is quiet explains only what it reports.
    let has_more = |entry: &Entry| match entry {
        _ if style.quiet => false,
        Entry::Finding(finding) => finding.features.is_some() || finding.explanation.is_some(),
        Entry::Problem(_) | Entry::PassedOver(_) => false,
    };
    // What could not be judged is shown even where the user allows it.
    let is_worth = |entry: &&Entry| Verdict::Allow < entry.verdict() || entry.is_undetermined() || style.verbose || has_more(entry);
    let mut worth: Vec<&Entry> = report.entries.iter().filter(is_worth).collect();
    // The worst stands last, next to the totals, where it is seen without scrolling.
    worth.sort_by_key(|entry| entry.verdict());
    let hidden = if style.verbose { 0 } else { worth.len().saturating_sub(FINDINGS) };
    for entry in worth.iter().skip(hidden) {
        // miette and the table fill lines up with spaces that nobody wants to copy.
        for line in (Block { entry, style }).to_string().lines() {
            writeln!(writer, "{}", line.trim_end())?;
        }
    }
    if style.quiet {
        return write!(writer, "{}", loosened(&report.run));
    }
    if !worth.is_empty() {
        writeln!(writer, "{}", summary(&worth[hidden..], style).trim_fmt())?;
    }
    if 0 < hidden {
        writeln!(writer, "{hidden} milder findings are not shown; --verbose shows all\n")?;
    }
    totals(report, style, writer)
}

/// The numbers of the run, and the verdict in the last line.
fn totals(report: &Report, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let [allow, warn, block] = Verdict::ALL.map(|verdict| report.count(verdict));
    let mut line = format!("{}: {block} block, {warn} warn, {allow} allow", judged(report));
    if 0 < report.undetermined() {
        let _ = write!(line, "; {} could not be judged, or not wholly", report.undetermined());
    }
    writeln!(writer, "{line}")?;
    for line in report.run.delta.iter().flat_map(delta::lines) {
        writeln!(writer, "{line}")?;
    }
    if let Some(sentence) = accepted::total(report) {
        writeln!(writer, "{sentence}")?;
    }
    if let Some(sentence) = item::below(report) {
        writeln!(writer, "{sentence}")?;
    }
    for remark in report.remarks() {
        writeln!(writer, "{} acceptance at {}: {}", remark.kind.name(), shown(&remark.place), shown(&remark.detail))?;
    }
    for sentence in report.run.passed_over.sentences() {
        writeln!(writer, "{sentence}")?;
    }
    write!(writer, "{}", settings(&report.run))?;
    let verdict = report.verdict();
    writeln!(writer, "verdict: {}", paint(verdict.name(), verdict, style.colour))
}

/// What makes the gate milder than its defaults, with the settings; nothing, if nothing does.
fn loosened(run: &Run) -> String {
    if run.loosened.is_empty() { String::new() } else { settings(run) }
}

/// The settings that took effect, and what makes the gate milder than its defaults.
pub(super) fn settings(run: &Run) -> String {
    let file = match &run.configuration {
        Some(configuration) => format!("settings: {}\n", shown(configuration)),
        None if run.loosened.is_empty() => String::new(),
        None => "settings: the defaults\n".to_owned(),
    };
    let loosened = run.loosened.iter().map(|loosened| format!("  loosened by {}\n", shown(loosened)));
    std::iter::once(file).chain(loosened).collect()
}

/// How many of each kind were judged; files of which not even the kind could be told come last.
fn judged(report: &Report) -> String {
    let kind = |entry: &Entry| match entry {
        Entry::Finding(finding) => Some(finding.kind),
        Entry::Problem(_) | Entry::PassedOver(_) => None,
    };
    let count = |wanted: Option<Kind>| report.entries.iter().filter(|entry| kind(entry) == wanted).count();
    let kinds = Kind::ALL.map(|kind| (count(Some(kind)), kind.name().replace('-', " ")));
    let parts = kinds.into_iter().chain([(count(None), "file".to_owned())]).filter(|(count, _)| 0 < *count);
    let words: Vec<String> = parts.map(|(count, word)| format!("{count} {word}{}", plural(count))).collect();
    match words.split_last() {
        None => "0 files".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The column of the table that names the source.
const SOURCE_COLUMN: usize = 3;

/// One row for each finding and problem.
fn summary(entries: &[&Entry], style: Style) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(style.width).unwrap_or(u16::MAX));
    if style.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table.set_header(["verdict", "score", "worst", "source", "because of"]);
    let widest = entries.iter().map(|entry| entry.shown_name().chars().count()).max().unwrap_or(0);
    if widest < style.width / 2
        && let Some(column) = table.column_mut(SOURCE_COLUMN)
    {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    for entry in entries {
        let (score, worst, because) = match entry {
            Entry::Finding(finding) => {
                let worst = finding.severity().map_or("", Severity::name).to_owned();
                (format!("{:.0}", finding.score()), worst, because(finding))
            }
            Entry::Problem(problem) => (String::new(), String::new(), format!("{}: {}", problem.reason, shown(&problem.detail))),
            Entry::PassedOver(passed) => (String::new(), String::new(), passed.kind.noun().to_owned()),
        };
        let verdict = entry.verdict();
        let colour = match verdict {
            Verdict::Allow => Color::Green,
            Verdict::Warn => Color::Yellow,
            Verdict::Block => Color::Red,
        };
        let verdict = Cell::new(verdict.name()).fg(colour).add_attribute(Attribute::Bold);
        table.add_row([verdict, Cell::new(score), Cell::new(worst), Cell::new(entry.shown_name()), Cell::new(because)]);
    }
    table
}

/// The rules that a finding is due to, each with how often it hit.
fn because(finding: &Finding) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for found in &finding.matches {
        match counts.iter_mut().find(|(id, _)| *id == found.rule.id) {
            Some((_, count)) => *count += 1,
            None => counts.push((&found.rule.id, 1)),
        }
    }
    let mut words: Vec<String> =
        counts.iter().map(|(id, count)| if *count == 1 { (*id).to_owned() } else { format!("{id} ×{count}") }).collect();
    if let Some(undetermined) = &finding.undetermined {
        words.insert(0, format!("{}: {}", undetermined.reason, shown(&undetermined.detail)));
    }
    // What asks for an action by the severities that stand beside it says nothing more.
    let tells_more =
        |evaluation: &&Evaluation| evaluation.action.is_none() || evaluation.challenge.is_some() || !evaluation.parts.is_empty();
    for evaluation in finding.evaluations.iter().filter(tells_more) {
        let part = |part: &Evaluation| format!("{} {}", part.model, part.score);
        let signals: Vec<String> = if evaluation.parts.is_empty() {
            evaluation.signals.iter().filter(|signal| signal.score != 0.0).map(|signal| signal.id.clone()).collect()
        } else {
            evaluation.parts.iter().map(part).collect()
        };
        words.push(opinion(evaluation, &signals));
    }
    words.join(", ")
}

/// One finding or problem: its head, the worst matches with their lines, the others in a list.
struct Block<'r> {
    entry: &'r Entry,
    style: Style,
}

impl fmt::Display for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = self.entry.verdict();
        let name = self.entry.shown_name();
        let head = paint(&verdict.name().to_uppercase(), verdict, self.style.colour);
        match self.entry {
            Entry::Finding(finding) => {
                let count = finding.match_count();
                let matches = if count == 1 { "1 match".to_owned() } else { format!("{count} matches") };
                writeln!(f, "{head} {name} (score {:.0}, {matches}, by {})", finding.score(), finding.decision.reason.name())?;
                if let Some(cumulative) = &finding.decision.cumulative {
                    writeln!(f, "  cumulative risk: {}", shown(cumulative))?;
                }
                self.finding(finding, f)
            }
            Entry::Problem(problem) => {
                writeln!(f, "{head} {name} (could not be judged)")?;
                writeln!(f, "  {}: {}", problem.reason, shown(&problem.detail))?;
                writeln!(f, "  help: {}\n", problem.reason.remedy())
            }
            Entry::PassedOver(passed) => writeln!(f, "{name}: passed over: {}\n", passed.kind.noun()),
        }
    }
}

impl Block<'_> {
    fn finding(&self, finding: &Finding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(undetermined) = &finding.undetermined {
            let place = undetermined.position.map(|position| format!(" at {}:{}", position.line, position.column)).unwrap_or_default();
            writeln!(f, "  not judged, or not wholly{place}: {}: {}", undetermined.reason, shown(&undetermined.detail))?;
            writeln!(f, "  help: {}", undetermined.reason.remedy())?;
        }
        let (with_lines, rest) = self.chosen(finding);
        for found in with_lines {
            self.found(finding, found, f)?;
        }
        if !rest.is_empty() {
            writeln!(f, "\n  also:")?;
        }
        let groups = grouped_alike(&rest);
        let listed = groups.get(..LISTED).unwrap_or(&groups);
        for group in listed {
            also(group, f)?;
        }
        let more = rest.len() - listed.iter().map(Vec::len).sum::<usize>() + finding.further_matches;
        if 0 < more {
            writeln!(f, "  … and {more} more")?;
        }
        if 0 < finding.below.count {
            writeln!(f, "  … and {} below --min-severity", finding.below.count)?;
        }
        if self.style.verbose {
            accepted::write(finding, f)?;
        }
        for whole in finding.evaluations.iter().filter(|evaluation| self.style.verbose && !evaluation.parts.is_empty()) {
            writeln!(f, "\n  {} {} is made of:", whole.model, whole.score)?;
            parts(whole, 0, f)?;
        }
        if let Some(explanation) = &finding.explanation {
            explanation::write(finding, explanation, self.style, f)?;
        }
        if let Some(sheet) = &finding.features {
            features(sheet, f)?;
        }
        writeln!(f)
    }

    /// The matches that are shown with their lines, and the others. What is alike is shown once, and so is a flow,
    /// whatever rules find it.
    fn chosen<'f>(&self, finding: &'f Finding) -> (Vec<&'f PlacedMatch>, Vec<&'f PlacedMatch>) {
        let mut chosen: Vec<&PlacedMatch> = Vec::new();
        let mut rest = Vec::new();
        for found in &finding.matches {
            let is_known = |other: &&PlacedMatch| is_alike(other, found) || has_same_flow(other, found);
            let is_worth = chosen.is_empty() || chosen.len() < SHOWN && Severity::Low < found.severity && !chosen.iter().any(is_known);
            if self.style.verbose || is_worth { chosen.push(found) } else { rest.push(found) }
        }
        (chosen, rest)
    }

    /// What to do about a match, and what of its flow is not shown.
    fn help(&self, found: &PlacedMatch) -> String {
        let help = match found.excerpt.as_ref().map_or(0, |excerpt| excerpt.hidden_steps) {
            0 => found.rule.help.to_string(),
            1 => format!("{} (1 of {} steps is not shown; --verbose shows it)", found.rule.help, found.steps.len()),
            hidden => format!("{} ({hidden} of {} steps are not shown; --verbose shows them)", found.rule.help, found.steps.len()),
        };
        if found.also.is_empty() { help } else { format!("{help} (also found by {})", other_rules(found)) }
    }

    /// A match with its lines.
    fn found(&self, finding: &Finding, found: &PlacedMatch, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match found.severity {
            Severity::Critical | Severity::High => Level::Error,
            Severity::Medium => Level::Warning,
            Severity::Low => Level::Advice,
        };
        let mut diagnostic = MietteDiagnostic::new(shown(&found.message))
            .with_code(format!("{} ({})", found.rule.id, found.severity))
            .with_severity(level)
            .with_help(shown(&self.help(found)));
        let mut lines = None;
        if let Some(excerpt) = &found.excerpt {
            let labels = excerpt.labels.iter().enumerate().map(|(nth, (start, length, note))| {
                let span = (*start, (*length).max(1));
                if nth == 0 { LabeledSpan::new_primary_with_span(Some(note.clone()), span) } else { LabeledSpan::at(span, note.clone()) }
            });
            diagnostic = diagnostic.with_labels(labels);
            // What is written in the source as it is has its lines there; anything else has lines of its own.
            let is_source = finding.kind == Kind::ToolCall;
            let name = if is_source { finding.name.as_shown() } else { finding.shown_name() };
            lines = Some(Lines { name, excerpt: excerpt.clone() });
        }
        let report = match lines {
            Some(lines) => Diagnostic::new(diagnostic).with_source_code(lines),
            None => Diagnostic::new(diagnostic),
        };
        let theme = if self.style.colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        writeln!(f)?;
        GraphicalReportHandler::new_themed(theme).with_width(self.style.width).render_report(f, report.as_ref())
    }
}

/// The other rules that hit for the same cause, in words.
fn other_rules(found: &PlacedMatch) -> String {
    found.also.iter().map(|rule| rule.id.as_ref()).collect::<Vec<_>>().join(", ")
}

/// Returns true if and only if both are of one rule and say the same.
fn is_alike(left: &PlacedMatch, right: &PlacedMatch) -> bool {
    (left.severity, &left.rule.id, &left.message) == (right.severity, &right.rule.id, &right.message)
}

/// Returns true if and only if both have a flow, from the same place to the same place.
fn has_same_flow(left: &PlacedMatch, right: &PlacedMatch) -> bool {
    matches!((left.flow(), right.flow()), (Some(left), Some(right)) if left.has_ends_of(&right))
}

/// Matches of one rule that say the same, together, in order of their first.
fn grouped_alike<'f>(matches: &[&'f PlacedMatch]) -> Vec<Vec<&'f PlacedMatch>> {
    let mut groups: Vec<Vec<&PlacedMatch>> = Vec::new();
    for found in matches {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| is_alike(first, found))) {
            Some(group) => group.push(found),
            None => groups.push(vec![found]),
        }
    }
    groups
}

/// Matches that say the same, in one line.
fn also(group: &[&PlacedMatch], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some((first, others)) = group.split_first() else { return Ok(()) };
    let place = |found: &PlacedMatch| format!("{}:{}", found.start.line, found.start.column);
    write!(f, "  {:<8} {:<24} {:>7}  {}", first.severity, first.rule.id, place(first), shown(&first.message))?;
    if !first.also.is_empty() {
        write!(f, " (also found by {})", shown(&other_rules(first)))?;
    }
    if !others.is_empty() {
        let named: Vec<String> = others.iter().take(PLACES).map(|found| place(found)).collect();
        let more = others.len() - named.len();
        let more = if 0 < more { format!(" and {more} more") } else { String::new() };
        write!(f, " (also at {}{more})", named.join(", "))?;
    }
    writeln!(f)
}

/// The features of a finding, family by family.
fn features(sheet: &FeatureSheet, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "\n  features:")?;
    sheet.lines.iter().try_for_each(|(family, line)| writeln!(f, "    {family:<13} {}", shown(line)))
}
