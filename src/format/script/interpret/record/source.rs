//! Results of tools, and other origins of data.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::steps::{StepId, StepKind};
use crate::format::script::interpret::taint::{Altered, Label, Taint};
use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::Val;
use crate::subject::flow::{CallRef, Origin, OriginKind, Strength};

impl<'a> Interpreter<'a> {
    /// The result of a tool.
    pub fn tool_result(&mut self, index: usize, passed: &Arguments) -> Val {
        let Some((_, record)) = self.recorder.tools.get_index(index) else { return Val::UNKNOWN };
        let span = record.site.span;
        let key_name = format!("tool {index}");
        let name = record.tools.first().map_or_else(|| "<dynamic>".to_owned(), |text| self.values.texts.get(*text).to_string());
        let transforms = record.tools.iter().any(|text| catalogue_transforms(self.values.texts.get(*text)));
        if transforms {
            let own = self.recorder.site().map_or(span, |own| own.span);
            self.recorder.noted.extend([(own, true), (span, true)]);
        }
        let (mut taint, mut via) =
            self.origin_of(key_name, Origin { kind: OriginKind::Tool, name, detail: None, call: Some(CallRef::Tool(index)), span });
        if transforms {
            for value in passed.iter() {
                let one = self.carried(value);
                (taint, via) = self.both((taint, via), one);
            }
        }
        self.values.opaque(taint, via)
    }

    /// The data of an origin that is read here.
    pub fn origin(&mut self, origin: Origin) -> (Taint, StepId) {
        self.origin_of(format!("{} {}", origin.name, origin.detail.as_deref().unwrap_or_default()), origin)
    }

    /// Returns true if and only if an origin is of a kind and a name.
    pub fn is_origin(&self, origin: u32, kind: OriginKind, name: &str) -> bool {
        self.recorder.origins.get_index(origin as usize).is_some_and(|(_, origin)| origin.kind == kind && origin.name == name)
    }

    fn origin_of(&mut self, key: String, origin: Origin) -> (Taint, StepId) {
        let span = origin.span;
        let entry = self.recorder.origins.entry((span, key));
        let index = u32::try_from(entry.index()).unwrap_or(u32::MAX);
        entry.or_insert(origin);
        let label =
            Label { origin: index, field: Text::EMPTY, strength: Strength::Whole, altered: Altered::No, is_plain: false, is_one: false };
        let taint = self.values.taints.set(vec![label]);
        (taint, self.steps.after(StepId::NONE, StepKind::Read(index), span))
    }
}

/// Returns true if and only if a tool's result holds what it is passed.
fn catalogue_transforms(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "summarize",
        "summarise",
        "format",
        "convert",
        "translate",
        "encode",
        "decode",
        "render",
        "compress",
        "zip",
        "encrypt",
        "transform",
        "merge",
        "stringify",
        "template",
        "parse",
        "extract",
        "clean",
        "normalize",
        "base64",
        "gzip",
        "csv",
        "echo",
        "concat",
        "build",
    ];
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}
