//! Whatever stands on a command line: its words are read to the end, in a time that its length bounds.

#![no_main]

use callgate::knowledge::House;
use callgate::language::shell;
use callgate::meaning::command::unwrap::commands;
use callgate::meaning::command::effects;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    for command in commands(line) {
        let _ = (command.flag("-r"), command.option(&["-o", "--output"]), command.operands().count());
    }
    let _ = (shell::is_fork_bomb(line), effects(line, &House::default()));
});
