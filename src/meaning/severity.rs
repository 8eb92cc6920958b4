//! How bad a leak is: by what is read, where it goes, and how much of it.

use crate::knowledge::command::list;
use crate::knowledge::host::is_drop;
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, Side, SinkKind};
use crate::meaning::authority::host;
use crate::meaning::leak_kind::LeakKind;
use crate::meaning::passage::Passage;
use crate::meaning::reach::{Place, Reach};
use crate::meaning::read::Read;
use crate::subject::call::Repeat;
use crate::subject::flow::{OriginKind, Strength};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{split_owner, words};

/// What the other flows of a script tell of one.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// It is of the elements of a listing.
    pub is_of_many: bool,
    /// Whoever set up the machine said where it goes.
    pub is_settled: bool,
    /// Whoever wrote in gets it.
    pub is_to_stranger: bool,
    /// It goes to the account of whoever has the key that is shown beside it.
    pub is_to_own_account: bool,
    /// It is what lets somebody in, by the name of its field, and not what that is called or how old it is.
    pub is_value: bool,
    /// It is the number or address of whom a message is for: `{ to: row.phone, text }`.
    pub is_addressee: bool,
    /// It is what commits say of themselves.
    pub is_history: bool,
    /// It goes to the account of whoever wrote the script: the key stands there.
    pub is_to_writer: bool,
    /// It is all of a file of variables.
    pub is_all_variables: bool,
    /// A program shows it to whoever its callers, or its settings, say.
    pub is_left_open: bool,
}

/// How bad it is that all of what is read goes where it goes.
pub fn whole(passage: &Passage, reach: &Reach, sink: SinkKind, kind: LeakKind, seen: Seen) -> Option<(Severity, Action)> {
    let read = &passage.read;
    let is_sensitive = read.sensitivity.is_some();
    let is_drop = reach.shown.as_deref().is_some_and(is_drop);
    let is_own_key = !read.is_many
        && !seen.is_all_variables
        && matches!(read.kind, OriginKind::Environment | OriginKind::Tool | OriginKind::Storage | OriginKind::File | OriginKind::Program);
    let is_settled = seen.is_settled;
    let is_meant = reach.is_constant || is_settled || seen.is_left_open && !seen.is_to_stranger;
    if passage.place == Place::Entrance && is_own_key && is_meant && !is_drop && (read.is_secret() || is_settled) {
        return Some((Severity::Low, Action::Log));
    }
    if passage.is_to_oneself && !read.is_secret() || seen.is_to_own_account && !is_drop {
        return Some((Severity::Low, Action::Log));
    }
    // Who set up the machine said where what somebody asks or hands over goes.
    let is_handed_over = read.kind == OriginKind::UserInput || read.kind == OriginKind::File && !is_sensitive;
    let is_once = !read.is_many && !reach.is_repeated;
    // One person, asked about or told of where the settings say.
    let is_of_person = read.sensitivity <= Some(Sensitivity::Personal) && !seen.is_of_many;
    let is_asked_of_own = is_of_person && is_once && read.kind == OriginKind::Tool && reach.outgoing() == Some(SinkKind::Network);
    if is_settled && !read.is_secret() && (seen.is_history || seen.is_addressee && !is_drop || is_handed_over && is_once || is_asked_of_own)
    {
        return Some((Severity::Low, Action::Log));
    }
    // A service that computes an answer and keeps nothing for anybody else.
    let is_asked_about = read.kind == OriginKind::Tool || read.kind == OriginKind::File && !read.is_many;
    if is_asked_about && !read.is_secret() && !is_drop && !seen.is_to_writer && is_processing(reach) {
        return Some((Severity::Low, Action::Log));
    }
    // All of a listing goes to each person who stands in it.
    if passage.is_to_others && is_sensitive && reach.side != Side::Inside {
        return Some((Severity::Critical, Action::Block));
    }
    let side = if is_settled && reach.side == Side::Outside { Side::Unknown } else { reach.side };
    let is_plain = read.sensitivity <= Some(Sensitivity::Internal);
    let is_repeated = reach.is_repeated || seen.is_of_many;
    let of_one = read.sensitivity == Some(Sensitivity::Contact) && !read.is_many && !is_repeated && kind != LeakKind::Covert;
    let is_for_stranger = seen.is_to_stranger && (kind == LeakKind::Mass || seen.is_of_many);
    // Whoever may read a comment or a message reads what stands in it.
    let is_told = passage.place == Place::Data || read.is_many && !matches!(passage.place, Place::Target | Place::Entrance);
    let is_posted = matches!(sink, SinkKind::Publish | SinkKind::Chat) && is_told && (read.is_many || reach.side != Side::Outside);
    // Whoever talks to a model gets out of it what it was told.
    if sink == SinkKind::Prompt && read.is_secret() && read.is_many && read.kind == OriginKind::Environment {
        return Some((Severity::Critical, Action::Block));
    }
    let is_mailed = sink == SinkKind::Mail && passage.place == Place::Data && read.is_many && reach.side != Side::Inside;
    if is_mailed && read.is_secret() && read.kind == OriginKind::Environment {
        return Some((Severity::Critical, Action::Block));
    }
    if is_posted && read.is_secret() && read.kind == OriginKind::Environment {
        // A comment is read by everybody who comes along.
        let is_open = read.is_many || sink == SinkKind::Publish;
        return Some(if is_open { (Severity::Critical, Action::Block) } else { (Severity::High, Action::Confirm) });
    }
    // What a vault keeps is for whoever asks the vault, not for all who read along, now or later.
    let is_of_vault = matches!(read.kind, OriginKind::Tool | OriginKind::File | OriginKind::Storage);
    if (is_posted || sink == SinkKind::Mail && passage.place == Place::Data)
        && read.is_secret()
        && seen.is_value
        && is_of_vault
        && side != Side::Outside
    {
        return Some((Severity::High, Action::Confirm));
    }
    // No service of the house needs all variables of a program.
    let is_all_settings = read.kind == OriginKind::Environment && read.is_many && passage.place == Place::Data && reach.api.is_none();
    // One record in a page that the house has published before.
    let (owner, verb) = split_owner(&reach.name);
    let is_editorial = || words(owner).iter().any(|word| list("editorial").contains(&word.as_str()));
    let is_change = || words(verb).iter().any(|word| Tag::ChangingRecord.has(word)) && is_editorial();
    let is_edited = sink == SinkKind::Publish && is_plain && is_once && !reach.is_constant && reach.api.is_none() && is_change();
    // A tool that is told of nobody to whom anything would go.
    let is_kept = is_plain && kind == LeakKind::Plain && reach.api.is_none() && !reach.has_target;
    match (side, is_sensitive) {
        (Side::Inside, true) if is_all_settings => Some((Severity::High, Action::Confirm)),
        (Side::Inside, true) => Some((Severity::Low, Action::Log)),
        (Side::Inside, false) => None,
        (Side::Outside, _) if is_drop || kind == LeakKind::Mass => Some((Severity::Critical, Action::Block)),
        (Side::Outside, true) if is_edited => Some((Severity::Medium, Action::Warn)),
        (Side::Outside, true) if !of_one => Some((Severity::Critical, Action::Block)),
        // Whoever answers for a name that holds what somebody is is told it.
        (Side::Unknown, true) if !is_plain && !of_one && NAME_LOOKUPS.iter().any(|begin| reach.name.starts_with(begin)) => {
            Some((Severity::Critical, Action::Block))
        }
        (Side::Unknown, true) if !is_plain && (kind == LeakKind::Mass && !reach.has_target || is_for_stranger) => {
            Some((Severity::Critical, Action::Block))
        }
        // A repository is the house's own, unless something tells otherwise.
        (Side::Unknown, _) if sink == SinkKind::Publish && is_plain => Some((Severity::Low, Action::Log)),
        (Side::Outside, true) if of_one && read.kind == OriginKind::Program => Some((Severity::Low, Action::Log)),
        (Side::Outside, _) => Some((Severity::High, Action::Confirm)),
        (Side::Unknown, true) if !is_plain => Some((Severity::High, Action::Confirm)),
        (Side::Unknown, _) if is_kept => Some((Severity::Low, Action::Log)),
        (Side::Unknown, _) => Some((Severity::Medium, Action::Warn)),
    }
}

/// Returns true if and only if a call leads to a service that only computes an answer from what it is sent.
pub fn is_processing(reach: &Reach) -> bool {
    let to = reach.shown.as_deref().filter(|_| reach.is_constant).and_then(host);
    to.is_some_and(|host| Tag::ProcessingHost.has(host.as_str()))
}

/// With what the paths of APIs begin that look up names.
const NAME_LOOKUPS: &[&str] = &["dns.", "Bun.dns.", "Deno.resolveDns"];

/// How many answers tell something.
const BITS: u32 = 8;

/// How bad it is that an answer about what is read goes where it goes: bit by bit a loop spells it out.
pub fn bit(strength: Strength, is_of_each: bool, read: &Read, reach: &Reach) -> Option<(Severity, Action)> {
    let is_open = match reach.repeat {
        Repeat::Counted(times) => BITS <= times,
        Repeat::Once | Repeat::Each | Repeat::Open => reach.is_repeated,
    };
    let is_out = reach.side != Side::Inside;
    // A call for each of a secret's characters, elsewhere: those that come spell it.
    if is_open && is_of_each && reach.side == Side::Outside && read.is_secret() && !read.is_many && strength == Strength::Control {
        return Some((Severity::Critical, Action::Block));
    }
    if is_open && is_out && read.is_secret() && (strength == Strength::Bit || reach.side == Side::Outside) {
        return Some((Severity::Medium, Action::Warn));
    }
    // An answer about each of a secret's characters spells it out, wherever the answers are put together.
    let is_spelt = strength == Strength::Bit && is_of_each && reach.side == Side::Outside;
    if is_spelt && read.is_secret() {
        return Some((Severity::Medium, Action::Warn));
    }
    (is_out && read.sensitivity.is_some()).then_some((Severity::Low, Action::Log))
}
