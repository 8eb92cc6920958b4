//! To whom a request hands on what it sends, where a service only delivers it.

use crate::knowledge::Side;
use crate::knowledge::command::list;
use crate::meaning::argument::choices;
use crate::meaning::authority::host;
use crate::meaning::outside::is_mail_address;
use crate::meaning::reach::Reach;
use crate::meaning::reaches::addresses;
use crate::subject::Subject;
use crate::subject::call::Value;
use crate::subject::flow::{CallRef, Flow, WRITTEN_ACCOUNT};
use crate::subject::segment::HOLE;
use crate::value::words::{joined, words};

/// Fewer digits are no telephone number.
const DIGITS: usize = 7;

/// Returns true if and only if a request writes out whom a service is to deliver a message to: a mailbox elsewhere than that of the
/// sender, a telephone number, a chat. What is sent is theirs then, whoever's account it is sent from.
pub fn names_recipient(subject: &Subject, reach: &Reach) -> bool {
    let CallRef::Host(index) = reach.call else { return false };
    let mut named = Named::default();
    for argument in subject.host_calls.get(index).into_iter().flat_map(|call| &call.arguments) {
        named.look(argument, None);
    }
    named.is_told || named.is_called && !named.is_range || named.mailboxes.iter().any(|mailbox| !named.senders.contains(mailbox))
}

/// Returns true if and only if a tool only keeps a text that nobody reads yet: `mail:save_draft { to: [] }`, `site:save_draft`.
pub fn keeps_draft(subject: &Subject, reach: &Reach) -> bool {
    let call = reach.call.tool().and_then(|index| subject.calls.get(index));
    let is_draft = words(&reach.name).iter().any(|word| matches!(word.as_str(), "draft" | "drafts"));
    let mut is_for_somebody = false;
    let Some(call) = call.filter(|_| is_draft) else { return false };
    call.argument.visit_properties(&mut |property| {
        let is_nobody = match &property.value {
            Value::Array(values, _) => values.is_empty(),
            Value::String(text, _) => text.is_empty(),
            Value::Null(_) | Value::Missing => true,
            _ => false,
        };
        is_for_somebody |= Part::of(&property.key) == Some(Part::Recipient) && !is_nobody;
    });
    !is_for_somebody
}

/// What the keys around a value say of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Sender,
    Recipient,
    Chat,
}

impl Part {
    fn of(key: &str) -> Option<Self> {
        let key = joined(key);
        let parts = [("message-senders", Self::Sender), ("message-recipients", Self::Recipient), ("message-chats", Self::Chat)];
        parts.into_iter().find(|(names, _)| list(names).contains(&key.as_str())).map(|(_, part)| part)
    }
}

/// Who is named in a request.
#[derive(Default)]
struct Named {
    /// The domains of senders.
    senders: Vec<String>,
    /// The domains of recipients.
    mailboxes: Vec<String>,
    /// A telephone number with its country, or a chat, is written out.
    is_told: bool,
    /// Digits alone are written out as who gets it.
    is_called: bool,
    /// So are digits as where it comes from: both may be the ends of a range.
    is_range: bool,
}

impl Named {
    fn look(&mut self, value: &Value, around: Option<Part>) {
        match (value, around) {
            (Value::Array(values, _) | Value::OneOf(values, _), _) => values.iter().for_each(|value| self.look(value, around)),
            (Value::Object(properties, _), _) => {
                properties.iter().for_each(|property| self.look(&property.value, Part::of(&property.key).or(around)));
            }
            (Value::String(text, _), Some(Part::Sender)) if is_mail_address(text) => self.senders.push(domain(text)),
            (Value::String(text, _), Some(Part::Recipient)) if is_mail_address(text) => self.mailboxes.push(domain(text)),
            (Value::String(text, _), Some(Part::Sender)) => self.is_range |= is_telephone(text) && !text.starts_with('+'),
            (Value::String(text, _), Some(Part::Recipient)) if is_telephone(text) => {
                self.is_told |= text.starts_with('+');
                self.is_called = true;
            }
            (Value::String(text, _), Some(Part::Chat)) => self.is_told |= is_chat(text),
            (Value::Number(..), Some(Part::Chat)) => self.is_told = true,
            _ => {}
        }
    }
}

fn domain(address: &str) -> String {
    address.rsplit('@').next().unwrap_or_default().trim_end_matches('>').to_lowercase()
}

fn is_telephone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_day = matches!(text.as_bytes(), [_, _, _, _, b'-', _, _, b'-', ..]);
    DIGITS <= digits && !is_day && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b' ' | b'-' | b'(' | b')'))
}

fn is_chat(text: &str) -> bool {
    let name = text.strip_prefix(['@', '-']).unwrap_or(text);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns true if and only if a call leads to a webhook of a chat that is written out: whoever wrote it reads what is posted there.
pub fn is_written_hook(subject: &Subject, reach: &Reach) -> bool {
    let is_hook = |address: &String| list("hook-paths").iter().any(|path| address.contains(path)) && !address.contains([HOLE, '…']);
    reach.side == Side::Outside && addresses(reach, subject).iter().any(is_hook)
}

/// Returns true if and only if what a server's tool returned may go to that server, by the way that leads there and that was not followed.
pub fn is_of_its_server(subject: &Subject, flow: &Flow, reach: &Reach) -> bool {
    if flow.is_followed() || !reach.name.ends_with("Transport") {
        return false;
    }
    let call = subject.origins.get(flow.origin).and_then(|origin| origin.call?.tool()).and_then(|index| subject.calls.get(index));
    let Some(Value::Object(properties, _)) = call.map(|call| &call.argument) else { return false };
    let server = properties.iter().find(|property| property.key == "server_url").map(|property| &property.value);
    let of = |address: &str| host(address).filter(|host| !host.is_empty());
    matches!(server, Some(Value::String(text, _)) if of(text).is_some() && of(text) == reach.shown.as_deref().and_then(of))
}

/// Returns true if and only if a client that signs in with what stands in the script gets what another account was asked for, as far as
/// that is known.
pub fn is_of_other_account(subject: &Subject, flow: &Flow) -> bool {
    let account = |call: CallRef| {
        let call = call.tool().and_then(|index| subject.calls.get(index))?;
        choices(&call.argument).into_iter().find_map(|argument| {
            let Value::Object(properties, _) = argument else { return None };
            let written = properties.iter().find(|property| property.key == WRITTEN_ACCOUNT)?;
            if let Value::String(text, _) = &written.value { Some(text.as_str()) } else { None }
        })
    };
    let from = subject.origins.get(flow.origin).and_then(|origin| origin.call);
    account(flow.sink).is_some_and(|to| from.and_then(account) != Some(to))
}
