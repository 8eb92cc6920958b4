//! Functions, classes and statements.

use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingIdentifier, BreakStatement, CatchClause, Class, ContinueStatement, Declaration,
    DoWhileStatement, ExportDeclaration, Expression, ForInStatement, ForOfStatement, ForStatement, ForStatementLeft, FormalParameters,
    Function, IfStatement, ImportDeclaration, ImportDeclarationSpecifier, LabeledStatement, ReturnStatement, SwitchStatement,
    TSEnumDeclaration, TSImportEqualsDeclaration, TSModuleReference, TSNamespaceDeclaration, TSQualifiedName, TSTypeName, ThrowStatement,
    TryStatement, VariableDeclarator, WhileStatement, WithStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::cover::Cover;
pub use crate::format::script::cover::around::{Around, FunctionNodes};
use crate::format::script::cover::graph::{Edge, Node, OBJECT};

impl Cover<'_> {
    pub fn new_function(&mut self, parameters: &FormalParameters<'_>, this: Option<Node>) -> (u32, Node) {
        let node = self.object();
        let nodes = FunctionNodes {
            parameters: parameters.items.iter().map(|_| self.graph.node()).collect(),
            rest: parameters.rest.as_ref().map(|_| self.object()),
            arguments: self.object(),
            this: this.unwrap_or_else(|| self.graph.node()),
            returned: self.graph.node(),
            target: self.graph.node(),
            answer: self.graph.plain(),
        };
        let number = self.functions.len() as u32;
        self.functions.push(nodes);
        self.graph.function(node, number);
        (number, node)
    }

    pub fn parameters(&mut self, number: u32, parameters: &FormalParameters<'_>) {
        for (at, parameter) in parameters.items.iter().enumerate() {
            let Some(node) = self.functions[number as usize].parameters.get(at).copied() else { continue };
            if !parameter.decorators.is_empty() {
                let owner = self.this();
                self.decorators(&parameter.decorators, node, owner);
            }
            let value = match &parameter.initializer {
                Some(default) => {
                    let default = self.value(default);
                    self.either(&[node, default])
                }
                None => node,
            };
            self.declare(&parameter.pattern, value);
            if parameter.accessibility.is_some() || parameter.readonly {
                let this = self.this();
                if let Some(name) = parameter.pattern.get_identifier_name() {
                    let owned = self.classes.last().and_then(|class| self.owned.field(*class, name.as_str())).map(str::to_owned);
                    self.write_owned(owned, value);
                    self.write(this, name.as_str(), value);
                }
            }
        }
        if let (Some(rest), Some(node)) = (&parameters.rest, self.functions[number as usize].rest) {
            self.declare(&rest.rest.argument, node);
        }
    }

    /// An arrow function.
    pub fn arrow(&mut self, function: &ArrowFunctionExpression<'_>) -> Node {
        let around = self.innermost();
        let (number, node) = self.new_function(&function.params, around.this);
        let FunctionNodes { returned, answer, .. } = self.functions[number as usize];
        self.around.push(Around { returned: Some(returned), answer: Some(answer), ..around });
        let versions = std::mem::take(&mut self.versions);
        self.parameters(number, &function.params);
        match &function.body {
            ArrowFunctionBody::FunctionBody(body) => self.round(true, |cover| cover.visit_function_body(body)),
            body => {
                if let Some(expression) = body.as_expression() {
                    let value = self.value(expression);
                    self.graph.same(value, returned);
                }
            }
        }
        self.versions = versions;
        self.around.pop();
        node
    }

    /// Any other function.
    pub fn function(&mut self, function: &Function<'_>) -> Node {
        let (number, node) = self.new_function(&function.params, None);
        if let Some(symbol) = function.id.as_ref().and_then(|id| id.symbol_id.get()) {
            let variable = self.variable(symbol);
            self.graph.same(node, variable);
            self.hoisted(symbol, node);
        }
        let FunctionNodes { returned, this, arguments, target, answer, .. } = self.functions[number as usize];
        if function.generator {
            self.graph.mark(returned, OBJECT);
        }
        let parent = self.innermost().parent;
        self.around.push(Around {
            this: Some(this),
            returned: Some(returned),
            arguments: Some(arguments),
            parent,
            target: Some(target),
            answer: Some(answer),
            number: Some(number),
        });
        let versions = std::mem::take(&mut self.versions);
        self.parameters(number, &function.params);
        if let Some(body) = &function.body {
            self.round(true, |cover| cover.visit_function_body(body));
        }
        self.versions = versions;
        self.around.pop();
        node
    }

    /// A function that is declared in a block is known by its name in the function around, too.
    fn hoisted(&mut self, symbol: SymbolId, function: Node) {
        let scoping = self.scoping;
        let scope = scoping.symbol_scope_id(symbol);
        // The grammar that is tried first is strict: what the script is run as, it does not say.
        if scoping.scope_flags(scope).is_var() {
            return;
        }
        let name = scoping.symbol_name(symbol);
        let outer = scoping.scope_ancestors(scope).skip(1).find_map(|scope| scoping.get_binding(scope, name.into()));
        match outer {
            Some(outer) => {
                let variable = self.variable(outer);
                self.graph.same(function, variable);
            }
            None if scoping.root_unresolved_references().keys().any(|unresolved| unresolved.as_str() == name) => {
                let global = self.global(name);
                self.graph.same(function, global);
            }
            None => {}
        }
    }

    /// A member of a namespace.
    fn qualified(&mut self, name: &TSQualifiedName<'_>) -> Node {
        let base = match &name.left {
            TSTypeName::IdentifierReference(name) => self.name(name),
            TSTypeName::QualifiedName(name) => self.qualified(name),
            TSTypeName::ThisExpression(_) => self.this(),
        };
        self.property(base, name.right.name.as_str())
    }

    /// The names of a declaration are members of the namespace around.
    fn export(&mut self, declaration: &Declaration<'_>) {
        let Some(namespace) = self.namespaces.last().copied() else { return };
        let mut names: Vec<(SymbolId, String)> = Vec::new();
        let mut add = |name: &BindingIdentifier<'_>| {
            if let Some(symbol) = name.symbol_id.get() {
                names.push((symbol, name.name.to_string()));
            }
        };
        match declaration {
            Declaration::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    declarator.id.get_binding_identifiers().into_iter().for_each(&mut add);
                }
            }
            Declaration::FunctionDeclaration(function) => function.id.iter().for_each(&mut add),
            Declaration::ClassDeclaration(class) => class.id.iter().for_each(&mut add),
            Declaration::TSEnumDeclaration(declaration) => add(&declaration.id),
            _ => {}
        }
        for (symbol, name) in names {
            let variable = self.variable(symbol);
            self.write(namespace, &name, variable);
        }
    }

    fn each(&mut self, left: &ForStatementLeft<'_>, element: Node) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    if let Some(init) = &declarator.init {
                        let value = self.value(init);
                        self.declare(&declarator.id, value);
                    }
                    self.declare(&declarator.id, element);
                }
            }
            left => {
                if let Some(target) = left.as_assignment_target() {
                    self.assign(target, element);
                }
            }
        }
    }
}

impl<'a> Visit<'a> for Cover<'_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.value(it);
    }

    fn visit_function(&mut self, it: &Function<'a>, _: ScopeFlags) {
        self.function(it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class(it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        match &it.init {
            Some(init) => {
                let value = self.value(init);
                let symbol = it.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
                if let (Some(symbol), Some(text)) = (symbol.filter(|symbol| !self.scoping.symbol_is_mutated(*symbol)), self.key_text(init))
                {
                    self.constants.insert(symbol, text);
                }
                self.declare(&it.id, value);
            }
            None => {
                let nothing = self.graph.node();
                self.declare(&it.id, nothing);
            }
        }
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if let Some(argument) = &it.argument {
            let value = self.value(argument);
            let returned = self.returned();
            self.graph.same(value, returned);
            self.told(returned);
        }
        self.ends(true);
    }

    fn visit_break_statement(&mut self, it: &BreakStatement<'a>) {
        self.ends(it.label.is_some());
    }

    fn visit_continue_statement(&mut self, it: &ContinueStatement<'a>) {
        self.ends(it.label.is_some());
    }

    fn visit_throw_statement(&mut self, it: &ThrowStatement<'a>) {
        let value = self.value(&it.argument);
        let thrown = self.thrown;
        self.graph.same(value, thrown);
        self.ends(true);
    }

    fn visit_try_statement(&mut self, it: &TryStatement<'a>) {
        let read = self.conditions_read.len();
        self.tries += 1;
        self.branch(|cover| cover.visit_block_statement(&it.block));
        self.tries -= 1;
        if let Some(handler) = &it.handler {
            // Which of the conditions in it made it end tells of them.
            let around = self.conditions.len();
            self.conditions.extend(self.conditions_read.get(read..).unwrap_or_default().to_vec());
            self.branch(|cover| cover.visit_catch_clause(handler));
            self.conditions.truncate(around);
        }
        if let Some(finalizer) = &it.finalizer {
            self.visit_block_statement(finalizer);
        }
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        if let Some(parameter) = &it.param {
            let thrown = self.thrown;
            self.declare(&parameter.pattern, thrown);
        }
        self.visit_block_statement(&it.body);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        let list = self.value(&it.right);
        let element = self.element(list);
        self.lap(|cover| {
            cover.each(&it.left, element);
            cover.visit_statement(&it.body);
        });
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        let object = self.value(&it.right);
        let keys = self.graph.node();
        self.graph.edge(object, Edge::Oozes(keys));
        self.lap(|cover| {
            cover.each(&it.left, keys);
            cover.visit_statement(&it.body);
        });
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        let test = self.value(&it.test);
        self.under(test, |cover| {
            cover.branch(|cover| cover.visit_statement(&it.consequent));
            if let Some(alternate) = &it.alternate {
                cover.branch(|cover| cover.visit_statement(alternate));
            }
        });
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.lap(|cover| {
            if let Some(init) = &it.init {
                cover.visit_for_statement_init(init);
            }
            let test = match &it.test {
                Some(test) => cover.value(test),
                None => cover.graph.plain(),
            };
            cover.under(test, |cover| {
                cover.visit_statement(&it.body);
                if let Some(update) = &it.update {
                    cover.value(update);
                }
            });
        });
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.lap(|cover| {
            let test = cover.value(&it.test);
            cover.under(test, |cover| cover.visit_statement(&it.body));
        });
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.lap(|cover| {
            cover.visit_statement(&it.body);
            let test = cover.value(&it.test);
            cover.under(test, |cover| cover.ends(false));
        });
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        let value = self.value(&it.discriminant);
        let answer = self.graph.plain();
        self.graph.edge(value, Edge::Asks(answer));
        if it.cases.iter().any(|case| case.test.as_ref().is_some_and(|test| self.key_text(test).is_none())) {
            self.spelled.insert(answer);
        }
        self.branch(|cover| {
            for case in &it.cases {
                if let Some(test) = &case.test {
                    let test = cover.value(test);
                    cover.graph.edge(test, Edge::Asks(answer));
                }
                cover.under(answer, |cover| {
                    for statement in &case.consequent {
                        cover.visit_statement(statement);
                    }
                });
            }
        });
    }

    fn visit_labeled_statement(&mut self, it: &LabeledStatement<'a>) {
        self.branch(|cover| walk::walk_labeled_statement(cover, it));
    }

    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        let object = self.value(&it.object);
        self.with.push(object);
        self.visit_statement(&it.body);
        self.with.pop();
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        for specifier in it.specifiers.iter().flatten() {
            let module = self.foreign();
            self.module(module, it.source.value.as_str());
            let (local, value) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                    let value = self.property(module, specifier.imported.name().as_str());
                    (&specifier.local, value)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => (&specifier.local, module),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => (&specifier.local, module),
            };
            if let Some(symbol) = local.symbol_id.get() {
                let variable = self.variable(symbol);
                self.graph.same(value, variable);
            }
        }
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        let object = self.object();
        if let Some(symbol) = it.id.symbol_id.get() {
            let variable = self.variable(symbol);
            self.graph.same(object, variable);
        }
        for member in &it.body.members {
            let value = match &member.initializer {
                Some(value) => self.value(value),
                None => self.graph.node(),
            };
            self.write(object, member.id.static_name().as_str(), value);
            // A value is also the name under which its name is read.
            self.graph.edge(value, Edge::Soaks(object));
            // Other members may name it without the enum.
            let global = self.global(member.id.static_name().as_str());
            self.graph.same(value, global);
        }
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        let value = match &it.module_reference {
            TSModuleReference::ExternalModuleReference(reference) => {
                let module = self.foreign();
                self.module(module, reference.expression.value.as_str());
                module
            }
            TSModuleReference::IdentifierReference(name) => self.name(name),
            TSModuleReference::QualifiedName(name) => self.qualified(name),
        };
        if let Some(symbol) = it.id.symbol_id.get() {
            let variable = self.variable(symbol);
            self.graph.same(value, variable);
        }
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        walk::walk_export_declaration(self, it);
        self.export(&it.declaration);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        let namespace = self.object();
        self.namespaces.push(namespace);
        walk::walk_ts_namespace_declaration(self, it);
        self.namespaces.pop();
        if let Some(symbol) = it.id.symbol_id.get() {
            let variable = self.variable(symbol);
            self.graph.same(namespace, variable);
        }
    }
}
