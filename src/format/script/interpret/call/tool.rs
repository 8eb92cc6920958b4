//! Calls of tools.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::record::ToolSite;
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge::requested::{OPERATION_KEYS, operation};
use crate::value::span::Span;

/// The functions by which agent scripts call tools.
pub const TOOL_FUNCTIONS: &[&str] = &["callTool", "__safe_callTool"];

/// What stands before the path of a function that calls tools, where a function of the script itself goes by its name.
pub const REDEFINED: &str = "redefined.";

/// How many callers tell one call of a wrapper from another.
pub const CALLERS: usize = 3;

impl<'a> Interpreter<'a> {
    pub fn is_named(&self, name: &str) -> bool {
        self.named.whole.contains(name)
    }

    /// Returns true if and only if a path is that of a function that calls tools.
    pub fn is_tool_function(&self, path: &str) -> bool {
        let last = path.rsplit('.').next().unwrap_or(path);
        TOOL_FUNCTIONS.contains(&last) || self.named.ends(path)
    }

    /// Calls by the name of a function that calls tools a function of the script: it calls a tool besides, if one is named. Of
    /// a name that is not known the function itself says what becomes of it.
    pub fn call_redefined(&mut self, arguments: &Arguments, span: Span) -> Val {
        let (tool, _) = self.tool_and_passed(arguments);
        let is_named = self.values.atoms(tool.id).iter().any(|atom| matches!(atom, Atom::Text(_)));
        if is_named { self.call_tool(arguments, span) } else { Val::NEVER }
    }

    /// Which tool is called, and with what.
    fn tool_and_passed(&mut self, arguments: &Arguments) -> (Val, Arguments) {
        let (tool, passed) = (arguments.get(0), arguments.skip(1));
        if arguments.known.len() != 1 || arguments.rest.is_some() {
            return (tool, passed);
        }
        let [Atom::Object(object)] = &*self.values.atoms(tool.id) else { return (tool, passed) };
        // As in SDKs: `client.callTool({ name, arguments })`.
        let object = *object;
        let Some(named) = ["name", "tool", "toolName"].iter().find_map(|key| self.own_or_inherited(object, key)) else {
            return (tool, passed);
        };
        let argument = ["arguments", "args", "input", "params"].iter().find_map(|key| self.own_or_inherited(object, key));
        (named, Arguments::of(argument.into_iter().collect()))
    }

    /// Calls a tool: notes it, and returns its result.
    pub fn call_tool(&mut self, arguments: &Arguments, span: Span) -> Val {
        self.call_tool_of(arguments, span, false)
    }

    /// Calls a tool, by a client of servers that the program has made or not: which tool that hands on where no text names it, its
    /// own callers or its model choose.
    pub fn call_tool_of(&mut self, arguments: &Arguments, span: Span, is_of_client: bool) -> Val {
        self.recorder.agent_calls += 1;
        let (tool, passed) = self.tool_and_passed(arguments);
        let site = self.tool_site(span);
        let shape = self.values.shape(tool.id).clone();
        let mut result = Val::NEVER;
        for atom in shape.atoms.iter().filter(|atom| matches!(atom, Atom::Text(_))) {
            let one = self.values.atom(*atom);
            let one = self.used_as(one, &passed).unwrap_or(one);
            let one = self.values.with_taint(one, shape.taint).through(tool.via);
            let index = self.record_tool(site, one, &passed);
            let one = self.tool_result(index, &passed);
            result = self.joined_with_way(result, one);
        }
        // Of a table that has no entry of a name nothing is called: `TOOLS[kind]`.
        let names = |atom: &Atom| matches!(atom, Atom::Text(_));
        let is_known = !shape.is_open
            && shape.atoms.iter().any(names)
            && shape.atoms.iter().all(|atom| names(atom) || matches!(atom, Atom::Undefined | Atom::Null));
        if !is_known {
            let unknown = self.values.opaque(shape.taint, tool.via);
            let index = self.record_tool(ToolSite { is_method: is_of_client, ..site }, unknown, &passed);
            let one = self.tool_result(index, &passed);
            result = self.joined_with_way(result, one);
        }
        result
    }

    /// The name of a tool of many uses by the operation that its argument names: `callTool('aws:rds', { op: 'delete-db-instance' })`.
    fn used_as(&mut self, tool: Val, passed: &Arguments) -> Option<Val> {
        let [Atom::Object(object)] = *self.values.atoms(passed.get(0).id) else { return None };
        let name = self.values.text(tool.id)?;
        let said = OPERATION_KEYS.iter().find_map(|key| Some((*key, self.values.text(self.field_of(object, key)?.id)?)));
        let named = said.and_then(|(key, said)| operation(&name, key, &said))?;
        self.recorder.written(&named, &mut self.values.texts);
        Some(self.values.string(&named))
    }

    /// Where the functions are called in which a call happens, from the innermost.
    pub fn callers(&self) -> [u32; CALLERS] {
        let mut callers = [0; CALLERS];
        if self.frames.len() <= 1 {
            return callers;
        }
        // A function that calls itself is one caller, however deep.
        let mut sites: Vec<(u32, u32)> = Vec::new();
        for frame in self.frames.iter().filter(|frame| frame.start != u32::MAX) {
            if !sites.iter().any(|(start, _)| *start == frame.start) {
                sites.push((frame.start, frame.site.start));
            }
        }
        for (caller, (_, site)) in callers.iter_mut().zip(sites.into_iter().rev()) {
            *caller = site;
        }
        callers
    }

    /// Which call it is: a wrapper's call is told apart by who calls the wrapper.
    pub fn tool_site(&self, span: Span) -> ToolSite {
        let own = self.recorder.site();
        let is_passed = own.is_none_or(|site| !site.names_its_tool);
        let callers = self.callers();
        let mut shown = own.map_or(span, |site| site.span);
        if 1 < self.frames.len() {
            // The tool is named where the wrapper is called.
            if is_passed
                && own.is_some()
                && let Some(frame) = self.frames.last()
                && frame.site != Span::default()
            {
                shown = frame.site;
            }
        }
        let start = own.map_or(span.start, |site| site.span.start);
        ToolSite {
            start,
            callers,
            span: shown,
            tool_span: own.map_or(span, |site| site.tool_span),
            is_literal: !is_passed,
            is_method: false,
        }
    }
}
