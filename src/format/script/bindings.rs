//! What each name of a script can stand for.

use std::collections::HashMap;

use oxc_ast::ast::{
    AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern, Expression, Function, IdentifierReference,
    PropertyKey,
};
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;

/// Something that a name was given.
#[derive(Clone, Copy)]
pub enum Given<'a> {
    /// The value of an expression.
    Expression(&'a Expression<'a>),
    /// A property of the value of an expression: `const { key: name } = expression`.
    Property(&'a Expression<'a>, &'a str),
    /// Something else: a parameter, an element, a part of a pattern, a changed value.
    Unknown,
}

/// The places of an array whose elements are followed into names.
const PLACES: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];

/// What each name of a script was given, over all assignments.
pub struct Bindings<'a, 's> {
    scoping: &'s Scoping,
    /// What each name was given first; most are given only one thing.
    first: Vec<Option<Given<'a>>>,
    /// What names were given after that.
    later: HashMap<SymbolId, Vec<Given<'a>>>,
    /// The functions that names were declared as.
    functions: HashMap<SymbolId, &'a Function<'a>>,
}

impl<'a, 's> Bindings<'a, 's> {
    /// No name was given anything yet.
    pub fn new(scoping: &'s Scoping) -> Self {
        Self { scoping, first: vec![None; scoping.symbols_len()], later: HashMap::new(), functions: HashMap::new() }
    }

    /// Notes that a name was declared as a function.
    pub fn declare_function(&mut self, symbol: SymbolId, function: &'a Function<'a>) {
        self.functions.insert(symbol, function);
    }

    /// The function that a name was declared as, unless it was given something else, too.
    pub fn function(&self, symbol: SymbolId) -> Option<&'a Function<'a>> {
        self.functions.get(&symbol).copied().filter(|_| self.given(symbol).next().is_none())
    }

    /// The name that a reference means; none for globals.
    pub fn symbol(&self, reference: &IdentifierReference<'a>) -> Option<SymbolId> {
        self.scoping.get_reference(reference.reference_id.get()?).symbol_id()
    }

    /// Returns true if and only if a name stands for one value all the time: nothing is assigned to it, and no other file may.
    pub fn is_fixed(&self, symbol: SymbolId) -> bool {
        !self.scoping.symbol_is_mutated(symbol) && !self.scoping.symbol_flags(symbol).is_import()
    }

    /// Everything that a name was given.
    pub fn given(&self, symbol: SymbolId) -> impl Iterator<Item = Given<'a>> {
        let first = self.first.get(symbol.index()).copied().flatten();
        first.into_iter().chain(self.later.get(&symbol).into_iter().flatten().copied())
    }

    /// The one expression that a name always stands for, if there is one.
    pub fn constant(&self, symbol: SymbolId) -> Option<Given<'a>> {
        let mut given = self.given(symbol);
        let only = given.next()?;
        given.next().is_none().then_some(only)
    }

    /// Returns true if and only if a name is given anything.
    pub fn is_given(&self, symbol: SymbolId) -> bool {
        self.given(symbol).next().is_some()
    }

    /// Notes that a name was given something.
    pub fn give(&mut self, symbol: Option<SymbolId>, given: Given<'a>) {
        let Some(symbol) = symbol else { return };
        match self.first.get_mut(symbol.index()) {
            Some(first @ None) => *first = Some(given),
            Some(Some(_)) => self.later.entry(symbol).or_default().push(given),
            None => {}
        }
    }

    /// Notes what the names of a declaration's pattern are given.
    pub fn declare(&mut self, pattern: &'a BindingPattern<'a>, given: Given<'a>) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => self.give(name.symbol_id.get(), given),
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    self.declare(&property.value, property_of(given, &property.key));
                }
                if let Some(rest) = &object.rest {
                    self.declare(&rest.argument, Given::Unknown);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (at, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        self.declare(element, PLACES.get(at).map_or(Given::Unknown, |place| property_named(given, place)));
                    }
                }
                if let Some(rest) = &array.rest {
                    self.declare(&rest.argument, Given::Unknown);
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                self.declare(&assignment.left, given);
                self.declare(&assignment.left, Given::Expression(&assignment.right));
            }
        }
    }

    /// Notes what the targets of an assignment are given.
    pub fn assign(&mut self, target: &'a AssignmentTarget<'a>, given: Given<'a>) {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                let symbol = self.symbol(name);
                self.give(symbol, given);
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(shorthand) => {
                            let symbol = self.symbol(&shorthand.binding);
                            self.give(symbol, property_named(given, shorthand.binding.name.as_str()));
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            self.assign_maybe(&property.binding, property_of(given, &property.name));
                        }
                    }
                }
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for element in array.elements.iter().flatten() {
                    self.assign_maybe(element, Given::Unknown);
                }
            }
            _ => {}
        }
    }

    fn assign_maybe(&mut self, target: &'a AssignmentTargetMaybeDefault<'a>, given: Given<'a>) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(with_default) => {
                self.assign(&with_default.binding, given);
                self.assign(&with_default.binding, Given::Expression(&with_default.init));
            }
            target => {
                if let Some(target) = target.as_assignment_target() {
                    self.assign(target, given);
                }
            }
        }
    }
}

fn property_of<'a>(given: Given<'a>, key: &'a PropertyKey<'a>) -> Given<'a> {
    match key {
        PropertyKey::StaticIdentifier(name) => property_named(given, name.name.as_str()),
        PropertyKey::StringLiteral(name) => property_named(given, name.value.as_str()),
        _ => Given::Unknown,
    }
}

fn property_named<'a>(given: Given<'a>, key: &'a str) -> Given<'a> {
    match given {
        Given::Expression(expression) => Given::Property(expression, key),
        Given::Property(..) | Given::Unknown => Given::Unknown,
    }
}
