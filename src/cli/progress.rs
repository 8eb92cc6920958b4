//! How far a run has come, for people who wait.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long a run works before it shows its progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// Tells on a terminal how far a scan has come, once it has lasted a while.
pub struct Progress {
    started: Instant,
    bar: Option<ProgressBar>,
    is_shown: bool,
    count: u64,
}

impl Progress {
    /// None is shown if the run is quiet, or standard error is no terminal.
    pub fn new(quiet: bool) -> Self {
        Self { started: Instant::now(), bar: None, is_shown: !quiet && io::stderr().is_terminal(), count: 0 }
    }

    /// One more source is judged.
    pub fn step(&mut self) {
        self.count += 1;
        if !self.is_shown || !self.count.is_multiple_of(64) {
            return;
        }
        if self.bar.is_none() && PATIENCE < self.started.elapsed() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} files judged ({per_sec})") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.count);
        }
    }

    /// Takes the progress off the terminal.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
