//! Money that a call moves: whether it does, how much, and to where.

use crate::meaning::argument::{choices, is_dry_run, texts};
use crate::meaning::harm::Harm;
use crate::meaning::names::words;
use crate::meaning::outside::{is_crypto_address, is_iban, is_outside};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::vocabulary::Words;
use crate::subject::call::{Call, Value};
use crate::value::severity::Severity;

/// Verbs that move money whatever stands around them.
const MOVES: Words = Words("pay payout refund wire withdraw disburse remit reimburse cashout topup payin prepay repay chargeback");
/// Verbs that move money when they are about money.
const MAY_MOVE: Words = Words(
    "transfer purchase buy sell trade charge swap send deposit tip donate settle capture order stake bridge mint redeem liquidate release",
);
/// Things that are money, made or sent.
const MONEY: Words = Words(
    "payment payments payout payouts refund refunds bank banking wallet wallets crypto eth btc usdc usdt sol bitcoin ethereum funds fund money transaction \
     transactions transfer transfers charge charges wire wires withdrawal withdrawals trade trades stripe paypal wise venmo ach sepa swift zelle \
     coinbase binance kraken broker brokerage trading ledger treasury payroll invoice invoices billing checkout remittance balance exchange stocks \
     shares crypto-wallet adyen gift giftcard giftcards voucher vouchers square braintree revolut plaid cashapp token defi solana web3",
);
/// Verbs that make or send such a thing.
const MAKES: Words = Words(
    "create send make execute initiate submit approve release process authorize schedule issue confirm place run start post transfer book finalize capture",
);
/// Verbs and objects that only look, plan or tell.
const LOOKS: Words = Words(
    "get list find search describe read check show count fetch query status policy policies history docs estimate quote validate verify preview simulate \
     calculate compute prepare draft report export summary receipt receipts method methods link notify template forecast reminder statement cancel void \
     search terms faq reject deny category categories reconcile view download",
);
/// Words of keys whose value says how much.
const AMOUNTS: Words =
    Words("amount amounts value total sum quantity qty price cents gross net usd eur gbp volume notional lamports wei satoshis");
/// Words of keys whose value says to where.
const TARGETS: Words = Words(
    "to destination dest recipient recipients payee beneficiary iban account accountid accountnumber address toaddress walletaddress wallet towallet toaccount \
     destinationaccount target receiver bankaccount vendor merchant creditor destinationaddress recipientaddress email",
);
/// Words that tell where wages and payouts go.
const BANK_DETAILS: Words = Words(
    "iban bic swift bankaccount bankdetails routingnumber accountnumber sortcode directdeposit payoutmethod payoutaccount payoutdestination payrollaccount beneficiary payee bankinfo",
);
/// An amount from which on it is large.
const LARGE: f64 = 10_000.0;

/// The harm of a call that moves money. `is_fed` says that what it acts on comes from a listing.
pub fn of_call(call: &Call, is_fed: bool) -> Option<Harm> {
    let tool = ToolName::of(call.tool.name()?);
    if is_dry_run(&call.argument) {
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
    if !moves(&tool, &call.argument) {
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
        () if is_foreign => Harm::high(format!("moves money{to}, where it does not come back from")),
        () if is_large => Harm::high("moves a large amount of money"),
        () if amount == Amount::All => Harm::high("moves all money there is"),
        () => Harm::medium(format!("moves money{to}")),
    })
}

/// Returns true if and only if a tool moves money.
fn moves(tool: &ToolName, argument: &Value) -> bool {
    let said: Vec<&str> = tool.verb.iter().map(String::as_str).collect();
    let first = said.iter().copied().find(|word| LOOKS.has(word) || MOVES.has(word) || MAY_MOVE.has(word) || MAKES.has(word));
    if first.is_none_or(|first| LOOKS.has(first)) || said.last().is_some_and(|last| LOOKS.has(last)) {
        return false;
    }
    let is_money = tool.all().any(|word| MONEY.has(word) && !MAY_MOVE.has(word));
    let has_amount = amount(argument) != Amount::None;
    let is_object = said.iter().any(|word| MONEY.has(word)) || tool.owner.iter().any(|word| MONEY.has(word));
    match () {
        () if said.iter().any(|word| MOVES.has(word)) => true,
        () if said.iter().any(|word| MAY_MOVE.has(word)) => is_money && !is_word_only(&said) || has_money_key(argument) && has_amount,
        () => {
            is_object
                && said.iter().any(|word| MAKES.has(word))
                && (has_amount || said.iter().any(|word| MONEY.has(word)))
                && !is_bill(tool, &said)
        }
    }
}

/// Returns true if and only if what is sent is a text about money: an invoice, a reminder.
fn is_word_only(said: &[&str]) -> bool {
    said.iter().any(|word| {
        matches!(
            *word,
            "invoice"
                | "invoices"
                | "email"
                | "message"
                | "notification"
                | "ownership"
                | "file"
                | "data"
                | "call"
                | "chat"
                | "ticket"
                | "token"
        )
    })
}

/// Returns true if and only if a bill is made rather than paid.
fn is_bill(tool: &ToolName, said: &[&str]) -> bool {
    let is_bill = tool.has(Words("invoice invoices billing checkout"))
        || said.iter().any(|word| matches!(*word, "invoice" | "customer" | "product" | "price" | "intent"));
    is_bill && !said.iter().any(|word| matches!(*word, "payment" | "approve"))
}

fn has_money_key(argument: &Value) -> bool {
    let mut has = false;
    argument.visit_properties(&mut |property| {
        has |= matches!(
            words(&property.key).concat().as_str(),
            "amount" | "currency" | "iban" | "amountcents" | "wallet" | "accountnumber" | "price" | "symbol"
        );
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
        let is_amount = name.last().is_some_and(|last| AMOUNTS.has(last))
            || name.first().is_some_and(|first| first == "amount")
            || name.concat() == "all";
        if !is_amount {
            return;
        }
        let is_minor = name.iter().any(|word| matches!(word.as_str(), "cents" | "minor" | "pence" | "lamports" | "wei" | "satoshis"));
        let unit = if is_minor { 100.0 } else { 1.0 };
        let own = match value {
            Value::Number(number, _) => Amount::Known(number / unit),
            Value::String(text, _) => match text.replace([',', '_', '$', '€', ' '], "").parse::<f64>() {
                Ok(number) => Amount::Known(number / unit),
                Err(_) if matches!(text.to_lowercase().as_str(), "all" | "max" | "full" | "balance" | "everything" | "100%") => Amount::All,
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
    let mut targets = all.iter().filter(|text| text.is_known && TARGETS.has(&words(text.key).concat()));
    let is_account = |text: &str| text.len() > 7 && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' '));
    let foreign = |text: &str| is_crypto_address(text) || is_iban(text) || is_outside(text) || is_account(text);
    let found = targets.clone().find(|text| foreign(text.text)).or_else(|| targets.next())?;
    Some(Target { name: found.text.to_owned(), is_foreign: foreign(found.text) })
}

/// A change of where wages or payouts go.
fn bank_details(tool: &ToolName, argument: &Value) -> Option<Harm> {
    let changes = tool.verb.iter().any(|word| Words("update set change edit replace add modify put patch save create").has(word));
    if !changes
        || tool.verb.iter().any(|word| matches!(word.as_str(), "payment" | "transfer" | "payout"))
            && !tool.verb.iter().any(|word| matches!(word.as_str(), "update" | "set" | "change"))
    {
        return None;
    }
    let said: Vec<&str> = tool.verb.iter().map(String::as_str).collect();
    let in_name = said.iter().any(|word| BANK_DETAILS.has(word)) || said.windows(2).any(|pair| BANK_DETAILS.has(&pair.concat()));
    let mut key = None;
    let mut is_constant = false;
    argument.visit_properties(&mut |property| {
        if BANK_DETAILS.has(&words(&property.key).concat()) {
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
