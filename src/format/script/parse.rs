//! Parses a script with the first grammar that accepts it.

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::{LabeledSpan, SourceType};

use crate::format::Language;
use crate::format::script::nesting::{self, Grammar};
use crate::subject::{Reason, Undetermined};
use crate::value::limits::Limits;
use crate::value::span::Span;

/// Parses a script with the first grammar that accepts it and hands the program on. Agent scripts are
/// function bodies, so `await` and `return` are legal at the top.
///
/// # Errors
///
/// When no grammar accepts the text, or when it nests too deep to be parsed.
pub fn parse<R>(
    arena: &mut Allocator,
    text: &str,
    language: Language,
    limits: &Limits,
    read: impl FnOnce(&Program<'_>) -> R,
) -> Result<R, Undetermined> {
    let mut failure = None;
    let mut recovered = None;
    for source_type in grammars(language, nesting::is_always_safe(text)) {
        let grammar = Grammar { typescript: source_type.is_typescript(), jsx: source_type.is_jsx() };
        if let Err(excess) = nesting::check(text, grammar, limits) {
            failure.get_or_insert(Undetermined::at(Reason::Nesting, excess.detail, excess.span));
            continue;
        }
        arena.reset();
        let parsed = attempt(arena, text, source_type);
        if parsed.diagnostics.is_empty() && !parsed.panicked {
            return Ok(read(&parsed.program));
        }
        if !parsed.panicked {
            // The parser went on after a fault that leaves the meaning clear, such as a
            // declaration without a value: better than nothing if no other grammar fits.
            recovered.get_or_insert(source_type);
        } else if failure.is_none() {
            failure = parsed.diagnostics.first().map(|diagnostic| {
                let place = |label: &LabeledSpan| Span::new(label.offset(), label.offset().saturating_add(label.len()));
                Undetermined {
                    reason: Reason::Unparsable,
                    detail: diagnostic.message.to_string(),
                    span: diagnostic.labels.first().map(place),
                }
            });
        }
    }
    arena.reset();
    match (recovered, failure) {
        (Some(source_type), _) => Ok(read(&attempt(arena, text, source_type).program)),
        (None, Some(failure)) => Err(failure),
        (None, None) => Err(Undetermined::new(Reason::Unparsable, "no grammar accepts it")),
    }
}

fn attempt<'a>(arena: &'a Allocator, text: &'a str, source_type: SourceType) -> ParserReturn<'a> {
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    Parser::new(arena, text, source_type).with_options(options).parse()
}

/// The grammars to try for a language, the likeliest first. JSX in JavaScript collides with nothing,
/// so it is tried along with it; how deep JSX nests cannot be told beforehand, so only in short texts.
fn grammars(language: Language, short: bool) -> Vec<SourceType> {
    let javascript = [SourceType::mjs().with_jsx(short), SourceType::script().with_jsx(short)];
    let jsx = [SourceType::mjs().with_jsx(true), SourceType::script().with_jsx(true)];
    let typescript = [SourceType::ts().with_module(true), SourceType::ts().with_script(true)];
    let tsx = SourceType::tsx();
    let order: Vec<SourceType> = match language {
        // Other languages than scripts never come here.
        Language::JavaScript | Language::ToolCall | Language::Text => javascript.into_iter().chain(typescript).chain([tsx]).collect(),
        Language::Jsx => jsx.into_iter().chain([tsx]).chain(typescript).collect(),
        Language::TypeScript => typescript.into_iter().chain([tsx]).chain(javascript).collect(),
        Language::Tsx => [tsx].into_iter().chain(typescript).chain(jsx).collect(),
    };
    order
}
