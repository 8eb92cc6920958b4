
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'callgate' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'callgate'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'callgate' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('scan', 'scan', [CompletionResultType]::ParameterValue, 'Judge scripts, tool calls and texts, and answer allow, warn or block')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Show what every scoring model thinks of the same scripts, side by side')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Judge the same files by two settings, and tell which verdicts flip')
            [CompletionResult]::new('tune', 'tune', [CompletionResultType]::ParameterValue, 'Find out from labelled files how well each model tells bad from good, and which thresholds would')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Work with the store of evaluations: verify it, export it, take old ones out, label them')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'Show the latest evaluations of the store')
            [CompletionResult]::new('trends', 'trends', [CompletionResultType]::ParameterValue, 'Show how evaluations of the store changed over time, and whether it gets worse')
            [CompletionResult]::new('sessions', 'sessions', [CompletionResultType]::ParameterValue, 'Show the sessions of the store: how many calls, how they ended, the highest score')
            [CompletionResult]::new('tools', 'tools', [CompletionResultType]::ParameterValue, 'Say what the tools of a server do and what their descriptions hide, before it is connected')
            [CompletionResult]::new('baseline', 'baseline', [CompletionResultType]::ParameterValue, 'Show what a baseline holds, or take out what is gone')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what a rule means, why it matters and what to do about it')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List all rules')
            [CompletionResult]::new('models', 'models', [CompletionResultType]::ParameterValue, 'List all scoring models')
            [CompletionResult]::new('patterns', 'patterns', [CompletionResultType]::ParameterValue, 'Work with patterns')
            [CompletionResult]::new('samples', 'samples', [CompletionResultType]::ParameterValue, 'Work with the known-bad samples of the similarity model')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'Answer one payload of an agent host, in the host''s own form')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Prove that the hooks of agent hosts fire')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write a commented callgate.yaml, or install the git hook or the hooks of an agent host')
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Write completions, man pages or JSON schemas')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;scan' {
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'Name standard input, which also tells what it is [default: a script]')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the paths from a file, or from - for standard input; separated by newlines or NULs')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'Take every file for this, whatever its name')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Take every file for this, whatever its name')
            [CompletionResult]::new('--dialect', '--dialect', [CompletionResultType]::ParameterName, 'What scripts are written for; only agent scripts are held to a sandbox [default: auto]')
            [CompletionResult]::new('--tools', '--tools', [CompletionResultType]::ParameterName, 'What servers say of their tools: an answer to MCP''s tools/list (repeatable)')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out what this glob matches, as in a .gitignore (repeatable)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'How many threads work [default: one a processor]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many threads work [default: one a processor]')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Judge only files that changed since this branch left that revision, as they are in the working tree')
            [CompletionResult]::new('--delta', '--delta', [CompletionResultType]::ParameterName, 'As --since, and count only what is found now and was not found there')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'The model that judges; of several the strictest opinion stands (repeatable) [default: hybrid]')
            [CompletionResult]::new('--warn-threshold', '--warn-threshold', [CompletionResultType]::ParameterName, 'Warn from this score on (0-100) [default: 40, for models without actions]')
            [CompletionResult]::new('--block-threshold', '--block-threshold', [CompletionResultType]::ParameterName, 'Block from this score on (0-100) [default: 70, for models without actions]')
            [CompletionResult]::new('--disable', '--disable', [CompletionResultType]::ParameterName, 'Do not let this rule count (repeatable)')
            [CompletionResult]::new('--on-undetermined', '--on-undetermined', [CompletionResultType]::ParameterName, 'What to answer on what could not be judged [default: block]')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'End with an error code from this verdict on [default: warn]')
            [CompletionResult]::new('--min-coverage', '--min-coverage', [CompletionResultType]::ParameterName, 'Fail if less than this share of the files was judged wholly (0-100)')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Do not count what stood there when this baseline was written')
            [CompletionResult]::new('--write-baseline', '--write-baseline', [CompletionResultType]::ParameterName, 'Write all findings into a baseline, so that only what is new counts from now on [default: callgate-baseline.json]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'Store every evaluation in this file, or on this server (postgres://…) [default: audit.db in your folder of state]')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'The session that everything belongs to, whatever the input says: calls of one session are judged by what came before')
            [CompletionResult]::new('--metrics', '--metrics', [CompletionResultType]::ParameterName, 'Write counters for Prometheus into this file: those of the store if one is written, else those of this run')
            [CompletionResult]::new('--tenant', '--tenant', [CompletionResultType]::ParameterName, 'The tenant whose settings count over the common ones, and whose history it is [default: $CALLGATE_TENANT]')
            [CompletionResult]::new('--tenants', '--tenants', [CompletionResultType]::ParameterName, 'The folder with a folder for each tenant: DIR/ID/security.yaml [default: config/tenants]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to report, each also as FORMAT=FILE (repeatable): table, json, jsonl, sarif, concise, github, gitlab, junit or markdown [default: table]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to report, each also as FORMAT=FILE (repeatable): table, json, jsonl, sarif, concise, github, gitlab, junit or markdown [default: table]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the report to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to this file instead of standard output')
            [CompletionResult]::new('--min-severity', '--min-severity', [CompletionResultType]::ParameterName, 'Show only what is at least this bad; everything is judged and counted all the same')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--listed', '--listed', [CompletionResultType]::ParameterName, 'Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder')
            [CompletionResult]::new('--force-exclude', '--force-exclude', [CompletionResultType]::ParameterName, 'Leave out what --exclude and the settings name even where it is named on the command line')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Take also what .gitignore, .ignore and .callgateignore name')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Take also hidden files and folders')
            [CompletionResult]::new('--staged', '--staged', [CompletionResultType]::ParameterName, 'Judge what git has staged for the next commit, as it stands in the index')
            [CompletionResult]::new('--fail-open', '--fail-open', [CompletionResultType]::ParameterName, 'Short for --on-undetermined allow')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged')
            [CompletionResult]::new('--no-acceptances', '--no-acceptances', [CompletionResultType]::ParameterName, 'Let no acceptance count, neither in comments nor in the settings: for audits')
            [CompletionResult]::new('--exit-zero', '--exit-zero', [CompletionResultType]::ParameterName, 'End with 0 whatever the verdict')
            [CompletionResult]::new('--deny-unused', '--deny-unused', [CompletionResultType]::ParameterName, 'Warn at least where an acceptance is unused, expired or faulty')
            [CompletionResult]::new('--audit-required', '--audit-required', [CompletionResultType]::ParameterName, 'Fail if an evaluation cannot be stored, instead of telling it only')
            [CompletionResult]::new('--list-files', '--list-files', [CompletionResultType]::ParameterName, 'List every file with what becomes of it, and judge none; as a table, or with --format json or jsonl')
            [CompletionResult]::new('--statistics', '--statistics', [CompletionResultType]::ParameterName, 'Count how often each rule hit; a table shows that instead of the findings')
            [CompletionResult]::new('--features', '--features', [CompletionResultType]::ParameterName, 'Also report the features of each script and tool call: tools, arguments, control flow, data flow, sequences')
            [CompletionResult]::new('--explain-score', '--explain-score', [CompletionResultType]::ParameterName, 'Also report what each score is made of, and which change would lower the verdict')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Report only what warns or blocks, without totals')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Report only what warns or blocks, without totals')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report everything: also what is allowed, all matches, all steps')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report everything: also what is allowed, all matches, all steps')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;compare' {
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'Name standard input, which also tells what it is [default: a script]')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the paths from a file, or from - for standard input; separated by newlines or NULs')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'Take every file for this, whatever its name')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Take every file for this, whatever its name')
            [CompletionResult]::new('--dialect', '--dialect', [CompletionResultType]::ParameterName, 'What scripts are written for; only agent scripts are held to a sandbox [default: auto]')
            [CompletionResult]::new('--tools', '--tools', [CompletionResultType]::ParameterName, 'What servers say of their tools: an answer to MCP''s tools/list (repeatable)')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out what this glob matches, as in a .gitignore (repeatable)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'How many threads work [default: one a processor]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many threads work [default: one a processor]')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Compare these models, in this order (repeatable) [default: all that judge by themselves]')
            [CompletionResult]::new('--warn-threshold', '--warn-threshold', [CompletionResultType]::ParameterName, 'Warn from this score on (0-100) [default: 40, for models without actions]')
            [CompletionResult]::new('--block-threshold', '--block-threshold', [CompletionResultType]::ParameterName, 'Block from this score on (0-100) [default: 70, for models without actions]')
            [CompletionResult]::new('--disable', '--disable', [CompletionResultType]::ParameterName, 'Do not let this rule count (repeatable)')
            [CompletionResult]::new('--on-undetermined', '--on-undetermined', [CompletionResultType]::ParameterName, 'What to answer on what could not be judged [default: block]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to report: table, json or html, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to report: table, json or html, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the comparison to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the comparison to this file instead of standard output')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--listed', '--listed', [CompletionResultType]::ParameterName, 'Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder')
            [CompletionResult]::new('--force-exclude', '--force-exclude', [CompletionResultType]::ParameterName, 'Leave out what --exclude and the settings name even where it is named on the command line')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Take also what .gitignore, .ignore and .callgateignore name')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Take also hidden files and folders')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Compare also models that say nothing of a script by itself, or that ask a server')
            [CompletionResult]::new('--fail-open', '--fail-open', [CompletionResultType]::ParameterName, 'Short for --on-undetermined allow')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged')
            [CompletionResult]::new('--no-acceptances', '--no-acceptances', [CompletionResultType]::ParameterName, 'Let no acceptance count, neither in comments nor in the settings: for audits')
            [CompletionResult]::new('--disagreements', '--disagreements', [CompletionResultType]::ParameterName, 'Show only what the models answer differently')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;replay' {
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'Name standard input, which also tells what it is [default: a script]')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the paths from a file, or from - for standard input; separated by newlines or NULs')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'Take every file for this, whatever its name')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Take every file for this, whatever its name')
            [CompletionResult]::new('--dialect', '--dialect', [CompletionResultType]::ParameterName, 'What scripts are written for; only agent scripts are held to a sandbox [default: auto]')
            [CompletionResult]::new('--tools', '--tools', [CompletionResultType]::ParameterName, 'What servers say of their tools: an answer to MCP''s tools/list (repeatable)')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out what this glob matches, as in a .gitignore (repeatable)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'How many threads work [default: one a processor]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many threads work [default: one a processor]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'The settings file before the change, then the one after it; one alone is held against the callgate.yaml here')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'What was judged before the change: a report of an earlier run (json or jsonl), or a store of evaluations; so an upgrade of callgate itself is judged')
            [CompletionResult]::new('--model-before', '--model-before', [CompletionResultType]::ParameterName, 'The model that judges before the change (repeatable) [default: as the settings say]')
            [CompletionResult]::new('--model-after', '--model-after', [CompletionResultType]::ParameterName, 'The model that judges after the change (repeatable) [default: as the settings say]')
            [CompletionResult]::new('--warn-threshold', '--warn-threshold', [CompletionResultType]::ParameterName, 'Warn from this score on (0-100) [default: 40, for models without actions]')
            [CompletionResult]::new('--block-threshold', '--block-threshold', [CompletionResultType]::ParameterName, 'Block from this score on (0-100) [default: 70, for models without actions]')
            [CompletionResult]::new('--disable', '--disable', [CompletionResultType]::ParameterName, 'Do not let this rule count (repeatable)')
            [CompletionResult]::new('--on-undetermined', '--on-undetermined', [CompletionResultType]::ParameterName, 'What to answer on what could not be judged [default: block]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the report to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to this file instead of standard output')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--listed', '--listed', [CompletionResultType]::ParameterName, 'Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder')
            [CompletionResult]::new('--force-exclude', '--force-exclude', [CompletionResultType]::ParameterName, 'Leave out what --exclude and the settings name even where it is named on the command line')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Take also what .gitignore, .ignore and .callgateignore name')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Take also hidden files and folders')
            [CompletionResult]::new('--fail-open', '--fail-open', [CompletionResultType]::ParameterName, 'Short for --on-undetermined allow')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged')
            [CompletionResult]::new('--no-acceptances', '--no-acceptances', [CompletionResultType]::ParameterName, 'Let no acceptance count, neither in comments nor in the settings: for audits')
            [CompletionResult]::new('--fail-on-flip', '--fail-on-flip', [CompletionResultType]::ParameterName, 'End with 1 if any verdict flips')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;tune' {
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'Name standard input, which also tells what it is [default: a script]')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the paths from a file, or from - for standard input; separated by newlines or NULs')
            [CompletionResult]::new('--language', '--language', [CompletionResultType]::ParameterName, 'Take every file for this, whatever its name')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Take every file for this, whatever its name')
            [CompletionResult]::new('--dialect', '--dialect', [CompletionResultType]::ParameterName, 'What scripts are written for; only agent scripts are held to a sandbox [default: auto]')
            [CompletionResult]::new('--tools', '--tools', [CompletionResultType]::ParameterName, 'What servers say of their tools: an answer to MCP''s tools/list (repeatable)')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out what this glob matches, as in a .gitignore (repeatable)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'How many threads work [default: one a processor]')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many threads work [default: one a processor]')
            [CompletionResult]::new('--labels', '--labels', [CompletionResultType]::ParameterName, 'Which files are bad and which are good: CSV (path,label) or JSON Lines ({"path": …, "label": …})')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'Calibrate the weights of hybrid by this store and its labels [default: as of `callgate audit`]')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Tune these models (repeatable) [default: all that judge by themselves]')
            [CompletionResult]::new('--warn-threshold', '--warn-threshold', [CompletionResultType]::ParameterName, 'Warn from this score on (0-100) [default: 40, for models without actions]')
            [CompletionResult]::new('--block-threshold', '--block-threshold', [CompletionResultType]::ParameterName, 'Block from this score on (0-100) [default: 70, for models without actions]')
            [CompletionResult]::new('--disable', '--disable', [CompletionResultType]::ParameterName, 'Do not let this rule count (repeatable)')
            [CompletionResult]::new('--on-undetermined', '--on-undetermined', [CompletionResultType]::ParameterName, 'What to answer on what could not be judged [default: block]')
            [CompletionResult]::new('--fpr', '--fpr', [CompletionResultType]::ParameterName, 'Find the threshold that flags no more than this share of the good files (repeatable) [default: 0, 0.01, 0.05]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the report to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to this file instead of standard output')
            [CompletionResult]::new('--plot', '--plot', [CompletionResultType]::ParameterName, 'Draw the curves and the scores of all models into this SVG file')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--listed', '--listed', [CompletionResultType]::ParameterName, 'Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder')
            [CompletionResult]::new('--force-exclude', '--force-exclude', [CompletionResultType]::ParameterName, 'Leave out what --exclude and the settings name even where it is named on the command line')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Take also what .gitignore, .ignore and .callgateignore name')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Take also hidden files and folders')
            [CompletionResult]::new('--fail-open', '--fail-open', [CompletionResultType]::ParameterName, 'Short for --on-undetermined allow')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged')
            [CompletionResult]::new('--no-acceptances', '--no-acceptances', [CompletionResultType]::ParameterName, 'Let no acceptance count, neither in comments nor in the settings: for audits')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Put the thresholds of the model that judges or is named (with --audit: the weights of hybrid) into callgate.yaml')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;audit' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Say where the store is')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check that no record was changed, added or taken away since it was written')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Take old records out; what is left still verifies')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write records as JSON Lines or CSV')
            [CompletionResult]::new('label', 'label', [CompletionResultType]::ParameterValue, 'Say that what was judged was bad, or good')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;audit;path' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;audit;verify' {
            [CompletionResult]::new('--head', '--head', [CompletionResultType]::ParameterName, 'A head that was printed before and noted elsewhere: it must still be there (repeatable)')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;audit;prune' {
            [CompletionResult]::new('--older-than', '--older-than', [CompletionResultType]::ParameterName, 'Records older than this: 90d, 12h, 4w [default: the retention of your settings]')
            [CompletionResult]::new('--clean-older-than', '--clean-older-than', [CompletionResultType]::ParameterName, 'Clean passes older than this [default: as --older-than]')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'All but so many of the newest')
            [CompletionResult]::new('--keep-clean', '--keep-clean', [CompletionResultType]::ParameterName, 'All but so many of the newest clean passes [default: as --keep]')
            [CompletionResult]::new('--tenant', '--tenant', [CompletionResultType]::ParameterName, 'Only of this tenant')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only say what would be taken out')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;audit;export' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to write them')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to write them')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write them to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write them to this file instead of standard output')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Before this day or point in time')
            [CompletionResult]::new('--verdict', '--verdict', [CompletionResultType]::ParameterName, 'At least this strict')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Where this rule hit')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Whose path fits this glob; * also stands for slashes')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Of this session')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Of this agent host')
            [CompletionResult]::new('--tenant', '--tenant', [CompletionResultType]::ParameterName, 'Of this tenant [default: $CALLGATE_TENANT, else those without one]')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'At most so many, the newest')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--all-tenants', '--all-tenants', [CompletionResultType]::ParameterName, 'Of all tenants')
            [CompletionResult]::new('--no-clean', '--no-clean', [CompletionResultType]::ParameterName, 'Without clean passes')
            [CompletionResult]::new('--labelled', '--labelled', [CompletionResultType]::ParameterName, 'Only what was labelled')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;audit;label' {
            [CompletionResult]::new('--note', '--note', [CompletionResultType]::ParameterName, 'Why')
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;audit;help' {
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Say where the store is')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check that no record was changed, added or taken away since it was written')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Take old records out; what is left still verifies')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write records as JSON Lines or CSV')
            [CompletionResult]::new('label', 'label', [CompletionResultType]::ParameterValue, 'Say that what was judged was bad, or good')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;audit;help;path' {
            break
        }
        'callgate;audit;help;verify' {
            break
        }
        'callgate;audit;help;prune' {
            break
        }
        'callgate;audit;help;export' {
            break
        }
        'callgate;audit;help;label' {
            break
        }
        'callgate;audit;help;help' {
            break
        }
        'callgate;history' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the answer to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the answer to this file instead of standard output')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Before this day or point in time')
            [CompletionResult]::new('--verdict', '--verdict', [CompletionResultType]::ParameterName, 'At least this strict')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Where this rule hit')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Whose path fits this glob; * also stands for slashes')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Of this session')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Of this agent host')
            [CompletionResult]::new('--tenant', '--tenant', [CompletionResultType]::ParameterName, 'Of this tenant [default: $CALLGATE_TENANT, else those without one]')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'At most so many, the newest')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to write them: table, json or csv, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to write them: table, json or csv, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--all-tenants', '--all-tenants', [CompletionResultType]::ParameterName, 'Of all tenants')
            [CompletionResult]::new('--no-clean', '--no-clean', [CompletionResultType]::ParameterName, 'Without clean passes')
            [CompletionResult]::new('--labelled', '--labelled', [CompletionResultType]::ParameterName, 'Only what was labelled')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;trends' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the answer to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the answer to this file instead of standard output')
            [CompletionResult]::new('--by', '--by', [CompletionResultType]::ParameterName, 'What is looked at by itself, in UTC')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Before this day or point in time')
            [CompletionResult]::new('--verdict', '--verdict', [CompletionResultType]::ParameterName, 'At least this strict')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Where this rule hit')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Whose path fits this glob; * also stands for slashes')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Of this session')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Of this agent host')
            [CompletionResult]::new('--tenant', '--tenant', [CompletionResultType]::ParameterName, 'Of this tenant [default: $CALLGATE_TENANT, else those without one]')
            [CompletionResult]::new('--window', '--window', [CompletionResultType]::ParameterName, 'Compare the last so long with as long before: what rises is told')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to write them: table, json, csv or html, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to write them: table, json, csv or html, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--html', '--html', [CompletionResultType]::ParameterName, 'Write a page for people into this file: short for --format html=FILE')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--all-tenants', '--all-tenants', [CompletionResultType]::ParameterName, 'Of all tenants')
            [CompletionResult]::new('--no-clean', '--no-clean', [CompletionResultType]::ParameterName, 'Without clean passes')
            [CompletionResult]::new('--alert', '--alert', [CompletionResultType]::ParameterName, 'End with 1 if anything rises, and write only that: for cron')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;sessions' {
            [CompletionResult]::new('--store', '--store', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the answer to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the answer to this file instead of standard output')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Before this day or point in time')
            [CompletionResult]::new('--verdict', '--verdict', [CompletionResultType]::ParameterName, 'At least this strict')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Where this rule hit')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Whose path fits this glob; * also stands for slashes')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Of this session')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Of this agent host')
            [CompletionResult]::new('--tenant', '--tenant', [CompletionResultType]::ParameterName, 'Of this tenant [default: $CALLGATE_TENANT, else those without one]')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'At most so many, those with the newest evaluations')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to write them: table, json or csv, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to write them: table, json or csv, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--all-tenants', '--all-tenants', [CompletionResultType]::ParameterName, 'Of all tenants')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;tools' {
            [CompletionResult]::new('--guess', '--guess', [CompletionResultType]::ParameterName, 'Say what is thought of a call of the tool of that name with these arguments (a JSON object), and the row to say better')
            [CompletionResult]::new('--warn-threshold', '--warn-threshold', [CompletionResultType]::ParameterName, 'Warn from this score on (0-100) [default: 40, for models without actions]')
            [CompletionResult]::new('--block-threshold', '--block-threshold', [CompletionResultType]::ParameterName, 'Block from this score on (0-100) [default: 70, for models without actions]')
            [CompletionResult]::new('--disable', '--disable', [CompletionResultType]::ParameterName, 'Do not let this rule count (repeatable)')
            [CompletionResult]::new('--on-undetermined', '--on-undetermined', [CompletionResultType]::ParameterName, 'What to answer on what could not be judged [default: block]')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to report: table, json or jsonl, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to report: table, json or jsonl, each also as FORMAT=FILE (repeatable) [default: table]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the report to this file instead of standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to this file instead of standard output')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--fail-open', '--fail-open', [CompletionResultType]::ParameterName, 'Short for --on-undetermined allow')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged')
            [CompletionResult]::new('--no-acceptances', '--no-acceptances', [CompletionResultType]::ParameterName, 'Let no acceptance count, neither in comments nor in the settings: for audits')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;baseline' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'List the findings that a baseline holds')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Judge what is named, and take out of a baseline what fits nothing any more')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;baseline;show' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to list')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to list')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;baseline;prune' {
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'The baseline [default: that of the settings, or callgate-baseline.json]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;baseline;help' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'List the findings that a baseline holds')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Judge what is named, and take out of a baseline what fits nothing any more')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;baseline;help;show' {
            break
        }
        'callgate;baseline;help;prune' {
            break
        }
        'callgate;baseline;help;help' {
            break
        }
        'callgate;explain' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;rules' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to list')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to list')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;models' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How to list')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How to list')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;patterns' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Run every pattern''s own examples')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;patterns;test' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;patterns;help' {
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Run every pattern''s own examples')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;patterns;help;test' {
            break
        }
        'callgate;patterns;help;help' {
            break
        }
        'callgate;samples' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Check that every sample is found and that no harmless text is taken for one')
            [CompletionResult]::new('index', 'index', [CompletionResultType]::ParameterValue, 'Write the index of all samples, for `model_settings.similarity.index`')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;samples;test' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;samples;index' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write it to this file')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write it to this file')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;samples;help' {
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Check that every sample is found and that no harmless text is taken for one')
            [CompletionResult]::new('index', 'index', [CompletionResultType]::ParameterValue, 'Write the index of all samples, for `model_settings.similarity.index`')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;samples;help;test' {
            break
        }
        'callgate;samples;help;index' {
            break
        }
        'callgate;samples;help;help' {
            break
        }
        'callgate;hook' {
            [CompletionResult]::new('--tools', '--tools', [CompletionResultType]::ParameterName, 'What servers say of their tools: an answer to MCP''s tools/list (repeatable)')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'The model that judges; of several the strictest opinion stands (repeatable) [default: hybrid]')
            [CompletionResult]::new('--warn-threshold', '--warn-threshold', [CompletionResultType]::ParameterName, 'Warn from this score on (0-100) [default: 40, for models without actions]')
            [CompletionResult]::new('--block-threshold', '--block-threshold', [CompletionResultType]::ParameterName, 'Block from this score on (0-100) [default: 70, for models without actions]')
            [CompletionResult]::new('--disable', '--disable', [CompletionResultType]::ParameterName, 'Do not let this rule count (repeatable)')
            [CompletionResult]::new('--on-undetermined', '--on-undetermined', [CompletionResultType]::ParameterName, 'What to answer on what could not be judged [default: block]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'Store every evaluation in this file, or on this server (postgres://…) [default: audit.db in your folder of state]')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'The session that everything belongs to, whatever the input says: calls of one session are judged by what came before')
            [CompletionResult]::new('--metrics', '--metrics', [CompletionResultType]::ParameterName, 'Write counters for Prometheus into this file: those of the store if one is written, else those of this run')
            [CompletionResult]::new('--tenant', '--tenant', [CompletionResultType]::ParameterName, 'The tenant whose settings count over the common ones, and whose history it is [default: $CALLGATE_TENANT]')
            [CompletionResult]::new('--tenants', '--tenants', [CompletionResultType]::ParameterName, 'The folder with a folder for each tenant: DIR/ID/security.yaml [default: config/tenants]')
            [CompletionResult]::new('--on-warn', '--on-warn', [CompletionResultType]::ParameterName, 'What to answer where the verdict is warn; where nobody can be asked, ask is deny')
            [CompletionResult]::new('--deadline', '--deadline', [CompletionResultType]::ParameterName, 'Deny what is not judged after so many seconds')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--fail-open', '--fail-open', [CompletionResultType]::ParameterName, 'Short for --on-undetermined allow')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged')
            [CompletionResult]::new('--no-acceptances', '--no-acceptances', [CompletionResultType]::ParameterName, 'Let no acceptance count, neither in comments nor in the settings: for audits')
            [CompletionResult]::new('--audit-required', '--audit-required', [CompletionResultType]::ParameterName, 'Fail if an evaluation cannot be stored, instead of telling it only')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;doctor' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;init' {
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Add callgate''s hooks to the settings of this agent host')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--hook', '--hook', [CompletionResultType]::ParameterName, 'Add callgate to the git pre-commit hook instead of writing callgate.yaml')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Write callgate.yaml even if there is one')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Into your own settings, for all projects (the default)')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'Into the settings of the project in this folder')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Take callgate''s hooks out again')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Print the settings instead of writing them')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;generate' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Completions for a shell, or for all shells into a folder')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'The manual page of callgate, or one page a command into a folder')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'The JSON schema of callgate.yaml, of pattern files, of a tenant''s settings, or of reports')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'The page of all built-in rules, docs/rules.md')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;generate;completions' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write one file a shell into this folder')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write one file a shell into this folder')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;generate;man' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write one page a command into this folder')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write one page a command into this folder')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;generate;schema' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;generate;rules' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'Use this settings file instead of the callgate.yaml found in this folder or above')
            [CompletionResult]::new('--config-from', '--config-from', [CompletionResultType]::ParameterName, 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree')
            [CompletionResult]::new('--patterns', '--patterns', [CompletionResultType]::ParameterName, 'Add the patterns of all YAML files in this folder (repeatable)')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'Add the known-bad samples of this YAML file for the similarity model (repeatable)')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colours')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no settings file')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'callgate;generate;help' {
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Completions for a shell, or for all shells into a folder')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'The manual page of callgate, or one page a command into a folder')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'The JSON schema of callgate.yaml, of pattern files, of a tenant''s settings, or of reports')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'The page of all built-in rules, docs/rules.md')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;generate;help;completions' {
            break
        }
        'callgate;generate;help;man' {
            break
        }
        'callgate;generate;help;schema' {
            break
        }
        'callgate;generate;help;rules' {
            break
        }
        'callgate;generate;help;help' {
            break
        }
        'callgate;help' {
            [CompletionResult]::new('scan', 'scan', [CompletionResultType]::ParameterValue, 'Judge scripts, tool calls and texts, and answer allow, warn or block')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Show what every scoring model thinks of the same scripts, side by side')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Judge the same files by two settings, and tell which verdicts flip')
            [CompletionResult]::new('tune', 'tune', [CompletionResultType]::ParameterValue, 'Find out from labelled files how well each model tells bad from good, and which thresholds would')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Work with the store of evaluations: verify it, export it, take old ones out, label them')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'Show the latest evaluations of the store')
            [CompletionResult]::new('trends', 'trends', [CompletionResultType]::ParameterValue, 'Show how evaluations of the store changed over time, and whether it gets worse')
            [CompletionResult]::new('sessions', 'sessions', [CompletionResultType]::ParameterValue, 'Show the sessions of the store: how many calls, how they ended, the highest score')
            [CompletionResult]::new('tools', 'tools', [CompletionResultType]::ParameterValue, 'Say what the tools of a server do and what their descriptions hide, before it is connected')
            [CompletionResult]::new('baseline', 'baseline', [CompletionResultType]::ParameterValue, 'Show what a baseline holds, or take out what is gone')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what a rule means, why it matters and what to do about it')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List all rules')
            [CompletionResult]::new('models', 'models', [CompletionResultType]::ParameterValue, 'List all scoring models')
            [CompletionResult]::new('patterns', 'patterns', [CompletionResultType]::ParameterValue, 'Work with patterns')
            [CompletionResult]::new('samples', 'samples', [CompletionResultType]::ParameterValue, 'Work with the known-bad samples of the similarity model')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'Answer one payload of an agent host, in the host''s own form')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Prove that the hooks of agent hosts fire')
            [CompletionResult]::new('init', 'init', [CompletionResultType]::ParameterValue, 'Write a commented callgate.yaml, or install the git hook or the hooks of an agent host')
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Write completions, man pages or JSON schemas')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'callgate;help;scan' {
            break
        }
        'callgate;help;compare' {
            break
        }
        'callgate;help;replay' {
            break
        }
        'callgate;help;tune' {
            break
        }
        'callgate;help;audit' {
            [CompletionResult]::new('path', 'path', [CompletionResultType]::ParameterValue, 'Say where the store is')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check that no record was changed, added or taken away since it was written')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Take old records out; what is left still verifies')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Write records as JSON Lines or CSV')
            [CompletionResult]::new('label', 'label', [CompletionResultType]::ParameterValue, 'Say that what was judged was bad, or good')
            break
        }
        'callgate;help;audit;path' {
            break
        }
        'callgate;help;audit;verify' {
            break
        }
        'callgate;help;audit;prune' {
            break
        }
        'callgate;help;audit;export' {
            break
        }
        'callgate;help;audit;label' {
            break
        }
        'callgate;help;history' {
            break
        }
        'callgate;help;trends' {
            break
        }
        'callgate;help;sessions' {
            break
        }
        'callgate;help;tools' {
            break
        }
        'callgate;help;baseline' {
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'List the findings that a baseline holds')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Judge what is named, and take out of a baseline what fits nothing any more')
            break
        }
        'callgate;help;baseline;show' {
            break
        }
        'callgate;help;baseline;prune' {
            break
        }
        'callgate;help;explain' {
            break
        }
        'callgate;help;rules' {
            break
        }
        'callgate;help;models' {
            break
        }
        'callgate;help;patterns' {
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Run every pattern''s own examples')
            break
        }
        'callgate;help;patterns;test' {
            break
        }
        'callgate;help;samples' {
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Check that every sample is found and that no harmless text is taken for one')
            [CompletionResult]::new('index', 'index', [CompletionResultType]::ParameterValue, 'Write the index of all samples, for `model_settings.similarity.index`')
            break
        }
        'callgate;help;samples;test' {
            break
        }
        'callgate;help;samples;index' {
            break
        }
        'callgate;help;hook' {
            break
        }
        'callgate;help;doctor' {
            break
        }
        'callgate;help;init' {
            break
        }
        'callgate;help;generate' {
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Completions for a shell, or for all shells into a folder')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'The manual page of callgate, or one page a command into a folder')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'The JSON schema of callgate.yaml, of pattern files, of a tenant''s settings, or of reports')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'The page of all built-in rules, docs/rules.md')
            break
        }
        'callgate;help;generate;completions' {
            break
        }
        'callgate;help;generate;man' {
            break
        }
        'callgate;help;generate;schema' {
            break
        }
        'callgate;help;generate;rules' {
            break
        }
        'callgate;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
