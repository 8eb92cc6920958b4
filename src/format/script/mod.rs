//! Scripts in JavaScript and TypeScript: from text to segments, calls and flows.
//!
//! Everything that knows the syntax tree lives here; what leaves is plain data.

#[cfg(test)]
mod agreement;
mod back_door;
mod bindings;
mod collect;
mod completion;
mod cover;
mod documented;
mod embedded;
pub mod examples;
mod fold;
mod fragment;
mod handed;
mod interpret;
mod js;
mod jsdoc;
pub mod nesting;
mod obeyed;
mod parse;
mod placed;
pub mod planned;
mod punctuation;
mod reaches_outside;
mod sandbox;
mod segments;
mod span;
mod swapped;
mod template;
pub mod usage;
mod way_out;
mod whole;
mod words;

pub use embedded::code_in_command;

use std::cell::RefCell;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_semantic::SemanticBuilder;

use crate::format::script::collect::Extent;
use crate::format::script::fold::Budget;
use crate::format::script::interpret::{CodeText, Effort, Interpretation, OuterName};
use crate::format::{Language, ReadOptions};
use crate::knowledge::{Api, SinkKind, api};
use crate::subject::dialect::Dialect;
use crate::subject::flow::Origin;
use crate::subject::{Completeness, Kind, Lifecycle, Reason, Subject, Undetermined};

thread_local! {
    /// The arena of the syntax trees, kept from one script to the next.
    static ARENA: RefCell<Allocator> = RefCell::new(Allocator::default());
}

/// An arena that grew larger than this is given back, in bytes.
const KEPT_ARENA: usize = 64 * 1024 * 1024;

/// Reads a script. Never fails: a script that cannot be parsed is an undetermined subject whose raw
/// text can still be searched.
pub fn read(text: &str, language: Language, options: &ReadOptions) -> Vec<Subject> {
    ARENA.with(|arena| {
        let mut arena = arena.borrow_mut();
        let subject = read_with(&mut arena, text, language, options);
        if KEPT_ARENA < arena.capacity() {
            *arena = Allocator::default()
        } else {
            arena.reset()
        }
        vec![subject]
    })
}

/// Why a text is no script. Never asked: every text is one, if only one that cannot be parsed.
pub fn why_none(_: &str, _: &ReadOptions) -> Undetermined {
    Undetermined::new(Reason::UnknownLanguage, "it is no script")
}

fn read_with(arena: &mut Allocator, text: &str, language: Language, options: &ReadOptions) -> Subject {
    let mut subject = Subject::empty(Kind::Script, Lifecycle::PreToolCall);
    subject.dialect = options.dialect.unwrap_or_default();
    let parsed = parse::parse(arena, text, language, &options.limits, |program| {
        read_program(program, options, &mut subject, embedded::DEPTH, None);
    });
    let Err(failure) = parsed else { return subject };
    let mended = (failure.reason == Reason::Unparsable).then(|| {
        parse::parse_mended(arena, text, language, &options.limits, |program| {
            read_program(program, options, &mut subject, embedded::DEPTH, None);
        })
    });
    if mended.flatten().is_none() {
        subject.completeness = Completeness::Undetermined(failure);
        subject.segments = segments::unparsed(text);
    } else if subject.completeness == Completeness::Complete {
        subject.completeness = Completeness::Undetermined(Undetermined { reason: Reason::Fragment, ..failure });
    }
    subject
}

/// Reads a text that a script runs as code.
///
/// # Errors
///
/// When it cannot be parsed.
fn read_embedded(
    arena: &mut Allocator,
    code: &CodeText,
    options: &ReadOptions,
    depth: u32,
    outer: &Interpretation,
) -> Result<Subject, Undetermined> {
    let mut subject = Subject::empty(Kind::Script, Lifecycle::PreToolCall);
    let names = Some((outer.origins.as_slice(), code.names.as_slice()));
    let read = |program: &Program<'_>| read_program(program, options, &mut subject, depth, names);
    parse::parse(arena, &code.text, Language::JavaScript, &options.limits, read)?;
    subject.segments = embedded::decoded_segments(std::mem::take(&mut subject.segments), &code.text);
    Ok(subject)
}

fn read_program(program: &Program<'_>, options: &ReadOptions, subject: &mut Subject, depth: u32, outer: Option<(&[Origin], &[OuterName])>) {
    let scoping = SemanticBuilder::new().build(program).semantic.into_scoping();
    let limits = &options.limits;
    let mut collected = collect::collect(program, &scoping, Extent::Calls, limits.nodes);
    if limits.nodes < collected.nodes {
        exceed(subject, Reason::Nodes, limits.nodes);
    }
    let budget = Budget::default();
    let may_call_tools = outer.is_some() || reaches_outside::may_call_tools(program, &scoping, &collected, &options.calls);
    let mut found = if !options.unfollowed && (may_call_tools || reaches_outside::reaches_out(program, &scoping, &collected)) {
        interpret::interpret(program, &scoping, &options.calls, Effort::of(may_call_tools, collected.nodes, limits.fuel), outer)
    } else {
        Interpretation::default()
    };
    if !options.unfollowed {
        cover::complete(program, &scoping, &options.calls, outer.map_or(&[], |(_, names)| names), collected.nodes, &mut found);
    }
    let calls_tools = !found.calls.is_empty();
    subject.is_module = sandbox::dialect::is_module(program, &collected);
    subject.dialect = options.dialect.unwrap_or_else(|| sandbox::dialect::dialect(subject.is_module, 0 < found.agent_calls));
    if calls_tools {
        collected = collect::collect(program, &scoping, Extent::Flows, limits.nodes);
    }
    if limits.calls as usize <= found.calls.len() {
        exceed(subject, Reason::Calls, limits.calls);
    }
    if let Some(exhaustion) = &found.exhaustion {
        let text = program.source_text;
        let line = |span: crate::value::span::Span| text.bytes().take(span.start as usize).filter(|byte| *byte == b'\n').count() + 1;
        let undetermined = Undetermined { span: exhaustion.span, ..Undetermined::new(Reason::Fuel, exhaustion.words(line)) };
        subject.completeness = Completeness::Undetermined(undetermined);
    }
    if calls_tools {
        subject.fields = collected.fields.iter().map(|(name, span)| ((*name).to_owned(), *span)).collect();
    }
    // What is found is asked again where texts are run; nearly no script runs any.
    let texts = embedded::texts(&found);
    subject.calls = handed_over(&mut found.calls, texts.is_empty());
    documented::describe(program, &mut subject.calls);
    subject.host_calls = handed_over(&mut found.host_calls, texts.is_empty());
    subject.origins = handed_over(&mut found.origins, texts.is_empty());
    subject.flows = handed_over(&mut found.flows, texts.is_empty());
    subject.checks_sum = found.checks_sum;
    planned::add(subject);
    subject.segments = segments::segments(program, &mut collected, &budget);
    subject.schedules = placed::schedules(&subject.segments, program.source_text);
    (subject.obeyed, subject.remembered) = obeyed::obeyed(program);
    subject.remembered.extend(placed::placed(&subject.calls, &subject.segments, program.source_text));
    subject.remembered.sort_unstable();
    if subject.dialect == Dialect::AgentScript && collected.nodes <= limits.nodes {
        subject.hazards = sandbox::hazards(program, &collected, &subject.segments, &budget);
    }
    let repeats = || subject.host_calls.iter().any(|call| call.repeated || 0 < call.loop_depth);
    // What a person is asked, and where tests run, tells of what is deleted or started whether it repeats or not.
    let may_be_spared = || subject.host_calls.iter().any(|call| api(&call.api).is_some_and(acts));
    if (calls_tools || repeats() || may_be_spared()) && collected.nodes <= limits.nodes {
        subject.bounds = sandbox::bounds::bounds(program, &collected, &budget);
    }
    if collected.nodes <= limits.nodes {
        subject.back_doors = back_door::back_doors(program, &collected, &budget);
        subject.swapped = swapped::swapped(program, &collected, &budget);
    }
    if budget.is_spent() {
        subject.completeness = out_of_fuel("this script puts together more constants than can be followed");
    }
    if (limits.segments as usize) < subject.segments.len() {
        subject.segments.truncate(limits.segments as usize);
        exceed(subject, Reason::Segments, limits.segments);
    }
    embedded::adopt_all(subject, &found, texts, (options, depth));
}

/// All that was found: the last who asks for it is given it.
fn handed_over<T: Clone>(found: &mut Vec<T>, is_last: bool) -> Vec<T> {
    if is_last { std::mem::take(found) } else { found.clone() }
}

/// Returns true if and only if what an API does is nobody's loss where a person said so.
fn acts(api: &Api) -> bool {
    matches!(api.sink, Some(SinkKind::Delete | SinkKind::Command))
}

fn out_of_fuel(detail: &str) -> Completeness {
    Completeness::Undetermined(Undetermined::new(Reason::Fuel, detail))
}

fn exceed(subject: &mut Subject, reason: Reason, limit: u32) {
    let detail = format!("more than {limit} (limits.{reason})");
    subject.completeness = Completeness::Undetermined(Undetermined::new(reason, detail));
}
