//! Statements: what they do to the state, and where the script goes on after them.

use oxc_ast::ast::{
    BlockStatement, Declaration, ExportDefaultDeclarationKind, Expression, ForStatementInit, IfStatement, ImportDeclaration,
    ImportDeclarationSpecifier, ModuleDeclaration, Statement, SwitchStatement, TSModuleReference, TSNamespaceDeclaration,
    TSNamespaceDeclarationBody, TryStatement, VariableDeclaration, VariableDeclarationKind,
};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::heap::{Code, Left, ObjectKind, Place};
use crate::format::script::interpret::idle::is_idle;
use crate::format::script::interpret::taint::{Change, Taint};
use crate::format::script::interpret::value::Val;
use crate::format::script::js::constant::Constant;
use crate::format::script::span::span_of;
use crate::value::span::Span;

/// Where a script can go on after a statement, as a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends(u8);

impl Ends {
    /// In no way yet.
    pub const NOWHERE: Self = Self(0);
    /// With the next statement.
    pub const NEXT: Self = Self(1);
    /// Behind the loop or switch around it.
    pub const BREAK: Self = Self(2);
    /// With the next round of the loop around it.
    pub const CONTINUE: Self = Self(4);
    /// Behind the function: it returned or threw.
    pub const END: Self = Self(8);

    /// Either way.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if and only if the next statement may run.
    pub fn goes_on(self) -> bool {
        self.0 & Self::NEXT.0 != 0
    }

    /// Returns true if and only if the round of the loop may be left.
    pub fn leaves_loop(self) -> bool {
        self.0 & (Self::BREAK.0 | Self::CONTINUE.0) != 0
    }

    /// Returns true if and only if the loop may go on with its next round.
    pub fn continues(self) -> bool {
        self.0 & Self::CONTINUE.0 != 0
    }

    /// Returns true if and only if the loop may be left for what is behind it.
    pub fn breaks(self) -> bool {
        self.0 & Self::BREAK.0 != 0
    }

    /// Returns true if and only if the function may be left.
    pub fn leaves_function(self) -> bool {
        self.0 & Self::END.0 != 0
    }

    /// Behind a loop it no longer matters how its rounds were left.
    #[must_use]
    pub fn without_loop(self) -> Self {
        Self(self.0 & !(Self::BREAK.0 | Self::CONTINUE.0))
    }
}

impl<'a> Interpreter<'a> {
    /// Makes the functions that a list of statements declares: they can be called before they stand.
    pub fn hoist(&mut self, statements: &'a [Statement<'a>]) {
        for statement in statements {
            let function = match statement {
                Statement::FunctionDeclaration(function) => Some(function),
                Statement::ExportDeclaration(export) => match &export.declaration {
                    Declaration::FunctionDeclaration(function) => Some(function),
                    _ => None,
                },
                Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => Some(function),
                    _ => None,
                },
                _ => None,
            };
            let Some(function) = function else { continue };
            let value = self.closure(Code::Function(function));
            if let Some(id) = &function.id
                && let Some(symbol) = id.symbol_id.get()
            {
                self.write(symbol, value, span_of(id));
            }
        }
    }

    /// Runs statements in order.
    pub fn statements(&mut self, statements: &'a [Statement<'a>]) -> Ends {
        let around = self.control;
        let mut ends = Ends::NEXT;
        for statement in statements {
            if self.is_exhausted {
                break;
            }
            let one = self.statement(statement);
            ends = Ends(ends.0 & !Ends::NEXT.0).or(one);
            if !one.goes_on() {
                break;
            }
        }
        self.control = around;
        ends
    }

    fn block(&mut self, block: &'a BlockStatement<'a>) -> Ends {
        self.hoist(&block.body);
        self.statements(&block.body)
    }

    pub fn statement(&mut self, statement: &'a Statement<'a>) -> Ends {
        if !self.spend() || super::DEPTH < self.depth {
            self.exhaust(Bound::Depth);
            return Ends::NEXT;
        }
        self.depth += 1;
        let ends = self.statement_inner(statement);
        self.depth -= 1;
        ends
    }

    fn statement_inner(&mut self, statement: &'a Statement<'a>) -> Ends {
        match statement {
            Statement::BlockStatement(block) => self.block(block),
            Statement::ExpressionStatement(statement) => {
                self.evaluate(&statement.expression);
                self.after_expression(&statement.expression)
            }
            Statement::IfStatement(statement) => self.if_statement(statement),
            Statement::ReturnStatement(statement) => {
                let value = statement.argument.as_ref().map_or(Val::UNDEFINED, |argument| self.evaluate(argument));
                if self.frames.len() == 1 {
                    self.note_rendered(value, span_of(&**statement));
                }
                if let Some(frame) = self.frames.last() {
                    let returned = self.values.join(frame.returned, value);
                    if let Some(frame) = self.frames.last_mut() {
                        frame.returned = returned;
                        frame.returns += 1;
                    }
                }
                Ends::END
            }
            Statement::ThrowStatement(statement) => {
                let value = self.evaluate(&statement.argument);
                self.thrown = self.values.join(self.thrown, value);
                Ends::END
            }
            Statement::BreakStatement(statement) if statement.label.is_some() => Ends::BREAK.or(Ends::CONTINUE),
            Statement::BreakStatement(_) => Ends::BREAK,
            Statement::ContinueStatement(statement) if statement.label.is_some() => Ends::BREAK.or(Ends::CONTINUE),
            Statement::ContinueStatement(_) => Ends::CONTINUE,
            Statement::LabeledStatement(statement) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.left.push(Vec::new());
                }
                let ends = self.within(Left::Label, |inner| inner.statement(&statement.body));
                self.leave_loop();
                if ends.goes_on() { ends } else { ends.or(Ends::NEXT) }
            }
            Statement::SwitchStatement(statement) => self.switch(statement),
            Statement::TryStatement(statement) => self.try_statement(statement),
            Statement::WhileStatement(statement) => self.repeat(Some(&statement.test), None, &statement.body, true),
            Statement::DoWhileStatement(statement) => self.repeat(Some(&statement.test), None, &statement.body, false),
            Statement::ForStatement(statement) => {
                match &statement.init {
                    Some(ForStatementInit::VariableDeclaration(declaration)) => self.variables(declaration),
                    Some(init) => {
                        if let Some(init) = init.as_expression() {
                            self.evaluate(init);
                        }
                    }
                    None => {}
                }
                self.repeat(statement.test.as_ref(), statement.update.as_ref(), &statement.body, true)
            }
            Statement::ForOfStatement(statement) => self.for_each(&statement.left, &statement.right, &statement.body, true),
            Statement::ForInStatement(statement) => self.for_each(&statement.left, &statement.right, &statement.body, false),
            Statement::WithStatement(statement) => {
                self.evaluate(&statement.object);
                self.statement(&statement.body)
            }
            Statement::VariableDeclaration(declaration) => {
                self.variables(declaration);
                Ends::NEXT
            }
            Statement::ClassDeclaration(class) => {
                self.class(class);
                Ends::NEXT
            }
            Statement::FunctionDeclaration(_) | Statement::EmptyStatement(_) | Statement::DebuggerStatement(_) => Ends::NEXT,
            statement => {
                self.module_item(statement);
                Ends::NEXT
            }
        }
    }

    /// `process.exit()` and its like end the script.
    fn after_expression(&mut self, expression: &'a Expression<'a>) -> Ends {
        let Expression::CallExpression(call) = expression else { return Ends::NEXT };
        let Some(member) = call.callee.as_member_expression() else { return Ends::NEXT };
        let is_exit = member.static_property_name() == Some("exit") && member.object().is_specific_id("process");
        if is_exit { Ends::END } else { Ends::NEXT }
    }

    /// `let`, `const`, `var`, `using`.
    fn variables(&mut self, declaration: &'a VariableDeclaration<'a>) {
        for declarator in &declaration.declarations {
            if let (oxc_ast::ast::BindingPattern::BindingIdentifier(id), Some(init)) = (&declarator.id, &declarator.init) {
                self.note_name(init, id.name.as_str());
            }
            let value = match &declarator.init {
                Some(init) => self.evaluate(init),
                None if declaration.kind == VariableDeclarationKind::Var => continue,
                None => Val::UNDEFINED,
            };
            if matches!(declaration.kind, VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing) {
                self.dispose_later(value, span_of(declarator));
            }
            self.declare(&declarator.id, value);
        }
    }

    /// What a variable of `using` holds is disposed of at the end.
    fn dispose_later(&mut self, value: Val, span: Span) {
        for name in ["@@dispose", "@@asyncDispose"] {
            let method = self.property(value, name, Span::default());
            if self.is_function(method) {
                let context = self.new_context();
                let bound = ObjectKind::Bound { target: method, this: value, arguments: [].into() };
                let bound = self.heap.allocate(span.start, context, 25, bound);
                let bound = self.values.object(bound);
                if !self.deferred.add(bound, Vec::new(), &mut self.values) {
                    self.exhaust(Bound::Later);
                }
            }
        }
    }

    /// Notes the name that a function expression is given.
    pub fn note_name(&mut self, expression: &Expression<'a>, name: &str) {
        let start = match expression.get_inner_expression() {
            Expression::ArrowFunctionExpression(function) => function.span.start,
            Expression::FunctionExpression(function) => function.span.start,
            _ => return,
        };
        self.recorder.names.entry(start).or_insert_with(|| name.to_owned());
    }

    fn if_statement(&mut self, statement: &'a IfStatement<'a>) -> Ends {
        let test = self.evaluate(&statement.test);
        match self.truth(test) {
            Some(true) => return self.statement(&statement.consequent),
            Some(false) => return statement.alternate.as_ref().map_or(Ends::NEXT, |alternate| self.statement(alternate)),
            None => {}
        }
        // What holds of everything, and whether a file has a variable, decides nothing.
        let asked = self.asked_variable(&statement.test);
        let control = if asked.is_some() || is_idle(&statement.test) { Taint::NONE } else { self.decided_by(&statement.test, test) };
        let (then, otherwise) = self.under(control, |interpreter| {
            interpreter.either(
                |interpreter| {
                    interpreter.narrow(&statement.test, true);
                    let around = interpreter.asked.len();
                    interpreter.asked.extend(asked);
                    let ends = interpreter.leaving(&statement.consequent, |inner| inner.statement(&statement.consequent));
                    interpreter.asked.truncate(around);
                    ends
                },
                |interpreter| {
                    interpreter.narrow(&statement.test, false);
                    statement.alternate.as_ref().map_or(Ends::NEXT, |alternate| interpreter.statement(alternate))
                },
            )
        });
        if !then.goes_on() || !otherwise.goes_on() {
            // What follows happens only on one way.
            self.control = self.values.taints.union(self.control, control);
        }
        then.or(otherwise)
    }

    /// The data on which a condition depends.
    pub fn condition(&mut self, test: Val) -> Taint {
        let (taint, _) = self.carried(test);
        self.values.changed(taint, Change::Bit)
    }

    /// Runs two branches of which one is taken, and joins what they write.
    fn either(&mut self, first: impl FnOnce(&mut Self) -> Ends, second: impl FnOnce(&mut Self) -> Ends) -> (Ends, Ends) {
        let (start, made) = (self.returns(), self.heap.count());
        let mark = self.heap.branch();
        let one = first(self);
        let left = self.heap.undo(mark);
        let between = self.returns();
        let mark = self.heap.branch();
        let other = second(self);
        let right = self.heap.undo(mark);
        let end = self.returns();
        self.heap.note_made(made);
        match (one.goes_on(), other.goes_on()) {
            (true, true) => {
                self.heap.join_either(&left, &right, &mut self.values);
                // A branch may go on and also leave.
            }
            (true, false) => {
                self.note_leaving(other, between < end, &right);
                self.heap.apply(&left);
                self.end(other, right);
            }
            (false, true) => {
                self.note_leaving(one, start < between, &left);
                self.heap.apply(&right);
                self.end(one, left);
            }
            (false, false) => {
                self.heap.join_either(&left, &right, &mut self.values);
            }
        }
        (one, other)
    }

    /// How many statements that return the function that is run has met.
    fn returns(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.returns)
    }

    fn switch(&mut self, statement: &'a SwitchStatement<'a>) -> Ends {
        let value = self.evaluate(&statement.discriminant);
        let control = self.condition(value);
        let known = self.values.known(value.id);
        let ends = self.within(Left::Loop, |inner| inner.cases(statement, known.as_ref(), control));
        self.leave_loop();
        if ends.breaks() || ends.goes_on() { ends.without_break().or(Ends::NEXT) } else { ends }
    }

    fn cases(&mut self, statement: &'a SwitchStatement<'a>, known: Option<&Constant>, control: Taint) -> Ends {
        if let Some(frame) = self.frames.last_mut() {
            frame.left.push(Vec::new());
        }
        let mut start = None;
        let mut is_told = known.is_some();
        if known.is_some() {
            for (at, case) in statement.cases.iter().enumerate() {
                let Some(test) = &case.test else { continue };
                let test = self.evaluate(test);
                match self.values.known(test.id) {
                    Some(test) if Some(&test) == known => {
                        start = Some(at);
                        break;
                    }
                    Some(_) => {}
                    None => {
                        is_told = false;
                        break;
                    }
                }
            }
            if start.is_none() && is_told {
                start = statement.cases.iter().position(|case| case.test.is_none());
            }
        }
        if let Some(start) = start {
            let mut ends = Ends::NEXT;
            for case in statement.cases.iter().skip(start) {
                let one = self.statements(&case.consequent);
                ends = Ends(ends.0 & !Ends::NEXT.0).or(one);
                if !one.goes_on() {
                    break;
                }
            }
            ends
        } else {
            let mut ends = Ends::NEXT;
            self.under(control, |interpreter| {
                for case in &statement.cases {
                    if let Some(test) = &case.test {
                        interpreter.evaluate(test);
                    }
                    let (one, _) = interpreter.either(|inner| inner.statements(&case.consequent), |_| Ends::NEXT);
                    ends = ends.or(one);
                }
            });
            ends
        }
    }

    /// Joins what the branches wrote that left the innermost loop or switch.
    pub fn leave_loop(&mut self) {
        if let Some(writes) = self.frames.last_mut().and_then(|frame| frame.left.pop()) {
            self.heap.join(&writes, &mut self.values, false);
        }
    }

    fn try_statement(&mut self, statement: &'a TryStatement<'a>) -> Ends {
        let around = std::mem::replace(&mut self.thrown, Val::NEVER);
        let mark = self.heap.branch();
        self.tried.push(Vec::new());
        let block = self.block(&statement.block);
        let left = self.tried.pop().unwrap_or_default();
        let between = self.heap.held_between(mark);
        let writes = self.heap.undo(mark);
        let thrown = std::mem::replace(&mut self.thrown, around);
        let mut ends = block;
        if let Some(handler) = &statement.handler {
            // It can throw anywhere in the block, after any of the writes.
            let mark = self.heap.branch();
            self.heap.join(&writes, &mut self.values, false);
            self.heap.join(&left, &mut self.values, false);
            self.heap.join(&between, &mut self.values, false);
            if let Some(parameter) = &handler.param {
                let value = self.values.join(thrown, Val::UNKNOWN);
                self.declare(&parameter.pattern, value);
            }
            let caught = self.block(&handler.body);
            let handled = self.heap.undo(mark);
            match (block.goes_on(), caught.goes_on()) {
                (true, true) | (false, false) => self.heap.join_either(&writes, &handled, &mut self.values),
                (true, false) => {
                    self.heap.apply(&writes);
                    self.end(caught, handled);
                }
                (false, true) => {
                    self.heap.apply(&handled);
                    self.end(block, writes);
                }
            }
            ends = block.or(caught);
        } else {
            self.heap.apply(&writes);
            self.thrown = self.values.join(self.thrown, thrown);
        }
        if let Some(finalizer) = &statement.finalizer {
            let last = self.block(finalizer);
            if !last.goes_on() {
                return last;
            }
        }
        ends
    }

    /// Imports, exports and what TypeScript adds.
    fn module_item(&mut self, statement: &'a Statement<'a>) {
        match statement {
            Statement::TSEnumDeclaration(declaration) => {
                let object = self.allocate(declaration.span.start, ObjectKind::Plain(None));
                for member in &declaration.body.members {
                    let value = member.initializer.as_ref().map_or(Val::UNKNOWN, |value| self.evaluate(value));
                    let key = self.values.texts.intern(member.id.static_name().as_str());
                    self.heap.set(Place::Field(object, key), value);
                }
                let value = self.values.object(object);
                if let Some(symbol) = declaration.id.symbol_id.get() {
                    self.write(symbol, value, span_of(&declaration.id));
                }
            }
            Statement::TSNamespaceDeclaration(declaration) => {
                self.namespace(declaration);
            }
            Statement::TSImportEqualsDeclaration(declaration) => {
                if let TSModuleReference::ExternalModuleReference(reference) = &declaration.module_reference {
                    let value = self.module(reference.expression.value.as_str());
                    if let Some(symbol) = declaration.id.symbol_id.get() {
                        self.write(symbol, value, span_of(&declaration.id));
                    }
                }
            }
            statement => {
                if let Some(declaration) = statement.as_module_declaration() {
                    self.module_declaration(declaration);
                }
            }
        }
    }

    /// Runs the body of a namespace; what it exports becomes fields of its object.
    fn namespace(&mut self, declaration: &'a TSNamespaceDeclaration<'a>) -> Val {
        let object = self.allocate(declaration.span.start, ObjectKind::Plain(None));
        let value = self.values.object(object);
        if let Some(symbol) = declaration.id.symbol_id.get() {
            self.write(symbol, value, span_of(&declaration.id));
        }
        match &declaration.body {
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                let inner_value = self.namespace(inner);
                let key = self.values.texts.intern(inner.id.name.as_str());
                self.heap.set(Place::Field(object, key), inner_value);
            }
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                let before = self.exports.len();
                self.hoist(&block.body);
                self.statements(&block.body);
                let made = self.exports.split_off(before.min(self.exports.len()));
                for (name, value) in made {
                    let key = self.values.texts.intern(name.strip_prefix("export.").unwrap_or(&name));
                    self.heap.set(Place::Field(object, key), value);
                }
            }
        }
        value
    }

    fn module_declaration(&mut self, declaration: &'a ModuleDeclaration<'a>) {
        match declaration {
            ModuleDeclaration::ImportDeclaration(import) => self.import(import),
            ModuleDeclaration::ExportDeclaration(export) => match &export.declaration {
                Declaration::VariableDeclaration(declaration) => {
                    self.variables(declaration);
                    for identifier in declaration.declarations.iter().filter_map(|declarator| declarator.id.get_binding_identifier()) {
                        self.export_variable(identifier);
                    }
                }
                Declaration::FunctionDeclaration(function) => {
                    if let Some(identifier) = &function.id {
                        self.export_variable(identifier);
                    }
                }
                Declaration::ClassDeclaration(class) => {
                    let value = self.class(class);
                    if let Some(name) = &class.id {
                        self.export(name.name.as_str(), value);
                    }
                }
                _ => {}
            },
            ModuleDeclaration::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                    let value = self.class(class);
                    self.export("default", value);
                }
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    let value = self.closure(Code::Function(function));
                    self.export("default", value);
                }
                declaration => {
                    if let Some(expression) = declaration.as_expression() {
                        let value = self.evaluate(expression);
                        self.export("default", value);
                    }
                }
            },
            ModuleDeclaration::TSExportAssignment(export) => {
                self.evaluate(&export.expression);
            }
            _ => {}
        }
    }

    fn import(&mut self, import: &'a ImportDeclaration<'a>) {
        let source = import.source.value.as_str();
        let module = self.module(source);
        for specifier in import.specifiers.iter().flatten() {
            let (local, value) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                    let key = specifier.imported.name();
                    let name = if key == "default" { specifier.local.name.as_str() } else { key.as_str() };
                    let value = match self.own_client(source, name, span_of(&**specifier)) {
                        Some(own) => own,
                        None if key == "default" => module,
                        None => self.property(module, key.as_str(), span_of(&**specifier)),
                    };
                    (&specifier.local, value)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => {
                    (&specifier.local, self.own_client(source, specifier.local.name.as_str(), span_of(&**specifier)).unwrap_or(module))
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => (&specifier.local, module),
            };
            if let Some(symbol) = local.symbol_id.get() {
                self.write(symbol, value, Span::new(local.span.start, local.span.end));
            }
        }
    }
}

impl Ends {
    fn without_break(self) -> Self {
        Self(self.0 & !Self::BREAK.0)
    }
}
