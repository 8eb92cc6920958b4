//! Throughput of the whole way of a script, against bare parsing and semantic analysis of the same
//! files in the same run.

#![expect(clippy::expect_used, reason = "a benchmark cannot go on without its input")]

mod scripts;

use std::hint::black_box;
use std::thread;

use callgate::model::registry::{self, Builder, ModelSettings};
use callgate::scan::Scanner;
use callgate::value::source::{Source, SourceName};
use criterion::{Criterion, Throughput};
use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

fn main() {
    // The parser recurses; the stack is as large as the workers' own.
    let bench = || {
        let mut criterion = Criterion::default().configure_from_args();
        throughput(&mut criterion);
        criterion.final_summary();
    };
    thread::Builder::new().stack_size(256 << 20).spawn(bench).expect("a thread can be started").join().expect("the benches run");
}

fn throughput(criterion: &mut Criterion) {
    let scripts = scripts::scripts();
    let bytes: usize = scripts.iter().map(|(_, text)| text.len()).sum();
    let sources: Vec<Source> =
        scripts.iter().map(|(name, text)| Source { name: SourceName::explicit(name), text: text.clone(), has_bom: false }).collect();
    let model = Builder::new(&ModelSettings::default()).build(registry::DEFAULT).expect("the defaults make a model");
    let scanner = Scanner::built_in(vec![model]).expect("the built-in patterns make a library");
    let mut group = criterion.benchmark_group("throughput");
    group.throughput(Throughput::Bytes(bytes as u64)).sample_size(10);
    group.bench_function("bare oxc parse + semantic", |bencher| {
        let mut allocator = Allocator::default();
        bencher.iter(|| {
            for (name, text) in &scripts {
                bare(&allocator, name, text);
                allocator.reset();
            }
        });
    });
    group.bench_function("callgate, everything", |bencher| {
        bencher.iter(|| sources.iter().for_each(|source| drop(black_box(scanner.judge(source)))));
    });
    group.finish();
}

fn bare(allocator: &Allocator, name: &str, text: &str) {
    let source_type = SourceType::from_path(name).unwrap_or_default();
    let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
    let parsed = Parser::new(allocator, text, source_type).with_options(options).parse();
    black_box(SemanticBuilder::new().with_build_nodes(true).build(&parsed.program));
}
