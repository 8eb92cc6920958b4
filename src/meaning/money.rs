//! Money that a call moves: whether it does, how much, and to where.

use crate::knowledge::House;
use crate::knowledge::effect::EffectKind;
use crate::knowledge::words::Tag;
use crate::meaning::argument::{choices, is_dry_run, texts};
use crate::meaning::harm::Harm;
use crate::meaning::outside::{is_crypto_address, is_iban, is_outside};
use crate::meaning::tool_kind::ToolName;
use crate::subject::call::{Call, Value};
use crate::value::severity::Severity;
use crate::value::words::{joined, words};

/// An amount from which on it is large.
const LARGE: f64 = 10_000.0;

/// The harm of a call that moves money. `is_fed` says that what it acts on comes from a listing.
pub fn of_call(call: &Call, is_fed: bool, house: &House) -> Option<Harm> {
    let name = call.tool.name()?;
    let (tool, said) = (ToolName::of(name), house.says(name, EffectKind::Pay));
    if is_dry_run(&call.argument) || said == Some(false) {
        return None;
    }
    if let Some(harm) = bank_details(&tool, &call.argument) {
        // One account for all of them is nobody's own.
        let is_for_all = harm.severity == Severity::High && (call.is_repeated() || is_fed);
        return Some(if is_for_all {
            Harm { severity: Severity::Critical, what: format!("{}, again and again", harm.what) }
        } else {
            harm
        });
    }
    if said.is_none() && !moves(&tool, &call.argument) {
        return None;
    }
    let amount = amount(&call.argument);
    let target = target(&call.argument);
    let is_many = call.is_repeated() || is_fed;
    let is_open = matches!(amount, Amount::Unknown | Amount::All);
    let to = target.as_ref().map(|target| format!(" to `{}`", target.name)).unwrap_or_default();
    let is_foreign = target.as_ref().is_some_and(|target| target.is_foreign);
    let is_large = matches!(amount, Amount::Known(amount) if LARGE <= amount.abs());
    Some(match () {
        () if is_foreign && (is_many || is_open) => {
            let how = if is_many { "again and again" } else { "whose amount nobody sees" };
            Harm::critical(format!("moves money{to}, {how}"))
        }
        // Nobody sees what is paid back or out for each of a listing.
        () if is_fed && call.is_repeated() && !matches!(amount, Amount::Known(_)) => {
            Harm::critical(format!("moves money{to} for each that is listed"))
        }
        () if is_foreign => Harm::high(format!("moves money{to}, where it does not come back from")),
        () if is_large => Harm::high("moves a large amount of money"),
        () if amount == Amount::All => Harm::high("moves all money there is"),
        () => Harm::medium(format!("moves money{to}")),
    })
}

/// Returns true if and only if a tool moves money.
fn moves(tool: &ToolName, argument: &Value) -> bool {
    let said: Vec<&str> = tool.verb.iter().map(String::as_str).collect();
    let first = said.iter().copied().find(|word| {
        Tag::MovingNoMoney.has(word) || Tag::MovingMoney.has(word) || Tag::PerhapsMovingMoney.has(word) || Tag::MakingPayment.has(word)
    });
    if first.is_none_or(|first| Tag::MovingNoMoney.has(first)) || said.last().is_some_and(|last| Tag::MovingNoMoney.has(last)) {
        return false;
    }
    let is_money = tool.all().any(|word| Tag::Money.has(word) && !Tag::PerhapsMovingMoney.has(word));
    let has_amount = amount(argument) != Amount::None;
    let is_object = Tag::Money.has_any(said.iter()) || Tag::Money.has_any(tool.owner.iter());
    match () {
        () if Tag::MovingMoney.has_any(said.iter()) => true,
        () if Tag::PerhapsMovingMoney.has_any(said.iter()) => is_money && !is_word_only(&said) || has_money_key(argument) && has_amount,
        () => {
            is_object && Tag::MakingPayment.has_any(said.iter()) && (has_amount || Tag::Money.has_any(said.iter())) && !is_bill(tool, &said)
        }
    }
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

fn has_money_key(argument: &Value) -> bool {
    let mut has = false;
    argument.visit_properties(&mut |property| {
        has |= Tag::MoneyKey.has(&joined(&property.key));
    });
    has
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

fn amount(argument: &Value) -> Amount {
    let mut found = Amount::None;
    argument.visit("", &mut |key, value| {
        let name = words(key);
        let is_amount = name.last().is_some_and(|last| Tag::AmountKey.has(last))
            || name.first().is_some_and(|first| first == "amount")
            || name.concat() == "all";
        if !is_amount {
            return;
        }
        let is_minor = Tag::MinorUnit.has_any(name.iter());
        let unit = if is_minor { 100.0 } else { 1.0 };
        let own = match value {
            Value::Number(number, _) => Amount::Known(number / unit),
            Value::String(text, _) => match text.replace([',', '_', '$', '€', ' '], "").parse::<f64>() {
                Ok(number) => Amount::Known(number / unit),
                Err(_) if Tag::WholeBalance.has(&text.to_lowercase()) => Amount::All,
                Err(_) => Amount::Unknown,
            },
            Value::Boolean(true, _) if name.concat() == "all" => Amount::All,
            Value::Dynamic(_) | Value::Partial(..) => Amount::Unknown,
            // The choices are visited too.
            Value::Missing | Value::Boolean(..) | Value::Null(_) | Value::Array(..) | Value::Object(..) | Value::OneOf(..) => return,
        };
        found = match (found, own) {
            (Amount::Known(first), Amount::Known(second)) => Amount::Known(if first.abs() < second.abs() { second } else { first }),
            (Amount::None, own) | (Amount::Unknown | Amount::Known(_), own @ Amount::All) | (Amount::Known(_), own @ Amount::Unknown) => {
                own
            }
            (found, _) => found,
        };
    });
    found
}

/// Where money goes.
struct Target {
    name: String,
    /// It is plainly an account from which nothing comes back.
    is_foreign: bool,
}

fn target(argument: &Value) -> Option<Target> {
    let all = texts(argument);
    let mut targets = all.iter().filter(|text| text.is_known && Tag::PayeeKey.has(&joined(text.key)));
    let is_account = |text: &str| text.len() > 7 && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' '));
    let foreign = |text: &str| is_crypto_address(text) || is_iban(text) || is_outside(text) || is_account(text);
    let found = targets.clone().find(|text| foreign(text.text)).or_else(|| targets.next())?;
    Some(Target { name: found.text.to_owned(), is_foreign: foreign(found.text) })
}

/// A change of where wages or payouts go.
fn bank_details(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let changes = Tag::ChangingRecord.has_any(tool.verb.iter());
    if !changes
        || tool.verb.iter().any(|word| matches!(word.as_str(), "payment" | "transfer" | "payout"))
            && !tool.verb.iter().any(|word| matches!(word.as_str(), "update" | "set" | "change"))
    {
        return None;
    }
    let said: Vec<&str> = tool.verb.iter().map(String::as_str).collect();
    let in_name = Tag::BankDetail.has_any(said.iter()) || said.windows(2).any(|pair| Tag::BankDetail.has(&pair.concat()));
    let mut key = None;
    let mut is_constant = false;
    argument.visit_properties(&mut |property| {
        if Tag::BankDetail.has(&joined(&property.key)) {
            key = Some(property.key.clone());
            is_constant |= choices(&property.value).into_iter().any(|value| matches!(value, Value::String(..)));
        }
    });
    match key {
        Some(key) if is_constant => Some(Harm::high(format!("changes where money goes: `{key}`"))),
        Some(key) => Some(Harm::medium(format!("changes where money goes: `{key}`"))),
        None => in_name.then(|| Harm::high("changes where money goes")),
    }
}
