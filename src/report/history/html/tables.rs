//! Tables of rules, sessions and models.

use std::fmt::{self, Write as _};

use crate::history::trends::{ModelTrend, Trends, folded};
use crate::report::history::html::chart::{key, line};
use crate::report::history::{grouped, moment, percent, score};
use crate::report::html::text::{Text, heat};

/// How many rules are named.
const RULES: usize = 40;
/// How many bars a row has.
const BARS: usize = 90;

/// Writes a row a rule.
pub fn rules(trends: &Trends, page: &mut String) -> fmt::Result {
    if trends.rules.is_empty() {
        return writeln!(page, r#"<p class="none">No rule hit.</p>"#);
    }
    write!(page, r#"<div class="wide-table"><table class="listed"><thead><tr><th>rule</th><th class="line">over time</th>"#)?;
    writeln!(page, r#"<th class="n">evaluations</th><th class="n">share</th><th class="n">blocked</th></tr></thead><tbody>"#)?;
    for rule in trends.rules.iter().take(RULES) {
        write!(page, r#"<tr><th>{}</th><td class="line">"#, Text(&rule.rule))?;
        line(&folded(&rule.by_period, BARS), page)?;
        let share = percent(rule.evaluations as f64 / trends.total.evaluations().max(1) as f64);
        let (all, blocked) = (grouped(rule.evaluations), grouped(rule.blocked));
        writeln!(page, r#"</td><td class="n">{all}</td><td class="n">{share}</td><td class="n">{blocked}</td></tr>"#)?;
    }
    writeln!(page, "</tbody></table></div>")?;
    match trends.rules.len().saturating_sub(RULES) {
        0 => Ok(()),
        hidden => writeln!(page, r#"<p class="none">{hidden} more rules hit less often.</p>"#),
    }
}

/// Writes a row a session.
pub fn sessions(trends: &Trends, page: &mut String) -> fmt::Result {
    if trends.sessions.is_empty() {
        return writeln!(page, r#"<p class="none">No session is stored of that time.</p>"#);
    }
    write!(page, r#"<div class="wide-table"><table class="listed"><thead><tr><th>session</th><th>agent</th><th class="n">calls</th>"#)?;
    write!(page, r#"<th class="n">warned</th><th class="n">blocked</th><th class="n">highest score</th>"#)?;
    writeln!(page, "<th>first</th><th>last</th></tr></thead><tbody>")?;
    for session in &trends.sessions {
        let whose = session.tenant.as_ref().map_or_else(String::new, |tenant| format!(" of {tenant}"));
        let agent = session.agent.as_deref().unwrap_or("–");
        write!(page, "<tr><th>{}</th><td>{}</td>", Text(&format!("{}{whose}", session.id)), Text(agent))?;
        let [_, warned, blocked] = session.verdicts.map(grouped);
        let (all, highest) = (grouped(session.evaluations()), score(session.highest_score));
        write!(page, r#"<td class="n">{all}</td><td class="n">{warned}</td><td class="n">{blocked}</td><td class="n">{highest}</td>"#)?;
        writeln!(page, r#"<td class="t">{}</td><td class="t">{}</td></tr>"#, moment(session.first), moment(session.last))?;
    }
    writeln!(page, "</tbody></table></div>")
}

/// Writes what models answered, how often each two agree, and when they did not.
pub fn models(trends: &Trends, page: &mut String) -> fmt::Result {
    if trends.models.is_empty() {
        return writeln!(page, r#"<p class="none">No evaluation was made by several models: --model A,B has several judge.</p>"#);
    }
    writeln!(page, r#"<div class="two"><div><h3 class="of">Verdicts</h3>"#)?;
    strictness(trends, page)?;
    writeln!(page, r#"</div><div><h3 class="of">Same verdict, in percent</h3>"#)?;
    agreement(trends, page)?;
    writeln!(page, "</div></div>")?;
    let disputed: Vec<u64> = trends.periods.iter().map(|period| period.disputed).collect();
    writeln!(page, "<h3>Disagreements over time: {}</h3>", grouped(disputed.iter().sum()))?;
    write!(page, r#"<div class="listed"><div class="line">"#)?;
    line(&folded(&disputed, BARS), page)?;
    writeln!(page, "</div></div>")
}

fn strictness(trends: &Trends, page: &mut String) -> fmt::Result {
    let mut models: Vec<&ModelTrend> = trends.models.iter().collect();
    let strictness = |model: &ModelTrend| (model.verdicts[2] * 2 + model.verdicts[1]) as f64 / model.evaluations().max(1) as f64;
    models.sort_by(|left, right| strictness(right).total_cmp(&strictness(left)));
    write!(
        page,
        r#"<table class="strict"><thead><tr><th></th><th></th><th>block</th><th>warn</th><th>allow</th><th>mean score</th></tr></thead>"#
    )?;
    writeln!(page, "<tbody>")?;
    for model in models {
        write!(page, r#"<tr><th>{}</th><td class="wide">"#, Text(&model.model))?;
        write!(page, r#"<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">"#)?;
        let mut at = 0.0;
        for class in [2, 1, 0] {
            let wide = model.verdicts[class] as f64 * 100.0 / model.evaluations().max(1) as f64;
            write!(page, r#"<rect class="n{class}" x="{at:.2}" width="{wide:.2}" height="10"/>"#)?;
            at += wide;
        }
        let [allowed, warned, blocked] = model.verdicts.map(grouped);
        writeln!(page, "</svg></td><td>{blocked}</td><td>{warned}</td><td>{allowed}</td><td>{}</td></tr>", score(model.mean_score()))?;
    }
    writeln!(page, "</tbody></table>")?;
    key(&[("n2", "block"), ("n1", "warn"), ("n0", "allow")], page)
}

fn agreement(trends: &Trends, page: &mut String) -> fmt::Result {
    write!(page, r#"<table class="agree"><thead><tr><th></th>"#)?;
    (1..trends.models.len()).try_for_each(|number| write!(page, "<th>{number}</th>"))?;
    writeln!(page, "</tr></thead><tbody>")?;
    for (at, model) in trends.models.iter().enumerate() {
        write!(page, "<tr><th>{} {}</th>", at + 1, Text(&model.model))?;
        for other in trends.models.iter().take(at) {
            let is_of = |(left, right): &(String, String)| *left == other.model && *right == model.model;
            let Some(pair) = trends.pairs.iter().find(|pair| is_of(&pair.models)).filter(|pair| 0 < pair.both) else {
                write!(page, "<td>–</td>")?;
                continue;
            };
            let share = pair.same as f64 * 100.0 / pair.both as f64;
            let title = format!("{} and {}: {} of {}", other.model, model.model, pair.same, pair.both);
            // What differs is hot.
            write!(page, r#"<td class="s{}" title="{}">{share:.0}</td>"#, heat(100.0 - share), Text(&title))?;
        }
        writeln!(page, "</tr>")?;
    }
    writeln!(page, "</tbody></table>")
}
