//! The parts of a SARIF document that are written, named as in the standard.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Serialize)]
pub struct Log<'r> {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run<'r> {
    pub tool: Tool<'r>,
    pub automation_details: AutomationDetails,
    pub original_uri_base_ids: OriginalUriBaseIds,
    pub column_kind: &'static str,
    pub invocations: [Invocation; 1],
    pub results: Vec<Alert<'r>>,
    pub properties: RunProperties<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunProperties<'r> {
    pub verdict: &'static str,
    pub models: &'r [String],
    pub configuration: Option<&'r str>,
    pub loosened: &'r [String],
    pub pattern_library_version: &'r str,
    /// What was come upon and not judged, by kind.
    pub passed_over: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
pub struct Tool<'r> {
    pub driver: Driver<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Driver<'r> {
    pub name: &'static str,
    pub version: &'static str,
    pub semantic_version: &'static str,
    pub information_uri: &'static str,
    pub rules: Vec<RuleDescriptor<'r>>,
}

/// A `reportingDescriptor`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleDescriptor<'r> {
    pub id: &'r str,
    pub name: String,
    pub short_description: Text,
    pub full_description: Text,
    pub help: Help,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_uri: Option<String>,
    pub default_configuration: Configuration,
    pub properties: RuleProperties<'r>,
}

/// A `multiformatMessageString`.
#[derive(Serialize)]
pub struct Help {
    pub text: String,
    pub markdown: String,
}

#[derive(Serialize)]
pub struct Configuration {
    pub level: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RuleProperties<'r> {
    pub tags: Vec<&'r str>,
    pub precision: &'static str,
    pub security_severity: &'static str,
}

#[derive(Serialize)]
pub struct AutomationDetails {
    pub id: &'static str,
}

#[derive(Serialize)]
pub struct OriginalUriBaseIds {
    #[serde(rename = "%SRCROOT%")]
    pub source_root: SourceRoot,
}

/// An `artifactLocation` without an address, which leaves it to the reader.
#[derive(Serialize)]
pub struct SourceRoot {
    pub description: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    pub execution_successful: bool,
    pub tool_execution_notifications: Vec<Notification>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_configuration_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub struct Notification {
    pub descriptor: DescriptorReference,
    pub level: &'static str,
    pub message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}

#[derive(Serialize)]
pub struct DescriptorReference {
    pub id: Cow<'static, str>,
}

/// A `result`; the standard's name is taken.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Alert<'r> {
    pub rule_id: &'r str,
    pub rule_index: usize,
    pub level: &'static str,
    pub message: Text,
    pub locations: [Location; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_fingerprints: Option<PartialFingerprints<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    /// Why it does not count; a result without one does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<Suppression<'r>>,
    pub properties: AlertProperties<'r>,
}

#[derive(Serialize)]
pub struct Suppression<'r> {
    pub kind: &'static str,
    pub status: &'static str,
    pub justification: &'r str,
    pub properties: SuppressionProperties<'r>,
}

/// Not words of the standard.
#[derive(Serialize)]
pub struct SuppressionProperties<'r> {
    pub place: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<&'r str>,
}

#[derive(Serialize)]
pub struct PartialFingerprints<'r> {
    /// The only one that GitHub reads.
    #[serde(rename = "primaryLocationLineHash")]
    pub line_hash: &'r str,
    /// Tells apart what one rule finds on one line; the line hash must not, or the upload complains.
    #[serde(rename = "matchOnLine/v1")]
    pub match_on_line: String,
}

#[derive(Serialize)]
pub struct AlertProperties<'r> {
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    pub severity: &'static str,
    pub action: &'static str,
    pub evidence: &'r str,
    /// The other rules that hit for the same cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<&'r str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartProperties<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<Opinion<'r>>,
}

/// What a model that has levels of its own says of the whole subject; not a word of the standard.
#[derive(Serialize)]
pub struct Opinion<'r> {
    pub model: &'r str,
    pub score: f64,
    pub level: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenge: Option<&'static str>,
}

/// A part of an opinion that is made of opinions; not a word of the standard.
#[derive(Serialize)]
pub struct PartProperties<'r> {
    pub of: &'r str,
    pub model: &'r str,
    pub score: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeFlow {
    pub message: Text,
    pub thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
pub struct ThreadFlow {
    pub locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadFlowLocation {
    pub location: Location,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub kinds: &'static [&'static str],
    pub importance: &'static str,
    pub execution_order: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    pub physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactLocation {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_base_id: Option<&'static str>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// A `message` or `multiformatMessageString` of plain text.
#[derive(Serialize)]
pub struct Text {
    pub text: String,
}

impl Text {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}
