//! Names that the script does not declare: evaluators, host objects, modules.

use oxc_ast::ast::{AssignmentExpression, Expression, IdentifierReference, UnaryExpression};
use oxc_syntax::operator::UnaryOperator;

use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::names::{
    BUILT_IN, EVALUATORS, GLOBAL_OBJECT, HOST, HOST_MODULES, PLAIN_MODULES, PROBED, TRUSTED, WATCHED_MODULES, is_internal,
};
use crate::format::script::span::span_of;
use crate::subject::hazard::{HazardKind, Strength};
use crate::value::span::Span;

impl<'a> Walker<'_, 'a, '_> {
    /// A name that is used as a value.
    pub fn identifier(&mut self, name: &IdentifierReference<'a>) {
        if !self.is_global(name) || self.settled.contains(&span_of(name)) {
            return;
        }
        let text = name.name.as_str();
        let span = span_of(name);
        if EVALUATORS.contains(&text) {
            self.tell(HazardKind::Evaluation, Strength::Clear, span, format!("`{text}` turns text into code"));
        } else if HOST.contains(&text) {
            self.tell(HazardKind::Host, Strength::Clear, span, format!("`{text}` belongs to the host"));
        } else if is_internal(text) {
            self.tell(HazardKind::Host, Strength::Clear, span, format!("`{text}` belongs to the sandbox itself"));
        } else if PROBED.contains(&text) {
            self.tell(HazardKind::Host, Strength::Probing, span, format!("`{text}` is nothing that a script needs that calls tools"));
        }
    }

    /// `typeof process`: asks for something without touching it.
    pub fn is_typeof_probe(&mut self, unary: &UnaryExpression<'a>) -> bool {
        if unary.operator != UnaryOperator::Typeof {
            return false;
        }
        let Some(name) = self.global(&unary.argument) else { return false };
        if EVALUATORS.contains(&name) || HOST.contains(&name) || PROBED.contains(&name) || is_internal(name) {
            self.tell(HazardKind::Host, Strength::Probing, span_of(unary), format!("the script asks whether there is `{name}`"));
        }
        true
    }

    /// `globalThis.fetch = …`, which takes the place of what others trust.
    pub fn replaced(&mut self, assignment: &'a AssignmentExpression<'a>) {
        let Some(member) = assignment.left.as_member_expression() else { return };
        let is_global = self.global(member.object()).is_some_and(|name| GLOBAL_OBJECT.contains(&name));
        if !is_global {
            return;
        }
        for key in self.member_keys(member) {
            if BUILT_IN.contains(&key.as_str()) || TRUSTED.contains(&key.as_str()) {
                let note = format!("`{key}` is replaced for everything that runs after it");
                self.tell(HazardKind::Host, Strength::Clear, span_of(assignment), note);
            }
        }
    }

    /// `module.exports = …`, which is no way out.
    pub fn is_export(&self, assignment: &AssignmentExpression<'a>) -> bool {
        let Some(member) = assignment.left.as_member_expression() else { return false };
        let object = member.object();
        self.global(object) == Some("exports")
            || self.global(object) == Some("module") && member.static_property_name() == Some("exports")
            || object
                .as_member_expression()
                .is_some_and(|inner| self.global(inner.object()) == Some("module") && inner.static_property_name() == Some("exports"))
    }

    /// A module that is loaded while the script runs.
    pub fn loaded(&mut self, source: Option<&Expression<'a>>, span: Span, by: &str) {
        match source.and_then(|source| self.folder.fold(source)) {
            // A file that stands beside the script was handed to the sandbox with it.
            Some(Constant::String(module)) if module.starts_with("./") || module.starts_with("../") => {}
            // What only computes is as good as what the language itself has.
            Some(Constant::String(module)) if PLAIN_MODULES.contains(&module.strip_prefix("node:").unwrap_or(&module)) => {}
            Some(Constant::String(module)) => {
                // A name that is put together hides what it is.
                let is_plain = matches!(source, Some(Expression::StringLiteral(_)));
                let strength = if is_plain { strength(&module) } else { Strength::Clear };
                // What a script does with a module that it names is judged by itself, as where it is imported by a declaration.
                if is_plain && strength == Strength::Probing {
                    return;
                }
                self.tell(HazardKind::Loading, strength, span, format!("`{by}` loads `{module}` from outside the sandbox"));
            }
            _ => self.tell(HazardKind::Loading, Strength::Clear, span, format!("`{by}` loads a module that is not known before it runs")),
        }
    }

    /// A module that is imported by a declaration.
    pub fn imported(&mut self, module: &str, span: Span) {
        if PLAIN_MODULES.contains(&module.strip_prefix("node:").unwrap_or(module)) {
            return;
        }
        if module.starts_with("node:") || HOST_MODULES.contains(&module) {
            self.tell(HazardKind::Loading, strength(module), span, format!("`{module}` belongs to the host"));
        }
    }
}

/// How sure it is that no harmless script loads a module of the host: all that is done with some of them is judged by itself.
fn strength(module: &str) -> Strength {
    if WATCHED_MODULES.contains(&module.strip_prefix("node:").unwrap_or(module)) { Strength::Probing } else { Strength::Clear }
}
