//! Fields that the methods of one class alone set, on `this`: what is read there of `this` is what was put there, whichever other class
//! has a field of the same name.
//!
//! The graph knows fields by their names. Where several classes have a `this.key` of their own and one variable may hold an object of
//! any of them, each would read the keys of all. That a script leaves objects of one class to another, by whatever means, makes none of
//! its fields owned.

use oxc_ast::ast::{
    AccessorProperty, ArrowFunctionExpression, AssignmentTarget, BindingPattern, CallExpression, Class, ClassElement, Expression, Function,
    MemberExpression, MethodDefinition, MethodDefinitionKind, Program, PropertyDefinition, SimpleAssignmentTarget, StaticBlock,
};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::span::span_of;
use crate::value::span::Span;

/// What a script can hand objects of one class to another by, or change what they inherit.
const MIXING: &[&str] = &[
    "__proto__",
    "etPrototypeOf",
    ".prototype",
    "Reflect.",
    "defineProp",
    "eval",
    "Function(",
    ".call(",
    ".apply(",
    "Object.create",
    "Object.assign",
    "with (",
    "with(",
];

/// The fields of classes that are their own.
#[derive(Default)]
pub struct Owned {
    /// For members of `this`, the names under which they are kept.
    members: FxHashMap<Span, String>,
    /// All such names.
    fields: FxHashSet<String>,
}

impl Owned {
    /// The name under which a member of `this` is kept, if it is a field of its class alone.
    pub fn member(&self, member: &MemberExpression<'_>) -> Option<&str> {
        self.members.get(&span_of(member)).map(String::as_str)
    }

    /// The name under which a field that a class declares is kept, if it is one of that class alone.
    pub fn field(&self, class: u32, name: &str) -> Option<&str> {
        if self.fields.is_empty() { None } else { self.fields.get(&label(class, name)).map(String::as_str) }
    }
}

fn label(class: u32, name: &str) -> String {
    format!("{class}.{name}")
}

/// The fields of a script's classes that are their own.
pub fn owned(program: &Program<'_>, scoping: &Scoping) -> Owned {
    let text = program.source_text;
    let has = |part: &str| memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some();
    if !has("class") || !has("this.") || MIXING.iter().any(|part| has(part)) {
        return Owned::default();
    }
    let mut search = Search::new(scoping);
    search.visit_program(program);
    search.finish()
}

/// A class as it is written.
#[derive(Default)]
struct Written {
    symbol: Option<SymbolId>,
    methods: FxHashSet<String>,
    /// It extends another one, or is changed by decorators.
    is_open: bool,
}

struct Search<'s> {
    scoping: &'s Scoping,
    classes: FxHashMap<u32, Written>,
    /// Members of `this` in methods, by class.
    members: Vec<(Span, u32, String)>,
    /// Names that are set on anything else, or that stand for functions.
    taken: FxHashSet<String>,
    /// Names of members that are read and not called.
    lent: FxHashSet<String>,
    /// Classes that others extend.
    parents: FxHashSet<SymbolId>,
    /// A class may extend anything.
    is_open: bool,
    /// The class whose instance `this` is.
    this: Vec<Option<u32>>,
    /// Whose instance it is in the function that comes next.
    next: Option<u32>,
    /// Members that are called.
    called: FxHashSet<Span>,
}

impl<'s> Search<'s> {
    fn new(scoping: &'s Scoping) -> Self {
        Self {
            scoping,
            classes: FxHashMap::default(),
            members: Vec::new(),
            taken: FxHashSet::default(),
            lent: FxHashSet::default(),
            parents: FxHashSet::default(),
            is_open: false,
            this: Vec::new(),
            next: None,
            called: FxHashSet::default(),
        }
    }

    fn finish(self) -> Owned {
        let mut owned = Owned::default();
        let known: FxHashSet<SymbolId> = self.classes.values().filter_map(|class| class.symbol).collect();
        // What is extended and is no class that is written out may be one by another name.
        let is_import = |symbol: &SymbolId| self.scoping.symbol_flags(*symbol).is_import();
        if self.is_open || !self.parents.iter().all(|parent| known.contains(parent) || is_import(parent)) {
            return owned;
        }
        let is_own = |class: &Written| {
            !class.is_open && class.symbol.is_none_or(|symbol| !self.parents.contains(&symbol)) && class.methods.is_disjoint(&self.lent)
        };
        let classes: FxHashSet<u32> = self.classes.iter().filter(|(_, class)| is_own(class)).map(|(start, _)| *start).collect();
        for (span, class, name) in self.members {
            if classes.contains(&class) && !self.taken.contains(&name) {
                let label = label(class, &name);
                owned.fields.insert(label.clone());
                owned.members.insert(span, label);
            }
        }
        owned
    }

    fn own_class(&self) -> Option<u32> {
        self.this.last().copied().flatten()
    }

    fn set(&mut self, member: &MemberExpression<'_>) {
        let is_own = matches!(member.object().get_inner_expression(), Expression::ThisExpression(_)) && self.own_class().is_some();
        match member.static_property_name() {
            Some(name) if !is_own || !matches!(member, MemberExpression::StaticMemberExpression(_)) => {
                self.taken.insert(name.to_owned());
            }
            _ => {}
        }
    }

    fn function(&mut self, this: Option<u32>, walk: impl FnOnce(&mut Self)) {
        self.this.push(this);
        walk(self);
        self.this.pop();
    }
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_class(&mut self, class: &Class<'a>) {
        let mut own = Written { symbol: class.id.as_ref().and_then(|id| id.symbol_id.get()), ..Written::default() };
        own.is_open = !class.decorators.is_empty();
        if let Some(heritage) = &class.heritage {
            own.is_open = true;
            match heritage.expression.get_inner_expression() {
                Expression::Identifier(name) => {
                    let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
                    // A global is none of the script's.
                    self.parents.extend(symbol);
                }
                Expression::StaticMemberExpression(_) => {}
                _ => self.is_open = true,
            }
        }
        for element in &class.body.body {
            let name = element.property_key().and_then(|key| key.static_name());
            match element {
                ClassElement::MethodDefinition(method) => {
                    own.is_open |= !method.decorators.is_empty();
                    if method.kind != MethodDefinitionKind::Constructor
                        && let Some(name) = name
                    {
                        self.taken.insert(name.to_string());
                        own.methods.insert(name.to_string());
                    }
                }
                ClassElement::PropertyDefinition(property) => own.is_open |= !property.decorators.is_empty(),
                ClassElement::AccessorProperty(_) => self.taken.extend(name.map(|name| name.to_string())),
                ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => {}
            }
        }
        self.classes.insert(class.span.start, own);
        let around = self.next.replace(class.span.start);
        self.function(None, |search| walk::walk_class(search, class));
        self.next = around;
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        let class = self.next;
        self.visit_property_key(&method.key);
        self.next = if method.r#static { None } else { class };
        self.visit_function(&method.value, ScopeFlags::Function);
        self.next = class;
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        let this = self.next.filter(|_| !property.r#static);
        self.function(this, |search| {
            let around = search.next.take();
            walk::walk_property_definition(search, property);
            search.next = around;
        });
    }

    fn visit_static_block(&mut self, block: &StaticBlock<'a>) {
        let around = self.next.take();
        walk::walk_static_block(self, block);
        self.next = around;
    }

    fn visit_accessor_property(&mut self, property: &AccessorProperty<'a>) {
        let around = self.next.take();
        walk::walk_accessor_property(self, property);
        self.next = around;
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let this = self.next.take();
        self.function(this, |search| walk::walk_function(search, function, flags));
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        // Its `this` is that of what stands around.
        let around = self.next.take();
        walk::walk_arrow_function_expression(self, arrow);
        self.next = around;
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if let Some(member) = call.callee.get_inner_expression().as_member_expression() {
            self.called.insert(span_of(member));
            // `this.run.bind(this)` leaves the method to nobody else.
            let is_this = call.arguments.len() == 1
                && matches!(call.arguments.first().and_then(|first| first.as_expression()), Some(Expression::ThisExpression(_)));
            if member.static_property_name() == Some("bind") {
                match member.object().get_inner_expression().as_member_expression().filter(|_| is_this) {
                    Some(bound) => {
                        self.called.insert(span_of(bound));
                    }
                    None => self.is_open = true,
                }
            }
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_member_expression(&mut self, member: &MemberExpression<'a>) {
        if let Some(name) = member.static_property_name() {
            let is_this = matches!(member.object().get_inner_expression(), Expression::ThisExpression(_));
            if let (true, Some(class), MemberExpression::StaticMemberExpression(_)) = (is_this, self.own_class(), member) {
                self.members.push((span_of(member), class, name.to_owned()));
            }
            if !self.called.contains(&span_of(member)) {
                self.lent.insert(name.to_owned());
            }
        }
        walk::walk_member_expression(self, member);
    }

    fn visit_binding_pattern(&mut self, pattern: &BindingPattern<'a>) {
        if let BindingPattern::ObjectPattern(taken) = pattern {
            self.lent.extend(taken.properties.iter().filter_map(|property| property.key.static_name()).map(|name| name.to_string()));
        }
        walk::walk_binding_pattern(self, pattern);
    }

    fn visit_assignment_target(&mut self, target: &AssignmentTarget<'a>) {
        if let Some(member) = target.as_member_expression() {
            self.set(member);
        }
        walk::walk_assignment_target(self, target);
    }

    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        if let Some(member) = target.as_member_expression() {
            self.set(member);
        }
        walk::walk_simple_assignment_target(self, target);
    }
}
