//! The external model against a service of these tests' own, on this machine.

#![cfg(feature = "external-api")]
#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test says what must be there by expecting it, and a slow service sleeps"
)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use callgate::meaning::Features;
use callgate::model::external_api::{ExternalApi, KEY_VARIABLE, URL_VARIABLE};
use callgate::model::registry::{Builder, ModelSettings};
use callgate::model::{Evaluation, Evidence, Model as _};
use callgate::subject::{Kind, Lifecycle, Subject};
use serde_json::Value;

const CALLGATE: &str = env!("CARGO_BIN_EXE_callgate");
const LOOP: &str = "for (const id of ids) { await callTool('a:set', { id }) }\n";

/// What the service does with a connection once it has read the request.
#[derive(Clone)]
enum Deed {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Waits, and then does the same.
    SendAfter(Duration, Vec<u8>),
    /// Sends one byte after the other, with this wait between.
    Trickle(Duration, Vec<u8>),
    /// Sends a head, and then so many bytes.
    Flood(&'static str, usize),
    /// Sends the request back: in the answer, wherever a text can stand.
    Echo,
}

/// A service that does one deed a connection, the last one for all further ones.
struct Service {
    address: String,
    requests: Arc<Mutex<Vec<(Instant, String)>>>,
}

impl Service {
    fn doing(deeds: Vec<Deed>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has an address").to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        thread::spawn(move || {
            for (nth, stream) in listener.incoming().enumerate() {
                let Ok(stream) = stream else { return };
                let deed = deeds.get(nth).or(deeds.last()).expect("there is a deed").clone();
                let seen = Arc::clone(&seen);
                thread::spawn(move || serve(stream, &deed, &seen));
            }
        });
        Self { address, requests }
    }

    fn answering(body: &str) -> Self {
        Self::doing(vec![Deed::Send(ok(body))])
    }

    fn url(&self) -> String {
        format!("http://{}/score", self.address)
    }

    fn requests(&self) -> Vec<(Instant, String)> {
        self.requests.lock().expect("nobody panicked").clone()
    }
}

fn serve(mut stream: TcpStream, deed: &Deed, seen: &Mutex<Vec<(Instant, String)>>) {
    let begun = Instant::now();
    let request = read_request(&mut stream);
    seen.lock().expect("nobody panicked").push((begun, request.clone()));
    // A client that has given up is what some tests are about.
    match deed {
        Deed::Send(bytes) => drop(stream.write_all(bytes)),
        Deed::SendAfter(wait, bytes) => {
            thread::sleep(*wait);
            drop(stream.write_all(bytes));
        }
        Deed::Trickle(wait, bytes) => {
            for byte in bytes {
                if stream.write_all(&[*byte]).is_err() {
                    return;
                }
                thread::sleep(*wait);
            }
        }
        Deed::Flood(head, count) => {
            let _ = stream.write_all(head.as_bytes());
            let block = vec![b' '; 64 * 1024];
            for _ in 0..count / block.len() {
                if stream.write_all(&block).is_err() {
                    return;
                }
            }
        }
        Deed::Echo => {
            let said: String = request.lines().filter(|line| line.to_lowercase().starts_with("authorization")).collect();
            let signal = serde_json::json!({ "id": said, "score": 5, "level": "low", "description": said });
            drop(stream.write_all(&ok(&serde_json::json!({ "score": 50, "signals": [signal] }).to_string())));
        }
    }
}

fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut block = [0; 4096];
    loop {
        let count = stream.read(&mut block).unwrap_or(0);
        bytes.extend_from_slice(&block[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let length =
            text.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ").and_then(|n| n.parse::<usize>().ok()));
        let is_whole = text.split_once("\r\n\r\n").is_some_and(|(_, body)| length.unwrap_or(0) <= body.len());
        if count == 0 || is_whole {
            return text;
        }
    }
}

fn ok(body: &str) -> Vec<u8> {
    reply("200 OK", "Content-Type: application/json\r\n", body)
}

fn reply(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).into_bytes()
}

/// A key that stands nowhere in a file.
fn key() -> String {
    ["cg", "test", "a1B2c3D4e5F6"].join("_")
}

fn settings(url: &str, timeout_ms: u32, retries: u32) -> ModelSettings {
    let mut settings = ModelSettings::default();
    settings.external_api.url = Some(url.to_owned());
    settings.external_api.timeout_ms = timeout_ms;
    settings.external_api.retries = retries;
    settings
}

fn build(settings: &ModelSettings) -> Result<ExternalApi, String> {
    let environment = |name: &str| (name == KEY_VARIABLE).then(key);
    let mut builder = Builder::new(settings);
    builder.is_explicit = true;
    builder.environment = &environment;
    ExternalApi::build(&settings.external_api, &builder).map_err(|fault| fault.to_string())
}

/// What the model says of a subject in which there is nothing.
fn asked(settings: &ModelSettings) -> Result<Evaluation, String> {
    let model = build(settings).expect("the settings make the model");
    let subject = Subject::empty(Kind::Script, Lifecycle::PreToolCall);
    let evidence = Evidence { subject: &subject, features: &Features::default(), matches: &[], answers: &[], text: "" };
    let opinions = model.evaluate(&evidence).map_err(|error| error.to_string())?;
    opinions.into_iter().next().ok_or_else(|| "no opinion".to_owned())
}

#[test]
fn features_are_posted_with_the_key_and_the_answer_is_taken_over() {
    let service = Service::answering(r#"{"score":55.5,"risk":"high","signals":[{"id":"A","score":9,"level":"low","description":"d"}]}"#);
    let evaluation = asked(&settings(&service.url(), 5_000, 0)).expect("it answers");
    assert_eq!((evaluation.score.value(), evaluation.level.as_deref(), evaluation.action), (55.5, Some("high"), None));
    assert_eq!((evaluation.signals[0].id.as_str(), evaluation.signals[0].score), ("A", 9.0));
    let [(_, request)] = service.requests().try_into().expect("it was asked once");
    let (head, body) = request.split_once("\r\n\r\n").expect("it has a head");
    assert!(head.starts_with("POST /score HTTP/1.1"), "{head}");
    assert!(head.to_lowercase().contains("content-type: application/json"), "{head}");
    assert!(head.contains(&format!("Bearer {}", key())), "{head}");
    let body: Value = serde_json::from_str(body).expect("it is JSON");
    assert_eq!((body["version"].as_str(), body["features"]["kind"].as_str()), (Some("1.0"), Some("script")));
}

#[test]
fn a_malformed_answer_fails_at_once() {
    let mut invalid = reply("200 OK", "", "  ");
    invalid.truncate(invalid.len() - 2);
    invalid.extend_from_slice(&[0xff, 0xfe]);
    let bodies = ["", "<html>", "[]", "{}", r#"{"score":"1"}"#, r#"{"score":101}"#, r#"{"score":1,"risk":"x"}"#];
    let more = [r#"{"score":1,"signals":[{}]}"#, r#"{"score":1,"error":"quota"}"#, r#"{"score":NaN}"#];
    for answer in bodies.iter().chain(&more).map(|body| ok(body)).chain([invalid]) {
        let service = Service::doing(vec![Deed::Send(answer.clone())]);
        let message = asked(&settings(&service.url(), 5_000, 3)).expect_err("the answer is malformed");
        assert!(message.starts_with(&format!("the model external-api failed: {}: ", service.address)), "{message}");
        assert_eq!(service.requests().len(), 1, "{}", String::from_utf8_lossy(&answer));
    }
}

#[test]
fn only_what_may_pass_is_asked_again() {
    for (status, tries) in [("400 Bad", 1), ("401 No", 1), ("404 No", 1), ("408 Slow", 2), ("429 Many", 2), ("500 Bad", 2), ("503 Busy", 2)]
    {
        let service = Service::doing(vec![Deed::Send(reply(status, "", "said to nobody"))]);
        let message = asked(&settings(&service.url(), 5_000, 1)).expect_err("it is no answer");
        assert!(message.contains(status.get(..3).expect("it has three digits")) && !message.contains("said to nobody"), "{message}");
        assert_eq!(service.requests().len(), tries, "{status}");
    }
}

#[test]
fn tries_are_counted_and_waits_get_longer() {
    let busy = || Deed::Send(reply("503 Busy", "", ""));
    let service = Service::doing(vec![busy(), busy(), Deed::Send(ok(r#"{"score":7}"#))]);
    let evaluation = asked(&settings(&service.url(), 5_000, 2)).expect("the third try succeeds");
    assert_eq!(evaluation.score.value().to_bits(), 7.0_f64.to_bits());
    let times: Vec<Instant> = service.requests().into_iter().map(|(time, _)| time).collect();
    let waits: Vec<u128> = times.windows(2).map(|pair| (pair[1] - pair[0]).as_millis()).collect();
    assert!(waits.len() == 2 && 200 <= waits[0] && 400 <= waits[1], "{waits:?}");
    let service = Service::doing(vec![busy()]);
    let message = asked(&settings(&service.url(), 5_000, 2)).expect_err("no try succeeds");
    assert!(message.ends_with("(3 tries)"), "{message}");
    assert_eq!(service.requests().len(), 3);
}

#[test]
fn the_time_limit_holds_for_the_whole_answer() {
    let answer = ok(r#"{"score":1}"#);
    let slow = Deed::SendAfter(Duration::from_secs(20), answer.clone());
    let trickling = Deed::Trickle(Duration::from_millis(100), answer.clone());
    let broken = Deed::Trickle(Duration::from_millis(100), [&answer[..answer.len() - 5], b"     "].concat());
    for deed in [slow, trickling, broken] {
        let service = Service::doing(vec![deed]);
        let begun = Instant::now();
        let message = asked(&settings(&service.url(), 400, 0)).expect_err("it is too slow");
        assert!(message.contains("did not answer wholly within 400 ms"), "{message}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}

#[test]
fn an_answer_has_a_largest_size() {
    let sized = "HTTP/1.1 200 OK\r\nContent-Length: 4194304\r\n\r\n";
    let unsized_ = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    for head in [sized, unsized_] {
        let service = Service::doing(vec![Deed::Flood(head, 4 * 1024 * 1024)]);
        let message = asked(&settings(&service.url(), 20_000, 3)).expect_err("it is too large");
        assert!(message.contains("larger than 1048576 bytes"), "{message}");
        assert_eq!(service.requests().len(), 1);
    }
    let head = format!("HTTP/1.1 200 OK\r\nX: {}\r\nContent-Length: 2\r\n\r\n{{}}", "x".repeat(64 * 1024));
    let service = Service::doing(vec![Deed::Send(head.into_bytes())]);
    asked(&settings(&service.url(), 20_000, 0)).expect_err("its head is too large");
}

#[test]
fn no_redirect_is_followed() {
    let other = Service::answering(r#"{"score":0}"#);
    for status in ["301 Moved", "302 Found", "303 See", "307 Temporary", "308 Permanent"] {
        for location in [other.url(), "/elsewhere".to_owned(), "https://risk.example/".to_owned()] {
            let service = Service::doing(vec![Deed::Send(reply(status, &format!("Location: {location}\r\n"), ""))]);
            let message = asked(&settings(&service.url(), 5_000, 3)).expect_err("it is no answer");
            assert!(message.contains("redirect"), "{message}");
            assert_eq!(service.requests().len(), 1, "{status} {location}");
        }
    }
    assert!(other.requests().is_empty());
}

#[test]
fn a_broken_connection_is_tried_again() {
    let answer = ok(r#"{"score":7}"#);
    let half = answer[..answer.len() - 4].to_vec();
    for broken in [half, answer[..20].to_vec(), Vec::new(), b"SSH-2.0-nothing\r\n".to_vec()] {
        let service = Service::doing(vec![Deed::Send(broken.clone()), Deed::Send(answer.clone())]);
        let evaluation = asked(&settings(&service.url(), 5_000, 1));
        assert_eq!(evaluation.map(|evaluation| evaluation.score.value()), Ok(7.0), "{}", String::from_utf8_lossy(&broken));
        assert_eq!(service.requests().len(), 2);
        let service = Service::doing(vec![Deed::Send(broken)]);
        asked(&settings(&service.url(), 5_000, 0)).expect_err("the answer broke off");
    }
    let message = asked(&settings(&closed(), 5_000, 0)).expect_err("nobody listens");
    assert!(message.contains("connection failed"), "{message}");
}

/// An address at which nobody listens.
fn closed() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    format!("http://{}/", listener.local_addr().expect("it has an address"))
}

#[test]
fn what_counts_is_the_body_however_it_is_sent() {
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"sco\r\n6\r\nre\":7}\r\n0\r\n\r\n".to_vec();
    let plain = reply("200 OK", "Content-Type: text/html\r\n", r#"{"score":7}"#);
    let untyped = reply("200 OK", "", r#" {"score":7} "#);
    for answer in [chunked, plain, untyped] {
        let service = Service::doing(vec![Deed::Send(answer)]);
        let evaluation = asked(&settings(&service.url(), 5_000, 0));
        assert_eq!(evaluation.map(|evaluation| evaluation.score.value()), Ok(7.0));
    }
}

#[test]
fn an_address_elsewhere_needs_https_and_is_not_connected_to() {
    for url in ["http://risk.example/", "http://192.0.2.1/", "ftp://127.0.0.1/", "https://name:word@risk.example/"] {
        let message = build(&settings(url, 5_000, 0)).expect_err(url);
        assert!(message.starts_with("the model `external-api`: the address") || message.contains("must begin with https://"), "{message}");
    }
    assert!(build(&settings("https://risk.example/", 5_000, 0)).is_ok());
}

#[test]
fn the_same_is_asked_once_and_a_failure_not_at_once_again() {
    for (answer, is_right) in [(r#"{"score":7}"#, true), ("{}", false)] {
        let service = Service::answering(answer);
        let model = build(&settings(&service.url(), 5_000, 0)).expect("the settings make the model");
        let subject = Subject::empty(Kind::Script, Lifecycle::PreToolCall);
        let evidence = Evidence { subject: &subject, features: &Features::default(), matches: &[], answers: &[], text: "" };
        for _ in 0..3 {
            assert_eq!(model.evaluate(&evidence).is_ok(), is_right);
            assert_eq!(model.evaluate_without(&evidence, &|_| true).is_ok(), is_right);
        }
        assert_eq!(service.requests().len(), 1);
    }
}

#[test]
fn nothing_shows_the_key() {
    let key = key();
    let echoing = Service::doing(vec![Deed::Echo]);
    let model = build(&settings(&echoing.url(), 5_000, 0)).expect("the settings make the model");
    assert!(!format!("{model:?}").contains(&key));
    let told = Service::answering(&serde_json::json!({ "score": 1, "error": format!("bad {key}") }).to_string());
    let refusing = Service::doing(vec![Deed::Send(reply("401 No", &format!("X-Key: {key}\r\n"), &key))]);
    let redirecting = Service::doing(vec![Deed::Send(reply("302 Found", &format!("Location: http://{key}/\r\n"), ""))]);
    for (service, verdict) in [(&echoing, "warn"), (&told, "block"), (&refusing, "block"), (&redirecting, "block")] {
        for args in [
            &["--verbose", "--explain-score", "--features"][..],
            &["--format", "json", "--explain-score"],
            &["--format", "jsonl"],
            &["--format", "sarif"],
        ] {
            let folder = tempfile::tempdir().expect("a folder can be made");
            let environment = [(URL_VARIABLE, service.url()), (KEY_VARIABLE, key.clone())];
            let output = scan(folder.path(), LOOP, &environment, &[&["--model", "external-api"], args].concat());
            let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(!stdout.contains(&key) && !stderr.contains(&key), "{args:?}: {stdout}{stderr}");
            assert!(stdout.contains(verdict), "{args:?}: {stdout}{stderr}");
        }
    }
}

#[test]
fn found_settings_may_not_choose_where_anything_is_sent() {
    let service = Service::answering(r#"{"score":0}"#);
    for line in [format!("url: {}", service.url()), "key_variable: HOME_OF_SECRETS".to_owned()] {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let settings = format!("models: [external-api]\nmodel_settings:\n  external-api:\n    {line}\n");
        fs::write(folder.path().join("callgate.yaml"), settings).expect("settings can be written");
        let environment = [(URL_VARIABLE, service.url()), ("HOME_OF_SECRETS", key())];
        let output = scan(folder.path(), LOOP, &environment, &[]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{told}");
        assert!(told.contains("callgate.yaml:4:") && told.contains("--config"), "{told}");
        assert!(service.requests().is_empty());
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let settings = format!("models: [external-api]\nmodel_settings:\n  external-api: {{url: \"{}\", key_variable: MINE}}\n", service.url());
    fs::write(folder.path().join("mine.yaml"), settings).expect("settings can be written");
    let output = scan(folder.path(), LOOP, &[("MINE", key())], &["--config", "mine.yaml"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let without = scan(folder.path(), LOOP, &[], &["--config", "mine.yaml"]);
    let told = String::from_utf8_lossy(&without.stderr);
    assert!(without.status.code() == Some(3) && told.contains("MINE") && told.contains("is not set"), "{told}");
    assert_eq!(service.requests().len(), 1);
}

#[test]
fn a_part_that_fails_leaves_the_others_standing_and_the_whole_undetermined() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let settings = "model_settings:\n  composite: {parts: [{model: rule-based}, {model: external-api}]}\n  external-api: {retries: 0}\n";
    fs::write(folder.path().join("callgate.yaml"), settings).expect("settings can be written");
    let environment = [(URL_VARIABLE, closed())];
    let judged = |more: &[&str]| {
        let output = scan(folder.path(), LOOP, &environment, &[&["--model", "composite", "--format", "json"], more].concat());
        let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
        report["findings"][0].clone()
    };
    let finding = judged(&[]);
    assert_eq!((finding["verdict"].as_str(), finding["undetermined"]["reason"].as_str()), (Some("block"), Some("model")));
    let part = &finding["evaluations"][0]["parts"];
    assert_eq!((part[0]["model"].as_str(), part[0]["numeric_score"].as_i64(), part[1].as_str()), (Some("rule-based"), Some(25), None));
    assert_eq!(finding["evaluations"][0]["numeric_score"], 25);
    let sarif = scan(folder.path(), LOOP, &environment, &["--model", "composite", "--format", "sarif"]);
    let sarif: Value = serde_json::from_slice(&sarif.stdout).expect("the report is JSON");
    let results = sarif.pointer("/runs/0/results").and_then(Value::as_array).expect("it has results");
    let part = results.iter().find_map(|result| result.pointer("/properties/parts/0")).expect("it names the parts");
    assert_eq!(part, &serde_json::json!({ "of": "composite", "model": "rule-based", "score": 25.0 }));
    assert_eq!(judged(&["--fail-open"])["verdict"], "allow");
    assert_eq!(judged(&["--fail-open", "--warn-threshold", "25"])["verdict"], "warn");
}

#[test]
fn secrets_of_a_script_are_not_posted() {
    let token = ["sk", "live", "51H8xT4mQ9aZ2bC7dE6fG1h"].join("_");
    let text = format!("await callTool('pay:{token}', {{ '{token}': 1, k: '{token}', s: 'plain words' }}); u['password'];\n");
    for edition in ["published", "upstream"] {
        let service = Service::answering(r#"{"score":0}"#);
        let folder = tempfile::tempdir().expect("a folder can be made");
        let settings = format!("models: [external-api]\nmodel_settings: {{external-api: {{edition: {edition}}}}}\n");
        fs::write(folder.path().join("callgate.yaml"), settings).expect("settings can be written");
        scan(folder.path(), &text, &[(URL_VARIABLE, service.url())], &["--explain-score"]);
        let [(_, request)] = service.requests().try_into().expect("it was asked once");
        assert!(request.contains("[masked]") && !request.contains("51H8x"), "{request}");
        let is_text_posted = request.contains("plain words");
        assert!(edition == "upstream" || !is_text_posted, "{request}");
    }
}

#[test]
fn what_stays_on_this_machine_goes_by_no_proxy() {
    let service = Service::answering(r#"{"score":0}"#);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let proxy = closed();
    let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    let environment: Vec<(&str, String)> =
        names.into_iter().map(|name| (name, proxy.clone())).chain([(URL_VARIABLE, service.url())]).collect();
    let output = scan(folder.path(), LOOP, &environment, &["--model", "external-api"]);
    assert_eq!((output.status.code(), service.requests().len()), (Some(0), 1));
}

/// Scans a script in a folder, with nothing in the environment but what is given.
fn scan(folder: &Path, text: &str, environment: &[(&str, String)], args: &[&str]) -> Output {
    fs::write(folder.join("run.js"), text).expect("a script can be written");
    let mut command = Command::new(CALLGATE);
    command.env_clear().envs(environment.iter().map(|(name, value)| (*name, value.as_str()))).current_dir(folder);
    command.args(["scan", "run.js"]).args(args).output().expect("callgate runs")
}
