//! Texts and lists that are put together piece by piece.

use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Given;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::Walker;

/// How many pieces of one name are put together.
const PIECES: usize = 64;

impl<'a> Walker<'_, 'a, '_> {
    /// What a name says after all pieces were added to it in order, if it is a text or a list of texts.
    pub fn grown_text(&self, symbol: SymbolId) -> Option<String> {
        let pieces = self.appended.get(&symbol).filter(|pieces| pieces.len() <= PIECES)?;
        let start = self.bindings.given(symbol).find_map(|given| match given {
            Given::Expression(given) => self.folder.fold(given),
            Given::Property(..) | Given::Unknown => None,
        });
        let mut text = match start? {
            Constant::String(text) => text,
            Constant::Array(elements) => elements.iter().map(Constant::to_text).collect(),
            _ => return None,
        };
        for piece in pieces {
            text.push_str(&self.folder.fold(piece)?.to_text());
        }
        Some(text)
    }
}
