//! The exit codes, the same for every output format.

use std::process::ExitCode;

use crate::value::verdict::Verdict;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Allow, or a verdict below `--fail-on`.
    Allow,
    /// Warn.
    Warn,
    /// Block.
    Block,
    /// The run itself failed: bad settings or patterns, nothing to scan, report not writable.
    Failed,
    /// The command line was wrong.
    Usage,
}

/// The table of exit codes: code, name, meaning.
pub const EXIT_CODES: &[(Exit, u8, &str)] = &[
    (Exit::Allow, 0, "allow, or a verdict below --fail-on"),
    (Exit::Warn, 1, "warn"),
    (Exit::Block, 2, "block"),
    (Exit::Failed, 3, "the run failed: bad settings or patterns, no such path, nothing to scan, report not writable"),
    (Exit::Usage, 64, "the command line was wrong"),
];

/// The exit codes for `--help` and the manual.
pub const EXIT_CODES_HELP: &str = "Exit codes:
  0   allow, or a verdict below --fail-on
  1   warn
  2   block
  3   the run failed: bad settings or patterns, no such path, nothing to scan, report not writable
  64  the command line was wrong";

/// The exit codes of a comparison: it is a report on models, not an answer on scripts.
pub const COMPARE_EXIT_CODES_HELP: &str = "Exit codes:
  0   the models are compared, whatever their verdicts
  3   the run failed: bad settings or patterns, no such path, nothing to scan, report not writable
  64  the command line was wrong";

/// The exit codes of a replay: it is a report on settings, not an answer on scripts.
pub const REPLAY_EXIT_CODES_HELP: &str = "Exit codes:
  0   both sides are judged, whatever their verdicts
  1   a verdict flips, with --fail-on-flip
  3   the run failed: bad settings or patterns, no such path, nothing to scan, report not writable
  64  the command line was wrong";

/// The exit codes of a tuning: it is a report on models, not an answer on scripts.
pub const TUNE_EXIT_CODES_HELP: &str = "Exit codes:
  0   the models are judged by the labels, whatever their verdicts
  3   the run failed: bad labels, settings or patterns, no such path, nothing to scan, report not writable
  64  the command line was wrong";

/// The exit codes of an audit: the verdict is that on the texts of the manifests, not on what the tools do.
pub const TOOLS_EXIT_CODES_HELP: &str = "Exit codes:
  0   no description hides anything
  1   a description warns
  2   a description blocks
  3   the run failed: bad settings or patterns, a manifest that cannot be read, report not writable
  64  the command line was wrong";

/// The exit codes of the commands on the store.
pub const AUDIT_EXIT_CODES_HELP: &str = "Exit codes:
  0   done; the store verifies
  2   the store does not verify
  3   the run failed: there is no store, or it cannot be read or written
  64  the command line was wrong";

/// The exit codes of `trends`.
pub const TRENDS_EXIT_CODES_HELP: &str = "Exit codes:
  0   done; with --alert: nothing rises
  1   with --alert: something rises
  3   the run failed: there is no store, or it cannot be read
  64  the command line was wrong";

/// The exit codes of a hook: hosts read the answer, and take any other code for leave to go on.
pub const HOOK_EXIT_CODES_HELP: &str = "Exit codes:
  0   the answer is on standard output, or there is nothing to say
  2   denied, since callgate itself failed; the reason is on standard error

Settings are taken from --config, $CALLGATE_CONFIG or ~/.config/callgate/callgate.yaml, never from the folder.
With --fail-open what callgate fails to judge passes.";

/// The exit codes of a look at hooks.
pub const DOCTOR_EXIT_CODES_HELP: &str = "Exit codes:
  0   all hooks fire
  1   all hooks fire, but something may get past them
  2   a hook does not fire, or there is none
  3   the run failed: settings of a host are not readable
  64  the command line was wrong";

/// From which verdict on a run fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// Warn and block fail.
    #[default]
    Warn,
    /// Only block fails.
    Block,
    /// No verdict fails.
    Never,
}

impl Exit {
    /// How a run with the verdict ends.
    pub fn of(verdict: Verdict, fail_on: FailOn) -> Self {
        match (verdict, fail_on) {
            (Verdict::Allow, _) | (_, FailOn::Never) | (Verdict::Warn, FailOn::Block) => Self::Allow,
            (Verdict::Warn, FailOn::Warn) => Self::Warn,
            (Verdict::Block, FailOn::Warn | FailOn::Block) => Self::Block,
        }
    }

    /// How the run ends if something beside the judging failed: a block stays one, because whoever stops on a block only would
    /// let it pass.
    pub fn with_failure(self) -> Self {
        match self {
            Self::Allow | Self::Warn | Self::Failed => Self::Failed,
            Self::Block => Self::Block,
            Self::Usage => Self::Usage,
        }
    }

    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        EXIT_CODES.iter().find(|(exit, ..)| *exit == self).map_or(3, |(_, code, _)| *code)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fail_on_turns_milder_verdicts_into_success() {
        for (verdict, fail_on, expected) in [
            (Verdict::Allow, FailOn::Warn, 0),
            (Verdict::Warn, FailOn::Warn, 1),
            (Verdict::Block, FailOn::Warn, 2),
            (Verdict::Warn, FailOn::Block, 0),
            (Verdict::Block, FailOn::Block, 2),
            (Verdict::Block, FailOn::Never, 0),
        ] {
            assert_eq!(Exit::of(verdict, fail_on).code(), expected, "{verdict} {fail_on:?}");
        }
    }

    #[test]
    fn a_failure_makes_nothing_milder() {
        for (exit, expected) in [(Exit::Allow, 3), (Exit::Warn, 3), (Exit::Block, 2), (Exit::Failed, 3), (Exit::Usage, 64)] {
            assert_eq!(exit.with_failure().code(), expected, "{exit:?}");
        }
    }

    #[test]
    fn the_help_names_every_code() {
        for (_, code, meaning) in EXIT_CODES {
            assert!(EXIT_CODES_HELP.contains(&format!("{code:<4}{meaning}")), "{code}");
        }
    }
}
