//! Whatever stands where SQL is expected: its statements are told apart, and none has more tokens than the text has bytes.

#![no_main]

use callgate::meaning::{sql, sql_harm};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let statements = sql::statements(text);
    assert!(statements.iter().map(Vec::len).sum::<usize>() <= text.len());
    for tokens in &statements {
        let _ = sql::condition(tokens);
    }
    let _ = (sql_harm::is_sql(text), sql_harm::harm(text));
});
