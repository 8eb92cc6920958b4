//! A call that moves money, or changes where money goes.

use std::cell::LazyCell;

use crate::check::{Check, Context};
use crate::knowledge::Sensitivity;
use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::provider::registrable;
use crate::knowledge::sensitivity::category;
use crate::knowledge::words::Tag;
use crate::meaning::argument::{is_yes, text};
use crate::meaning::listing::{Listing, batch_of, listing_over_host};
use crate::meaning::outside::is_outside;
use crate::meaning::statement::Statement;
use crate::meaning::statement::request::made;
use crate::meaning::walk::Arguments;
use crate::rule::Match;
use crate::subject::call::{Call, Value};
use crate::subject::flow::{CallRef, Flow, Origin, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::account::is_bank_account;
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict::Action;
use crate::value::words::{joined, words};

/// The check.
pub const CHECK: Check = Check {
    id: "money-movement",
    category: "money",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "Money that was sent seldom comes back, so a person should see how much goes where.",
    help: "Prepare the payment and let a person release it.",
    hit: "await callTool('payments:transfer', { to: 'supplier-7', amount: 250 });\n",
    miss: "await callTool('payments:list', { to: 'supplier-7', amount: 250 });\n",
    run,
};

/// The effects that it speaks of.
const KINDS: &[EffectKind] = &[EffectKind::Pay, EffectKind::Spend];

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = context.worst_effects(KINDS);
    for told in found.iter_mut().filter(|told| Severity::Medium < told.severity && is_handed_to_own(context, told.span)) {
        (told.severity, told.action) = (Severity::Medium, Action::Warn);
    }
    found.extend(requests(context));
    found.extend(written_out(context));
    found.extend(asked_for(context));
    // What is done to one after the other may be told already.
    for gathered in gathered(context) {
        let is_told = |known: &Match| known.span == gathered.span && known.severity == Severity::Critical;
        if !found.iter().any(is_told) {
            found.push(gathered);
        }
    }
    found.extend(replaced(context));
    found.extend(charged(context));
    found.extend(led_of_each(context));
    found.extend(typed(context));
    found.extend(given_away(context));
    found.extend(swapped(context));
    found
}

/// Returns true if and only if the rule over an account is handed to a key that the settings name.
fn is_handed_to_own(context: &Context<'_>, place: Span) -> bool {
    let is_it = |call: &&Call| call.span == place && call.tool.name().is_some_and(|name| list("handing-rule-over").contains(&name));
    let Some(index) = context.subject.calls.iter().position(|call| is_it(&call)) else { return false };
    let whom = context.features.ends.flows_into(context.subject, index);
    let mut whom = whom.filter(|flow| flow.argument == NEW_HOLDER && Strength::Bit < flow.strength).peekable();
    let is_setting = |flow: &Flow| context.subject.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Environment);
    whom.peek().is_some() && whom.all(|flow| flow.is_followed() && is_setting(flow))
}

/// The argument under which stands who holds an account from then on.
const NEW_HOLDER: &str = "newholder";

/// Everybody who is listed is charged what stands in the script.
fn charged(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let argument = Arguments::of(&call.argument);
            let said = |any: &str| {
                argument.properties().any(|(key, property)| list(any).contains(&key.joined.as_str()) && is_yes(&property.value))
            };
            let is_written =
                argument.properties().any(|(key, property)| key.is(Tag::AmountKey) && matches!(property.value, Value::Number(..)));
            // Who has a card was asked nothing by that.
            let of_people = |listing: &Listing<'_>| Tag::People.has_any(words(&listing.origin.name));
            let is_taken = call.tool.name().is_some_and(|name| list("taking-payments").contains(&name));
            let listing = context
                .listing_over(index)
                .filter(|listing| is_taken && is_written && said("charging-at-once") && (of_people(listing) || !listing.is_chosen))?;
            let is_spared = context.is_spared(index, EffectKind::Pay);
            let message =
                format!("`{}` charges each that `{}` returns a sum that stands in the script", call.tool.shown(), listing.origin.name);
            (!is_spared).then(|| context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// Accounts that a pattern finds, each replaced by one that is written out: who pays pays whoever wrote that.
fn swapped(context: &Context<'_>) -> Vec<Match> {
    let message = "an account that is written out is put in the place of each that is found";
    let places = context.subject.swapped.iter();
    places.map(|place| context.harm(*place, Severity::Critical).with_message(message.to_owned())).collect()
}

/// Next to nothing, in whatever currency.
const NEXT_TO_NOTHING: f64 = 0.05;

/// Each of a listing of goods, offered for next to nothing.
fn given_away(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls).enumerate();
    calls
        .filter(|(_, (_, features))| !features.words.reads)
        .filter_map(|(index, (call, _))| {
            let is_priced = call.tool.name().is_some_and(|name| words(name).iter().any(|word| list("priced").contains(&word.as_str())));
            let listing = context.listing_over(index).filter(|listing| is_priced && !listing.is_chosen)?;
            let argument = Arguments::of(&call.argument);
            let is_nothing = |value: &Value| matches!(value, Value::Number(price, _) if *price <= NEXT_TO_NOTHING);
            let mut priced = argument.properties().filter(|(key, _)| list("prices").contains(&key.joined.as_str()));
            let (key, _) = priced.find(|(_, property)| is_nothing(&property.value))?;
            let message =
                format!("`{}` has each of what `{}` returns cost next to nothing: `{}`", call.tool.shown(), listing.origin.name, key.text);
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// An account that is written out, typed into a page that the script drives, and sent by a press behind it.
fn typed(context: &Context<'_>) -> Option<Match> {
    let is = |call: &&Call, tool: &str| call.tool.name() == Some(tool);
    let sent = context.subject.calls.iter().rfind(|call| is(call, "web_app:send_form"))?;
    let mut before = context.subject.calls.iter().filter(|call| is(call, "web_app:type") && call.span.start < sent.span.start);
    let typed = before.find(|call| !context.subject.bounds.is_guarded(call.span))?;
    let said = Arguments::of(&typed.argument);
    let text_of = |named: &str| said.said().find(|(key, _)| key.text == named).map(|(_, text)| text.text);
    let (field, text) = (text_of("selector")?, text_of("text")?);
    let forwards = words(field).iter().any(|word| list("forwarding-fields").contains(&word.as_str()));
    if forwards && !is_outside(text) {
        return None;
    }
    let message = format!("{} is typed into `{field}` of a page, and sent", if forwards { "an address outside" } else { "an account" });
    Some(context.harm(typed.span, Severity::Critical).with_message(message))
}

/// What has the money of each of a listing go to an account that is written out.
fn led_of_each(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate().zip(&context.features.actions);
    calls
        .filter_map(|((index, call), action)| {
            let leads = |effect: &Effect| effect.kind == EffectKind::Pay && effect.object.as_deref() == Some("bank-details");
            let by_row = action.nested.iter().flat_map(|own| &own.effects).any(leads);
            let listing = context.listing_over(index).filter(|_| by_row && !context.is_spared(index, EffectKind::Pay))?;
            let name = &listing.origin.name;
            let message = format!("`{}` has money of each that `{name}` returns go to an account that is written out", call.tool.shown());
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// Accounts of records that were read, of which some are replaced by one that is written out.
fn replaced(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate().zip(&context.features.calls);
    calls
        .filter(|((_, _), features)| !features.words.reads)
        .filter_map(|((index, call), _)| {
            let mut account = None;
            call.argument.visit("", &mut |_, value| account = account.take().or_else(|| account_among(value)));
            let of_records = |flow: &Flow| {
                let is_many = flow.field.contains("[]") || flow.field.is_empty() || Tag::BankDetail.has_any(words(&flow.field));
                flow.is_followed() && flow.strength == Strength::Whole && is_many
            };
            let account = account.map(str::to_owned).or_else(|| account_beside(call));
            let account = account.filter(|_| context.flows_into(index).any(of_records))?;
            let message =
                format!("`{}` puts `{account}`, which is written out, in the place of accounts that were read", call.tool.shown());
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// The account of a bank that is written out beside those of records, in one call that changes or makes something of all of them.
fn account_beside(call: &Call) -> Option<String> {
    let changes = Tag::Changing.has_any(words(call.tool.name().unwrap_or_default()).iter());
    let mut account = None;
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) = value
            && account.is_none()
            && category(&words(key)) == Some(Sensitivity::Financial)
        {
            let tight: String = text.chars().filter(|character| !character.is_whitespace()).collect();
            account = Some(tight).filter(|tight| is_bank_account(tight));
        }
    });
    account.filter(|_| changes)
}

/// The account of a bank that is written out, where a value is that or something that is not known.
fn account_among(value: &Value) -> Option<&str> {
    let Value::OneOf(several, _) = value else { return None };
    let is_open = several.iter().any(|one| matches!(one, Value::Dynamic(_) | Value::Array(..)));
    several.iter().filter_map(text).find(|text| is_open && is_bank_account(text))
}

/// Requests that pay to an account that is written out how much something that is not written out says.
fn written_out(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.host_calls.iter();
    calls
        .filter_map(|call| {
            let made = made(call);
            let request = made.iter().find(|request| pays(request) || makes_payment(request) || is_for_payments(request))?;
            let fields = || {
                request.texts.iter().flat_map(|body| body.split([';', ',', '{', '}', '[', ']'])).filter_map(|field| field.split_once(':'))
            };
            // Whoever pays says from where.
            let is_own = |name: &str| words(name).iter().any(|word| list("paying-side").contains(&word.as_str()));
            let is_financial = |name: &str| category(&words(name.rsplit('.').next().unwrap_or_default())) == Some(Sensitivity::Financial);
            let last = |name: &str| name.rsplit('.').next().map(joined).unwrap_or_default();
            let is_whom = |name: &str| list("payee-fields").contains(&last(name).as_str());
            let is_written = |value: &str| ACCOUNT_ID <= value.len() && !value.contains([HOLE, '…', ' ']);
            let account = fields().find(|(name, value)| {
                is_financial(name) && !is_own(name) && is_bank_account(value)
                    || is_for_payments(request) && is_whom(name) && is_written(value)
            });
            let is_told =
                fields().any(|(name, value)| words(name).iter().any(|word| Tag::AmountKey.has(word)) && value.parse::<f64>().is_ok());
            let (_, account) = account.filter(|_| !is_told)?;
            let message = format!("`{}` pays to `{account}`, which is written out, as much as it is told", call.api);
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}

/// What is taken from each of a listing, in one call or another, and goes to one who is written out.
fn gathered(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate().zip(&context.features.actions);
    calls
        .filter(|((index, _), action)| {
            action.all().any(|(_, effect)| KINDS.contains(&effect.kind)) && !context.is_spared(*index, EffectKind::Pay)
        })
        .filter_map(|((index, call), _)| {
            let last = |path: &str| path.rsplit('.').find(|part| *part != "[]" && !part.is_empty()).map(words).unwrap_or_default();
            let is_from_each = |flow: &&Flow| {
                let is_side = last(&flow.argument).iter().any(|word| list("paying-side").contains(&word.as_str()));
                is_side && flow.field.contains("[]") && flow.is_followed() && flow.strength == Strength::Whole
            };
            let from = context.flows_into(index).find(is_from_each)?;
            let mut payee = None;
            call.argument.visit_properties(&mut |property| {
                let is_payee = Tag::PayeeKey.has(&joined(&property.key));
                payee = payee.take().or_else(|| text(&property.value).filter(|_| is_payee).map(str::to_owned));
            });
            let (payee, name) = (payee?, context.subject.origins.get(from.origin).map(|origin| origin.name.clone())?);
            let message = format!("`{}` moves what each has that `{name}` returns to `{payee}`", call.tool.shown());
            Some(context.harm(call.span, Severity::Critical).with_message(message).with_steps(from.steps.clone()))
        })
        .collect()
}

/// Requests that pay to whoever sends in where to, where nothing of what was sent in decides whether.
fn asked_for(context: &Context<'_>) -> Vec<Match> {
    let calls = || context.subject.host_calls.iter().enumerate();
    // Whom a request adds to those who are paid another one pays.
    let does_pay = |request: &Statement| pays(request) || pays_in_a_way(request);
    let is_paid = LazyCell::new(|| calls().any(|(_, call)| made(call).iter().any(does_pay)));
    calls()
        .filter(|(_, call)| made(call).iter().any(|request| does_pay(request) || adds_payee(request) && *is_paid))
        .filter_map(|(index, call)| {
            let into = || context.subject.flows.iter().filter(move |flow| flow.sink == CallRef::Host(index));
            // What a step of a workflow is given of a message is what somebody wrote.
            let is_message = |flow: &Flow| {
                let is_input = |origin: &Origin| list("inputs-of-steps").contains(&origin.name.as_str());
                let is_text = |part: &str| list("texts-of-messages").contains(&joined(part).as_str());
                context.subject.origins.get(flow.origin).is_some_and(is_input) && flow.field.split('.').any(is_text)
            };
            let is_sent_in = |flow: &&Flow| {
                is_message(flow) || context.subject.origins.get(flow.origin).is_some_and(|origin| origin.kind == OriginKind::Incoming)
            };
            let is_whom = |flow: &&Flow| {
                let last = flow.argument.rsplit('.').find(|part| *part != "[]" && !part.is_empty()).unwrap_or_default();
                // `creditorIban`, but not `debit_iban`: whoever pays says from where.
                let said = words(last);
                let is_account = || said.last().is_some_and(|last| Tag::PayeeKey.has(last));
                let is_own = || said.iter().any(|word| list("paying-side").contains(&word.as_str()));
                let is_whom = Tag::PayeeKey.has(&joined(last)) || is_account() && !is_own();
                is_whom && flow.is_followed() && flow.strength == Strength::Whole
            };
            // The number of a request says which one, not to whom.
            let names_whom = |flow: &&Flow| {
                let last = flow.field.rsplit('.').find(|part| *part != "[]" && !part.is_empty()).unwrap_or_default();
                let told = category(&words(last));
                // What was looked up by it is the house's own.
                let is_looked_up = flow.field.split('.').any(|part| matches!(words(part).last().map(String::as_str), Some("id" | "uuid")));
                flow.field.is_empty()
                    || is_message(flow)
                    || !is_looked_up && (Tag::PayeeKey.has(&joined(last)) || told.is_some_and(|told| told != Sensitivity::Internal))
            };
            let whom = into().filter(is_sent_in).filter(names_whom).find(is_whom)?;
            // Whether there is anything in a text tells nothing of who wrote it.
            let decides = |flow: &Flow| flow.strength <= Strength::Bit && !(is_message(whom) && is_message(flow));
            let is_looked_at = into().any(|flow| flow.origin == whom.origin && decides(flow));
            let message = format!("`{}` moves money to whoever sends in where to", call.api);
            (!is_looked_at).then(|| context.harm(call.span, Severity::Critical).with_message(message).with_steps(whom.steps.clone()))
        })
        .collect()
}

/// Returns true if and only if the last name of a request's address says that money moves.
fn pays(request: &Statement) -> bool {
    let last = request.name.rsplit('/').next().unwrap_or_default();
    request.verbs.iter().any(|verb| verb == "post") && !request.is_spare && Tag::PaymentPath.has(&last.to_lowercase())
}

/// The numbers that payment services give their accounts are no shorter.
const ACCOUNT_ID: usize = 8;

/// Returns true if and only if a request is sent to a service that makes payments and says of itself that one is made.
fn is_for_payments(request: &Statement) -> bool {
    let is_there = registrable(&request.host).is_some_and(|domain| list("payment-hosts").contains(&domain));
    let last = request.name.rsplit('/').next().map(words).unwrap_or_default();
    let is_payment = last.iter().any(|word| {
        let has = |named: &str| list(named).contains(&word.as_str());
        has("paid-at") || has("kinds-of-transfers") || has("sums-sent")
    });
    is_there && is_payment && !request.is_spare && request.verbs.iter().any(|verb| verb == "post")
}

/// Returns true if and only if a request moves money in a way that has a name of its own: `…/external_transfers`.
fn pays_in_a_way(request: &Statement) -> bool {
    let last = request.name.rsplit('/').next().map(words).unwrap_or_default();
    let is_kind = last.last().is_some_and(|last| list("kinds-of-transfers").contains(&last.as_str()));
    request.verbs.iter().any(|verb| verb == "post") && !request.is_spare && is_kind
}

/// Returns true if and only if a request adds somebody to those who can be paid: `…/beneficiaries`.
fn adds_payee(request: &Statement) -> bool {
    let last = request.name.rsplit('/').next().unwrap_or_default().to_lowercase();
    request.verbs.iter().any(|verb| verb == "post") && !request.is_spare && list("paths-of-payees").contains(&last.as_str())
}

/// Returns true if and only if a request makes a payment, be it one that is taken or one that is given: where it says to which account, it
/// is given.
fn makes_payment(request: &Statement) -> bool {
    let last = request.name.rsplit('/').next().unwrap_or_default();
    request.verbs.iter().any(|verb| verb == "post") && !request.is_spare && list("paid-at").contains(&&*last.to_lowercase())
}

/// Requests that pay for each element of what another one listed: the last name of their address says that money moves.
fn requests(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.host_calls.iter().enumerate();
    calls
        .filter(|(_, call)| made(call).iter().any(pays))
        .filter(|(index, _)| !context.is_spared(context.subject.calls.len() + index, EffectKind::Pay))
        .filter_map(|(index, call)| {
            let (subject, ends) = (context.subject, &context.features.ends);
            let listing = listing_over_host(subject, ends, index).or_else(|| batch_of(subject, ends, index))?;
            let message = format!("`{}` moves money for each element of what `{}` returns", call.api, listing.origin.name);
            Some(context.harm(call.span, Severity::Critical).with_message(message))
        })
        .collect()
}
