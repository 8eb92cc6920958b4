//! A bot that empties a chat server.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "server-wipe",
    category: "destruction",
    severity: Severity::Critical,
    action: Action::Block,
    why: "Channels, roles and members of a chat server do not come back once they are deleted or thrown out.",
    help: "Act on one channel or member that a person names, and ask before it is done.",
    hit: "guild.channels.cache.forEach((channel) => channel.delete());\nguild.members.cache.forEach((member) => member.ban());",
    miss: "guild.channels.cache.forEach((channel) => log(channel.name));\nguild.members.cache.get(id).ban();",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
