//! Excerpts as miette reads sources: with the line numbers of the whole, each piece apart.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::finding::excerpt::Excerpt;

/// An excerpt of a named source.
#[derive(Debug)]
pub struct Lines {
    /// The name for people.
    pub name: String,
    /// The excerpt.
    pub excerpt: Excerpt,
}

impl SourceCode for Lines {
    fn read_span<'a>(&'a self, span: &SourceSpan, before: usize, after: usize) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let Excerpt { pieces, text, .. } = &self.excerpt;
        let next = pieces.partition_point(|piece| piece.start <= span.offset());
        let piece = next.checked_sub(1).and_then(|own| pieces.get(own)).ok_or(MietteError::OutOfBounds)?;
        let end = pieces.get(next).map_or(text.len(), |piece| piece.start);
        // What reaches into the next piece is refused, so that miette draws the pieces apart.
        let lines = text.get(piece.start..end).filter(|_| span.offset() + span.len() <= end).ok_or(MietteError::OutOfBounds)?;
        let contents = lines.read_span(&SourceSpan::from((span.offset() - piece.start, span.len())), before, after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            SourceSpan::from((contents.span().offset() + piece.start, contents.span().len())),
            contents.line() + piece.first_line as usize - 1,
            contents.column(),
            contents.line_count(),
        )))
    }
}
