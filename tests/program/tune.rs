//! Tuning: the statistics against values reckoned by hand, labels and their faults, the picture, and what is written.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use callgate::cli::thresholds::{Thresholds, edit};
use callgate::finding::Run;
use callgate::finding::hide::Hidden;
use callgate::report::{registry as reporters, tune::svg};
use callgate::tune::auc::{Auc, Z, standard_error};
use callgate::tune::hits;
use callgate::tune::labels::{self, Label};
use callgate::tune::rate::{at_most, percent};
use callgate::tune::roc::{Point, points, thinned};
use callgate::tune::threshold::Cut;
use callgate::tune::{Class, ModelTuning, Tuning};
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

const CALLGATE: &str = env!("CARGO_BIN_EXE_callgate");
const GOOD: &str = "return await callTool('tickets:get', { id: 7 });\n";
const BAD: &str = "const users = await callTool('users:list', {});\nawait callTool('webhook:send', { body: users });\n";
const NEVER: f64 = f64::INFINITY;

fn auc(good: &[f64], bad: &[f64]) -> Option<f64> {
    Auc::of(&points(good, bad)).map(|auc| auc.value)
}

#[test]
fn the_area_is_the_share_of_pairs_in_order() {
    for (good, bad, expected) in [
        (&[0.0, 10.0][..], &[20.0, 30.0][..], Some(1.0)),
        (&[20.0, 30.0], &[0.0, 10.0], Some(0.0)),
        (&[5.0], &[5.0], Some(0.5)),
        // Of nine pairs six are in order and one is a tie.
        (&[10.0, 20.0, 50.0], &[20.0, 40.0, 60.0], Some(6.5 / 9.0)),
        // Ties within one label change nothing.
        (&[0.0, 0.0, 0.0, 40.0], &[40.0, 40.0], Some(7.0 / 8.0)),
        // What could not be judged is flagged before all scores, and ties with its like.
        (&[0.0, NEVER], &[100.0, NEVER], Some((1.0 + 1.0 + 0.5) / 4.0)),
        (&[], &[1.0], None),
        (&[1.0], &[], None),
    ] {
        assert_eq!(auc(good, bad), expected, "{good:?} {bad:?}");
    }
}

#[test]
fn the_interval_holds_the_areas_that_may_have_given_the_one_that_was_seen() {
    for (good, bad) in [(50, 50), (9, 7), (400, 20), (1, 1)] {
        let high: Vec<f64> = (0..bad).map(|at| f64::from(at % 5) + 1.0).collect();
        let low: Vec<f64> = (0..good).map(|at| f64::from(at % 5)).collect();
        let Auc { value, low, high } = Auc::of(&points(&low, &high)).expect("there are both");
        assert!(0.0 <= low && low < value && value <= high && high <= 1.0, "{low} {value} {high}");
        let (good, bad) = (usize::try_from(good).expect("it is small"), usize::try_from(bad).expect("it is small"));
        let away = (value - low) / standard_error(low, good, bad);
        assert!((away - Z).abs() < 1e-6, "{away}");
    }
    // By hand: 0.5 of 4 and 4 is √(0.25 × (1 + 3 × (1/3 + 1/3)) / 16).
    assert!((standard_error(0.5, 4, 4) - (0.25_f64 * 3.0 / 16.0).sqrt()).abs() < 1e-12);
    // All in order, but by few: what is certain is little.
    let few = Auc::of(&points(&[0.0; 5], &[9.0; 5])).expect("there are both");
    assert!(few.value == 1.0 && few.high == 1.0 && few.low < 0.8, "{few:?}");
}

#[test]
fn thresholds_reach_the_wanted_rate_and_no_more() {
    let good = [0.0, 0.0, 10.0, 20.0, 30.0, 30.0, 50.0, 50.5, 60.0, 80.0];
    let bad = [30.0, 50.5, 70.0, 90.0];
    for (rate, threshold, flagged_good, flagged_bad) in [
        // Between 80 and 90.
        (0.0, 85.0, 0, 1),
        // Less than one file is none.
        (0.09, 85.0, 0, 1),
        // One of ten: all above 60.
        (0.1, 65.0, 1, 2),
        (0.2, 55.0, 2, 2),
        // Between 50 and 50.5 no whole number tells them apart.
        (0.3, 50.3, 3, 3),
        (0.4, 40.0, 4, 3),
        // The two at 30 come together.
        (0.5, 40.0, 4, 3),
        (0.6, 25.0, 6, 4),
        (0.99, 5.0, 8, 4),
    ] {
        let cut = Cut::at(rate, &points(&good, &bad)).expect("there are both");
        assert_eq!(cut, Cut { rate, threshold: Some(threshold), good: flagged_good, bad: flagged_bad });
        let from = |scores: &[f64]| scores.iter().filter(|score| threshold <= **score).count();
        assert_eq!((from(&good), from(&bad)), (flagged_good, flagged_bad), "{threshold} flags what it is said to");
    }
}

#[test]
fn a_rate_that_no_threshold_reaches_has_none() {
    // A good file at the top of the scale, and one that is blocked because it could not be judged.
    for (good, bad) in [(&[0.0, 100.0], &[100.0, 100.0]), (&[0.0, NEVER], &[100.0, NEVER])] {
        let cut = Cut::at(0.0, &points(good, bad)).expect("there are both");
        assert_eq!(cut.threshold, None, "{cut:?}");
    }
    let above = Cut::at(0.0, &points(&[90.0], &[10.0])).expect("there are both");
    assert_eq!((above.threshold, above.bad), (Some(95.0), 0), "above all that was seen, and of no use");
    assert_eq!(Cut::at(0.0, &points(&[], &[10.0])), None);
}

#[test]
fn a_long_curve_is_thinned_and_keeps_its_ends() {
    let good: Vec<f64> = (0..900).map(|at| f64::from(at) / 12.0).collect();
    let bad: Vec<f64> = (0..900).map(|at| f64::from(at) / 9.0).collect();
    let all = points(&good, &bad);
    let few = thinned(&all, 10);
    assert!(few.len() <= 10 && 8 < few.len(), "{}", few.len());
    assert_eq!((few.first(), few.last()), (all.first(), all.last()));
    assert_eq!(thinned(&all[..5], 10), all[..5]);
}

#[test]
fn rates_are_told_with_what_they_may_be() {
    // Wilson: none of n may be z²/(n + z²).
    assert!((at_most(0, 30) - Z * Z / (30.0 + Z * Z)).abs() < 1e-12);
    assert_eq!((at_most(0, 0), at_most(7, 7)), (1.0, 1.0));
    for (share, expected) in [(0.0, "0 %"), (0.01, "1 %"), (0.001, "0.1 %"), (2.0 / 3.0, "66.7 %"), (1.0, "100 %")] {
        assert_eq!(percent(share), expected);
    }
}

#[test]
fn rules_with_most_false_alarms_come_first() {
    let files = [(Label::Bad, vec!["a", "b"]), (Label::Good, vec!["b", "c", "d"]), (Label::Good, vec!["c", "d"]), (Label::Bad, vec!["d"])];
    let hits = hits::count(files.into_iter());
    let told: Vec<_> = hits.iter().map(|hits| (hits.id.as_str(), hits.good, hits.bad, hits.precision())).collect();
    assert_eq!(told, [("c", 2, 0, 0.0), ("d", 2, 1, 1.0 / 3.0), ("b", 1, 1, 0.5), ("a", 0, 1, 1.0)]);
}

fn ranks() -> impl Strategy<Value = Vec<f64>> {
    // Few distinct scores, so that ties are common.
    prop::collection::vec((0_u8..8).prop_map(|step| if step == 7 { NEVER } else { f64::from(step) * 16.5 }), 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_area_is_the_fraction_of_ordered_pairs(good in ranks(), bad in ranks()) {
        let pairs = bad.iter().flat_map(|bad| good.iter().map(move |good| match good.total_cmp(bad) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        }));
        let sum: f64 = pairs.sum();
        let fraction = sum / (good.len() * bad.len()) as f64;
        let found = Auc::of(&points(&good, &bad)).expect("there are both");
        prop_assert!((found.value - fraction).abs() < 1e-12);
        prop_assert!(0.0 <= found.low && found.low <= found.value && found.value <= found.high && found.high <= 1.0);
    }

    #[test]
    fn curves_never_fall_and_thresholds_keep_their_rate(good in ranks(), bad in ranks(), rate in 0.0..0.99) {
        let curve = points(&good, &bad);
        prop_assert!(curve.windows(2).all(|pair| pair[0].good <= pair[1].good && pair[0].bad <= pair[1].bad));
        prop_assert!(curve[1..].windows(2).all(|pair| pair[1].threshold < pair[0].threshold));
        let cut = Cut::at(rate, &curve).expect("there are both");
        if let Some(threshold) = cut.threshold {
            let from = |ranks: &[f64]| ranks.iter().filter(|rank| threshold <= **rank).count();
            prop_assert_eq!((from(&good), from(&bad)), (cut.good, cut.bad));
            prop_assert!(cut.good as f64 <= rate * good.len() as f64 + 1e-9);
            prop_assert!(0.0 < threshold && threshold <= 100.0);
            // One score lower would be too many.
            let lower = curve.iter().find(|point| cut.good < point.good || cut.bad < point.bad).copied();
            prop_assert!(lower.is_none_or(|lower: Point| rate * (good.len() as f64) < lower.good as f64));
        }
    }
}

fn words(text: &str) -> Vec<(String, &'static str)> {
    labels::read(text).expect("it has no faults").into_iter().map(|row| (row.path, row.label.name())).collect()
}

fn faults(text: &str) -> Vec<String> {
    labels::read(text).expect_err("it has faults").iter().map(ToString::to_string).collect()
}

#[test]
fn labels_are_read_from_csv_and_json_lines() {
    let expected = |pairs: &[(&str, &'static str)]| pairs.iter().map(|(path, label)| ((*path).to_owned(), *label)).collect::<Vec<_>>();
    for (text, pairs) in [
        ("path,label\na.js,malicious\nb.js,benign\n", &[("a.js", "bad"), ("b.js", "good")][..]),
        ("a.js,1\r\n\r\nb.js,0", &[("a.js", "bad"), ("b.js", "good")]),
        ("\u{feff}note,Label,Path\nwhy,BLOCK,a.js\n,allow,b.js", &[("a.js", "bad"), ("b.js", "good")]),
        ("\"a, \"\"b\"\".js\",bad\n", &[("a, \"b\".js", "bad")]),
        ("{\"path\":\"a.js\",\"label\":\"bad\",\"by\":7}\n\n{\"path\":\"b.js\",\"label\":0}\n", &[("a.js", "bad"), ("b.js", "good")]),
    ] {
        assert_eq!(words(text), expected(pairs), "{text:?}");
    }
}

#[test]
fn faults_of_labels_name_their_lines() {
    for (text, expected) in [
        ("path,label\na.js,bad\nb.js,evil\n", "3:1: there is no label `evil`: bad files are malicious, bad, 1, block;"),
        ("a.js\n", "1:1: it is not `path,label`"),
        ("a.js,bad\n,good", "2:1: a label without a path"),
        ("a.js,bad\n\"b.js,good\nc.js,bad\n", "2:1: the quote that opens here is not closed"),
        ("{\"path\":\"a.js\",\"label\":\"bad\"}\n{\"path\":7}", "2:1: `path` must be a text"),
        ("{\"path\":\"a.js\",\"label\":true}", "1:1: `label` must be a text, 1 or 0"),
        ("{\"path\":\"a.js\"", "1:1: it is not JSON"),
        ("", "1:1: there is no label"),
        ("path,label\n", "1:1: there is no label"),
    ] {
        let told = faults(text);
        assert!(told.len() == 1 && told[0].starts_with(expected), "{text:?}: {told:?}");
    }
    assert_eq!(faults("a.js,evil\nb.js,worse\n").len(), 2, "all are told at once");
}

fn resolve(text: &str, files: &[&str]) -> Result<BTreeMap<PathBuf, Label>, Vec<String>> {
    let labels = labels::read(text).expect("it has no faults");
    let resolved = labels::resolve(&labels, files.iter().map(Path::new), Path::new("/home"), Path::new("set"));
    resolved.map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

#[test]
fn a_label_finds_its_file_however_the_path_is_written() {
    for (path, file) in [
        ("a.js", "a.js"),
        ("./a.js", "a.js"),
        ("a.js", "./a.js"),
        ("b/../a.js", "/home/a.js"),
        ("/home/a.js", "a.js"),
        // From the folder of the labels.
        ("a.js", "set/a.js"),
        ("../a.js", "a.js"),
    ] {
        let resolved = resolve(&format!("{path},bad"), &[file]).expect("it is found");
        assert_eq!(resolved.get(Path::new(file)), Some(&Label::Bad), "{path} {file}");
    }
    assert_eq!(resolve("a.js,bad\n./a.js,bad", &["a.js"]).map(|resolved| resolved.len()), Ok(1), "twice the same is once");
    let told = resolve("a.js,bad\nset/a.js,good\n./a.js,good\nc.js,bad\n", &["a.js", "set/a.js"]).expect_err("there are faults");
    assert_eq!(told, ["3:1: `./a.js` is good here and bad on line 1", "4:1: no file that was judged is `c.js`"]);
}

#[test]
fn settings_change_in_their_own_lines_only() {
    let both = Thresholds { warn: Some(30.0), block: Some(62.5) };
    for (before, after) in [
        ("", "warn_threshold: 30\nblock_threshold: 62.5\n"),
        ("fail_on: block", "fail_on: block\nwarn_threshold: 30\nblock_threshold: 62.5\n"),
        (
            "# mine\nwarn_threshold:   40  # soft\r\nrules: {}\r\nblock_threshold: 70\r\n",
            "# mine\nwarn_threshold:   30  # soft\r\nrules: {}\r\nblock_threshold: 62.5\r\n",
        ),
        (
            "#: warn_threshold: 40\n#: block_threshold: 70\n\nexclude: [a]\n",
            "#: warn_threshold: 40\nwarn_threshold: 30\n#: block_threshold: 70\nblock_threshold: 62.5\n\nexclude: [a]\n",
        ),
        ("warn_threshold: 30.0\nblock_threshold: 62.5", "warn_threshold: 30.0\nblock_threshold: 62.5"),
        ("warn_threshold:\nexclude: [a]\n", "warn_threshold: 30\nexclude: [a]\nblock_threshold: 62.5\n"),
    ] {
        let edited = edit(before, both);
        assert_eq!(edited.as_deref(), Some(after), "{before:?}");
        assert_eq!(edit(after, both).as_deref(), Some(after), "twice is once");
    }
    assert_eq!(
        edit("warn_threshold: 9\n", Thresholds { block: Some(50.0), warn: None }).as_deref(),
        Some("warn_threshold: 9\nblock_threshold: 50\n")
    );
    for strange in
        ["{warn_threshold: 40, block_threshold: 70}\n", "\"warn_threshold\": 40\n", "warn_threshold:\n  40\n", "warn_treshold: 4\n"]
    {
        assert_eq!(edit(strange, both), None, "{strange:?}");
    }
}

/// A tuning of one model whose name and labels are as hostile as can be.
fn hostile() -> Tuning {
    let name = "<script>alert('1')</script>&\"\u{202e}\u{1}";
    let class = |ranks: &[f64]| Class { ranks: ranks.to_vec(), ..Class::default() };
    let model = ModelTuning::of(name, "thresholds", class(&[0.0, 12.0, 100.0]), class(&[12.0, 90.0, NEVER]), &[0.0, 0.5]);
    let silent = ModelTuning::of("silent", "action", Class::default(), Class::default(), &[0.0, 0.5]);
    Tuning {
        labels: format!("{name}.csv"),
        good: 3,
        bad: 3,
        unlabelled: 0,
        rates: vec![0.0, 0.5],
        models: vec![model, silent],
        left_out: Vec::new(),
        rules: Vec::new(),
        run: Run::default(),
    }
}

#[test]
fn the_picture_is_well_formed_and_names_in_it_are_only_names() {
    let mut picture = Vec::new();
    svg::write(Hidden::without_any(&hostile()), &mut picture).expect("a vector takes all");
    let picture = String::from_utf8(picture).expect("it is text");
    assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" ") && picture.ends_with("</svg>\n"));
    assert!(!picture.contains("<script") && picture.contains("&lt;script&gt;"), "{picture}");
    assert!(!picture.contains(['\u{1}', '\u{202e}']) && !picture.contains("NaN") && !picture.contains("inf"));
    for word in ["href", "url(", "@import", "onload", "http://", "https://"] {
        assert!(!picture.replace("http://www.w3.org/2000/svg", "").contains(word), "{word}");
    }
    assert_eq!(open_elements(&picture), Vec::<String>::new());
}

/// The elements that are opened and not closed, in a text in which each `<` begins a tag and each `&` a reference.
fn open_elements(text: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    for reference in text.split('&').skip(1) {
        assert!(["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|known| reference.starts_with(known)), "{reference}");
    }
    for part in text.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or(tag).to_owned());
        }
    }
    open
}

#[test]
fn json_keeps_its_schema_and_knows_no_infinity() {
    let mut text = Vec::new();
    let json = reporters::tuner("json").expect("it is registered");
    (json.write)(Hidden::without_any(&hostile()), callgate::report::Style::default(), &mut text).expect("a vector takes all");
    let document: Value = serde_json::from_slice(&text).expect("it is JSON");
    let schema: Value = serde_json::from_str(callgate::report::tune::json::SCHEMA).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let faults: Vec<String> = validator.iter_errors(&document).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(document["models"][0]["roc"][0]["threshold"], Value::Null);
    assert_eq!(document["models"][0]["roc"][0]["true_positives"], 1);
    assert_eq!(document["models"][1]["auc"], Value::Null);
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let broken = "return (;\n";
    let lines =
        "{\"name\": \"tickets:get\", \"arguments\": {\"id\": 7}}\n{\"name\": \"shell:run\", \"arguments\": {\"command\": \"rm -rf /\"}}\n";
    let files = [("good.js", GOOD), ("bad.js", BAD), ("broken.js", broken), ("lines.jsonl", lines), ("other.js", GOOD)];
    for (name, text) in files.into_iter().chain([("labels.csv", "good.js,good\nbad.js,bad\nbroken.js,bad\nlines.jsonl,bad\n")]) {
        fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    folder
}

fn callgate(folder: &TempDir, args: &[&str]) -> Output {
    Command::new(CALLGATE).args(args).current_dir(folder.path()).env_clear().output().expect("callgate runs")
}

fn tuned(folder: &TempDir, args: &[&str]) -> Value {
    let output = callgate(folder, &[&["tune", "--labels", "labels.csv", ".", "--format", "json"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

#[test]
fn files_count_once_and_what_could_not_be_judged_is_flagged_unless_policy_lets_it_pass() {
    let folder = folder();
    for (more, first) in [(&[][..], (Value::Null, 1)), (&["--fail-open"], (Value::Null, 0))] {
        let document = tuned(&folder, &[&["--model", "hybrid"], more].concat());
        assert_eq!(document["labels"]["unlabelled"], 1);
        let model = &document["models"][0];
        assert_eq!((&model["good"]["files"], &model["bad"]["files"]), (&Value::from(1), &Value::from(3)), "of several subjects the worst");
        assert_eq!(model["bad"]["undetermined"], 1);
        assert_eq!(
            (model["roc"][0]["threshold"].clone(), &model["roc"][0]["true_positives"]),
            (first.0, &Value::from(first.1)),
            "{more:?}"
        );
    }
    let rules = tuned(&folder, &["--model", "hybrid"])["rules"].clone();
    assert!(rules.as_array().is_some_and(|rules| !rules.is_empty() && rules.iter().all(|rule| rule["bad"] != 0 && rule["good"] == 0)));
}

#[test]
fn written_thresholds_keep_the_rest_of_the_settings_and_are_written_once() {
    let folder = folder();
    let settings = folder.path().join("callgate.yaml");
    let own = "# keep me\nmodels: [weighted-category]\nwarn_threshold: 3   # and me\n";
    fs::write(&settings, own).expect("a file can be written");
    let args = ["tune", "--labels", "labels.csv", ".", "--write"];
    let first = callgate(&folder, &args);
    let told = String::from_utf8_lossy(&first.stderr).into_owned();
    assert_eq!(first.status.code(), Some(0), "{told}");
    assert!(told.contains("warn_threshold: 3 → ") && told.contains("looser: less is flagged than before"), "{told}");
    assert!(told.contains("block_threshold: 70 (the default) → "), "{told}");
    let text = fs::read_to_string(&settings).expect("it is there");
    assert!(
        text.starts_with("# keep me\nmodels: [weighted-category]\nwarn_threshold: ") && text.contains("   # and me\nblock_threshold: "),
        "{text}"
    );
    let second = callgate(&folder, &args);
    assert!(String::from_utf8_lossy(&second.stderr).contains("says so already"));
    assert_eq!(fs::read_to_string(&settings).expect("it is there"), text);
    let names: Vec<_> = fs::read_dir(folder.path()).expect("it can be read").map(|entry| entry.expect("it is there").file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().ends_with(".new")), "{names:?}");
    let block = tuned(&folder, &["--model", "weighted-category"])["models"][0]["block_threshold"].clone();
    assert!(text.contains(&format!("block_threshold: {}", block.as_f64().expect("it is a number"))), "{text} {block}");
}

#[test]
fn what_cannot_be_written_sensibly_is_not() {
    let folder = folder();
    for (args, settings, expected) in [
        (&["--model", "hybrid,tiered"][..], "", "here are several: hybrid, tiered"),
        (&["--no-config"], "", "--no-config says not to look at it"),
        (&[], "{warn_threshold: 40}\n", "does not say its thresholds in lines of their own"),
        (&["--model", "fixed"], "", "no threshold of fixed finds any bad file"),
    ] {
        let path = folder.path().join("callgate.yaml");
        fs::write(&path, settings).expect("a file can be written");
        let output = callgate(&folder, &[&["tune", "--labels", "labels.csv", ".", "--write"], args].concat());
        let told = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(output.status.code() == Some(3) && told.contains(expected), "{told}");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), settings);
    }
}
