//! Where a call reaches: what it does with what is passed to it, and where that goes.

use crate::knowledge::api::{ADDRESS_IN_TEXT, shown};
use crate::knowledge::command::list;
use crate::knowledge::target::{is_file_target, is_target};
use crate::knowledge::words::Tag;
use crate::knowledge::{Api, Side, SinkKind};
use crate::subject::call::Repeat;
use crate::subject::flow::CallRef;
use crate::value::span::Span;
use crate::value::words::{joined, split_owner, words};

/// What a call does with what is passed to it, and where that goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The call.
    pub call: CallRef,
    /// The tool's or the API's name.
    pub name: String,
    /// What it does with what is passed to it.
    pub sinks: Vec<SinkKind>,
    /// Where it goes.
    pub side: Side,
    /// What tells where, for people.
    pub shown: Option<String>,
    /// Some of the destination is written out in the script.
    pub is_constant: bool,
    /// Where it goes is what an answer from elsewhere names: an address to which something may be put.
    pub is_led: bool,
    /// An argument says where it goes, whether that is known or not.
    pub has_target: bool,
    /// The places in its arguments that say where it goes.
    pub targets: &'static [&'static str],
    /// The API, if it is one.
    pub api: Option<&'static Api>,
    /// How often it runs.
    pub repeat: Repeat,
    /// It runs many times.
    pub is_repeated: bool,
    /// The whole call expression.
    pub span: Span,
}

/// What an argument of a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It says where the call goes.
    Target,
    /// It is how the caller gets in: an `Authorization` header, an API key.
    Entrance,
    /// It is a name, title or query: small, seen in passing, kept in logs.
    Cover,
    /// It only steers the call: a timeout, a language, an identifier.
    Setting,
    /// It is what is sent, run or written.
    Data,
}

impl Reach {
    /// Returns true if and only if it is no call: an address stands in a text, which something may load.
    pub fn is_only_loaded(&self) -> bool {
        self.api.is_some_and(|api| api.path == ADDRESS_IN_TEXT)
    }

    /// Returns true if and only if it does this.
    pub fn does(&self, sink: SinkKind) -> bool {
        self.sinks.contains(&sink)
    }

    /// Returns true if and only if it runs what it is passed in a machine that is made for code of others.
    pub fn is_confined(&self) -> bool {
        self.api.is_none() && Tag::ConfinedRunner.has(split_owner(&self.name).0)
    }

    /// What it does that may let data out.
    pub fn outgoing(&self) -> Option<SinkKind> {
        self.sinks.iter().copied().find(|sink| sink.is_outgoing())
    }

    /// Where it goes, for people: `to https://evil.example by http:post`.
    pub fn words(&self) -> String {
        match &self.shown {
            _ if self.does(SinkKind::Answer) => format!("to whoever asks by `{}`", shown(&self.name)),
            Some(shown) => format!("to {shown} by `{}`", self.name),
            None if self.side == Side::Outside => format!("out by `{}`", self.name),
            None => format!("by `{}`", self.name),
        }
    }

    /// What an argument of it is for.
    pub fn place(&self, argument: &str) -> Place {
        let keys: Vec<&str> = argument.split('.').filter(|key| !key.is_empty() && *key != "[]" && *key != "...").collect();
        let Some(last) = keys.last() else { return Place::Data };
        let plain = joined(last);
        if self.targets.contains(&argument) && !self.is_mixed(argument) || self.api.is_none() && self.is_target_key(&keys) {
            return Place::Target;
        }
        if self.is_person_key(&keys, &plain) {
            return Place::Target;
        }
        let is_entrance = || Tag::EntranceKey.has(&plain) && !Tag::CarryingKey.has_any(keys.iter()) || self.is_of_handshake(&keys, &plain);
        // What answers was made with the key that it signs in with.
        let is_answerer = || self.does(SinkKind::Prompt) && self.name.starts_with("ai.") && keys == ["0", "model"];
        if !self.is_sent_whole(&keys) && is_entrance() || self.is_own_key(&keys) || is_answerer() {
            return Place::Entrance;
        }
        // What a mail is about is read like its text.
        let is_of_mail = plain == "subject" && (self.does(SinkKind::Mail) || keys.contains(&"message"));
        // What a record is called stands beside what else it holds: `{ fields: { Name } }`.
        let is_of_record = keys.iter().rev().skip(1).any(|key| list("fields-of-records").contains(key));
        if Tag::CoverKey.has(&plain) && !is_of_mail && !is_of_record || Tag::QueryKey.has_any(keys.iter()) {
            return Place::Cover;
        }
        // What a row names by its key is no setting of the call, whatever the key.
        let is_named = || self.api.is_some_and(|api| api.data.iter().any(|data| data.contains('.') && keys.join(".") == *data));
        if Tag::SettingKey.has(&plain) && keys.len() <= 2 && !is_named() { Place::Setting } else { Place::Data }
    }

    /// Returns true if and only if it is by what is passed here that one signs a connection which is opened, and shows it to nobody:
    /// `connect({ host, privateKey })`.
    pub fn signs_with(&self, argument: &str) -> bool {
        let opens = self.name.rsplit('.').next().is_some_and(|method| words(method).first().is_some_and(|verb| Tag::Connecting.has(verb)));
        let keys: Vec<&str> = argument.split('.').collect();
        let plain = keys.last().map(|last| joined(last)).unwrap_or_default();
        opens && plain == "privatekey" && self.is_of_handshake(&keys, &plain)
    }

    /// What a connection is made safe with, in the options of an API that connects: it is never sent.
    fn is_of_handshake(&self, keys: &[&str], plain: &str) -> bool {
        let is_option = keys.len() == 2 && keys.first().is_some_and(|at| at.bytes().all(|byte| byte.is_ascii_digit()) || *at == "this");
        let is_api = self.api.is_some() && self.does(SinkKind::Network);
        is_api
            && Tag::HandshakeKey.has(plain)
            && (is_option || Tag::Connecting.has_any(keys.iter()))
            && !Tag::CarryingKey.has_any(keys.iter())
    }

    /// What a client is made with, where no row says that it leads somewhere: that is how it signs in.
    fn is_own_key(&self, keys: &[&str]) -> bool {
        let is_made_with = matches!(keys, ["this", at] if at.bytes().all(|byte| byte.is_ascii_digit()));
        let is_messenger = self.does(SinkKind::Chat) || self.does(SinkKind::Mail);
        is_made_with && is_messenger && self.api.is_some_and(|api| !api.target.iter().any(|target| target.starts_with("this")))
    }

    /// Returns true if and only if a key stands in an argument that is sent whole: an option it is not, whatever it is called.
    pub fn is_sent_whole(&self, keys: &[&str]) -> bool {
        let (Some(api), [first, _, ..]) = (self.api, keys) else { return false };
        let is_own = |place: &&str| place.split('.').next() == Some(*first);
        let is_sent = api.data.contains(first) && !api.target.iter().any(is_own);
        self.outgoing().is_some() && (api.body.contains(first) || is_sent)
    }

    /// An argument that is the target and more: a URL, with what stands in its query.
    fn is_mixed(&self, argument: &str) -> bool {
        self.api.is_some_and(|api| api.data.contains(&argument)) && self.outgoing().is_none()
    }

    /// Returns true if and only if a message goes to one person whose number says who that is: `sms:send { tenantId, text }`.
    fn is_person_key(&self, keys: &[&str], plain: &str) -> bool {
        let is_message = self.api.is_none() && (self.does(SinkKind::Mail) || self.does(SinkKind::Chat));
        is_message && !self.has_target && keys.len() == 1 && list("people-told-by").contains(&plain)
    }

    fn is_target_key(&self, keys: &[&str]) -> bool {
        let is_file = self.does(SinkKind::FileWrite) || self.does(SinkKind::Delete);
        let is_key = |key: &&str| if self.outgoing().is_some() { is_target(key) } else { is_file && is_file_target(key) };
        keys.iter().all(|key| is_key(key) || Tag::WrappingKey.has(key)) && keys.iter().any(is_key)
    }
}
