//! Words with what they tell: the sections `tags` and `words` of `knowledge/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io;

use serde::Deserialize;

use crate::knowledge::row::word::WordRow;
use crate::slots::slots;

/// Something that words tell.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tag {
    /// What a word tells that has it, as a sentence.
    means: String,
    /// A word that has it.
    hit: String,
    /// A word near to it that has it not.
    miss: String,
    /// Where its words are taken from.
    source: String,
}

/// The tags and words of all files.
#[derive(Default)]
pub struct Words {
    tags: BTreeMap<String, Tag>,
    /// For each word the file in which it stands and what it tells.
    words: BTreeMap<String, (String, BTreeSet<String>)>,
}

impl Words {
    /// Adds what a file holds.
    pub fn add(&mut self, file: &str, tags: BTreeMap<String, Tag>, rows: Vec<WordRow>) -> io::Result<()> {
        for (name, tag) in tags {
            if self.tags.insert(name.clone(), tag).is_some() {
                return Err(fault(format!("{file}: the tag `{name}` is told twice")));
            }
        }
        for WordRow { is, words } in rows {
            let is: BTreeSet<String> = is.into_iter().collect();
            for word in words {
                if let Some((other, _)) = self.words.insert(word.clone(), (file.to_owned(), is.clone())) {
                    return Err(fault(format!(
                        "`{word}` stands twice, in {other} and in {file}: a word has one row with all that it tells"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The tables, as `src/knowledge/words.rs` reads them.
    pub fn tables(&self) -> io::Result<String> {
        self.check()?;
        let number: BTreeMap<&str, usize> = self.tags.keys().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        let mut members = vec![Vec::new(); self.tags.len()];
        let (mut text, mut word_starts) = (String::new(), vec![0]);
        let (mut tags, mut tag_starts) = (Vec::new(), vec![0]);
        for (at, (word, (_, told))) in self.words.iter().enumerate() {
            text.push_str(word);
            word_starts.push(text.len());
            for tag in told {
                tags.push(format!("Tag::{}", variant(tag)));
                if let Some(members) = number.get(tag.as_str()).and_then(|number| members.get_mut(*number)) {
                    members.push(at);
                }
            }
            tag_starts.push(tags.len());
        }
        let member_starts: Vec<usize> = std::iter::once(0)
            .chain(members.iter().scan(0, |end, members| {
                *end += members.len();
                Some(*end)
            }))
            .collect();
        let rows = self.tags.iter().map(|(name, Tag { hit, miss, .. })| {
            format!("    TagRow {{ name: {name:?}, tag: Tag::{}, hit: {hit:?}, miss: {miss:?} }},\n", variant(name))
        });
        let rows = format!("static TAG_ROWS: [TagRow; {}] = [\n{}];\n", self.tags.len(), rows.collect::<String>());
        let variants = self.tags.iter().map(|(name, tag)| format!("    #[doc = {:?}]\n    {},\n", tag.means, variant(name)));
        Ok(format!(
            "/// Something that words tell.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Tag {{\n{}}}\n\
             {rows}static TEXT: &str = {text:?};\n{}{}{}{}{}{}",
            variants.collect::<String>(),
            table("WORD_STARTS", "u32", &word_starts),
            table("TAGS", "Tag", &tags),
            table("TAG_STARTS", "u16", &tag_starts),
            table("MEMBERS", "u16", &members.concat()),
            table("MEMBER_STARTS", "u16", &member_starts),
            table("SLOTS", "u16", &slots(&self.words.keys().collect::<Vec<_>>())),
        ))
    }

    fn check(&self) -> io::Result<()> {
        let has = |word: &str, name: &str| self.words.get(word).is_some_and(|(_, told)| told.contains(name));
        for (name, Tag { means, hit, miss, source }) in &self.tags {
            if means.is_empty() || source.is_empty() {
                return Err(fault(format!("the tag `{name}` needs what it means and a source")));
            }
            if !has(hit, name) || has(miss, name) {
                return Err(fault(format!("the tag `{name}`: `{hit}` must have it and `{miss}` must not")));
            }
        }
        for (word, (file, told)) in &self.words {
            if let Some(unknown) = told.iter().find(|tag| !self.tags.contains_key(*tag)) {
                return Err(fault(format!("{file}: `{word}` has the tag `{unknown}`, which no file tells")));
            }
            if told.is_empty() {
                return Err(fault(format!("{file}: `{word}` tells nothing")));
            }
        }
        Ok(())
    }
}

fn fault(message: impl Display) -> io::Error {
    io::Error::other(format!("knowledge: {message}"))
}

/// The name of a tag as that of an enum's variant: `mailbox-host` is `MailboxHost`.
fn variant(name: &str) -> String {
    let capital = |part: &str| part.chars().take(1).map(|first| first.to_ascii_uppercase()).chain(part.chars().skip(1)).collect::<String>();
    name.split('-').map(capital).collect()
}

fn table(name: &str, kind: &str, entries: &[impl Display]) -> String {
    let list: Vec<String> = entries.iter().map(ToString::to_string).collect();
    format!("static {name}: [{kind}; {}] = [{}];\n", list.len(), list.join(", "))
}
