//! Names under which a script only ever has a getter and a setter: what is written there is what the setter is passed, and what is
//! read there is what the getter returns.

use oxc_ast::ast::{
    AssignmentTarget, Class, ClassElement, Expression, FormalParameter, IdentifierReference, MemberExpression, MethodDefinitionKind,
    ObjectExpression, ObjectPropertyKind, Program, PropertyKind, SimpleAssignmentTarget, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of which that holds.
pub fn parted(program: &Program<'_>, scoping: &Scoping) -> FxHashSet<String> {
    let text = program.source_text;
    if !declares(text, "set ") || !declares(text, "get ") {
        return FxHashSet::default();
    }
    let mut names = Names {
        scoping,
        kinds: FxHashMap::default(),
        writes: Vec::new(),
        made: FxHashMap::default(),
        classes: Vec::new(),
        around: Vec::new(),
    };
    names.visit_program(program);
    let is_set_there = |owner: Option<&Owner>, name: &str| match owner {
        Some(Owner::Class(symbol)) => names.classes.iter().any(|(class, own)| class == symbol && own.contains(name)),
        Some(Owner::Accessors(own)) => own.contains(name),
        None => false,
    };
    let is_parted = |name: &str, kinds: Kinds| {
        let mut writes = names.writes.iter().filter(|write| write.name == name);
        kinds.gets
            && kinds.sets
            && !kinds.is_plain
            && writes.all(|write| match &write.base {
                Base::This(own) => own.contains(name),
                Base::Variable(symbol) => is_set_there(names.made.get(symbol), name),
                Base::Other => false,
            })
    };
    names.kinds.iter().filter(|(name, kinds)| is_parted(name, **kinds)).map(|(name, _)| name.clone()).collect()
}

/// Returns true if and only if a word may declare an accessor somewhere in a text: a name and a parenthesis follow.
fn declares(text: &str, word: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), word).any(|at| {
        let behind = text.as_bytes().get(at + word.len()..).unwrap_or_default();
        let name = behind.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#')).count();
        0 < name && behind.get(name) == Some(&b'(')
    })
}

/// The name of the field in which lies what a setter of a name is passed.
pub fn passed_to(name: &str) -> String {
    format!("{name}=")
}

/// How something stands under a name.
#[derive(Clone, Copy, Default)]
struct Kinds {
    gets: bool,
    sets: bool,
    /// As a plain property or a method.
    is_plain: bool,
}

/// What a variable is made as, once.
enum Owner {
    /// An instance of a class.
    Class(SymbolId),
    /// An object with these setters.
    Accessors(FxHashSet<String>),
}

/// On what a property is set.
enum Base {
    /// `this`, of a class or object with these setters.
    This(FxHashSet<String>),
    Variable(SymbolId),
    Other,
}

struct Write {
    name: String,
    base: Base,
}

struct Names<'s> {
    scoping: &'s Scoping,
    kinds: FxHashMap<String, Kinds>,
    writes: Vec<Write>,
    made: FxHashMap<SymbolId, Owner>,
    /// The classes that have names, with their setters.
    classes: Vec<(SymbolId, FxHashSet<String>)>,
    /// The setters of the classes and objects around.
    around: Vec<FxHashSet<String>>,
}

impl Names<'_> {
    fn kind(&mut self, name: Option<impl AsRef<str>>) -> Option<&mut Kinds> {
        name.map(|name| self.kinds.entry(name.as_ref().to_owned()).or_default())
    }

    fn symbol(&self, name: &IdentifierReference<'_>) -> Option<SymbolId> {
        name.reference_id.get().and_then(|reference| self.scoping.get_reference(reference).symbol_id())
    }

    fn written(&mut self, member: &MemberExpression<'_>) {
        let Some(name) = member.static_property_name() else { return };
        let base = match member.object().get_inner_expression() {
            Expression::ThisExpression(_) => Base::This(self.around.last().cloned().unwrap_or_default()),
            Expression::Identifier(base) => self.symbol(base).map_or(Base::Other, Base::Variable),
            _ => Base::Other,
        };
        let base = if matches!(member, MemberExpression::StaticMemberExpression(_)) { base } else { Base::Other };
        self.writes.push(Write { name: name.to_owned(), base });
    }
}

fn setters_of_class(class: &Class<'_>) -> FxHashSet<String> {
    let setter = |element: &ClassElement<'_>| match element {
        ClassElement::MethodDefinition(method) if method.kind == MethodDefinitionKind::Set && !method.r#static => {
            method.key.static_name().map(|name| name.to_string())
        }
        _ => None,
    };
    class.body.body.iter().filter_map(setter).collect()
}

fn setters_of_object(object: &ObjectExpression<'_>) -> FxHashSet<String> {
    let setter = |property: &ObjectPropertyKind<'_>| match property {
        ObjectPropertyKind::ObjectProperty(property) if property.kind == PropertyKind::Set => {
            property.key.static_name().map(|name| name.to_string())
        }
        _ => None,
    };
    object.properties.iter().filter_map(setter).collect()
}

impl<'a> Visit<'a> for Names<'_> {
    fn visit_class(&mut self, class: &Class<'a>) {
        let setters = setters_of_class(class);
        if let Some(symbol) = class.id.as_ref().and_then(|id| id.symbol_id.get()) {
            self.classes.push((symbol, setters.clone()));
        }
        for element in &class.body.body {
            let name = element.property_key().and_then(|key| key.static_name());
            let Some(kinds) = self.kind(name) else { continue };
            match element {
                ClassElement::MethodDefinition(method) if !method.r#static && method.kind == MethodDefinitionKind::Get => kinds.gets = true,
                ClassElement::MethodDefinition(method) if !method.r#static && method.kind == MethodDefinitionKind::Set => kinds.sets = true,
                ClassElement::MethodDefinition(method) if method.kind == MethodDefinitionKind::Constructor => {}
                _ => kinds.is_plain = true,
            }
        }
        self.around.push(setters);
        walk::walk_class(self, class);
        self.around.pop();
    }

    fn visit_object_expression(&mut self, object: &ObjectExpression<'a>) {
        for property in &object.properties {
            if let ObjectPropertyKind::ObjectProperty(property) = property
                && let Some(kinds) = self.kind(property.key.static_name())
            {
                match property.kind {
                    PropertyKind::Get => kinds.gets = true,
                    PropertyKind::Set => kinds.sets = true,
                    PropertyKind::Init => kinds.is_plain = true,
                }
            }
        }
        self.around.push(setters_of_object(object));
        walk::walk_object_expression(self, object);
        self.around.pop();
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if (parameter.accessibility.is_some() || parameter.readonly)
            && let Some(kinds) = self.kind(parameter.pattern.get_identifier_name())
        {
            kinds.is_plain = true;
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        let symbol = declarator.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
        if let Some(symbol) = symbol.filter(|symbol| !self.scoping.symbol_is_mutated(*symbol)) {
            match declarator.init.as_ref().map(Expression::get_inner_expression) {
                Some(Expression::NewExpression(new)) => {
                    if let Expression::Identifier(class) = new.callee.get_inner_expression()
                        && let Some(class) = self.symbol(class)
                    {
                        self.made.insert(symbol, Owner::Class(class));
                    }
                }
                Some(Expression::ObjectExpression(object)) => {
                    self.made.insert(symbol, Owner::Accessors(setters_of_object(object)));
                }
                _ => {}
            }
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_assignment_target(&mut self, target: &AssignmentTarget<'a>) {
        if let Some(member) = target.as_member_expression() {
            self.written(member);
        }
        walk::walk_assignment_target(self, target);
    }

    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        if let Some(member) = target.as_member_expression() {
            self.written(member);
        }
        walk::walk_simple_assignment_target(self, target);
    }
}
