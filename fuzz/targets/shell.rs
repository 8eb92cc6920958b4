//! Whatever stands on a command line: its words are read to the end, in a time that its length bounds.

#![no_main]

use callgate::meaning::{shell, shell_harm};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    for command in shell::commands(line) {
        let _ = (command.flag('r', "recursive"), command.option(&["-o", "--output"]), command.operands().count());
    }
    let _ = (shell::is_fork_bomb(line), shell_harm::harm(line));
});
