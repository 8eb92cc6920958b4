//! The external model: a service of the user's scores what is counted from a subject.
//!
//! What is posted stands in `posted.rs`: features, never texts. Whatever goes wrong makes the subject undetermined.
//! The address and the name of the key's variable are taken only from settings that the user named, and from the environment:
//! a callgate.yaml that lies in a scanned repository must not choose where anything is sent.

pub mod answer;
pub mod cache;
pub mod posted;

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::model::build::{BuildError, Builder, Settings};
use crate::model::external_api::cache::{Cache, MOST_ENTRIES, TIME_TO_LIVE, WhenFull};
use crate::model::external_api::posted::Secrets;
use crate::model::rule_based::Edition;
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal, enclave};
use crate::remote::{Endpoint, Key, Patience, Service};
use crate::subject::Kind;
use crate::upstream::enclave::answer::{ForeignAnswer, ForeignSignal};
use crate::upstream::enclave::{service, view};
use crate::value::score::Score;

/// The model's name.
pub const NAME: &str = "external-api";

/// The environment variable that holds the address of the service; it wins over the settings.
pub const URL_VARIABLE: &str = "CALLGATE_API_URL";
/// The environment variable that holds the key, unless the settings name another.
pub const KEY_VARIABLE: &str = "CALLGATE_API_KEY";

/// The time for one try, in milliseconds. Source: the published description of the Enclave scoring gate.
const TIMEOUT_MS: u32 = 5_000;
/// The longest time for one try that can be chosen, in milliseconds.
pub const LONGEST_TIMEOUT_MS: u32 = 600_000;
/// How many tries follow a failed one. Source: the same.
const RETRIES: u32 = 1;
/// The most retries that can be chosen. Source: the same.
pub const MOST_RETRIES: u32 = 10;
/// How long a service that failed is not asked the same again.
const FAILURE_LASTS: Duration = Duration::from_secs(30);

/// Settings of the external model.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct ExternalApiSettings {
    /// Which description is followed, in what is posted and in how the answer is read; `published` if left out.
    pub edition: Edition,
    /// The address of the service: HTTPS, or HTTP on this machine. Only in settings named by --config; the environment variable
    /// CALLGATE_API_URL wins over it.
    pub url: Option<String>,
    /// The environment variable that holds the key; CALLGATE_API_KEY if left out. Only in settings named by --config.
    pub key_variable: Option<String>,
    /// The time for one try, in milliseconds; 5000 if left out.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: u32,
    /// How many tries follow a failed one, 0–10; 1 if left out.
    #[schemars(range(min = 0, max = 10))]
    pub retries: u32,
}

impl Default for ExternalApiSettings {
    fn default() -> Self {
        Self { edition: Edition::default(), url: None, key_variable: None, timeout_ms: TIMEOUT_MS, retries: RETRIES }
    }
}

impl Settings for ExternalApiSettings {
    fn may_name_places(&self) -> bool {
        true
    }

    fn loosened(&self) -> Vec<String> {
        self.edition.loosened().into_iter().collect()
    }
}

/// The external model.
pub struct ExternalApi {
    edition: Edition,
    service: Service,
    /// What the service answered, by the SHA-256 of what describes the subject.
    answers: Mutex<Cache<[u8; 32], Remembered>>,
    /// From when the cache counts its times.
    started: Instant,
}

/// An answer, or why there is none and since when.
#[derive(Clone, Debug)]
enum Remembered {
    Answer(ForeignAnswer),
    Failure(String, Duration),
}

impl fmt::Debug for ExternalApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExternalApi").field("edition", &self.edition).field("service", &self.service).finish_non_exhaustive()
    }
}

impl ExternalApi {
    /// Builds the model. Nothing is connected to until a subject is judged.
    ///
    /// # Errors
    ///
    /// When there is no address, it is not to be trusted, or the key cannot be used.
    pub fn build(settings: &ExternalApiSettings, builder: &Builder<'_>) -> Result<Self, BuildError> {
        let fault = |word: &str, message: String| BuildError { word: word.to_owned(), message };
        if !cfg!(feature = "external-api") {
            return Err(fault(NAME, format!("this callgate was built without the model `{NAME}`; build it with the feature of that name")));
        }
        let chosen = [("url", &settings.url), ("key_variable", &settings.key_variable)];
        if let Some((name, Some(value))) = chosen.into_iter().find(|(_, value)| value.is_some() && !builder.is_explicit) {
            let remedy = format!("name the file with --config, or set {URL_VARIABLE} and {KEY_VARIABLE} in the environment");
            return Err(fault(value, format!("settings that were merely found may not choose `{name}` of `{NAME}`; {remedy}")));
        }
        let (url, word) = match ((builder.environment)(URL_VARIABLE), &settings.url) {
            (Some(url), _) => (url, NAME),
            (None, Some(url)) => (url.clone(), url.as_str()),
            (None, None) => {
                let remedy = format!("set {URL_VARIABLE}, or `model_settings: {{{NAME}: {{url: …}}}}` in settings named by --config");
                return Err(fault(NAME, format!("the model `{NAME}` has no address; {remedy}")));
            }
        };
        let endpoint = Endpoint::parse(url.trim()).map_err(|why| fault(word, format!("the model `{NAME}`: {why}")))?;
        let patience = Patience {
            timeout: Duration::from_millis(u64::from(settings.timeout_ms.clamp(1, LONGEST_TIMEOUT_MS))),
            retries: settings.retries.min(MOST_RETRIES),
        };
        Ok(Self {
            edition: settings.edition,
            service: Service::new(endpoint, key(settings, builder)?, patience),
            answers: Mutex::new(Cache::new(MOST_ENTRIES, TIME_TO_LIVE, true)),
            started: Instant::now(),
        })
    }

    /// What is posted of a subject, and what it is remembered by. The latter leaves nothing out and never leaves the machine, so that
    /// it does not depend on which secrets were found.
    fn question(&self, evidence: &Evidence<'_>) -> Result<(String, [u8; 32]), ModelError> {
        let bare = Evidence { matches: &[], ..*evidence };
        let features = match self.edition {
            Edition::Published => [posted::features(evidence), posted::features(&bare)],
            Edition::Upstream => {
                let view = view(enclave::script(evidence, NAME)?);
                [evidence, &bare].map(|evidence| Secrets::of(evidence).masking(|masks| service::features(&view, masks)))
            }
        };
        let [body, unmasked] = features.map(posted::body);
        Ok((body, Sha256::digest(unmasked.as_bytes()).into()))
    }

    /// What is remembered of a question.
    fn remembered(&self, id: &[u8; 32]) -> Option<Remembered> {
        let now = self.started.elapsed();
        let remembered = self.lock().get(id, now)?;
        match &remembered {
            Remembered::Failure(_, since) if FAILURE_LASTS < now.saturating_sub(*since) => None,
            Remembered::Failure(..) | Remembered::Answer(_) => Some(remembered),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cache<[u8; 32], Remembered>> {
        // What is remembered is right even where another thread ended while it held the lock.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, body: &str, id: [u8; 32]) -> Remembered {
        let answered = self.service.post(body).and_then(|text| self.read(&text).map_err(|why| format!("{}: {why}", self.service.name())));
        let now = self.started.elapsed();
        let remembered = match answered {
            Ok(answer) => Remembered::Answer(answer),
            Err(why) => Remembered::Failure(why, now),
        };
        self.lock().put(id, remembered.clone(), now, WhenFull::Replace);
        remembered
    }

    fn read(&self, text: &str) -> Result<ForeignAnswer, String> {
        match self.edition {
            Edition::Published => answer::read(text),
            Edition::Upstream => {
                let answer = serde_json::from_str(text).map_err(|_| "its answer is no JSON".to_owned())?;
                service::read(&answer)
            }
        }
    }
}

/// The key, if there is one.
fn key(settings: &ExternalApiSettings, builder: &Builder<'_>) -> Result<Option<Key>, BuildError> {
    let chosen = settings.key_variable.as_deref();
    let variable = chosen.unwrap_or(KEY_VARIABLE);
    let fault = |message: String| BuildError { word: chosen.unwrap_or(NAME).to_owned(), message };
    match (builder.environment)(variable).filter(|text| !text.trim().is_empty()) {
        Some(text) => {
            Key::new(&text).map(Some).map_err(|why| fault(format!("the key in {variable} for the model `{NAME}` cannot be used: {why}")))
        }
        None if chosen.is_some() => {
            Err(fault(format!("{variable}, which holds the key for the model `{NAME}`, is not set in the environment")))
        }
        None => Ok(None),
    }
}

fn failed(message: String) -> ModelError {
    ModelError { model: NAME.into(), message }
}

fn evaluation(answer: ForeignAnswer) -> Evaluation {
    let ForeignAnswer { total, level, signals } = answer;
    let signals = signals.into_iter().map(|signal| {
        let ForeignSignal { id, score, level, description } = signal;
        Signal { id, score, level: level.name().into(), description, span: None }
    });
    Evaluation { level: Some(level.name().into()), signals: signals.collect(), ..Evaluation::new(NAME, Score::clamped(total)) }
}

fn opinions(remembered: Remembered) -> Result<Vec<Evaluation>, ModelError> {
    match remembered {
        Remembered::Answer(answer) => Ok(vec![evaluation(answer)]),
        Remembered::Failure(why, _) => Err(failed(why)),
    }
}

impl Model for ExternalApi {
    fn judges(&self, kind: Kind) -> bool {
        match (self.edition, kind) {
            (Edition::Published, _) | (Edition::Upstream, Kind::Script) => true,
            (Edition::Upstream, _) => false,
        }
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let (body, id) = self.question(evidence)?;
        opinions(self.remembered(&id).unwrap_or_else(|| self.ask(&body, id)))
    }

    fn method(&self, _: &Evaluation) -> Method {
        let rule = format!("the score that {} gave; what its signals add up to is its own affair", self.service.name());
        Method { rule, reckoning: Vec::new(), asks: String::new(), override_above: None }
    }

    /// The same opinion: the service is not asked again for each change that is tried, and what it would say nobody knows.
    fn evaluate_without(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Vec<Evaluation>, ModelError> {
        let (_, id) = self.question(evidence)?;
        let Some(remembered) = self.remembered(&id) else { return Err(failed("it was not asked yet".to_owned())) };
        let mut opinions = opinions(remembered)?;
        opinions.iter_mut().for_each(|opinion| opinion.signals.retain(|signal| !gone(&signal.id)));
        Ok(opinions)
    }
}
