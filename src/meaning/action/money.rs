//! Money that a call moves: whether it does, how much, and to where.

use crate::knowledge::Side;
use crate::knowledge::command::list;
use crate::knowledge::effect::{Effect, EffectKind, Extent};
use crate::knowledge::query::query;
use crate::knowledge::words::Tag;
use crate::meaning::action::deletion::Turns;
use crate::meaning::action::unasked::skipped_leave;
use crate::meaning::argument::{choices, text};
use crate::meaning::outside::{is_iban, is_outside};
use crate::meaning::tool_kind::{ToolName, is_database};
use crate::meaning::walk::{Arguments, Key};
use crate::subject::call::Value;
use crate::value::account::is_crypto_address;
use crate::value::severity::Severity;
use crate::value::words::{joined, words};

/// An amount from which on it is large.
const LARGE: f64 = 10_000.0;

/// What a call does to money, by how often it runs. `is_told` says that somebody who must know calls it paying.
pub fn effect(name: &str, tool: &ToolName, argument: &Arguments<'_>, turns: Turns, is_told: bool) -> Option<Effect> {
    let is_many = turns.is_repeated || turns.is_fed;
    if let Some(effect) = bank_details(tool, argument) {
        // One account for all of them is nobody's own.
        return Some(match () {
            () if effect.extent != Extent::One => effect,
            () if is_many => again(effect),
            () if is_for_many(name, argument) => {
                Effect { extent: Extent::Many, says: format!("{}, of all that a condition fits", effect.says), ..effect }
            }
            () => effect,
        });
    }
    let is_nothing = amount(argument) == Amount::Known(0.0);
    // An order moves nothing before whoever buys agrees to it, and then to whom it belongs, unless it names somebody else.
    let is_asked_for = list("orders-of-buyers").contains(&name)
        && !argument.properties().any(|(key, _)| key.is(Tag::PayeeKey) || key.joined == "paymentsource");
    let moves = !is_nothing && !is_asked_for && (is_told || moves(tool, argument));
    // What each element has goes to one account, whatever gave the elements.
    let is_swept = turns.is_each && amount(argument) == Amount::Unknown && target(argument).is_some();
    moves.then(|| past_leave(moved(argument, is_many, (turns.is_fed || is_swept) && turns.is_repeated), argument))
}

/// What is done to the money, where an argument says that nobody is asked who would have to agree. A small sum that is written out, and
/// goes to nobody elsewhere, is no matter.
fn past_leave(effect: Effect, argument: &Arguments<'_>) -> Effect {
    let is_small = matches!(amount(argument), Amount::Known(amount) if amount.abs() < LARGE) && effect.place != Some(Side::Outside);
    match skipped_leave(argument).filter(|_| !is_small) {
        Some(key) => {
            let says = format!("{}, past those who have to agree: `{key}`", effect.says);
            Effect { severity: Some(Severity::Critical), says, ..effect }
        }
        None => effect,
    }
}

/// Returns true if and only if a call changes all rows that a condition fits, and the condition names none of them:
/// `update({ iban: '…' }, { where: { balance: { [Op.gt]: 0 } } })`.
fn is_for_many(name: &str, argument: &Arguments<'_>) -> bool {
    let Some(row) = query(name).filter(|row| row.kind == EffectKind::Write) else { return false };
    let asked = |key: &Key<'_>| row.narrowed.contains(&key.joined.as_str());
    let mut conditions = argument.properties().filter(|(key, _)| asked(key)).map(|(_, property)| &property.value).peekable();
    conditions.peek().is_some() && conditions.all(names_none)
}

/// Returns true if and only if a condition is written out and asks for no row by its id.
fn names_none(condition: &Value) -> bool {
    let Value::Object(properties, _) = condition else { return false };
    let is_id = |key: &str| words(key).last().is_some_and(|last| list("row-ids").contains(&last.as_str()));
    !properties.is_empty() && properties.iter().all(|own| !is_id(&own.key) && is_written_out(&own.value))
}

/// Returns true if and only if nothing of a value is only known once the script runs.
fn is_written_out(value: &Value) -> bool {
    let mut is_known = true;
    value.visit_properties(&mut |property| is_known &= property.key == OPERATOR || !is_open(&property.value));
    is_known && !is_open(value)
}

/// The key of what stands under keys that are only known once the script runs: `{ [Op.gt]: 0 }`.
const OPERATOR: &str = "...";

fn is_open(value: &Value) -> bool {
    matches!(value, Value::Dynamic(_) | Value::Partial(..))
}

fn again(effect: Effect) -> Effect {
    Effect { extent: Extent::Many, says: format!("{}, again and again", effect.says), ..effect }
}

/// How the accounts of others begin that are connected to one's own at Stripe.
const CONNECTED: &str = "acct_";

/// What happens to the money that a call moves.
fn moved(argument: &Arguments<'_>, is_many: bool, is_each: bool) -> Effect {
    let (amount, target) = (amount(argument), target(argument));
    let extent = match amount {
        Amount::All => Extent::All,
        _ if is_many => Extent::Many,
        Amount::Unknown => Extent::Unknown,
        Amount::None | Amount::Known(_) => Extent::One,
    };
    let to = target.as_ref().map(|target| format!(" to `{}`", target.name)).unwrap_or_default();
    // One account of a payment service may well be known; so much of everything that comes in is another matter.
    let is_kept = |target: &Target| amount == Amount::Unknown && target.name.starts_with(CONNECTED);
    let is_foreign = target.as_ref().is_some_and(|target| target.is_foreign || is_kept(target));
    let is_large = matches!(amount, Amount::Known(amount) if LARGE <= amount.abs());
    let (object, says) = match (is_foreign, extent) {
        (true, Extent::Many) => ("money", format!("moves money{to}, again and again")),
        (true, Extent::One) => ("money", format!("moves money{to}, where it does not come back from")),
        (true, _) => ("money", format!("moves money{to}, whose amount nobody sees")),
        // Nobody sees what is paid back or out for each of a listing.
        (false, Extent::Many | Extent::All) if is_each => ("money-of-each", format!("moves money{to} for each that is listed")),
        (false, _) if is_large => ("large-amount", "moves a large amount of money".to_owned()),
        (false, Extent::All) => ("money", "moves all money there is".to_owned()),
        (false, _) => ("money", format!("moves money{to}")),
    };
    let effect = Effect::new(EffectKind::Pay, object, says).to(extent);
    if is_foreign { effect.at(Side::Outside) } else { effect }
}

/// Returns true if and only if a tool moves money.
fn moves(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    let said: Vec<&str> = tool.verb.iter().map(String::as_str).collect();
    let first = said.iter().copied().find(|word| {
        Tag::MovingNoMoney.has(word) || Tag::MovingMoney.has(word) || Tag::PerhapsMovingMoney.has(word) || Tag::MakingPayment.has(word)
    });
    // `payroll:submit_for_release`
    let is_put_forward =
        said.windows(2).any(|pair| pair.first() == Some(&"for") && pair.last().is_some_and(|last| list("leave-words").contains(last)));
    // An entry in the books moves nothing.
    let is_entry = tool.owner.iter().any(|word| list("books").contains(&word.as_str()))
        && (said.as_slice() == ["post"] || said.iter().any(|word| list("entries").contains(word)));
    // `marketplace:next_payout` tells when it is.
    let is_told = said.first().is_some_and(|first| list("told-by-order").contains(first));
    // `firestore:run_transaction`: what is done in it other calls say.
    let is_bracket = matches!(said.as_slice(), [verb, of] if list("bracketing").contains(verb) && list("brackets").contains(of));
    // `members:payout_account` says where it would go.
    let is_fact = matches!(said.as_slice(), [_, fact] if list("facts-of-payments").contains(fact)) && amount(argument) == Amount::None;
    if is_put_forward
        || is_entry
        || is_told
        || is_bracket
        || is_fact
        || first.is_none_or(|first| Tag::MovingNoMoney.has(first))
        || said.last().is_some_and(|last| Tag::MovingNoMoney.has(last))
    {
        return false;
    }
    let is_money = tool.all().any(|word| Tag::Money.has(word) && !Tag::PerhapsMovingMoney.has(word));
    let has_amount = amount(argument) != Amount::None;
    // A database's transactions move no money.
    let is_object = !is_database(tool) && (Tag::Money.has_any(said.iter()) || Tag::Money.has_any(tool.owner.iter()));
    match () {
        () if Tag::MovingMoney.has_any(said.iter()) => true,
        // What a request does, its address says: rows hold bank details, too.
        () if Tag::RequestClient.has_any(tool.owner.iter()) && !Tag::MovingMoney.has_any(said.iter()) => {
            has_money_key(argument) && has_amount && argument.texts().iter().any(|text| text.text.contains("://") && pays(text.text))
        }
        () if Tag::PerhapsMovingMoney.has_any(said.iter()) => {
            // A mail may speak of an amount.
            let is_word = Tag::Sender.has_any(tool.owner.iter()) || said.iter().any(|word| list("told-things").contains(word));
            is_money && !is_word_only(&said) || has_money_key(argument) && has_amount && !is_word
        }
        () => {
            // A token by which one gets in is none that is worth something.
            let is_said = said.iter().any(|word| Tag::Money.has(word) && !Tag::Credential.has(word));
            is_object && Tag::MakingPayment.has_any(said.iter()) && (has_amount || is_said) && !is_bill(tool, &said)
        }
    }
}

/// Returns true if and only if an address says that money is moved there: `https://bank.example/transfers`.
fn pays(address: &str) -> bool {
    words(address).iter().any(|word| {
        let one = word.strip_suffix('s').unwrap_or(word);
        Tag::MovingMoney.has(one) || Tag::PerhapsMovingMoney.has(one) || Tag::Money.has(one) || Tag::Money.has(word)
    })
}

/// Returns true if and only if what is sent is a text about money: an invoice, a reminder.
fn is_word_only(said: &[&str]) -> bool {
    Tag::WordOfMoney.has_any(said.iter())
}

/// Returns true if and only if a bill is made rather than paid.
fn is_bill(tool: &ToolName, said: &[&str]) -> bool {
    let is_bill = tool.has(Tag::Bill) || Tag::BillPart.has_any(said.iter());
    is_bill && !said.iter().any(|word| matches!(*word, "payment" | "approve"))
}

fn has_money_key(argument: &Arguments<'_>) -> bool {
    argument.properties().any(|(key, _)| key.is(Tag::MoneyKey))
}

/// How much money.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Amount {
    /// Nothing says how much.
    None,
    /// Nobody knows before it runs.
    Unknown,
    /// So much, in whole units.
    Known(f64),
    /// All there is.
    All,
}

fn amount(argument: &Arguments<'_>) -> Amount {
    let mut found = Amount::None;
    for (key, value) in argument.values() {
        let is_all = key.joined == "all";
        if !key.ends_in(Tag::AmountKey) && key.words.first().is_none_or(|first| first != "amount") && !is_all {
            continue;
        }
        let unit = if key.has(Tag::MinorUnit) { 100.0 } else { 1.0 };
        let own = match value {
            Value::Number(number, _) => Amount::Known(number / unit),
            Value::String(text, _) => match text.replace([',', '_', '$', '€', ' '], "").parse::<f64>() {
                Ok(number) => Amount::Known(number / unit),
                Err(_) if Tag::WholeBalance.has(&text.to_lowercase()) => Amount::All,
                Err(_) => Amount::Unknown,
            },
            Value::Boolean(true, _) if is_all => Amount::All,
            Value::Dynamic(_) | Value::Partial(..) => Amount::Unknown,
            // The choices are visited too.
            Value::Missing | Value::Boolean(..) | Value::Null(_) | Value::Array(..) | Value::Object(..) | Value::OneOf(..) => continue,
        };
        found = match (found, own) {
            (Amount::Known(first), Amount::Known(second)) => Amount::Known(if first.abs() < second.abs() { second } else { first }),
            (Amount::None, own) | (Amount::Unknown | Amount::Known(_), own @ Amount::All) | (Amount::Known(_), own @ Amount::Unknown) => {
                own
            }
            (found, _) => found,
        };
    }
    found
}

/// Where money goes.
struct Target {
    name: String,
    /// It is plainly an account from which nothing comes back.
    is_foreign: bool,
}

fn target(argument: &Arguments<'_>) -> Option<Target> {
    let targets = argument.said().filter(|(key, text)| text.is_known && is_payee(key)).map(|(_, text)| text.text);
    let is_account = |text: &str| text.len() > 7 && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' '));
    // `{ destination: { cardToken: '…' } }`
    let within = argument.properties().filter(|(key, _)| is_payee(key)).filter_map(|(_, property)| match &property.value {
        Value::Object(inner, _) => inner.iter().filter(|own| !is_manner(&own.key)).find_map(|own| text(&own.value)),
        _ => None,
    });
    let foreign = |text: &str| is_crypto_address(text) || is_iban(text) || is_outside(text) || is_account(text);
    // `to: 'original-tender'`: back to whoever paid.
    let is_original = |text: &str| words(text).first().is_some_and(|first| list("paid-by-before").contains(&first.as_str()));
    let mut targets = targets.chain(within).filter(|text| foreign(text) || !is_original(text));
    let first = targets.next()?;
    let found = std::iter::once(first).chain(targets).find(|text| foreign(text)).unwrap_or(first);
    Some(Target { name: found.to_owned(), is_foreign: foreign(found) })
}

/// Returns true if and only if a key of somebody who is paid says in what manner, not who that is.
fn is_manner(key: &str) -> bool {
    list("manners-of-paying").contains(&joined(key).as_str())
}

/// Returns true if and only if under a key stands who is paid: `to`, `creditorIban`, and not `debtorIban`.
fn is_payee(key: &Key<'_>) -> bool {
    let is_of_account = || key.words.last().is_some_and(|last| list("account-endings").contains(&last.as_str()));
    let is_own = || key.words.iter().any(|word| list("paying-side").contains(&word.as_str()));
    key.is(Tag::PayeeKey) || is_of_account() && !is_own()
}

/// Returns true if and only if a change is made to whatever fits, not to one that is named: `{ where: { active: true }, data }`.
fn is_of_many(tool: &ToolName, argument: &Arguments<'_>) -> bool {
    let says_many = tool.verb.iter().any(|word| list("many-at-once").contains(&word.as_str()));
    let is_row = |text: &str| words(text).last().is_some_and(|last| list("row-ids").contains(&last.as_str()));
    let names_row = argument.properties().any(|(key, property)| {
        !key.is(Tag::BankDetail) && is_row(key.text) || Tag::FilterKey.has(key.text) && text(&property.value).is_some_and(is_row)
    });
    let filters = argument.properties().any(|(key, _)| Tag::FilterKey.has(key.text));
    !names_row && (says_many || filters)
}

/// A change of where wages or payouts go.
fn bank_details(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let says = |any: &[&str]| tool.verb.iter().any(|word| any.contains(&word.as_str()));
    let is_payment = says(&["payment", "transfer", "payout"]) && !says(&["update", "set", "change"]);
    if !Tag::ChangingRecord.has_any(tool.verb.iter()) || is_payment {
        return None;
    }
    let in_name = Tag::BankDetail.has_any(tool.verb.iter()) || tool.verb.windows(2).any(|pair| Tag::BankDetail.has(&pair.concat()));
    let details = || argument.properties().filter(|(key, _)| key.is(Tag::BankDetail));
    let is_written = |value: &Value| choices(value).into_iter().any(|value| matches!(value, Value::String(..)));
    let is_constant = details().any(|(_, property)| is_written(&property.value));
    let effect =
        |extent: Extent, by: String| Effect::new(EffectKind::Pay, "bank-details", format!("changes where money goes{by}")).to(extent);
    match details().last() {
        Some((key, _)) => {
            let extent = match is_constant {
                true if is_of_many(tool, argument) => Extent::Many,
                true => Extent::One,
                false => Extent::Unknown,
            };
            Some(effect(extent, format!(": `{}`", key.text)))
        }
        None => in_name.then(|| effect(Extent::One, String::new())),
    }
}
