//! What an agent script does against its sandbox, as plain hazards. Ordinary programs are never read by this room.
//!
//! One more walk over the tree tells what is reached for; what it means is judged by the checks.

mod appended;
mod approved;
mod asked;
mod backtracking;
pub mod bounds;
mod branches;
mod calls;
mod commanded;
pub mod dialect;
mod disguise;
mod emitted;
mod entitled;
mod evidence;
mod excluded;
mod exits;
mod functions;
mod globals;
mod grown;
mod growth;
mod guard;
mod hooks;
mod keys;
mod loops;
mod members;
mod names;
mod nodes;
mod patches;
mod pollution;
mod reaction;
mod recursion;
mod sizes;
mod surroundings;
mod tame;
mod unchanged;

use std::collections::HashSet;

use oxc_ast::ast::{
    AssignmentExpression, AssignmentTargetPropertyIdentifier, AssignmentTargetPropertyProperty, BinaryExpression, BindingProperty,
    CallExpression, CatchClause, Class, ComputedMemberExpression, DoWhileStatement, Expression, ForOfStatement, ForStatement, Function,
    IdentifierReference, IfStatement, ImportDeclaration, ImportExpression, LogicalExpression, NewExpression, ObjectExpression,
    ObjectProperty, Program, RegExpLiteral, ReturnStatement, SpreadElement, StaticMemberExpression, ThisExpression, UnaryExpression,
    VariableDeclarator, WhileStatement, WithStatement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Bindings;
use crate::format::script::collect::{Collected, symbols};
use crate::format::script::fold::{Budget, Folder};
use crate::format::script::sandbox::appended::Appended;
use crate::format::script::sandbox::functions::Declared;
use crate::format::script::span::span_of;
use crate::subject::hazard::{Hazard, HazardKind, Strength};
use crate::subject::segment::Segment;
use crate::value::span::Span;

/// Most hazards of each strength that are listed of one script.
const HAZARDS: usize = 1_000;

/// All hazards of an agent script, in order of place.
pub fn hazards<'a>(program: &Program<'a>, collected: &Collected<'a, '_>, segments: &[Segment], budget: &Budget) -> Vec<Hazard> {
    let declared = Declared::of(program);
    let mut walker = Walker {
        bindings: &collected.bindings,
        folder: Folder::new(&collected.bindings, budget),
        declared: &declared,
        appended: appended::appended(program, &collected.bindings),
        caught: HashSet::new(),
        place: Place::Top,
        is_invoked: false,
        is_method: false,
        loops: Vec::new(),
        guards: Vec::new(),
        settled: HashSet::new(),
        told: (0, 0),
        hazards: Vec::new(),
    };
    walker.visit_program(program);
    walker.recursion();
    walker.disguises(segments, program.source_text);
    let mut hazards = walker.hazards;
    hazards.sort_by(|left, right| (left.span, left.kind, right.strength).cmp(&(right.span, right.kind, left.strength)));
    hazards.dedup_by(|later, earlier| later.span == earlier.span && later.kind == earlier.kind);
    hazards
}

/// What `this` belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The script itself.
    Top,
    /// A function that is called as it stands.
    Invoked,
    /// Another function.
    Function,
    /// A method or a class.
    Method,
}

/// Walks an agent script.
struct Walker<'w, 'a, 's> {
    bindings: &'w Bindings<'a, 's>,
    folder: Folder<'w, 'a, 's>,
    declared: &'w Declared<'a>,
    appended: Appended<'a>,
    /// Names of caught errors.
    caught: HashSet<SymbolId>,
    place: Place,
    /// The function that comes next is called as it stands.
    is_invoked: bool,
    /// The function that comes next is a method.
    is_method: bool,
    /// The loops around, each with how often it runs, where that is known.
    loops: Vec<Option<f64>>,
    /// Names that the conditions around ask for.
    guards: Vec<String>,
    /// Places that were judged together with what stands around them.
    settled: HashSet<Span>,
    /// How many hazards of each strength were told, so that many mild ones hide none that is clear.
    told: (usize, usize),
    hazards: Vec<Hazard>,
}

impl<'a> Walker<'_, 'a, '_> {
    fn tell(&mut self, kind: HazardKind, strength: Strength, span: Span, note: impl Into<String>) {
        let told = match strength {
            Strength::Probing => &mut self.told.0,
            Strength::Clear => &mut self.told.1,
        };
        *told += 1;
        if *told <= HAZARDS {
            self.hazards.push(Hazard { kind, span, note: note.into(), strength });
        }
    }

    fn in_place(&mut self, place: Place, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.place, place);
        let loops = std::mem::take(&mut self.loops);
        visit(self);
        self.place = around;
        self.loops = loops;
    }

    fn in_loop(&mut self, times: Option<f64>, visit: impl FnOnce(&mut Self)) {
        self.loops.push(times);
        visit(self);
        self.loops.pop();
    }
}

impl<'a> VisitJs<'a> for Walker<'_, 'a, '_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.identifier(it);
    }

    fn visit_this_expression(&mut self, it: &ThisExpression) {
        if self.settled.contains(&span_of(it)) {
            return;
        }
        match self.place {
            Place::Top => self.tell(HazardKind::Host, Strength::Probing, span_of(it), "`this` at the top is the global object"),
            Place::Invoked => {
                self.tell(HazardKind::Host, Strength::Probing, span_of(it), "`this` of a function called on nothing is the global object")
            }
            Place::Function | Place::Method => {}
        }
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let member: &'a StaticMemberExpression<'a> = self.alloc(it);
        self.static_member(member);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        let member: &'a ComputedMemberExpression<'a> = self.alloc(it);
        self.computed_member(member);
        if !self.is_plain_computed(member) {
            walk_js::walk_computed_member_expression(self, member);
        }
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if !self.is_typeof_probe(it) {
            walk_js::walk_unary_expression(self, it);
        }
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        let binary: &'a BinaryExpression<'a> = self.alloc(it);
        self.power(binary);
        if !self.is_type_test(binary) {
            walk_js::walk_binary_expression(self, binary);
        }
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        let declarator: &'a VariableDeclarator<'a> = self.alloc(it);
        if let Some(init) = &declarator.init {
            self.destructured(&declarator.id, Some(init));
        }
        walk_js::walk_variable_declarator(self, declarator);
    }

    fn visit_binding_property(&mut self, it: &BindingProperty<'a>) {
        let property: &'a BindingProperty<'a> = self.alloc(it);
        self.taken(&property.key, None, span_of(property));
        walk_js::walk_binding_property(self, property);
    }

    fn visit_assignment_target_property_property(&mut self, it: &AssignmentTargetPropertyProperty<'a>) {
        let property: &'a AssignmentTargetPropertyProperty<'a> = self.alloc(it);
        self.taken(&property.name, None, span_of(property));
        walk_js::walk_assignment_target_property_property(self, property);
    }

    fn visit_assignment_target_property_identifier(&mut self, it: &AssignmentTargetPropertyIdentifier<'a>) {
        self.taken_name(it.binding.name.as_str(), false, None, span_of(it));
        walk_js::walk_assignment_target_property_identifier(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let assignment: &'a AssignmentExpression<'a> = self.alloc(it);
        self.grown(assignment);
        if !self.is_export(assignment) && !self.is_use(assignment) {
            self.polluted(assignment);
            self.replaced(assignment);
            self.visit_assignment_target(&assignment.left);
        }
        self.visit_expression(&assignment.right);
    }

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let object: &'a ObjectExpression<'a> = self.alloc(it);
        self.hooked_object(object);
        walk_js::walk_object_expression(self, object);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        let property: &'a ObjectProperty<'a> = self.alloc(it);
        self.written_key(property);
        if self.is_own_hook(&property.key) {
            self.is_method = true;
            self.visit_expression(&property.value);
        } else {
            self.is_method = true;
            walk_js::walk_object_property(self, property);
        }
        self.is_method = false;
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let class: &'a Class<'a> = self.alloc(it);
        self.hooked_class(class);
        self.in_place(Place::Method, |walker| walk_js::walk_class(walker, class));
    }

    fn visit_class_element(&mut self, it: &oxc_ast::ast::ClassElement<'a>) {
        self.is_method = true;
        let element: &'a oxc_ast::ast::ClassElement<'a> = self.alloc(it);
        if let Some(key) = element.property_key().and_then(|key| key.as_expression()).filter(|key| self.is_own_symbol(key)) {
            self.settle(key);
        }
        walk_js::walk_class_element(self, element);
        self.is_method = false;
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let place = match (std::mem::take(&mut self.is_method), std::mem::take(&mut self.is_invoked)) {
            (true, _) => Place::Method,
            (false, true) => Place::Invoked,
            (false, false) => Place::Function,
        };
        self.in_place(place, |walker| walk_js::walk_function(walker, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &oxc_ast::ast::ArrowFunctionExpression<'a>) {
        self.is_method = false;
        self.is_invoked = false;
        let place = self.place;
        self.in_place(place, |walker| walk_js::walk_arrow_function_expression(walker, it));
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        let returns_this = it.argument.as_ref().is_some_and(|argument| matches!(argument, Expression::ThisExpression(_)));
        match self.place {
            Place::Invoked if returns_this => {
                self.tell(HazardKind::Host, Strength::Clear, span_of(it), "a function called on nothing returns the global object");
            }
            Place::Function if returns_this => {
                self.tell(
                    HazardKind::Host,
                    Strength::Probing,
                    span_of(it),
                    "a plain function returns `this`, which may be the global object",
                );
            }
            Place::Top | Place::Invoked | Place::Function | Place::Method => walk_js::walk_return_statement(self, it),
        }
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let call: &'a CallExpression<'a> = self.alloc(it);
        self.call(call);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        let created: &'a NewExpression<'a> = self.alloc(it);
        self.created(created);
        walk_js::walk_new_expression(self, created);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        let import: &'a ImportExpression<'a> = self.alloc(it);
        self.loaded(Some(&import.source), span_of(import), "import()");
        walk_js::walk_import_expression(self, import);
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.imported(it.source.value.as_str(), span_of(it));
    }

    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        self.tell(HazardKind::Host, Strength::Clear, Span::new(it.span.start, it.span.start + 4), "`with` puts an object into the scope");
        walk_js::walk_with_statement(self, it);
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        if let Some(parameter) = &it.param {
            self.caught.extend(symbols(&parameter.pattern));
        }
        walk_js::walk_catch_clause(self, it);
    }

    fn visit_reg_exp_literal(&mut self, it: &RegExpLiteral<'a>) {
        self.pattern(it.regex.pattern.text.as_str(), span_of(it));
    }

    fn visit_spread_element(&mut self, it: &SpreadElement<'a>) {
        let spread: &'a SpreadElement<'a> = self.alloc(it);
        self.taken_whole(&spread.argument, span_of(spread));
        walk_js::walk_spread_element(self, spread);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        let statement: &'a IfStatement<'a> = self.alloc(it);
        self.visit_expression(&statement.test);
        let names = self.asked_for(&statement.test);
        self.guarded(names, |walker| {
            walker.visit_statement(&statement.consequent);
            if let Some(alternate) = &statement.alternate {
                walker.visit_statement(alternate);
            }
        });
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        let choice: &'a LogicalExpression<'a> = self.alloc(it);
        self.visit_expression(&choice.left);
        let names = self.asked_for(&choice.left);
        self.guarded(names, |walker| walker.visit_expression(&choice.right));
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        let statement: &'a WhileStatement<'a> = self.alloc(it);
        self.while_loop(&statement.test, &statement.body, span_of(statement));
        self.in_loop(None, |walker| walk_js::walk_while_statement(walker, statement));
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        let statement: &'a DoWhileStatement<'a> = self.alloc(it);
        self.while_loop(&statement.test, &statement.body, span_of(statement));
        self.in_loop(None, |walker| walk_js::walk_do_while_statement(walker, statement));
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        let statement: &'a ForStatement<'a> = self.alloc(it);
        let times = self.for_loop(statement);
        self.in_loop(times, |walker| walk_js::walk_for_statement(walker, statement));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        let statement: &'a ForOfStatement<'a> = self.alloc(it);
        self.for_of_loop(statement);
        self.in_loop(None, |walker| walk_js::walk_for_of_statement(walker, statement));
    }
}
