//! Parses a script with the first grammar that accepts it.

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use crate::format::Language;
use crate::format::script::nesting::{self, Grammar};
use crate::subject::{Reason, Undetermined};
use crate::value::limits::Limits;
use crate::value::span::Span;

/// Parses a script. Agent scripts are function bodies, so `await` and `return` are legal at the top.
///
/// # Errors
///
/// When no grammar accepts the text, or when it nests too deep to be parsed.
pub fn parse<'a>(allocator: &'a Allocator, text: &'a str, language: Language, limits: &Limits) -> Result<Program<'a>, Undetermined> {
    let mut failure = None;
    let mut recovered = None;
    for source_type in grammars(language, text.len() <= nesting::ALWAYS_SAFE) {
        let grammar = Grammar { typescript: source_type.is_typescript(), jsx: source_type.is_jsx() };
        if let Err(excess) = nesting::check(text, grammar, limits) {
            failure.get_or_insert(Undetermined::at(Reason::Nesting, excess.detail, excess.span));
            continue;
        }
        let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
        let parsed = Parser::new(allocator, text, source_type).with_options(options).parse();
        if parsed.diagnostics.is_empty() && !parsed.panicked {
            return Ok(parsed.program);
        }
        if !parsed.panicked {
            // The parser went on after a fault that leaves the meaning clear, such as a
            // declaration without a value: better than nothing if no other grammar fits.
            recovered.get_or_insert(parsed.program);
        } else if failure.is_none() {
            failure = parsed.diagnostics.first().map(|diagnostic| {
                let span = diagnostic.labels.first().map(|label| Span::new(label.offset(), label.offset().saturating_add(label.len())));
                Undetermined { reason: Reason::Unparsable, detail: diagnostic.message.to_string(), span }
            });
        }
    }
    match (recovered, failure) {
        (Some(program), _) => Ok(program),
        (None, Some(failure)) => Err(failure),
        (None, None) => Err(Undetermined::new(Reason::Unparsable, "no grammar accepts it")),
    }
}

/// The grammars to try for a language, the likeliest first. JSX in JavaScript collides with nothing,
/// so it is tried along with it; how deep JSX nests cannot be told beforehand, so only in short texts.
fn grammars(language: Language, short: bool) -> Vec<SourceType> {
    let javascript = [SourceType::mjs().with_jsx(short), SourceType::script().with_jsx(short)];
    let jsx = [SourceType::mjs().with_jsx(true), SourceType::script().with_jsx(true)];
    let typescript = [SourceType::ts().with_module(true), SourceType::ts().with_script(true)];
    let tsx = SourceType::tsx();
    let order: Vec<SourceType> = match language {
        Language::JavaScript => javascript.into_iter().chain(typescript).chain([tsx]).collect(),
        Language::Jsx => jsx.into_iter().chain([tsx]).chain(typescript).collect(),
        Language::TypeScript => typescript.into_iter().chain([tsx]).chain(javascript).collect(),
        Language::Tsx => [tsx].into_iter().chain(typescript).chain(jsx).collect(),
    };
    order
}
