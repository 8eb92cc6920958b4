//! Both readers of scripts compute what JavaScript computes: the folder of constants and the interpreter, expression by expression.

use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, Program, Statement};
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use crate::format::script::bindings::Bindings;
use crate::format::script::fold::{Budget, Folder};
use crate::format::script::interpret;
use crate::format::script::js::constant::Constant;
use crate::value::js_number;

/// Expressions and what a JavaScript engine answers, a tab between them.
const ANSWERS: &str = include_str!("js/answers.tsv");

/// A value as a script would write it.
fn written(constant: Option<Constant>) -> String {
    match constant {
        None => "throws".to_owned(),
        Some(Constant::String(text)) => serde_json::Value::String(text).to_string(),
        Some(Constant::Number(number)) if number == 0.0 && number.is_sign_negative() => "-0".to_owned(),
        Some(Constant::Number(number)) => js_number::plain(number),
        Some(Constant::BigInt(number)) => format!("{number}n"),
        Some(Constant::Array(elements)) => {
            let elements: Vec<String> = elements.into_iter().map(|element| written(Some(element))).collect();
            format!("[{}]", elements.join(","))
        }
        Some(constant) => constant.to_text(),
    }
}

fn last<'p, 'a>(program: &'p Program<'a>) -> &'p Expression<'a> {
    match program.body.last().unwrap() {
        Statement::ExpressionStatement(statement) => &statement.expression,
        other => panic!("{other:?}"),
    }
}

#[test]
fn both_readers_answer_as_javascript_does() {
    let mut wrong = Vec::new();
    for line in ANSWERS.lines() {
        let (text, expected) = line.split_once('\t').unwrap();
        let code = format!("({text})");
        let allocator = Allocator::default();
        let program = Parser::new(&allocator, &code, SourceType::script()).parse().program;
        let scoping = SemanticBuilder::new().build(&program).semantic.into_scoping();
        let bindings = Bindings::new(&scoping);
        let budget = Budget::default();
        let folded = written(Folder::new(&bindings, &budget).fold(last(&program)));
        let interpreted = written(interpret::constant_of(last(&program), &scoping));
        if folded != expected || interpreted != expected {
            wrong.push(format!("{text}: {expected}, folded {folded}, interpreted {interpreted}"));
        }
    }
    assert!(200 < ANSWERS.lines().count());
    assert!(wrong.is_empty(), "{}\n{} differ", wrong.join("\n"), wrong.len());
}
