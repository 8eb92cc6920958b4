//! Whatever nests: what is not refused before it is parsed fits the stack of the recursing parser and of our own walks.
//!
//! An input is two texts, one repeated before and one behind a third, so that a few bytes make a deep script.

#![no_main]

use std::thread;

use callgate::format::script::nesting::STACK_SIZE;
use callgate::format::script;
use callgate::format::{Language, ReadOptions};
use libfuzzer_sys::fuzz_target;

/// The longest script that is made, in bytes.
const LONGEST: usize = 400_000;

fuzz_target!(|input: (u16, &str)| {
    let (times, text) = input;
    let mut parts = text.splitn(3, '\n');
    let [before, middle, behind] = [(); 3].map(|()| parts.next().unwrap_or(""));
    let times = (usize::from(times) * 8).min(LONGEST / (before.len() + behind.len()).max(1));
    let text = before.repeat(times) + middle + &behind.repeat(times);
    let read = move || {
        for language in [Language::JavaScript, Language::TypeScript, Language::Tsx] {
            drop(script::read(&text, language, &ReadOptions::default()));
        }
    };
    thread::Builder::new().stack_size(STACK_SIZE).spawn(read).expect("a thread can be started").join().expect("it is read");
});
