//! Settings that were found and not named, for what an agent hands over: they may only make the gate stricter.

use crate::cli::config::{Config, DialectName, LimitsConfig, Verdicts};
use crate::cli::own_tools::Tools;
use crate::model::registry as models;
use crate::policy::{BLOCK_THRESHOLD, WARN_THRESHOLD};
use crate::value::severity::Severity;
use crate::value::verdict::{Action, Verdict};

/// The settings without anything in them that makes the gate milder than its defaults.
pub fn of(config: &Config) -> Config {
    let mut tight = config.clone();
    if let Some(names) = tight.models.as_mut().filter(|names| !names.is_empty() && !names.iter().any(|name| name == models::DEFAULT)) {
        // Of several the strictest opinion stands.
        names.push(models::DEFAULT.to_owned());
    }
    tight.warn_threshold = tight.warn_threshold.filter(|score| *score <= WARN_THRESHOLD);
    tight.block_threshold = tight.block_threshold.filter(|score| *score <= BLOCK_THRESHOLD);
    tight.fail_on = None;
    tight.on_undetermined = tight.on_undetermined.filter(|verdict| Verdict::from(*verdict) == Verdict::Block);
    tight.verdicts = verdicts(&tight.verdicts);
    for rule in tight.rules.values_mut() {
        rule.enabled = rule.enabled.filter(|enabled| *enabled);
        rule.severity = rule.severity.filter(|severity| Severity::from(*severity) == Severity::Critical);
        rule.action = rule.action.filter(|action| Action::from(*action) == Action::Block);
    }
    if tight.dialect == DialectName::Node {
        tight.dialect = DialectName::Auto;
    }
    tight.overrides.clear();
    // What these say stands before all that is built in, whichever way it leans.
    tight.tools = Tools::default();
    tight.apis.clear();
    tight.commands.clear();
    tight.statements.clear();
    tight.places.clear();
    tight.words.clear();
    tight.calls.clear();
    tight.trusted.clear();
    tight.accept.clear();
    tight.baseline = None;
    // What passes a limit is undetermined where it is named, but passed over in a walk; and of fewer matches less would be weighed.
    tight.limits = LimitsConfig::default();
    tight.model_settings = tight.model_settings.tightened();
    tight
}

fn verdicts(chosen: &Verdicts) -> Verdicts {
    let Verdicts { log, warn, confirm, redact, block } = *chosen;
    let kept = |action: Action, verdict: Option<_>| verdict.filter(|verdict| action.verdict() <= Verdict::from(*verdict));
    Verdicts {
        log: kept(Action::Log, log),
        warn: kept(Action::Warn, warn),
        confirm: kept(Action::Confirm, confirm),
        redact: kept(Action::Redact, redact),
        block: kept(Action::Block, block),
    }
}
