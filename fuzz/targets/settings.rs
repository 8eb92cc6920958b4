//! Whatever stands in callgate.yaml: it is read, or refused with faults that have a place in it.

#![no_main]

use callgate::cli::load;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(faults) = load::read(text) {
        assert!(!faults.is_empty(), "it is refused without a fault");
    }
});
