//! Buffers whose bytes are known.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::js;
use crate::format::script::js::constant::Constant;
use crate::value::span::Span;

/// The most bytes of a buffer that are known.
const BYTES: usize = 16 * 1024;

/// The path of buffers whose bytes are known: they are made with a text of one character a byte.
pub const KNOWN_BYTES: &str = "Bytes()";

impl<'a> Interpreter<'a> {
    /// A buffer whose bytes are known.
    pub fn bytes(&mut self, bytes: &[u8], span: Span) -> Val {
        if BYTES < bytes.len() {
            return Val::UNKNOWN;
        }
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let text = self.values.string(&text);
        let path = self.values.texts.intern(KNOWN_BYTES);
        let context = self.new_context();
        let object = self.heap.allocate(span.start, context, 13, ObjectKind::Instance { path, made_with: [text].into() });
        self.values.object(object)
    }

    /// The bytes of a buffer, if they are known.
    pub fn known_bytes(&self, value: Val) -> Option<Vec<u8>> {
        let [Atom::Object(object)] = &*self.values.shape(value.id).atoms else { return None };
        let ObjectKind::Instance { path, made_with } = &self.heap.object(*object).kind else { return None };
        if &**self.values.texts.get(*path) != KNOWN_BYTES {
            return None;
        }
        let text = self.values.text(made_with.first()?.id)?;
        text.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect()
    }

    pub fn bytes_method(&mut self, this: Val, method: &str, arguments: &Arguments, span: Span) -> Val {
        let Some(bytes) = self.known_bytes(this) else {
            let (taint, via) = self.carried(this);
            return self.values.opaque(taint, via);
        };
        let encoding = arguments.known.first().and_then(|encoding| self.values.known(encoding.id)).filter(|_| method == "toString");
        let text = match method {
            "toString" | "decode" => match js::bytes::to_text(&bytes, encoding.as_ref()) {
                Some(text) => text,
                None => return Val::UNKNOWN,
            },
            "map" | "forEach" | "reduce" | "join" | "reverse" | "filter" | "slice" | "subarray" | "toReversed" => {
                let numbers: Vec<Val> = bytes.iter().map(|byte| self.values.number(f64::from(*byte))).collect();
                let list = self.array(derived(span, 5), &numbers, None);
                let key = Key::named(method);
                let result = self.call_member(list, &key, arguments, span);
                return self.bytes_again(result, span);
            }
            _ => return Val::UNKNOWN,
        };
        let id = self.values.texts.intern(&text);
        self.recorder.disguise(id, true);
        self.values.string(&text)
    }

    /// What a method of a buffer gives back: a buffer, where all of it are known bytes.
    fn bytes_again(&mut self, list: Val, span: Span) -> Val {
        let Some(Constant::Array(elements)) = self.constant_value(list) else { return list };
        let bytes: Vec<u8> = elements.iter().map(|element| js::number::to_int32(element.to_number()) as u8).collect();
        self.bytes(&bytes, span)
    }
}
