//! Messages and forms that ask people for what lets somebody in, or to pay to another account.

use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::knowledge::{Side, destination};
use crate::meaning::argument::{text, texts};
use crate::meaning::outside::is_everybody;
use crate::rule::Match;
use crate::subject::call::Call;
use crate::subject::segment::HOLE;
use crate::value::account::is_bank_account;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, words};

/// The check.
pub const CHECK: Check = Check {
    id: "lure",
    category: "injection",
    severity: Severity::Critical,
    action: Action::Block,
    why: "People answer what comes in the name of their own house: passwords are typed in, and money goes to another account.",
    help: "Ask nobody for passwords or codes, and have changed accounts told by those who know the people.",
    hit: "await callTool('forms:create', { questions: [{ label: 'Current Windows password' }] });\n",
    miss: "await callTool('forms:create', { questions: [{ label: 'Preferred laptop' }] });\n",
    run: lured,
};

/// Returns true if and only if a text that is sent asks for a way in at a host elsewhere whose name says the same.
pub fn lures(call: &Call, context: &Context<'_>) -> bool {
    let all = texts(&call.argument);
    let asks_for = |things: &dyn Fn(&str) -> bool| {
        all.iter().any(|text| {
            let said = words(text.text);
            // `sign in`
            said.iter().any(|word| things(word)) || said.windows(2).any(|pair| things(&pair.concat()))
        })
    };
    // `Confirm your card`: whoever asks for that need not say so in the name of his host.
    let asks_one = |any: &str| asks_for(&|word| list(any).contains(&word));
    // `Pay the customs fee within 12 h`
    let hurries = asks_for(&|word| word == "pay") && asks_one("small-fees") && asks_one("short-times");
    let asks_much = hurries || asks_for(&|word| Tag::Luring.has(word)) && asks_one("lured-for");
    let is_lure = |text: &str| {
        let addresses = text.match_indices("https://").filter_map(|(at, _)| text.get(at..)?.split(['"', '\'', ' ', '<', ')', HOLE]).next());
        let host = |address: &str| address.split('/').nth(2).map(words).unwrap_or_default();
        // Where accounts are kept for houses that keep none of their own.
        let keeps_logins = |address: &str| {
            let own = address.split('/').nth(2).unwrap_or_default().to_lowercase();
            list("keepers-of-log-ins").iter().any(|host| own == *host || own.strip_suffix(host).is_some_and(|rest| rest.ends_with('.')))
        };
        let is_foreign = |address: &&str| {
            let is_outside = destination(address, context.house).side != Side::Inside && !keeps_logins(address);
            is_outside && (asks_much || Tag::Luring.has_any(host(address)))
        };
        addresses.filter(is_foreign).count() != 0
    };
    (hurries || asks_for(&|word| Tag::Luring.has(word) || Tag::WayInWord.has(word))) && all.iter().any(|text| is_lure(text.text))
}

/// Returns true if and only if a call tells people something, whatever else its tool does: `helpdesk:reply`.
pub fn tells_people(call: &Call) -> bool {
    words(call.tool.name().unwrap_or_default()).iter().any(|word| list("telling-acts").contains(&word.as_str()))
}

/// What is sent to many at once and asks each of them for a way in, and forms that ask for one.
fn lured(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate().zip(&context.features.calls);
    calls
        .filter_map(|((index, call), features)| {
            let says = |any: &str| words(call.tool.name().unwrap_or_default()).iter().any(|word| list(any).contains(&word.as_str()));
            let what = match () {
                () if says("forms-for-people") && asks_for_way_in(call) => "has people type in what lets somebody in as them",
                () if features.words.sends && tells_new_account(call) => {
                    let severity =
                        if features.is_repeated || goes_to_many(context, index, call) { Severity::Critical } else { Severity::High };
                    let message = format!("`{}` tells people to pay to another account from now on", call.tool.shown());
                    return Some(context.harm(call.span, severity).with_message(message));
                }
                () if (features.words.sends || tells_people(call)) && orders_in_secret(call) => {
                    "tells people to pay at once and to tell nobody of it"
                }
                () if (features.words.sends || says("telling-many") || says("public-posting")) && promises_coins(call) => {
                    "promises people more back than they are to send"
                }
                () if (features.words.sends || says("telling-many") || tells_people(call))
                    && (features.is_repeated || goes_to_many(context, index, call))
                    && lures(call, context) =>
                {
                    "asks each of many people for a way in, at a host elsewhere"
                }
                () => return None,
            };
            Some(context.harm(call.span, Severity::Critical).with_message(format!("`{}` {what}", call.tool.shown())))
        })
        .collect()
}

/// Returns true if and only if one call is handed something for each of a listing, or names everybody.
fn goes_to_many(context: &Context<'_>, index: usize, call: &Call) -> bool {
    let mut flows = context.flows_into(index);
    let names_all = || {
        texts(&call.argument).iter().any(|text| {
            let said = words(text.text);
            text.is_known && said.len() <= FEW && (is_everybody(text.text) || said.first().is_some_and(|first| first == "all"))
        })
    };
    !call.is_repeated() && (flows.any(|flow| flow.field.contains("[]")) || names_all())
}

/// Returns true if and only if a text says that one is to pay to another account than before, and to which.
fn tells_new_account(call: &Call) -> bool {
    texts(&call.argument).iter().any(|text| {
        let said = words(text.text);
        let has = |any: &str| said.iter().any(|word| list(any).contains(&word.as_str()));
        has("changed-words") && has("account-words") && !says_unchanged(&said) && accounts(text.text)
    })
}

/// Returns true if and only if a text has somebody pay, or buy what is as good as money, and keep it from everybody else:
/// `Please wire 48,700 EUR before 3 pm. Keep this between us.`
fn orders_in_secret(call: &Call) -> bool {
    texts(&call.argument).iter().any(|text| {
        let said = words(text.text);
        let has = |any: &str| said.iter().any(|word| list(any).contains(&word.as_str()));
        let joined_words = said.join(" ");
        let is_secret = list("secrecy").iter().any(|phrase| joined_words.contains(phrase));
        let hurries = || list("haste").iter().any(|phrase| joined_words.contains(phrase));
        let names_money = || text.text.contains(['€', '$', '£']) || has("currencies");
        is_secret && has("ordered-payments") && hurries() && names_money()
    })
}

/// Returns true if and only if a text has people send coins and promises more of them back.
fn promises_coins(call: &Call) -> bool {
    texts(&call.argument).iter().any(|text| {
        let said = words(text.text);
        let has = |any: &str| said.iter().any(|word| list(any).contains(&word.as_str()));
        has("coins") && has("sending-coins") && has("multiplying")
    })
}

/// Returns true if and only if a text says that nothing has changed: `have not changed`.
fn says_unchanged(said: &[String]) -> bool {
    said.windows(2).any(|pair| matches!(pair, [not, changed] if not == "not" && list("changed-words").contains(&changed.as_str())))
}

/// Returns true if and only if the number of a bank's account stands in a text.
fn accounts(text: &str) -> bool {
    let parts: Vec<&str> = text.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let begins = |part: &str| {
        let bytes = part.as_bytes();
        matches!(bytes, [first, second, third, fourth, ..] if first.is_ascii_uppercase() && second.is_ascii_uppercase() && third.is_ascii_digit() && fourth.is_ascii_digit())
    };
    parts.iter().enumerate().filter(|(_, part)| begins(part)).any(|(at, _)| {
        let mut whole = String::new();
        parts.iter().skip(at).take(GROUPS).any(|part| {
            whole.push_str(part);
            is_bank_account(&whole)
        })
    })
}

/// The number of an account is written in no more groups than this.
const GROUPS: usize = 9;

/// So many words name an audience and say no more.
const FEW: usize = 3;

/// Returns true if and only if a question asks for somebody's own password or codes: `{ label: 'Current password', type: 'password' }`.
fn asks_for_way_in(call: &Call) -> bool {
    let mut asks = false;
    call.argument.visit_properties(&mut |property| {
        let Some(said) = text(&property.value).map(words) else { return };
        let has = |any: &str| said.iter().any(|word| list(any).contains(&word.as_str()));
        let is_label = list("label-keys").contains(&joined(&property.key).as_str());
        asks |= is_label && said.len() <= LABEL && has("never-asked") && (has("ones-own") || said.len() == 1);
    });
    asks
}

/// Longer texts say more than what is to be typed in, in words.
const LABEL: usize = 8;
