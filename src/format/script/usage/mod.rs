//! What the texts of a script are used for: each is followed from where it stands, through names, lists, parameters and
//! results, to all places that it reaches. Only asked of texts in which something was found.

mod callee;
mod names;
mod offered;
mod options;
mod receiver;
mod trust;
mod walk;
mod written;

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::{ArrayExpressionElement, Program};
use oxc_semantic::{AstNodes, SemanticBuilder};
use oxc_span::GetSpan as _;
use oxc_syntax::node::NodeId;

use crate::format::Language;
use crate::format::script::parse;
use crate::format::script::usage::trust::Trust;
use crate::format::script::usage::walk::Walk;
use crate::knowledge::row::term::Use;
use crate::value::limits::Limits;
use crate::value::span::Span;

/// How many names of hosts are a list of them, rather than a few to try one after the other.
const LEAST_HOSTS: usize = 4;

/// How many words are a list of names.
const LEAST_NAMES: usize = 5;

/// A text whose use is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Where it stands.
    pub span: Span,
    /// It is put together from constants by the whole expression that stands there.
    pub is_folded: bool,
}

/// What each text is used for; live, where that cannot be told.
pub fn uses(text: &str, language: Language, limits: &Limits, asked: &[Asked]) -> Vec<Use> {
    let mut arena = Allocator::default();
    let found = parse::parse(&mut arena, text, language, limits, |program| uses_in(program, asked));
    found.unwrap_or_else(|_| vec![Use::Live; asked.len()])
}

fn uses_in(program: &Program<'_>, asked: &[Asked]) -> Vec<Use> {
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(program).semantic;
    let trust = Trust::of(&semantic);
    let walk = |asked: &Asked| match text_at(semantic.nodes(), *asked) {
        Some(node) if is_own_module(semantic.nodes(), node) => Use::Inert,
        Some(node) if is_in_list_of_hosts(semantic.nodes(), node) || is_in_list_of_names(semantic.nodes(), node) => Use::Compared,
        // Code that is read while the script runs may name whatever there is.
        Some(node) if !trust.is_open => match Walk::new(&semantic, &trust).from(node) {
            Use::Live if offered::is_offered(&semantic, node) => Use::Offered,
            used => used,
        },
        Some(_) | None => Use::Live,
    };
    asked.iter().map(walk).collect()
}

/// Returns true if and only if a text names a module of one's own that is imported: its path opens nothing else.
fn is_own_module(nodes: &AstNodes<'_>, node: NodeId) -> bool {
    let is_relative = matches!(nodes.kind(node), AstKind::StringLiteral(path) if path.value.starts_with("../"));
    let importing = nodes.parent_kind(node);
    is_relative
        && matches!(
            importing,
            AstKind::ImportDeclaration(_)
                | AstKind::ExportAllDeclaration(_)
                | AstKind::ExportNamedDeclaration(_)
                | AstKind::TSImportType(_)
        )
}

/// Returns true if and only if a text stands in a list of nothing but names of hosts: of each the name alone, by which nothing is
/// reached that belongs to somebody (`webhook.site`, not `https://webhook.site/4f1c`). That such a name is made an address of and
/// called is told by what is followed.
fn is_in_list_of_hosts(nodes: &AstNodes<'_>, node: NodeId) -> bool {
    let AstKind::ArrayExpression(list) = nodes.parent_kind(node) else { return false };
    let is_host = |element: &ArrayExpressionElement<'_>| match element {
        ArrayExpressionElement::StringLiteral(text) => is_bare_host(&text.value),
        _ => false,
    };
    list.elements.len() >= LEAST_HOSTS && list.elements.iter().all(is_host)
}

/// Returns true if and only if a text is one word in a list of nothing but words, too many for a command and what it is passed: names of
/// programs that are allowed or not. That one of them is run is told by what is followed.
fn is_in_list_of_names(nodes: &AstNodes<'_>, node: NodeId) -> bool {
    let AstKind::ArrayExpression(list) = nodes.parent_kind(node) else { return false };
    let is_word = |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic()) && !text.contains(char::is_whitespace);
    let is_name = |element: &ArrayExpressionElement<'_>| match element {
        ArrayExpressionElement::StringLiteral(text) => is_word(&text.value) && !text.value.contains(['/', '=', '$', '|', ';', '&', '>']),
        _ => false,
    };
    list.elements.len() >= LEAST_NAMES && list.elements.iter().all(is_name) && !is_argument(nodes, node)
}

/// Returns true if and only if the list in which a text stands is passed to a call or called a method of.
fn is_argument(nodes: &AstNodes<'_>, node: NodeId) -> bool {
    let list = nodes.parent_id(node);
    matches!(
        nodes.parent_kind(list),
        AstKind::CallExpression(_) | AstKind::StaticMemberExpression(_) | AstKind::ComputedMemberExpression(_)
    )
}

/// Returns true if and only if a text is the name of a host and no more.
fn is_bare_host(text: &str) -> bool {
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    let labels: Vec<&str> = text.trim_start_matches("*.").trim_start_matches('.').split('.').collect();
    let is_top = |last: &&str| last.len() >= 2 && last.chars().all(|letter| letter.is_ascii_alphabetic());
    matches!(labels.len(), 2 | 3) && labels.last().is_some_and(is_top) && labels.into_iter().all(is_label)
}

/// The text in the tree that holds a place, unless it is code.
fn text_at(nodes: &AstNodes<'_>, asked: Asked) -> Option<NodeId> {
    let holds = |kind: &AstKind<'_>| {
        let span = kind.span();
        span.start <= asked.span.start && asked.span.end <= span.end
    };
    let least = nodes.iter().filter(|node| holds(&node.kind())).min_by_key(|node| {
        let span = node.kind().span();
        // Of those that hold the same the innermost.
        (span.end - span.start, std::cmp::Reverse(node.id().index()))
    })?;
    let is_text = match least.kind() {
        AstKind::StringLiteral(_) | AstKind::TemplateLiteral(_) | AstKind::TemplateElement(_) | AstKind::RegExpLiteral(_) => true,
        AstKind::JSXText(_) | AstKind::Directive(_) => true,
        AstKind::BinaryExpression(_) | AstKind::CallExpression(_) => asked.is_folded,
        _ => false,
    };
    is_text.then(|| least.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::row::term::Handling;
    use crate::knowledge::usage::{HANDLINGS, may_run};

    /// What the first `TEXT` of a script is used for.
    fn used(script: &str) -> Use {
        let script = script.replacen("TEXT", "'rm -rf /'", 1);
        let start = script.find("rm -rf /").unwrap();
        let asked = Asked { span: Span::from_offsets(start, start + 8), is_folded: false };
        uses(&script, Language::TypeScript, &Limits::default(), &[asked])[0]
    }

    #[test]
    fn every_row_of_handlings_holds_its_examples() {
        for row in HANDLINGS {
            let expected = match row.does {
                Handling::Prints => Use::Printed,
                Handling::Opens | Handling::Hears | Handling::Changes => {
                    assert_eq!(used(row.hit), Use::Live, "{}", row.hit);
                    assert_ne!(used(row.miss), Use::Live, "{}", row.miss);
                    continue;
                }
                Handling::Tests => Use::Inert,
                Handling::Runs => Use::Live,
                _ => used(row.hit),
            };
            assert_eq!(used(row.hit), expected, "{}", row.hit);
            if row.does == Handling::Runs {
                assert!(row.first_words.iter().all(|word| may_run(word)), "{}", row.miss);
                assert_eq!(used(row.miss), Use::Live, "nobody knows a global function");
            } else {
                assert_ne!(used(row.hit), Use::Live, "{}", row.hit);
                assert_eq!(used(row.miss), Use::Live, "{}", row.miss);
            }
        }
    }

    #[test]
    fn a_module_of_ones_own_is_only_loaded() {
        for (script, expected) in [
            ("import { a } from '../../home/a.js'; eval(x)", Use::Inert),
            ("import type { A } from '../../home/a.js';", Use::Inert),
            ("export * from '../../home/a.js';", Use::Inert),
            ("read('../../home/a.js')", Use::Live),
            ("require('../../home/a.js')", Use::Live),
        ] {
            let start = script.find("../").unwrap();
            let asked = Asked { span: Span::from_offsets(start, start + 10), is_folded: false };
            assert_eq!(uses(script, Language::TypeScript, &Limits::default(), &[asked])[0], expected, "{script}");
        }
    }

    #[test]
    fn a_text_is_followed_to_all_that_it_reaches() {
        for (script, expected) in [
            ("TEXT;", Use::Inert),
            ("export class Store { drop(name) { return this.query(TEXT + name) } }", Use::Offered),
            ("export class Store { drop(name) { return this.query(TEXT) } }", Use::Live),
            ("export class Store { drop() { return this.query(TEXT + this.name) } }", Use::Live),
            ("class Store { drop(name) { return this.query(TEXT + name) } } new Store().drop('a')", Use::Live),
            (
                "import { Agent } from 'agents'; export class Store extends Agent { drop(name) { return this.query(TEXT + name) } }",
                Use::Live,
            ),
            ("export function drop(name) { return query(TEXT + name) }", Use::Live),
            ("const a = TEXT;", Use::Inert),
            ("const a = TEXT; console.log(a)", Use::Printed),
            ("const a = TEXT; console.log(a); run(a)", Use::Live),
            ("const all = [TEXT]; run(all[0])", Use::Live),
            ("const all = [TEXT]; for (const one of all) if (input.includes(one)) stop()", Use::Compared),
            ("const all = [TEXT]; for (const one of all) run(one)", Use::Live),
            ("const all = { bad: TEXT }; if (x === all.bad) stop()", Use::Compared),
            ("const all = { bad: TEXT }; all.act()", Use::Live),
            ("switch (x) { case TEXT: stop(); }", Use::Compared),
            ("export const bad = TEXT;", Use::Live),
            ("const bad = TEXT; export { bad };", Use::Live),
            ("module.exports = [TEXT]", Use::Live),
            ("return TEXT", Use::Live),
            ("function say(x) { console.log(x) } say(TEXT)", Use::Printed),
            ("function say(x) { return x } run(say(TEXT))", Use::Live),
            ("function say(x) { return arguments[0] } run(say(TEXT))", Use::Live),
            ("function is(x) { return x === TEXT } if (is(y)) stop()", Use::Compared),
            ("const give = () => TEXT; console.log(give())", Use::Printed),
            ("const give = () => TEXT; run(give())", Use::Live),
            ("const give = () => TEXT; list.forEach(give)", Use::Live),
            ("throw new Error(TEXT)", Use::Printed),
            ("try { throw new Error(TEXT) } catch (e) { run(e.message) }", Use::Live),
            ("const console = { log: run }; console.log(TEXT)", Use::Live),
            ("import { run as expect } from './run'; expect(TEXT)", Use::Live),
            ("const { execSync: expect } = require('child_process'); expect(TEXT)", Use::Live),
            ("import { isSafe } from './guard'; test('x', () => { expect(isSafe(TEXT)).toBe(false) })", Use::Tested),
            ("import { isSafe } from './guard'; isSafe(TEXT)", Use::Live),
            ("import { runCommand } from './guard'; test('x', () => { runCommand(TEXT) })", Use::Live),
            ("import { isSafe } from './guard'; test('x', () => { eval(isSafe(TEXT)) })", Use::Live),
            ("import { isSafe } from './g'; it.each([TEXT])('%s', (line) => { expect(isSafe(line)).toBe(false) })", Use::Tested),
            ("it.each([TEXT])('%s', (line) => { execSync(line) })", Use::Live),
            ("import { look } from './g'; it('x', () => { expect(look(TEXT).map((f) => f.rule)).toEqual([]) })", Use::Tested),
            ("import { look } from './g'; expect(look(TEXT).map((f) => f.rule)).toEqual([])", Use::Live),
            ("const all = [TEXT]; eval('all')", Use::Live),
            ("const o = { x: TEXT, go() { run(this.x) } }; o.go()", Use::Live),
            ("if (new RegExp(TEXT).test(line)) stop()", Use::Compared),
            ("const n = `${TEXT}!`.length; run(n)", Use::Inert),
            ("import box from './b'; const all = []; all[0] = box; all[0].includes(TEXT)", Use::Live),
            ("import box from './b'; const give = () => box; give().includes(TEXT)", Use::Live),
            ("import box from './b'; [box].forEach((one) => one.includes(TEXT))", Use::Live),
            ("import box from './b'; function ask(one) { return one.includes(TEXT) } ask(box)", Use::Live),
            (
                "import box from './b'; class A { constructor(x) { this.x = x } is() { return this.x.includes(TEXT) } } new A(box).is()",
                Use::Live,
            ),
            ("function ask(line) { return line.includes(TEXT) } ask(process.argv[2])", Use::Compared),
            ("import fs from 'fs'; const text = fs.readFileSync('a', 'utf8'); if (text.includes(TEXT)) stop()", Use::Compared),
            ("import { go } from './g'; globalThis['console'].log = go; console.log(TEXT)", Use::Live),
            ("import { go } from './g'; const out = process.stdout; out.write = go; process.stdout.write(TEXT)", Use::Live),
            ("import { go } from './g'; expect(TEXT).toSatisfy(go)", Use::Live),
            ("process.env.DEBUG = ''; console.log(TEXT)", Use::Printed),
        ] {
            assert_eq!(used(script), expected, "{script}");
        }
    }
}
