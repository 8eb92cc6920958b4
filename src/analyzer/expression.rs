//! Expressions over what was found (CEL): read once, held against each subject within a bound.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use cel::common::ast::{CallExpr, ComprehensionExpr, Expr, LiteralValue, SourceInfo, operators};
use cel::common::value::{CowVal, Val};
use cel::context::VariableResolver;
use cel::objects::{Key, Map, Value as CelValue};
use cel::{Context, Env, ExecutionError, IdedExpr};
use serde_json::Value;

use crate::analyzer::sheet::Sheet;
use crate::yaml::{Fault, nearest};

/// What one evaluation may cost. A step of a loop copies an element, so it costs as much as the heaviest element of any
/// list has parts. Measured: a step takes 0.2 µs and 0.15 µs a part, so that all of it is spent in about a second.
const FUEL: u64 = 8_000_000;
/// What a step costs beside the parts of an element.
const STEP: u64 = 4;
/// The name of the function that charges for a step; it cannot be written in an expression.
const CHARGE: &str = "@charge";
/// Longest expression, in bytes.
const LONGEST: usize = 16 * 1024;
/// The functions that expressions may call.
pub const FUNCTIONS: &[&str] =
    &["size", "contains", "startsWith", "endsWith", "int", "uint", "double", "string", "bytes", "bool", "dyn", "type"];
/// What looks like a function and is a way to loop, or asks whether there is something.
pub const MACROS: &[&str] = &["has", "all", "exists", "exists_one", "map", "filter"];
/// The names of types, which `type(x)` is compared with.
const TYPES: &[&str] = &["int", "uint", "double", "string", "bytes", "bool", "list", "map", "null_type", "type"];

static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib().with_optional_support(false)));

/// An expression that is true or false of a subject.
#[derive(Debug)]
pub struct Expression {
    parsed: IdedExpr,
}

/// What an expression is about: the variables with their values.
pub struct Variables {
    values: Vec<(&'static str, Box<dyn Val>)>,
    /// How many parts the heaviest element of any list has.
    heaviest: u64,
}

impl Variables {
    /// The variables that stand for a sheet.
    pub fn new(sheet: &Sheet) -> Self {
        let variables = sheet.variables();
        let heaviest = variables.iter().map(|(_, value)| heaviest(value)).max().unwrap_or(0);
        let values = variables.into_iter().filter_map(|(name, value)| Some((name, cel_value(value).try_into().ok()?))).collect();
        Self { values, heaviest }
    }
}

impl VariableResolver for Variables {
    fn resolve<'b>(&'b self, variable: &str) -> Option<CowVal<'b, 'b>> {
        self.values.iter().find(|(name, _)| *name == variable).map(|(_, value)| CowVal::Borrowed(value.as_ref()))
    }
}

impl Expression {
    /// Reads an expression, and holds it against an example so that what can never work is told at once.
    ///
    /// # Errors
    ///
    /// All faults of the expression; line and column are places in it, from 1.
    pub fn read(text: &str, example: &Sheet) -> Result<Self, Vec<Fault>> {
        if LONGEST < text.len() {
            return Err(vec![Fault { line: 1, column: 1, message: format!("it is longer than {LONGEST} bytes") }]);
        }
        let (mut parsed, source) = ENVIRONMENT.parser().parse_with_source_info(text).map_err(|errors| {
            let fault = |error: &cel::ParseError| {
                let (line, column) = error.pos;
                let narrow = |number: isize| u32::try_from(number).unwrap_or(1).max(1);
                Fault { line: narrow(line), column: narrow(column), message: plain(&error.msg) }
            };
            errors.errors.iter().map(fault).collect::<Vec<_>>()
        })?;
        let mut faults = Vec::new();
        let known: Vec<(&str, &Value)> = example.variables();
        Names { known: &known, text, source: &source, faults: &mut faults }.check(&parsed, &mut Vec::new());
        if !faults.is_empty() {
            return Err(faults);
        }
        charge_loops(&mut parsed);
        let expression = Self { parsed };
        match expression.holds(&Variables::new(example)) {
            Ok(_) => Ok(expression),
            Err(message) => Err(vec![Fault { line: 1, column: 1, message: format!("it fails on an example: {message}") }]),
        }
    }

    /// Whether the expression is true of the variables.
    ///
    /// # Errors
    ///
    /// When it cannot be told: it costs too much, asks for what is not there, or is no yes-or-no question.
    pub fn holds(&self, variables: &Variables) -> Result<bool, String> {
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        let steps = AtomicU64::new(FUEL / (STEP + variables.heaviest));
        let charge = move || -> Result<bool, ExecutionError> {
            let spent = steps.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            spent.map(|_| true).map_err(|_| ExecutionError::function_error("its loops", "they take too many steps"))
        };
        context.add_function(CHARGE, charge).map_err(|error| error.to_string())?;
        context.set_variable_resolver(variables);
        match CelValue::resolve(&self.parsed, &context) {
            Ok(CelValue::Bool(holds)) => Ok(holds),
            Ok(other) => Err(format!("it is {}, not true or false", other.type_of())),
            Err(error) => Err(plain(&error.to_string())),
        }
    }
}

/// One line of an error of the crate's, short enough to be read.
fn plain(message: &str) -> String {
    message.lines().next().unwrap_or("it is no expression").chars().take(300).collect()
}

/// A value as CEL knows it. Whole numbers are of type `int`, all others `double`.
fn cel_value(value: &Value) -> CelValue {
    match value {
        Value::Null => CelValue::Null,
        Value::Bool(flag) => CelValue::Bool(*flag),
        Value::Number(number) => number.as_i64().map_or_else(|| CelValue::Float(number.as_f64().unwrap_or(0.0)), CelValue::Int),
        Value::String(text) => CelValue::String(Arc::new(text.clone())),
        Value::Array(elements) => CelValue::List(Arc::new(elements.iter().map(cel_value).collect())),
        Value::Object(fields) => {
            let map = fields.iter().map(|(key, value)| (Key::from(key.as_str()), cel_value(value))).collect();
            CelValue::Map(Map { map: Arc::new(map) })
        }
    }
}

/// How many parts the heaviest element of any list in a value has.
fn heaviest(value: &Value) -> u64 {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        Value::Array(elements) => elements.iter().map(|element| parts(element).max(heaviest(element))).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(heaviest).max().unwrap_or(0),
    }
}

/// How many parts a value has.
fn parts(value: &Value) -> u64 {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => 1 + text.len() as u64 / 64,
        Value::Array(elements) => 1 + elements.iter().map(parts).sum::<u64>(),
        Value::Object(fields) => 1 + fields.values().map(parts).sum::<u64>(),
    }
}

/// Looks for names that nothing stands for.
struct Names<'n> {
    known: &'n [(&'n str, &'n Value)],
    text: &'n str,
    source: &'n SourceInfo,
    faults: &'n mut Vec<Fault>,
}

impl Names<'_> {
    fn fault(&mut self, id: u64, message: String) {
        let offset = self.source.offset_for(id).map_or(0, |(start, _)| start as usize);
        let before: Vec<char> = self.text.chars().take(offset).collect();
        let line = before.iter().filter(|character| **character == '\n').count();
        let column = before.iter().rev().take_while(|character| **character != '\n').count();
        let narrow = |number: usize| u32::try_from(number + 1).unwrap_or(u32::MAX);
        self.faults.push(Fault { line: narrow(line), column: narrow(column), message });
    }

    /// Looks through an expression in which `own` variables of loops are known too.
    fn check<'e>(&mut self, expression: &'e IdedExpr, own: &mut Vec<&'e str>) {
        match &expression.expr {
            Expr::Unspecified | Expr::Literal(_) => {}
            Expr::Ident(name) => self.check_name(expression.id, name, own),
            Expr::Call(call) => {
                call.target.iter().for_each(|target| self.check(target, own));
                // What stands in a loop that is none has variables that nobody knows.
                if self.check_function(expression.id, &call.func_name) {
                    call.args.iter().for_each(|argument| self.check(argument, own));
                }
            }
            Expr::Comprehension(comprehension) => self.check_loop(comprehension, own),
            Expr::List(list) => list.elements.iter().for_each(|element| self.check(element, own)),
            Expr::Select(select) => {
                self.check(&select.operand, own);
                if !select.test
                    && let Some(Err(known)) = self.lookup(expression, own)
                {
                    let hint = nearest(&select.field, known.iter().copied());
                    let known = known.join(", ");
                    self.fault(expression.id, format!("there is no `{}`{hint}; there are {known}", select.field));
                }
            }
            Expr::Map(_) | Expr::Struct(_) => {
                self.fault(expression.id, "maps and structures cannot be made here; ask with lists and conditions".to_owned());
            }
        }
    }

    fn check_loop<'e>(&mut self, comprehension: &'e ComprehensionExpr, own: &mut Vec<&'e str>) {
        self.check(&comprehension.iter_range, own);
        let outer = own.len();
        own.extend([comprehension.iter_var.as_str(), comprehension.accu_var.as_str()]);
        own.extend(comprehension.iter_var2.as_deref());
        for part in [&comprehension.accu_init, &comprehension.loop_cond, &comprehension.loop_step, &comprehension.result] {
            self.check(part, own);
        }
        own.truncate(outer);
    }

    fn check_name(&mut self, id: u64, name: &str, own: &[&str]) {
        if !own.contains(&name) && !TYPES.contains(&name) && !self.known.iter().any(|(known, _)| *known == name) {
            let known: Vec<&str> = self.known.iter().map(|(known, _)| *known).collect();
            let hint = nearest(name, known.iter().copied());
            self.fault(id, format!("there is no variable `{name}`{hint}; there are {}", known.join(", ")));
        }
    }

    fn check_function(&mut self, id: u64, name: &str) -> bool {
        let is_operator = !name.starts_with(|character: char| character.is_ascii_alphabetic());
        let is_known = is_operator || FUNCTIONS.contains(&name);
        if !is_known {
            let known = [MACROS, FUNCTIONS].concat();
            let hint = nearest(name, known.iter().copied());
            self.fault(id, format!("there is no function `{name}`{hint}; there are {}", known.join(", ")));
        }
        is_known
    }

    /// The part of the example to which a path leads, or the fields that are there instead of its last one.
    /// None, if the path does not begin with a variable or leads through something else than fields.
    fn lookup<'v>(&'v self, path: &IdedExpr, own: &[&str]) -> Option<Result<&'v Value, Vec<&'v str>>> {
        match &path.expr {
            Expr::Ident(name) if !own.contains(&name.as_str()) => {
                self.known.iter().find(|(known, _)| known == name).map(|(_, value)| Ok(*value))
            }
            Expr::Select(select) => {
                let fields = self.lookup(&select.operand, own)?.ok()?.as_object()?;
                Some(fields.get(&select.field).ok_or_else(|| fields.keys().map(String::as_str).collect()))
            }
            Expr::Unspecified
            | Expr::Call(_)
            | Expr::Comprehension(_)
            | Expr::Ident(_)
            | Expr::List(_)
            | Expr::Literal(_)
            | Expr::Map(_)
            | Expr::Struct(_) => None,
        }
    }
}

/// Rewrites every loop of an expression so that each step is charged for.
fn charge_loops(expression: &mut IdedExpr) {
    match &mut expression.expr {
        Expr::Unspecified | Expr::Literal(_) | Expr::Ident(_) | Expr::Map(_) | Expr::Struct(_) => {}
        Expr::Call(call) => call.target.iter_mut().map(|target| &mut **target).chain(&mut call.args).for_each(charge_loops),
        Expr::List(list) => list.elements.iter_mut().for_each(charge_loops),
        Expr::Select(select) => charge_loops(&mut select.operand),
        Expr::Comprehension(comprehension) => {
            let ComprehensionExpr { iter_range, accu_init, loop_cond, loop_step, result, .. } = &mut **comprehension;
            [iter_range, accu_init, &mut *loop_cond, &mut *loop_step, result].into_iter().for_each(charge_loops);
            // A condition that is always true marks the loops of `map` and `filter`, which only run well if it stays.
            if matches!(loop_cond.expr, Expr::Literal(_)) { charge_step(loop_step) } else { charge(loop_cond) }
        }
    }
}

/// Charges for a step of a loop: in its guard, or in what it adds to a list.
fn charge_step(step: &mut IdedExpr) {
    let Expr::Call(call) = &mut step.expr else { return charge(step) };
    match (call.func_name.as_str(), call.args.as_mut_slice()) {
        (operators::CONDITIONAL, [guard, _, _]) => charge(guard),
        (operators::ADD, [_, added]) => match &mut added.expr {
            Expr::List(list) => list.elements.iter_mut().for_each(charge),
            _ => charge(step),
        },
        _ => charge(step),
    }
}

/// Makes an expression fail once the fuel is spent. A failed condition is told; that of `&&` might be passed over.
fn charge(expression: &mut IdedExpr) {
    let of = |func_name: &str, args| IdedExpr { id: 0, expr: Expr::Call(CallExpr { func_name: func_name.to_owned(), target: None, args }) };
    let otherwise = IdedExpr { id: 0, expr: Expr::Literal(LiteralValue::Null) };
    let charged = std::mem::take(expression);
    *expression = of(operators::CONDITIONAL, vec![of(CHARGE, Vec::new()), charged, otherwise]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(calls: usize) -> Sheet {
        let mut sheet = Sheet::example();
        sheet.features["tools"]["names"] = (0..calls).map(|nth| Value::from(format!("crm:{nth}"))).collect();
        sheet
    }

    fn holds(text: &str, sheet: &Sheet) -> Result<bool, String> {
        Expression::read(text, &Sheet::example()).expect(text).holds(&Variables::new(sheet))
    }

    #[test]
    fn expressions_ask_for_numbers_texts_and_lists() {
        for (text, expected) in [
            ("size(features.tools.names) == 3", true),
            ("features.tools.names.size() > 3", false),
            ("features.tools.names.exists(t, t.endsWith(':2'))", true),
            ("features.tools.names.all(t, t.startsWith('crm:') && t.contains('m:'))", true),
            ("features.tools.names.filter(t, t > 'crm:0').map(t, size(t)) == [5, 5]", true),
            ("features.tools.names.exists_one(t, t == 'crm:1')", true),
            ("'crm:9' in features.tools.names || features.arguments.max_limit >= 9.5", true),
            ("features.arguments.calls.exists(c, c.limits.exists(l, l.key == 'limit' && l.number > 9.5 && l.number < 11))", true),
            ("has(features.tools) && subject.kind == 'script' && type(subject.size) == int", true),
            ("matches.exists(m, m.rule == 'example' && m.severity in ['high', 'critical'])", true),
        ] {
            assert_eq!(holds(text, &sheet(3)), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_can_never_work_is_told_with_its_place() {
        for (text, expected) in [
            ("", "1:1: "),
            ("features.tools.names.size( > 1", "1:28: "),
            ("true &&\n feature.tools", "2:2: there is no variable `feature` (did you mean `features`?)"),
            ("true || features.tols.names == []", "1:17: there is no `tols` (did you mean `tools`?)"),
            ("features.tools.names.exist(t, t == '')", "there is no function `exist` (did you mean `exists`?)"),
            ("features.tools.names.exists(t, u == '')", "there is no variable `u`"),
            ("features.tools.names.exists(t, t.matches('a'))", "there is no function `matches`"),
            ("features.arguments.calls.all(c, c.tool.name == '')", "it fails on an example"),
            ("features.tools.names", "it is list, not true or false"),
            ("{'a': 1}.a == 1", "maps and structures cannot be made"),
            ("timestamp('2020-01-01T00:00:00Z') == 1", "there is no function `timestamp`"),
        ] {
            let faults = Expression::read(text, &Sheet::example()).expect_err(text);
            let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
            assert!(told.iter().any(|fault| fault.contains(expected)), "{text}: {told:?}");
        }
    }

    #[test]
    fn every_kind_of_loop_is_charged_for() {
        let many = sheet(2_000);
        let names = "features.tools.names";
        for text in [
            format!("{names}.all(a, {names}.all(b, a != '' || b != ''))"),
            format!("{names}.exists(a, {names}.exists(b, a == '' && b == ''))"),
            format!("{names}.map(a, {names}.map(b, a)).size() > 0"),
            format!("{names}.map(a, {names}.filter(b, a == b)).size() > 0"),
            format!("{names}.map(a, {names}.exists_one(b, a == b)).size() > 0"),
            format!("[{names}].exists(l, l.exists(a, l.exists(b, a + b == '')))"),
            format!("false || {names}.all(a, {names}.all(b, {names}.all(c, a != b || true)))"),
        ] {
            let error = holds(&text, &many).expect_err(&text);
            assert!(error.contains("too many steps"), "{text}: {error}");
            assert!(holds(&text, &sheet(20)).is_ok(), "{text}");
        }
    }

    #[test]
    fn heavy_elements_leave_fewer_steps() {
        let mut heavy = sheet(1_500);
        let text = "features.tools.names.exists(a, features.tools.names.exists(b, b == 'none'))";
        assert!(holds(text, &sheet(400)).is_ok());
        heavy.matches = Value::from(vec![Value::from(vec![1; 100_000])]);
        let error = holds("features.tools.names.exists(a, a == 'none')", &heavy).expect_err("each step may copy what is heavy");
        assert!(error.contains("too many steps"), "{error}");
    }
}
