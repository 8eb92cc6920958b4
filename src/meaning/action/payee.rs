//! Who says whom a call pays, and how much: a message or a page that names the account, a balance that is paid as a whole.

use crate::knowledge::Side;
use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind, Extent};
use crate::knowledge::words::Tag;
use crate::language::sql::{self, Token};
use crate::meaning::argument::{is_yes, texts};
use crate::meaning::magnitude::magnitudes;
use crate::meaning::outside::{is_mail_address, is_private_mailbox};
use crate::meaning::passage::{Ends, Passage};
use crate::meaning::read::Read;
use crate::meaning::walk::{Arguments, Key};
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::value::account::is_bank_account;
use crate::value::severity::Severity;
use crate::value::words::{joined, split_owner, words};

/// Numbers of accounts have no fewer digits.
const ACCOUNT: usize = 4;

/// What is paid to somebody else than who is meant: no answer of a person covers that.
pub const SWAPPED: &str = "money-swapped";

/// Says of the money that a call moves where its account and its amount come from, as far as flows tell.
pub fn tell(effects: &mut [Effect], subject: &Subject, ends: &Ends, call: usize, argument: &Arguments<'_>) {
    let Some(effect) = effects.iter_mut().find(|effect| effect.kind == EffectKind::Pay) else { return };
    if argument.properties().any(|(key, property)| key.is(Tag::PayeeKey) && is_swapped(&property.value)) {
        effect.severity = Some(Severity::Critical);
        effect.object = Some(SWAPPED.to_owned());
        "pays some of what is due to one who is written out, in the place of who is meant".clone_into(&mut effect.says);
        return;
    }
    let proposes = || subject.calls.get(call).and_then(|call| call.tool.name()).is_some_and(proposes);
    if ends.flows_into(subject, call).any(|flow| names_payee(flow, ends)) && proposes() && waits_for_leave(argument) {
        effect.severity = Some(Severity::Medium);
        "puts forward to pay whom a text names that strangers write, which somebody has to check".clone_into(&mut effect.says);
    } else if ends.flows_into(subject, call).any(|flow| names_payee(flow, ends)) {
        effect.object = Some("money-led".to_owned());
        "moves money to whom a text names that strangers write".clone_into(&mut effect.says);
    } else if effect.says.starts_with("changes where money goes")
        && argument.said().any(|(_, text)| text.is_known && is_private_mailbox(text.text))
    {
        effect.severity = Some(Severity::Critical);
        "has money go to a private mailbox that is written out".clone_into(&mut effect.says);
    } else if subject.calls.get(call).is_some_and(Call::is_repeated) && is_of_stranger(subject, ends, call) {
        effect.severity = Some(Severity::Critical);
        "moves money again and again to somebody with a private mailbox who is written out".clone_into(&mut effect.says);
    } else if is_handed_out(subject, ends, call) {
        effect.severity = Some(Severity::Critical);
        "makes what is worth money and hands it to a private mailbox that is written out".clone_into(&mut effect.says);
    } else if effect.object.as_deref() == Some("money-of-each") && is_checked(subject, ends, call) {
        effect.object = Some("money".to_owned());
        "moves money for each that was approved, up to a limit".clone_into(&mut effect.says);
    } else if effect.object.as_deref() == Some("money-of-each")
        && (pays_approved(subject, ends, call) || asks_for_approved(subject, ends, call))
    {
        effect.severity = Some(Severity::High);
        "moves money for each that is listed as approved".clone_into(&mut effect.says);
    } else if effect.object.as_deref() == Some("money-of-each") && gives_back_few(subject, ends, call) {
        effect.severity = Some(Severity::High);
        "gives back for each of a few that were asked for".clone_into(&mut effect.says);
    } else if effect.object.as_deref() == Some("money-of-each") && stays_below_limit(subject, ends, call) {
        effect.severity = Some(Severity::High);
        "moves money for each that is listed, up to a limit of each".clone_into(&mut effect.says);
    } else if effect.object.as_deref() == Some("money") && is_batch(subject, ends, call) {
        effect.object = Some("money-of-each".to_owned());
        "moves money for each that is listed, all in one call".clone_into(&mut effect.says);
    } else if effect.object.as_deref() == Some("money") && ends.flows_into(subject, call).any(|flow| is_balance(flow, subject)) {
        effect.extent = Extent::All;
        let is_written = argument.said().any(|(key, text)| text.is_known && key.is(Tag::PayeeKey));
        if is_written {
            effect.place = Some(Side::Outside);
            "moves the whole balance to an account that is written out".clone_into(&mut effect.says);
        }
    }
    // Who set up the machine said whom it pays.
    let whole = || ends.flows_into(subject, call).filter(|flow| Strength::Bit < flow.strength);
    let payees = || whole().filter(|flow| Tag::PayeeKey.has_any(flow.argument.split('.').map(joined)));
    let is_setting =
        |flow: &Flow| subject.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Environment) && flow.is_followed();
    let leads = |says: &str| says.starts_with("changes where money goes") || says.starts_with("hands what an account holds");
    let has_setting = leads(&effect.says) && payees().next().is_some() && payees().all(is_setting);
    if has_setting && !argument.said().any(|(key, text)| text.is_known && key.is(Tag::PayeeKey)) {
        effect.severity = Some(Severity::Low);
        return;
    }
    // A script may say so of any payment; where it writes out who is paid, or a stranger does, nobody need have asked for that.
    // An account beside an amount is one that is paid.
    let is_paid = || effect.object.as_deref() == Some("bank-details") && argument.properties().any(|(key, _)| key.is(Tag::AmountKey));
    let is_money = matches!(effect.object.as_deref(), Some("money" | "money-of-each")) || is_paid();
    let is_of_records = is_money && effect.place != Some(Side::Outside);
    // `account: 'operating'` is one of the house's own.
    let is_account = |text: &str| text.contains('@') || text.bytes().filter(u8::is_ascii_digit).count() >= ACCOUNT;
    let names =
        |key: &Key<'_>, text: &str| key.has(Tag::BankDetail) || key.has(Tag::PayeeKey) && (key.joined != "account" || is_account(text));
    let is_written = || argument.said().any(|(key, text)| text.is_known && names(key, text.text));
    let waits =
        || waits_for_leave(argument) || asks_for_leave(subject, call) || is_put_to_somebody(subject, ends, call) && !is_at_once(argument);
    let is_approved = || !subject.calls.get(call).is_some_and(Call::is_repeated) && is_of_approval(subject, ends, call);
    if is_of_records && effect.extent != Extent::All && !is_written() && is_approved() {
        effect.severity = Some(Severity::Low);
        "moves money once, after somebody approved it".clone_into(&mut effect.says);
    } else if is_of_records && effect.extent != Extent::All && !is_written() && pays_back_no_more(subject, ends, call) {
        effect.severity = Some(Severity::Low);
        "pays back once, no more than what was paid".clone_into(&mut effect.says);
    } else if is_of_records && effect.extent != Extent::All && waits() && !is_written() {
        effect.severity = Some(Severity::Low);
        "puts a payment forward, which somebody has to release".clone_into(&mut effect.says);
    }
}

/// Returns true if and only if somebody is paid who is written out, where a condition says so, and otherwise who is not.
fn is_swapped(value: &Value) -> bool {
    let Value::OneOf(several, _) = value else { return false };
    let is_account = |text: &str| is_mail_address(text) || is_bank_account(text) || text.starts_with("acct_");
    let (mut is_written, mut is_open) = (false, false);
    for one in several {
        let (mut written, mut open) = (false, false);
        one.visit("", &mut |_, value| match value {
            Value::String(text, _) => written |= is_account(text),
            Value::Dynamic(_) | Value::Partial(..) => open = true,
            _ => {}
        });
        is_written |= written && !open;
        is_open |= open && !written;
    }
    is_written && is_open
}

/// Says of one payment that is taken of a customer, and goes on to nobody, that it gives nothing away.
pub fn tell_taken(effects: &mut [Effect], call: &Call, argument: &Arguments<'_>) {
    let is_taken = !call.is_repeated() && call.tool.name().is_some_and(|name| list("taking-payments").contains(&name));
    let goes_on = || argument.said().any(|(key, text)| text.is_known && (key.has(Tag::PayeeKey) || text.text.starts_with("acct_")));
    if !is_taken || goes_on() {
        return;
    }
    for effect in effects.iter_mut().filter(|effect| effect.kind == EffectKind::Pay && effect.object.as_deref() == Some("money")) {
        if effect.place != Some(Side::Outside) && effect.extent < Extent::Many {
            effect.severity = Some(Severity::Low);
        }
    }
}

/// Returns true if and only if the name of a tool says that it asks for something to be done: `vendor:change_request`.
fn proposes(tool: &str) -> bool {
    words(split_owner(tool).1).iter().any(|word| list("proposing").contains(&word.as_str()))
}

/// Returns true if and only if a payment says that somebody has to release it: `{ release: 'after_four_eyes' }`.
fn waits_for_leave(argument: &Arguments<'_>) -> bool {
    let says = |name: &str, text: &str| list(name).contains(&text);
    argument.properties().any(|(key, property)| match &property.value {
        Value::Boolean(true, _) => says("leave-switches", &key.joined),
        Value::Number(number, _) => says("leave-counts", &key.joined) && 1.0 <= *number,
        Value::String(text, _) => says("leave-keys", &key.joined) && says("leave-values", &joined(text)),
        _ => false,
    })
}

/// Returns true if and only if a call asks somebody to release what was made before, or is followed by one that does, and nothing of the
/// same service is released by the script itself: `bank:create_batch`, `bank:request_release`.
fn asks_for_leave(subject: &Subject, call: usize) -> bool {
    let name = |at: usize| subject.calls.get(at).and_then(|call| call.tool.name());
    let owner = name(call).map(|name| split_owner(name).0);
    let of_same = || subject.calls.iter().filter_map(|call| call.tool.name()).filter(|name| Some(split_owner(name).0) == owner);
    of_same().any(asks_leave) && !of_same().any(takes_leave)
}

/// Returns true if and only if the name of a tool says that somebody is asked to release something: `bank:request_release`.
fn asks_leave(tool: &str) -> bool {
    let said = words(split_owner(tool).1);
    said.first().is_some_and(|first| list("proposing").contains(&first.as_str())) && said.iter().skip(1).any(|word| is_leave(word))
}

/// Returns true if and only if the name of a tool says that it releases something itself: `bank:release`.
fn takes_leave(tool: &str) -> bool {
    words(split_owner(tool).1).first().is_some_and(|first| is_leave(first) || list("releasing").contains(&first.as_str()))
}

/// Returns true if and only if a payment says that it is made at once: `{ execute: 'immediately' }`.
fn is_at_once(argument: &Arguments<'_>) -> bool {
    argument.said().any(|(_, text)| list("at-once").contains(&joined(text.text).as_str()))
}

/// Returns true if and only if what a call answers is put to somebody who is to release it, by another service:
/// `workflow:request_release({ batch: batch.id })`.
fn is_put_to_somebody(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let is_of_call = |flow: &Flow| {
        let origin = subject.origins.get(flow.origin).and_then(|origin| origin.call);
        origin.and_then(CallRef::tool) == Some(call) && flow.is_followed()
    };
    let is_given = |says: fn(&str) -> bool| {
        let mut others = subject.calls.iter().enumerate().filter(|(at, other)| *at != call && other.tool.name().is_some_and(says));
        others.any(|(at, _)| ends.flows_into(subject, at).any(is_of_call))
    };
    // Whoever releases it by the script itself asked nobody.
    is_given(asks_leave) && !is_given(takes_leave)
}

fn is_leave(word: &str) -> bool {
    list("leave-words").contains(&word)
}

/// Returns true if and only if what a call that is made again and again gives is sent to a private mailbox that is written out: the codes
/// of vouchers.
fn is_handed_out(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let is_given = |flow: &Flow| subject.origins.get(flow.origin).is_some_and(|origin| origin.call == Some(CallRef::Tool(call)));
    let is_stranger = |passage: &Passage| {
        ends.reach(passage).is_some_and(|reach| reach.is_constant && reach.shown.as_deref().is_some_and(is_private_mailbox))
    };
    let is_repeated = subject.calls.get(call).is_some_and(Call::is_repeated);
    let mut passages = ends.passages.iter().filter(|passage| subject.flows.get(passage.flow).is_some_and(is_given));
    is_repeated && passages.any(is_stranger)
}

/// Returns true if and only if whoever a call is about was made or found by a private mailbox that is written out.
fn is_of_stranger(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let whole = ends.flows_into(subject, call).filter(|flow| flow.strength == Strength::Whole);
    let mut asked = whole.filter_map(|flow| subject.calls.get(subject.origins.get(flow.origin)?.call?.tool()?));
    asked.any(|asked| texts(&asked.argument).iter().any(|text| text.is_known && is_private_mailbox(text.text)))
}

/// Returns true if and only if each element of a listing, whichever it holds, stands in a list that a call is given.
fn is_batch(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let is_each = |flow: &&Flow| flow.field.contains("[]") && flow.argument.contains("[]") && flow.strength == Strength::Whole;
    let is_read = |at: usize| ends.reads.get(at).is_some_and(|read| matches!(read.kind, OriginKind::Tool | OriginKind::Network));
    let origins: Vec<usize> = ends.flows_into(subject, call).filter(is_each).map(|flow| flow.origin).filter(|at| is_read(*at)).collect();
    let is_chosen = |at: usize| ends.flows_into(subject, call).any(|flow| flow.origin == at && flow.strength <= Strength::Bit);
    origins.into_iter().any(|at| !is_chosen(at))
}

/// Returns true if and only if one payment is given back whose amount the script compares with what was paid.
fn pays_back_no_more(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let Some(own) = subject.calls.get(call).filter(|own| !own.is_repeated()) else { return false };
    let name = words(split_owner(own.tool.name().unwrap_or_default()).1);
    let mut deciding = ends.flows_into(subject, call).filter(|flow| flow.strength <= Strength::Bit && flow.is_followed());
    let tells_paid = |flow: &Flow| {
        let last = words(flow.field.rsplit('.').next().unwrap_or_default());
        last.iter().any(|word| list("paid-words").contains(&word.as_str()))
    };
    name.iter().any(|word| word == "refund") && deciding.any(tells_paid)
}

/// Returns true if and only if whether a call pays depends on what is kept of who approves: `approvals:find`, `.status`.
fn is_of_approval(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let mut deciding = ends.flows_into(subject, call).filter(|flow| flow.strength <= Strength::Bit && flow.is_followed());
    deciding.any(|flow| {
        let last = words(flow.field.rsplit('.').next().unwrap_or_default());
        let tells = last.iter().any(|word| Tag::Consenting.has(word) || list("outcomes-of-leave").contains(&word.as_str()));
        let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Tool && tells);
        origin.is_some_and(|origin| words(&origin.name).iter().any(|word| list("records-of-approval").contains(&word.as_str())))
    })
}

/// Returns true if and only if whether a call pays somebody depends on what somebody else approved, and on how
/// much it is.
fn is_checked(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let deciding = || ends.flows_into(subject, call).filter(|flow| flow.strength <= Strength::Bit && flow.is_followed());
    let last = |flow: &Flow| words(flow.field.rsplit('.').next().unwrap_or_default());
    let is_asked_for = || asks_for_approved(subject, ends, call) || pays_approved(subject, ends, call);
    let is_approved = deciding().any(|flow| last(flow).iter().any(says_approved)) || is_asked_for();
    let paid = ends.flows_into(subject, call).filter(|flow| flow.strength == Strength::Whole);
    let mut amounts = paid.filter(|flow| words(key(flow)).last().is_some_and(|last| Tag::AmountKey.has(last)));
    // Who is paid stands beside how much: one account for all of them is another matter.
    let names = |flow: &Flow| Tag::PayeeKey.has(&joined(key(flow))) || Tag::BankDetail.has(&joined(key(flow)));
    let gives_back = subject.calls.get(call).and_then(|call| call.tool.name()).is_some_and(gives_back);
    let is_theirs = |paid: &Flow| {
        let mut whom = ends.flows_into(subject, call).filter(|flow| flow.strength == Strength::Whole && flow.origin == paid.origin);
        // What is given back goes to where it came from.
        gives_back || whom.any(names)
    };
    let is_capped = |paid: &Flow| deciding().any(|flow| flow.origin == paid.origin && flow.field == paid.field);
    is_approved && amounts.any(|paid| is_capped(paid) && is_theirs(paid))
}

/// So few that a person can look each of them up.
const FEW: f64 = 25.0;

/// Returns true if and only if what was paid is given back for each of a listing that asks for no more than a few, and says of which.
fn gives_back_few(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let is_given_back = subject.calls.get(call).and_then(|call| call.tool.name()).is_some_and(gives_back);
    let mut listed = ends
        .flows_into(subject, call)
        .filter(|flow| flow.strength == Strength::Whole && flow.field.contains("[]"))
        .filter_map(|flow| subject.calls.get(subject.origins.get(flow.origin)?.call?.tool()?))
        .peekable();
    let is_of_few = |listing: &Call| {
        let argument = Arguments::of(&listing.argument);
        let (limits, _) = magnitudes(&argument);
        let chooses = argument
            .said()
            .any(|(key, text)| text.is_known && matches!(key.joined.as_str(), "query" | "filter" | "where" | "sql" | "search"));
        chooses && limits.iter().any(|limit| (1.0..=FEW).contains(&limit.number))
    };
    is_given_back && listed.peek().is_some() && listed.all(is_of_few)
}

/// Returns true if and only if a limit that stands in a record decides whether money is moved, and whom it goes to comes of records, too.
fn stays_below_limit(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let mut deciding = ends.flows_into(subject, call).filter(|flow| flow.strength <= Strength::Bit && flow.is_followed());
    let is_limit = |flow: &Flow| {
        words(flow.field.rsplit('.').next().unwrap_or_default()).last().is_some_and(|last| list("limits").contains(&last.as_str()))
    };
    deciding.any(is_limit)
}

/// Returns true if and only if each is paid who stands in a record, and the records were asked for that somebody approved:
/// `where({ state: 'approved' })`.
fn pays_approved(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let names = |flow: &Flow| Tag::PayeeKey.has(&joined(key(flow))) || Tag::BankDetail.has(&joined(key(flow)));
    let mut paid = ends.flows_into(subject, call).filter(|flow| flow.strength == Strength::Whole && names(flow)).peekable();
    paid.peek().is_some()
        && paid.all(|flow| {
            let asked = subject.origins.get(flow.origin).and_then(|origin| subject.calls.get(origin.call?.tool()?));
            asked.is_some_and(|asked| {
                let mut is_approved = false;
                asked.argument.visit_properties(&mut |property| {
                    let says = |text: &str| words(text).iter().any(says_approved);
                    is_approved |= match &property.value {
                        Value::String(text, _) => text.split_whitespace().count() == 1 && says(text),
                        value => is_yes(value) && says(&property.key),
                    };
                });
                is_approved
            })
        })
}

fn says_approved(word: &String) -> bool {
    word == "verified" || Tag::Consenting.has(word)
}

/// Returns true if and only if the name of a tool says that it gives back what was paid.
fn gives_back(tool: &str) -> bool {
    words(split_owner(tool).1).iter().any(|word| word == "refund")
}

/// Returns true if and only if what is paid was asked for by a statement that wants what somebody approved, and at most how many:
/// `… WHERE approved_by IS NOT NULL LIMIT 20`.
fn asks_for_approved(subject: &Subject, ends: &Ends, call: usize) -> bool {
    let mut paid = ends.flows_into(subject, call).filter(|flow| flow.strength == Strength::Whole && flow.field.contains("[]"));
    paid.any(|flow| {
        let asked = subject.origins.get(flow.origin).and_then(|origin| subject.calls.get(origin.call?.tool()?));
        asked.is_some_and(|asked| texts(&asked.argument).iter().any(|text| text.is_known && wants_approved(text.text)))
    })
}

/// Returns true if and only if each of the rows that a statement wants was approved: no other one is let in by an `or`.
fn wants_approved(text: &str) -> bool {
    let said = sql::statements(text);
    let [tokens] = said.as_slice() else { return false };
    let Some(start) = tokens.iter().position(|token| token.is("where")) else { return false };
    let asked = tokens.get(start + 1..).unwrap_or_default();
    let is_some = asked.iter().any(|token| token.is("limit") || token.is("top") || token.is("fetch"));
    let lets_in = asked.iter().any(|token| token.is("or") || token.is("union"));
    let says_so = |(at, token): (usize, &Token)| {
        let before = at.checked_sub(1).and_then(|before| asked.get(before));
        // `approved_by is null`, `not verified`, `approved <> true`, `approved = 0`
        let is_denied = before.is_some_and(|before| before.is("not"))
            || match asked.get(at + 1..).unwrap_or_default() {
                [is, null, ..] if is.is("is") => null.is("null"),
                [Token::Sign("=" | "=="), value, ..] => value.is("false") || matches!(value, Token::Number(number) if *number == 0.0),
                [Token::Sign(_), ..] => true,
                _ => false,
            };
        matches!(token, Token::Word(word) if !is_denied && words(word).iter().any(says_approved))
    };
    is_some && !lets_in && !asked.contains(&Token::Unknown) && asked.iter().enumerate().any(says_so)
}

/// The key under which a flow arrives.
fn key(flow: &Flow) -> &str {
    flow.argument.rsplit('.').find(|part| *part != "[]" && !part.is_empty()).unwrap_or_default()
}

/// Returns true if and only if a text that strangers write says to whom.
fn names_payee(flow: &Flow, ends: &Ends) -> bool {
    let key = joined(key(flow));
    let read = ends.reads.get(flow.origin).filter(|read| read.is_untrusted);
    // What somebody sends in has whatever fields he likes.
    let is_looked_up = |read: &Read| read.kind == OriginKind::Tool && is_looked_up(flow);
    let is_named = Tag::PayeeKey.has(&key) || Tag::BankDetail.has(&key);
    Strength::Bit < flow.strength && is_named && read.is_some_and(|read| !is_looked_up(read))
}

/// Returns true if and only if what flows was looked up by who wrote: a sender has a name and an address, and no account.
fn is_looked_up(flow: &Flow) -> bool {
    let mut keys = flow.field.rsplit('.');
    let last = keys.next().map(words).unwrap_or_default();
    let is_of_sender = keys.any(|key| matches!(key, "from" | "sender"));
    is_of_sender && 1 < last.len() && last.iter().any(|word| list("payment-words").contains(&word.as_str()))
}

/// Returns true if and only if the amount is what a balance is asked for.
fn is_balance(flow: &Flow, subject: &Subject) -> bool {
    let is_amount = words(key(flow)).last().is_some_and(|last| Tag::AmountKey.has(last));
    let asks = subject.origins.get(flow.origin).is_some_and(|origin| Tag::WholeBalance.has_any(words(&origin.name)));
    is_amount && asks && Strength::Bit < flow.strength
}
