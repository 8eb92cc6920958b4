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

# Fetches well-known packages into a cache, and measures how they are read.
real:
    benches/real/fetch.sh
    cargo bench --bench real

# Feeds each reader with texts that nobody would write, a minute each. Needs cargo-fuzz and a nightly compiler.
fuzz seconds="60":
    for target in nesting shell sql json settings script; do \
        mkdir -p fuzz/corpus/"$target"; \
        cargo +nightly fuzz run -s none "$target" fuzz/corpus/"$target" fuzz/seeds/"$target" -- -max_total_time={{seconds}} -timeout=10 -max_len=4096 || exit 1; \
    done

# Twenty thousand scripts that are put together; none that carries a secret outside may be allowed.
compositions count="20000":
    CALLGATE_COMPOSITIONS={{count}} cargo test --test compositions -- --include-ignored

# Writes the files that a test holds against the code.
generate:
    cargo run --quiet -- generate completions --output completions
    cargo run --quiet -- generate man --output man
