//! What only the name of a program's method says is no alarm; a tool that a program calls as agents do stays one.

use crate::judge;
use callgate::model::registry::ModelSettings;
use callgate::value::severity::Severity;

/// How bad it is that a script reads page after page by this call.
fn paged(before: &str, call: &str) -> Option<Severity> {
    let script = format!("{before}\nlet cursor;\nlet page;\ndo {{\n  page = await {call};\n  cursor = page.next;\n}} while (cursor);\n");
    let finding = judge::judge("hybrid", &ModelSettings::default(), &script);
    let found = finding.matches.iter().find(|found| &*found.rule.id == "paged-mass-read");
    found.map(|found| found.severity)
}

#[test]
fn a_method_of_an_sdk_is_milder_than_a_tool_that_a_program_calls() {
    let module = "import fs from 'node:fs';\nfs.existsSync('x');";
    for (before, call, expected) in [
        ("", "callTool('notes:list', { limit: 100, cursor })", Severity::Medium),
        (module, "callTool('notes:list', { limit: 100, cursor })", Severity::Medium),
        ("import * as notes from './servers/notes';", "notes.list({ limit: 100, cursor })", Severity::Medium),
        (module, "codemode.listNotes({ limit: 100, cursor })", Severity::Medium),
        (
            "import { Octokit } from '@octokit/rest';\nconst github = new Octokit();",
            "github.rest.gists.list({ limit: 100, cursor })",
            Severity::Low,
        ),
    ] {
        assert_eq!(paged(before, call), Some(expected), "{before} {call}");
    }
}
