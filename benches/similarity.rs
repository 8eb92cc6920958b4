//! What the similarity model costs a script: its words, their embedding, and the comparison with all samples.

#![expect(clippy::expect_used, reason = "a benchmark cannot go on without its input")]

mod scripts;

use std::hint::black_box;
use std::thread;

use callgate::format::{Language, ReadOptions, registry as formats};
use callgate::knowledge::House;
use callgate::meaning;
use callgate::model::Evidence;
use callgate::model::registry::{Builder, ModelSettings};
use criterion::{Criterion, Throughput};

fn main() {
    // The parser recurses; the stack is as large as the workers' own.
    let bench = || {
        let mut criterion = Criterion::default().configure_from_args();
        similarity(&mut criterion);
        criterion.final_summary();
    };
    thread::Builder::new().stack_size(256 << 20).spawn(bench).expect("a thread can be started").join().expect("the benches run");
}

fn similarity(criterion: &mut Criterion) {
    let settings = ModelSettings::default();
    let model = Builder::new(&settings).build("similarity").expect("the settings make the model");
    let format = formats::by_language(Language::JavaScript);
    let subjects = scripts::scripts().into_iter().filter(|(_, text)| (1_000..2_000).contains(&text.len())).take(50).map(|(_, text)| {
        let subject = (format.format.read)(&text, Language::JavaScript, &ReadOptions::default()).remove(0);
        let features = meaning::extract(&subject, &House::default());
        (subject, features, text)
    });
    let subjects: Vec<_> = subjects.collect();
    let mut group = criterion.benchmark_group("similarity");
    group.throughput(Throughput::Elements(subjects.len() as u64)).sample_size(20);
    group.bench_function("scripts of 1-2 KB", |bencher| {
        bencher.iter(|| {
            for (subject, features, text) in &subjects {
                let evidence = Evidence { subject, features, matches: &[], answers: &[], text };
                black_box(model.evaluate(&evidence).expect("it judges everything"));
            }
        });
    });
    group.bench_function("start: the index of all samples", |bencher| {
        bencher.iter(|| black_box(Builder::new(&settings).build("similarity").expect("the settings make the model")));
    });
    group.finish();
}
