//! Whether a script can do anything outside itself, so that it is worth following where its data goes.
//!
//! Most files of an ordinary project compute and return. They name nothing by which data could leave, commands
//! run or files change, so nothing that an interpretation could note would come of them.
//!
//! Invariant: what is named here only in part (`document`, `process`) is left alone only where the text has none of
//! the words that make it matter; a name that is computed counts as every name.

use std::sync::LazyLock;

use memchr::memmem;
use oxc_ast::ast::{Argument, CallExpression, Declaration, Expression, FormalParameters, ImportDeclaration, Program, Statement};
use oxc_semantic::Scoping;
use rustc_hash::FxHashSet;

use crate::format::script::bindings::Given;
use crate::format::script::collect::Collected;
use crate::format::script::interpret::TOOL_FUNCTIONS;
use crate::format::script::interpret::entry::are_named;
use crate::knowledge::api::{built_in_apis, own_apis};
use crate::knowledge::form;
use crate::knowledge::secret::is_secret_variable;
use crate::knowledge::specifier::{is_foreign_package, module_name};

/// The first parts of the paths of all APIs that do something outside the script.
static ROOTS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    let sinks = built_in_apis().iter().filter(|api| api.sink.is_some());
    sinks
        .map(|api| root(api.path))
        .filter(|root| !PARTIAL.iter().any(|(partial, _)| partial == root) && !GLOBAL_OBJECTS.contains(root))
        .collect()
});

/// Roots that nearly every script names, with the words without which they do nothing that matters.
const PARTIAL: &[(&str, &[&str])] = &[
    ("document", &["cookie", "Storage"]),
    ("location", &["cookie", "Storage"]),
    ("navigator", &["sendBeacon", "navigator["]),
    ("process", &["mainModule", "binding", "dlopen", "process["]),
    ("module", &["_load", "_compile", "createRequire", "module.constructor", "module["]),
    ("setTimeout", &[]),
    ("setInterval", &[]),
    ("setImmediate", &[]),
    ("require", &[]),
    ("import", &[]),
    ("Function", &[]),
];

/// Words without which a script that only shows a page has nothing that must not leave.
const READING: &[&str] = &["process.env", "import.meta.env", "Storage", "cookie", "node:fs", "'fs", "\"fs"];

/// Names through which all globals can be had.
/// Names of the global object.
pub const GLOBAL_OBJECTS: &[&str] = &["globalThis", "window", "global", "self", "top", "parent", "frames", "root"];
/// Globals that do something when they are called, or passed on to be called under another name.
const CALLED: &[&str] = &["require", "Function", "setTimeout", "setInterval"];
/// What of `Function` is ordinary: that it makes functions is not.
const OF_FUNCTION: &[&str] = &["prototype", "name", "length"];

/// Texts by which a script gets hold of `Function` without naming it.
const CONSTRUCTORS: &[&str] = &[".constructor(", ".constructor.constructor", "constructor'](", "constructor\"](", "constructor`]("];

/// Returns true if and only if a script names something that reaches outside it.
pub fn reaches_out(program: &Program<'_>, scoping: &Scoping, collected: &Collected<'_, '_>) -> bool {
    let text = program.source_text.as_bytes();
    let has = |word: &str| memmem::find(text, word.as_bytes()).is_some();
    let names_one = scoping.root_unresolved_references().iter().any(|(name, references)| {
        let name = name.as_str();
        let uses = || collected.plain_uses.iter().filter(|(global, _)| *global == name);
        if GLOBAL_OBJECTS.contains(&name) {
            // Passed on, or read for something that leads out.
            return uses().count() < references.len() || uses().any(|(_, used)| is_root(used) || GLOBAL_OBJECTS.contains(used));
        }
        if CALLED.contains(&name) && uses().count() < references.len() {
            return true;
        }
        if name == "Function" {
            return uses().any(|(_, used)| !OF_FUNCTION.contains(used));
        }
        is_known_root(name)
            || form::is_root(name)
            || PARTIAL.iter().any(|(partial, words)| *partial == name && words.iter().any(|word| has(word)))
    });
    let has_page = collected.loads_computed || scoping.root_unresolved_references().keys().any(|name| *name == "document");
    let loads_what_it_reads = has_page && has("//") && READING.iter().any(|word| has(word));
    names_one
        || loads_what_it_reads
        || collected.reads_a_way_out
        || collected.calls_computed
        || CONSTRUCTORS.iter().any(|constructor| has(constructor))
        || program.body.iter().any(imports_one)
        || program.body.iter().any(hands_over)
        || collected.imports.iter().any(|module| module.is_none_or(is_module_of_interest))
        || signs_in(program, collected)
        || collected.calls.iter().any(|site| calls_one(&site.call.callee, &site.call.arguments, collected))
}

/// Returns true if and only if a name is the first part of an API that does something, also of the user's own.
fn is_known_root(name: &str) -> bool {
    ROOTS.contains(name) || own_apis().iter().any(|api| api.sink.is_some() && root(api.path) == name)
}

fn is_root(name: &str) -> bool {
    is_known_root(name) || PARTIAL.iter().any(|(partial, _)| *partial == name && !matches!(name, "document" | "location" | "navigator"))
}

/// Returns true if and only if a script may call a tool: it has the name of a function that does, or what looks
/// like the end of one that is put together.
pub fn may_call_tools(program: &Program<'_>, scoping: &Scoping, collected: &Collected<'_, '_>, named: &[String]) -> bool {
    let has = |word: &str| memmem::find(program.source_text.as_bytes(), word.as_bytes()).is_some();
    let is_tool = |name: &str| TOOL_FUNCTIONS.contains(&name);
    let last = |name: &String| name.rsplit('.').next().unwrap_or(name).to_owned();
    ["callTool", "Tool'", "Tool\"", "Tool`"].iter().any(|word| has(word))
        || named.iter().any(|name| has(&last(name)))
        || has("\\u")
            && (scoping.root_unresolved_references().keys().any(|name| is_tool(name.as_str()))
                || scoping.symbol_names().any(is_tool)
                || collected.calls.iter().any(|site| calls_member(&site.call.callee, is_tool)))
}

fn calls_member(callee: &Expression<'_>, is_named: impl Fn(&str) -> bool) -> bool {
    callee.get_inner_expression().as_member_expression().and_then(|member| member.static_property_name()).is_some_and(is_named)
}

fn root(path: &str) -> &str {
    path.split(['.', '(']).next().unwrap_or(path)
}

fn is_module_of_interest(module: &str) -> bool {
    let name = &*module_name(module);
    let is_own = name.starts_with('.') || name.starts_with('/');
    let first = name.split('/').next().unwrap_or(name);
    !is_own && (is_known_root(first) || is_known_root(name) || form::is_package(name) || matches!(name, "module" | "process"))
        || name.starts_with("data:")
        || form::module(name).is_some()
}

fn imports_one(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ImportDeclaration(import) => {
            let ImportDeclaration { source, .. } = &**import;
            is_module_of_interest(source.value.as_str())
        }
        Statement::TSImportEqualsDeclaration(_) => true,
        _ => false,
    }
}

/// Returns true if and only if a script that loads somebody else's package has a credential for it.
fn signs_in(program: &Program<'_>, collected: &Collected<'_, '_>) -> bool {
    let is_foreign = |module: &str| is_foreign_package(&module_name(module));
    let imports = || {
        program.body.iter().any(|statement| match statement {
            Statement::ImportDeclaration(import) => is_foreign(import.source.value.as_str()),
            _ => false,
        })
    };
    let requires = || collected.calls.iter().any(|site| required(site.call).is_some_and(is_foreign));
    names_secret_variable(program.source_text) && (imports() || requires())
}

/// The module that a call requires by a literal.
fn required<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    let Expression::Identifier(name) = call.callee.get_inner_expression() else { return None };
    match call.arguments.first().and_then(Argument::as_expression).map(Expression::get_inner_expression) {
        Some(Expression::StringLiteral(module)) if name.name == "require" => Some(module.value.as_str()),
        _ => None,
    }
}

/// Returns true if and only if a text reads a variable of the environment that is named like a secret.
fn names_secret_variable(text: &str) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    memmem::find_iter(text.as_bytes(), b"env").any(|at| {
        let rest = text.as_bytes().get(at + 3..).unwrap_or_default();
        let from = rest.iter().take_while(|byte| b".[?'\"`(get".contains(byte)).count();
        let name: Vec<u8> = rest.iter().skip(from).copied().take_while(is_name).collect();
        0 < from && 1 < name.len() && std::str::from_utf8(&name).is_ok_and(|name| is_secret_variable(Some(name)))
    })
}

/// Returns true if and only if a statement exports what a host calls.
fn hands_over(statement: &Statement<'_>) -> bool {
    let is_entry = |name: &str| form::entry(&format!("export.{name}")).is_some();
    match statement {
        // `module.exports = async ({ github }) => …`
        Statement::ExpressionStatement(statement) => match statement.expression.get_inner_expression() {
            Expression::AssignmentExpression(assigned) => {
                let right = assigned.right.get_inner_expression();
                match assigned.left.as_member_expression() {
                    Some(left) if left.static_property_name() == Some("exports") => is_named_entry(right) || has_named_entry(right),
                    // `exports.up = async (knex) => …`
                    Some(left) => is_exports(left.object()) && left.static_property_name().is_some_and(|name| is_called(name, right)),
                    None => false,
                }
            }
            _ => false,
        },
        Statement::ExportDefaultDeclaration(export) => match export.declaration.as_expression().map(Expression::get_inner_expression) {
            Some(function) if is_named_entry(function) => true,
            Some(Expression::ObjectExpression(object)) => {
                let keys = object.properties.iter().filter_map(|property| property.as_property()?.key.static_name());
                keys.into_iter().any(|key| is_entry(&format!("default.{key}")))
            }
            _ => false,
        },
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::FunctionDeclaration(function) => function.id.as_ref().is_some_and(|id| is_entry(id.name.as_str())),
            Declaration::VariableDeclaration(variables) => {
                let names = variables.declarations.iter().filter_map(|variable| variable.id.get_binding_identifier());
                names.into_iter().any(|name| is_entry(name.name.as_str()))
            }
            _ => false,
        },
        Statement::BlockStatement(block) => block.body.iter().any(hands_over),
        Statement::FunctionDeclaration(function) => function.body.iter().any(|body| body.statements.iter().any(hands_over)),
        Statement::IfStatement(choice) => hands_over(&choice.consequent) || choice.alternate.as_ref().is_some_and(hands_over),
        Statement::TryStatement(attempt) => attempt.block.body.iter().any(hands_over),
        _ => false,
    }
}

/// Returns true if and only if an expression is what a CommonJS module exports.
fn is_exports(object: &Expression<'_>) -> bool {
    match object.get_inner_expression() {
        Expression::Identifier(name) => name.name == "exports",
        object => object.as_member_expression().is_some_and(|member| member.static_property_name() == Some("exports")),
    }
}

/// Returns true if and only if a module exports an object with a function that a host calls.
fn has_named_entry(exported: &Expression<'_>) -> bool {
    let Expression::ObjectExpression(object) = exported else { return false };
    let properties = object.properties.iter().filter_map(|property| property.as_property());
    properties.into_iter().any(|property| property.key.static_name().is_some_and(|name| is_called(&name, &property.value)))
}

/// Returns true if and only if a host calls a function that is exported under a name.
fn is_called(name: &str, function: &Expression<'_>) -> bool {
    let parameters = parameters_of(function.get_inner_expression());
    let entries = form::entries(&format!("export.{name}"));
    entries.iter().any(|entry| entry.named.is_empty() || parameters.is_some_and(|parameters| are_named(parameters, entry.named)))
}

fn parameters_of<'f, 'a>(function: &'f Expression<'a>) -> Option<&'f FormalParameters<'a>> {
    match function {
        Expression::ArrowFunctionExpression(arrow) => Some(&arrow.params),
        Expression::FunctionExpression(function) => Some(&function.params),
        _ => None,
    }
}

/// Returns true if and only if a function has parameters whose names tell which host calls it.
fn is_named_entry(function: &Expression<'_>) -> bool {
    let Some(parameters) = parameters_of(function) else { return false };
    form::entries("export.default").iter().any(|entry| !entry.named.is_empty() && are_named(parameters, entry.named))
}

/// Calls that load a module, or run a text.
fn calls_one<'a>(callee: &Expression<'a>, arguments: &[Argument<'a>], collected: &Collected<'a, '_>) -> bool {
    let Expression::Identifier(name) = callee.get_inner_expression() else { return false };
    if collected.bindings.symbol(name).is_some() {
        return false;
    }
    let first = arguments.first().and_then(Argument::as_expression).map(Expression::get_inner_expression);
    match name.name.as_str() {
        "require" => match first {
            Some(Expression::StringLiteral(module)) => is_module_of_interest(module.value.as_str()),
            first => first.is_some(),
        },
        "setTimeout" | "setInterval" | "setImmediate" => match first {
            Some(Expression::StringLiteral(_) | Expression::TemplateLiteral(_) | Expression::BinaryExpression(_)) => true,
            Some(Expression::CallExpression(_)) => true,
            Some(Expression::Identifier(name)) => {
                let given = collected.bindings.symbol(name).and_then(|symbol| collected.bindings.constant(symbol));
                match given {
                    Some(Given::Expression(given)) => matches!(
                        given.get_inner_expression(),
                        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) | Expression::BinaryExpression(_)
                    ),
                    Some(Given::Property(..) | Given::Unknown) | None => false,
                }
            }
            _ => false,
        },
        _ => false,
    }
}
