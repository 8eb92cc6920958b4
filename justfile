# `just ready` runs everything that CI runs.

# Everything that must hold before a commit.
ready: fmt clippy test doc deny

fmt:
    cargo fmt --check

clippy:
    cargo clippy --all-targets -- -D warnings

test:
    cargo test

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# Needs cargo-deny.
deny:
    cargo deny check

# Compares with bare parsing in the same run; then whole processes.
bench:
    cargo bench

# Writes the files that a test holds against the code.
generate:
    cargo run --quiet -- generate completions --output completions
    cargo run --quiet -- generate man --output man
