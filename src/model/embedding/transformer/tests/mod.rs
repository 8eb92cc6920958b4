//! Tiny models that the tests write themselves, against a plain second way to compute them.

mod faults;
mod plain;
mod tiny;

use tempfile::TempDir;

use super::Weights;
use super::config::Family;
use super::model::Transformer;
use crate::model::embedding::Embedder as _;
use plain::expected;
use tiny::Tiny;

/// The models compute with 32 bits, the second way with 64.
const TOLERANCE: f64 = 1e-5;

fn loaded(folder: &TempDir) -> Transformer {
    Transformer::load(folder.path(), Weights::Numbers).expect("the model is right")
}

fn check(tiny: &Tiny, text: &str, expected: &[f64]) {
    let folder = tiny.written();
    let model = loaded(&folder);
    let vector = model.embed(text).expect("it is short");
    assert_eq!(vector.len(), expected.len());
    for (own, expected) in vector.iter().zip(expected) {
        assert!((f64::from(*own) - expected).abs() < TOLERANCE, "{:?} `{text}`: {vector:?} is not {expected:?}", tiny.family);
    }
}

#[test]
fn every_family_embeds_as_the_plain_way_does() {
    for family in [Family::Bert, Family::Roberta, Family::DistilBert, Family::MpNet] {
        let tiny = Tiny::new(family);
        for (text, ids) in
            [("", vec![1, 2]), ("read", vec![1, 4, 2]), ("send the key read", vec![1, 7, 5, 6, 4, 2]), ("mail", vec![1, 3, 2])]
        {
            check(&tiny, text, &expected(&tiny, &[ids]));
        }
    }
}

#[test]
fn long_texts_are_embedded_by_windows_that_weigh_by_their_tokens() {
    let tiny = Tiny::new(Family::Bert);
    let windows = [vec![1, 4, 5, 6, 7, 4, 5, 2], vec![1, 6, 7, 2]];
    check(&tiny, "read the key send read the key send", &expected(&tiny, &windows));
    let folder = tiny.written();
    let model = loaded(&folder);
    assert_eq!(model.windows("read the key send read the key send").expect("it is short").len(), 2);
    let error = model.embed(&"read ".repeat(6 * 128 + 1)).expect_err("it has 129 windows");
    assert_eq!(error.message, "the text is longer than 128 windows of 6 tokens");
    assert_eq!(model.windows(&"read ".repeat(6 * 128)).expect("it has 128 windows").len(), 128);
    assert_ne!(
        model.embed("read the key send read the key").expect("it is short"),
        model.embed("read the key send read the send").expect("it is short")
    );
    assert!(model.embed(&" ".repeat(40_000)).is_err(), "so long a text is not even cut");
}

#[test]
fn an_encoder_that_was_saved_as_a_part_is_found() {
    for family in [Family::Bert, Family::Roberta, Family::DistilBert, Family::MpNet] {
        let tiny = Tiny::new(family);
        let whole = loaded(&tiny.written()).embed("read the key").expect("it is short");
        let part = tiny.as_part();
        assert_eq!(loaded(&part.written()).embed("read the key").expect("it is short"), whole);
    }
}

#[test]
fn the_folder_says_how_vectors_of_tokens_become_one() {
    let mut tiny = Tiny::new(Family::Bert);
    let mut seen = Vec::new();
    for pooling in ["pooling_mode_mean_tokens", "pooling_mode_cls_token", "pooling_mode_max_tokens"] {
        tiny.file("1_Pooling/config.json", &format!("{{\"word_embedding_dimension\": 8, \"{pooling}\": true}}"));
        seen.push(loaded(&tiny.written()).embed("read the key").expect("it is short"));
    }
    assert!(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2]);
    tiny.file("1_Pooling/config.json", "{\"pooling_mode_mean_sqrt_len_tokens\": true}");
    assert_eq!(loaded(&tiny.written()).embed("read the key").expect("it is short"), seen[0]);
}

#[test]
fn the_folder_says_how_long_a_window_is_and_whether_case_counts() {
    let mut tiny = Tiny::new(Family::Bert);
    tiny.file("sentence_bert_config.json", "{\"max_seq_length\": 6, \"do_lower_case\": true}");
    let model = loaded(&tiny.written());
    assert_eq!(model.windows("read the key send read").expect("it is short").len(), 2);
    assert_eq!(model.embed("READ").expect("it is short"), model.embed("read").expect("it is short"));
}

#[test]
fn the_identity_changes_with_each_part() {
    let id = |tiny: &Tiny| loaded(&tiny.written()).id();
    let tiny = Tiny::new(Family::Bert);
    assert_eq!(id(&tiny), id(&tiny));
    let mut others = vec![id(&tiny)];
    let mut weights = Tiny::new(Family::Bert);
    weights.weight("encoder.layer.1.output.dense.bias").1[3] += 1e-3;
    others.push(id(&weights));
    let mut tokenizer = Tiny::new(Family::Bert);
    tokenizer.tokenizer = tokenizer.tokenizer.replace("\"read\"", "\"open\"");
    others.push(id(&tokenizer));
    let mut pooling = Tiny::new(Family::Bert);
    pooling.file("1_Pooling/config.json", "{\"pooling_mode_cls_token\": true}");
    others.push(id(&pooling));
    let count = others.len();
    others.sort();
    others.dedup();
    assert_eq!(others.len(), count, "{others:?}");
}
