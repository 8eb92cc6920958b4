//! Texts that stand once in the tables: those that are looked up as numbers of names, those that only people read packed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use crate::variant::fault;

/// Texts in the order of their numbers.
#[derive(Default)]
struct Numbered {
    numbers: BTreeMap<String, usize>,
    all: Vec<String>,
}

impl Numbered {
    fn number(&mut self, text: &str) -> usize {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let number = self.all.len();
        self.numbers.insert(text.to_owned(), number);
        self.all.push(text.to_owned());
        number
    }
}

/// All texts that tables name by numbers.
#[derive(Default)]
pub struct Texts {
    names: RefCell<Numbered>,
    told: RefCell<Numbered>,
    lists: RefCell<Numbered>,
}

/// Texts of people end so; none holds it.
const END: char = '\0';

impl Texts {
    /// What is written in a table for a text that is looked up.
    pub fn name(&self, text: &str) -> String {
        format!("Name({})", self.names.borrow_mut().number(text))
    }

    /// What is written for a text that only people read.
    pub fn told(&self, text: &str) -> String {
        format!("Text({})", self.told.borrow_mut().number(text))
    }

    /// What is written for a list of texts, which many rows share.
    pub fn list(&self, texts: &[String]) -> String {
        format!("List({})", self.lists.borrow_mut().number(&format!("&{texts:?}")))
    }

    /// Writes the tables of the texts.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let (names, told, lists) = (self.names.borrow(), self.told.borrow(), self.lists.borrow());
        let (mut blob, mut starts) = (String::new(), vec![0]);
        for name in &names.all {
            blob.push_str(name);
            starts.push(blob.len());
        }
        if usize::from(u16::MAX) < names.all.len() || told.all.iter().any(|text| text.contains(END)) {
            return Err(fault("there are too many names, or a text with a character that ends it"));
        }
        let lists = lists.all.join(",\n");
        fs::write(out.join("names_table.rs"), format!("NameTable {{ blob: {blob:?}, starts: &{starts:?}, lists: &[{lists}] }}\n"))?;
        let told: String = told.all.iter().flat_map(|text| [text.as_str(), "\0"]).collect();
        fs::write(out.join("texts.bin"), miniz_oxide::deflate::compress_to_vec(told.as_bytes(), 9))
    }
}
