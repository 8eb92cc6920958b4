//! Parses a script with the first grammar that accepts all of it.

use std::borrow::Cow;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_span::{LabeledSpan, SourceType};

use crate::format::Language;
use crate::format::script::fragment;
use crate::format::script::nesting::{self, Grammar};
use crate::format::script::punctuation;
use crate::format::script::template;
use crate::format::script::whole;
use crate::subject::{Reason, Undetermined};
use crate::value::limits::Limits;
use crate::value::span::Span;

/// How many times a text is mended and parsed again.
const MENDS: usize = 64;
/// How many times characters that nobody sees are blanked.
const UNSEEN: usize = 8;

/// Parses a script with the first grammar that accepts it and hands the program on, which holds the whole text. Agent
/// scripts are function bodies, so `await` and `return` are legal at the top. Characters that nobody sees and no grammar
/// has are blanked where they part nothing, and so are the expressions and dots of what a script stands in (`template.rs`).
///
/// # Errors
///
/// When no grammar accepts the whole text, when it nests too deep to be parsed, or when it is one program as a module and
/// another as a script.
pub fn parse<R>(
    arena: &mut Allocator,
    text: &str,
    language: Language,
    limits: &Limits,
    read: impl FnOnce(&Program<'_>) -> R,
) -> Result<R, Undetermined> {
    let mut as_written = None;
    let mut text = Cow::Borrowed(text);
    let mut read = read;
    for round in 0..MENDS {
        let (failure, unused) = match fit(arena, &text, language, limits, read) {
            Ok(result) => return result,
            Err(unfit) => unfit,
        };
        read = unused;
        let mended = failure.span.and_then(|place| mended(&text, place, round < UNSEEN));
        as_written.get_or_insert(failure);
        let Some(mended) = mended else { break };
        text = Cow::Owned(mended);
    }
    let text = template::without_dotted_lines(&text);
    if let Some(read) = as_members(arena, &text, language, limits, read) {
        return Ok(read);
    }
    arena.reset();
    Err(as_written.unwrap_or_else(|| Undetermined::new(Reason::Unparsable, "no grammar accepts it")))
}

/// Hands on the program of a text that no grammar accepts, where nothing but punctuation keeps it from being one
/// (`punctuation.rs`): brackets whose other half was cut off, a comma too many. All else that stands in it is read.
pub fn parse_mended<R>(
    arena: &mut Allocator,
    text: &str,
    language: Language,
    limits: &Limits,
    read: impl FnOnce(&Program<'_>) -> R,
) -> Option<R> {
    let length = text.len();
    let as_written = text;
    let mut text = template::without_dotted_lines(text).into_owned();
    let mut left = punctuation::most(&text);
    for _ in 0..MENDS {
        let place = match punctuated(arena, &text, language, limits) {
            Ok(source_type) => {
                let mut parsed = attempt(arena, &text, source_type);
                // What is mended keeps its length, but for brackets that stand behind all else.
                let as_written = arena.alloc_str(if text.len() == length { &text } else { text.get(..length).unwrap_or(as_written) });
                fragment::put_back(&mut parsed.program, as_written, 0);
                return Some(read(&parsed.program));
            }
            Err(failure) => failure,
        };
        let span = place.span?;
        if let Some(mended) = template::without_expression(&text, span).or_else(|| template::without_ellipsis(&text, span)) {
            text = mended;
            continue;
        }
        left = left.checked_sub(1)?;
        text = punctuation::mended(&text, span, &place.detail)?;
    }
    None
}

/// The first grammar that accepts a text as one program and no other, or why there is none.
fn punctuated(arena: &mut Allocator, text: &str, language: Language, limits: &Limits) -> Result<SourceType, Undetermined> {
    match fit(arena, text, language, limits, |program| program.source_type) {
        Ok(found) => found,
        Err((failure, _)) => Err(failure),
    }
}

/// Hands on what a text is as the members of an object or a class that it was cut out of, if it is that.
fn as_members<R>(
    arena: &mut Allocator,
    text: &str,
    language: Language,
    limits: &Limits,
    read: impl FnOnce(&Program<'_>) -> R,
) -> Option<R> {
    for whole in fragment::wholes(text) {
        for source_type in grammars(language, false) {
            let grammar = Grammar { typescript: source_type.is_typescript(), jsx: source_type.is_jsx() };
            if nesting::check(&whole.text, grammar, limits).is_err() {
                continue;
            }
            arena.reset();
            let mut parsed = attempt(arena, &whole.text, source_type);
            let is_whole = !parsed.panicked && parsed.diagnostics.is_empty() && parsed.program.body.len() == 1;
            if is_whole && whole::dropped(&parsed.program, &whole.text).is_none() && whole::divided(&parsed.program, &whole.text).is_none()
            {
                whole.put_back(&mut parsed.program, arena.alloc_str(text));
                return Some(read(&parsed.program));
            }
        }
    }
    None
}

/// A text without what keeps it from being parsed at a place, where that is nothing that could run.
fn mended(text: &str, place: Span, takes_unseen: bool) -> Option<String> {
    let unseen = if takes_unseen { whole::without_unseen(text, place) } else { None };
    unseen.or_else(|| template::without_expression(text, place)).or_else(|| template::without_ellipsis(text, place))
}

/// Hands on the first program that holds the whole text, or tells why it cannot be told which that is. Gives the reader
/// back, with the first fault, where there is none.
fn fit<R, F: FnOnce(&Program<'_>) -> R>(
    arena: &mut Allocator,
    text: &str,
    language: Language,
    limits: &Limits,
    read: F,
) -> Result<Result<R, Undetermined>, (Undetermined, F)> {
    let mut failure = None;
    let mut recovered = None;
    // Modules and scripts of one grammar nest alike.
    let mut checked = None;
    for source_type in grammars(language, nesting::is_always_safe(text)) {
        let grammar = Grammar { typescript: source_type.is_typescript(), jsx: source_type.is_jsx() };
        if checked != Some((grammar, true)) {
            let fits = nesting::check(text, grammar, limits);
            checked = Some((grammar, fits.is_ok()));
            if let Err(excess) = fits {
                failure.get_or_insert(Undetermined::at(Reason::Nesting, excess.detail, excess.span));
                continue;
            }
        }
        arena.reset();
        let parsed = attempt(arena, text, source_type);
        let dropped = if parsed.panicked { None } else { whole::dropped(&parsed.program, text) };
        if parsed.panicked || dropped.is_some() {
            failure.get_or_insert_with(|| fault(&parsed, dropped));
        } else if parsed.diagnostics.is_empty() {
            return Ok(only_reading(arena, &parsed.program, text).map(|()| read(&parsed.program)));
        } else {
            // The parser went on after a fault that leaves the meaning clear, such as a
            // declaration without a value: better than nothing if no other grammar fits.
            recovered.get_or_insert(source_type);
        }
    }
    arena.reset();
    match (recovered, failure) {
        (Some(source_type), _) => {
            let parsed = attempt(arena, text, source_type);
            Ok(only_reading(arena, &parsed.program, text).map(|()| read(&parsed.program)))
        }
        (None, Some(failure)) => Err((failure, read)),
        (None, None) => Err((Undetermined::new(Reason::Unparsable, "no grammar accepts it"), read)),
    }
}

/// Why a text could not be parsed to its end, where `dropped` is what the parser passed over.
fn fault(parsed: &ParserReturn<'_>, dropped: Option<Span>) -> Undetermined {
    let place = |label: &LabeledSpan| Span::new(label.offset(), label.offset().saturating_add(label.len()));
    let diagnostic = parsed.diagnostics.first();
    Undetermined {
        reason: Reason::Unparsable,
        detail: diagnostic
            .map_or_else(|| "what stands here is no part of the script".to_owned(), |diagnostic| diagnostic.message.to_string()),
        span: diagnostic.and_then(|diagnostic| diagnostic.labels.first()).map(place).or(dropped),
    }
}

/// Tells whether a text is the same program however it is run.
///
/// # Errors
///
/// When a module and a script read it differently.
fn only_reading(arena: &Allocator, program: &Program<'_>, text: &str) -> Result<(), Undetermined> {
    if let Some(place) = whole::divided(program, text) {
        let detail = "what may be a regular expression here is run where `await` and `yield` are names";
        return Err(Undetermined::at(Reason::Unparsable, detail, place));
    }
    let is_module = program.body.iter().any(|statement| statement.is_module_declaration());
    if is_module || !program.source_type.is_module() || memchr::memmem::find(text.as_bytes(), b"<!--").is_none() {
        return Ok(());
    }
    let script = attempt(arena, text, program.source_type.with_script(true));
    match whole::html_comment(&script.program, text) {
        Some(place) if program.comments.iter().all(|comment| comment.span.start != place.start) => {
            Err(Undetermined::at(Reason::Unparsable, "`<!--` starts a comment in a script, and is code in a module", place))
        }
        _ => Ok(()),
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
