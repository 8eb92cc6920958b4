//! Folders in which something is wrong: each is refused, says where, and breaks nothing.

use std::path::Path;

use super::tiny::Tiny;
use crate::model::embedding::transformer::Weights;
use crate::model::embedding::transformer::config::Family;
use crate::model::embedding::transformer::model::Transformer;

fn refusal(path: &Path) -> String {
    let refused = Transformer::load(path, Weights::Numbers).err();
    refused.map(|error| error.message.replace(&*path.to_string_lossy(), "MODEL")).expect("the model is refused")
}

fn check(change: impl FnOnce(&mut Tiny), expected: &str) {
    let mut tiny = Tiny::new(Family::Bert);
    change(&mut tiny);
    let told = refusal(tiny.written().path());
    assert!(told.contains(expected), "{told}");
}

#[test]
fn what_is_no_folder_of_a_model_is_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    assert_eq!(refusal(folder.path()), "MODEL holds neither model.safetensors nor model.onnx: it is not the folder of a model");
    assert!(refusal(&folder.path().join("nothing")).contains("there is no model at MODEL"));
    std::fs::write(folder.path().join("file"), "x").expect("a file can be written");
    assert!(refusal(&folder.path().join("file")).contains("MODEL is not a folder"));
    std::fs::create_dir(folder.path().join("model.safetensors")).expect("a folder can be made");
    assert!(refusal(folder.path()).contains("it is not a regular file"));
}

#[test]
fn a_missing_file_is_named() {
    for name in ["config.json", "tokenizer.json"] {
        let folder = Tiny::new(Family::Bert).written();
        std::fs::remove_file(folder.path().join(name)).expect("it is there");
        let told = refusal(folder.path());
        assert!(told.contains(name), "{told}");
    }
}

#[test]
fn a_huge_file_is_not_read() {
    for (name, length) in [("model.safetensors", (2 << 30) + 1), ("tokenizer.json", (64 << 20) + 1), ("config.json", (1 << 20) + 1)] {
        let folder = Tiny::new(Family::Bert).written();
        // A hole, which takes no room.
        let file = std::fs::File::options().write(true).open(folder.path().join(name)).expect("it is there");
        file.set_len(length).expect("it can be made longer");
        let told = refusal(folder.path());
        assert!(told.contains(name) && told.contains("at most"), "{told}");
    }
}

#[test]
fn settings_that_make_no_encoder_are_refused() {
    check(|tiny| tiny.config["model_type"] = "llama".into(), "config.json: its model_type `llama` is not supported: bert, ");
    check(|tiny| tiny.config["model_type"] = "\u{1b}[2J".into(), "\\u{1b}");
    check(|tiny| tiny.config["hidden_act"] = "silu".into(), "its activation `silu` is not supported");
    check(|tiny| tiny.config["position_embedding_type"] = "relative_key".into(), "its position_embedding_type is not supported");
    check(|tiny| tiny.config["num_attention_heads"] = 3.into(), "its 3 heads do not divide its hidden_size 8");
    check(|tiny| tiny.config["num_attention_heads"] = 0.into(), "its 0 heads do not divide");
    check(|tiny| tiny.config["num_hidden_layers"] = u64::MAX.into(), "at most 256 are run");
    check(|tiny| tiny.config["hidden_size"] = (-8).into(), "config.json: it is not as expected");
    check(|tiny| tiny.config = serde_json::json!([]), "config.json: it is not as expected");
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    let unfit = "model.safetensors: to fit the weights to config.json fails: ";
    check(|tiny| drop(tiny.weights.remove("encoder.layer.1.output.dense.weight")), unfit);
    check(|tiny| tiny.weight("embeddings.LayerNorm.bias").0 = vec![4, 2], unfit);
    for (key, number) in
        [("hidden_size", 16_u64), ("vocab_size", 1 << 40), ("max_position_embeddings", 0), ("num_hidden_layers", 3), ("type_vocab_size", 3)]
    {
        check(|tiny| tiny.config[key] = serde_json::json!(number), unfit);
    }
    check(|tiny| tiny.weight("embeddings.LayerNorm.bias").1[0] = f32::NAN, "its weights are damaged");
    check(|tiny| tiny.weight("embeddings.LayerNorm.bias").1[0] = f32::INFINITY, "its weights are damaged");
}

#[test]
fn a_tokenizer_that_does_not_fit_is_refused() {
    check(|tiny| tiny.tokenizer = tiny.tokenizer.replace("\"send\":7", "\"send\":9"), "the tokenizer belongs to another model");
    check(|tiny| tiny.tokenizer = "{}".into(), "tokenizer.json: the tokenizer fails: ");
    check(|tiny| tiny.tokenizer = String::new(), "tokenizer.json: the tokenizer fails: ");
    check(|tiny| tiny.tokenizer = tiny.tokenizer.replace("\"[CLS]\":{\"id\"", "\"[cls]\":{\"id\""), "its file contradicts itself");
    check(|tiny| tiny.file("sentence_bert_config.json", "{\"max_seq_length\": 3}"), "windows of 3 tokens have no room beside the 2");
}

#[test]
fn what_cannot_be_done_is_refused() {
    check(|tiny| tiny.file("1_Pooling/config.json", "{\"pooling_mode_lasttoken\": true}"), "its pooling is not supported");
    check(
        |tiny| tiny.file("1_Pooling/config.json", "{\"pooling_mode_mean_tokens\": true, \"pooling_mode_cls_token\": true}"),
        "its pooling",
    );
    check(|tiny| tiny.file("1_Pooling/config.json", "{}"), "its pooling is not supported");
    let dense = "[{\"path\": \"2_Dense\", \"type\": \"sentence_transformers.models.Dense\"}]";
    check(|tiny| tiny.file("modules.json", dense), "its step `Dense` is not supported");
    let outside = "[{\"path\": \"../other\", \"type\": \"sentence_transformers.models.Pooling\"}]";
    check(|tiny| tiny.file("modules.json", outside), "leads out of the model's folder");
}

#[test]
fn damaged_files_break_nothing() {
    let tiny = Tiny::new(Family::Bert);
    let folder = tiny.written();
    for (name, whole) in [
        ("model.safetensors", tiny.safetensors()),
        ("tokenizer.json", tiny.tokenizer.clone().into_bytes()),
        ("config.json", tiny.config.to_string().into_bytes()),
    ] {
        let path = folder.path().join(name);
        let header = whole.len().min(1500);
        for at in (0..header).step_by(3) {
            let mut changed = whole.clone();
            changed[at] ^= 0x15;
            std::fs::write(&path, &changed).expect("it can be written");
            let _ = Transformer::load(folder.path(), Weights::Numbers);
        }
        for length in (0..whole.len()).step_by(whole.len() / 40) {
            std::fs::write(&path, &whole[..length]).expect("it can be written");
            assert!(Transformer::load(folder.path(), Weights::Numbers).is_err(), "{name} of {length} bytes");
        }
        std::fs::write(&path, &whole).expect("it can be written");
    }
    assert!(Transformer::load(folder.path(), Weights::Numbers).is_ok());
}
