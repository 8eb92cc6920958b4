//! Whatever stands where SQL is expected: its statements are told apart, and none has more tokens than the text has bytes.

#![no_main]

use callgate::language::sql;
use callgate::language::sql::condition::condition;
use callgate::meaning::statement;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let statements = sql::statements(text);
    assert!(statements.iter().map(Vec::len).sum::<usize>() <= text.len());
    for tokens in &statements {
        let _ = condition(tokens);
    }
    let _ = (statement::language(text), statement::effects(text));
});
