# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_callgate_global_optspecs
    string join \n config= no-config config-from= patterns= samples= color= h/help V/version
end

function __fish_callgate_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_callgate_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_callgate_using_subcommand
    set -l cmd (__fish_callgate_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c callgate -n "__fish_callgate_needs_command" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_needs_command" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_needs_command" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_needs_command" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_needs_command" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_needs_command" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_needs_command" -s V -l version -d 'Print version'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "scan" -d 'Judge scripts, tool calls and texts, and answer allow, warn or block'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "compare" -d 'Show what every scoring model thinks of the same scripts, side by side'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "replay" -d 'Judge the same files by two settings, and tell which verdicts flip'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "tune" -d 'Find out from labelled files how well each model tells bad from good, and which thresholds would'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "audit" -d 'Work with the store of evaluations: verify it, export it, take old ones out, label them'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "history" -d 'Show the latest evaluations of the store'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "trends" -d 'Show how evaluations of the store changed over time, and whether it gets worse'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "sessions" -d 'Show the sessions of the store: how many calls, how they ended, the highest score'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "tools" -d 'Say what the tools of a server do and what their descriptions hide, before it is connected'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "baseline" -d 'Show what a baseline holds, or take out what is gone'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "explain" -d 'Say what a rule means, why it matters and what to do about it'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "rules" -d 'List all rules'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "models" -d 'List all scoring models'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "patterns" -d 'Work with patterns'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "samples" -d 'Work with the known-bad samples of the similarity model'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "hook" -d 'Answer one payload of an agent host, in the host\'s own form'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "doctor" -d 'Prove that the hooks of agent hosts fire'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "init" -d 'Write a commented callgate.yaml, or install the git hook or the hooks of an agent host'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "generate" -d 'Write completions, man pages or JSON schemas'
complete -c callgate -n "__fish_callgate_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l stdin-filename -d 'Name standard input, which also tells what it is [default: a script]' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l files-from -d 'Read the paths from a file, or from - for standard input; separated by newlines or NULs' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l language -l as -d 'Take every file for this, whatever its name' -r -f -a "javascript\t''
jsx\t''
typescript\t''
tsx\t''
tool-call\t''
text\t''"
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l dialect -d 'What scripts are written for; only agent scripts are held to a sandbox [default: auto]' -r -f -a "auto\t'An agent script if it calls tools and imports nothing, otherwise Node'
agentscript\t'The body of a function that calls tools and runs in a sandbox'
node\t'A program or module of a host such as Node'"
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l tools -d 'What servers say of their tools: an answer to MCP\'s tools/list (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l exclude -d 'Leave out what this glob matches, as in a .gitignore (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -s j -l jobs -d 'How many threads work [default: one a processor]' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l since -d 'Judge only files that changed since this branch left that revision, as they are in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l delta -d 'As --since, and count only what is found now and was not found there' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l model -d 'The model that judges; of several the strictest opinion stands (repeatable) [default: hybrid]' -r -f -a "hybrid\t''
rule-based\t''
five-factor\t''
numeric\t''
categorical\t''
tiered\t''
weighted-category\t''
similarity\t''
progressive\t''
composite\t''
max\t''
custom\t''
classifier\t''
external-api\t''
fixed\t''
disabled\t''"
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l warn-threshold -d 'Warn from this score on (0-100) [default: 40, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l block-threshold -d 'Block from this score on (0-100) [default: 70, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l disable -d 'Do not let this rule count (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l on-undetermined -d 'What to answer on what could not be judged [default: block]' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l fail-on -d 'End with an error code from this verdict on [default: warn]' -r -f -a "warn\t'Warn and block fail'
block\t'Only block fails'
never\t'No verdict fails'"
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l min-coverage -d 'Fail if less than this share of the files was judged wholly (0-100)' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l baseline -d 'Do not count what stood there when this baseline was written' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l write-baseline -d 'Write all findings into a baseline, so that only what is new counts from now on [default: callgate-baseline.json]' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l audit -d 'Store every evaluation in this file, or on this server (postgres://…) [default: audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l session -d 'The session that everything belongs to, whatever the input says: calls of one session are judged by what came before' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l metrics -d 'Write counters for Prometheus into this file: those of the store if one is written, else those of this run' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l tenant -d 'The tenant whose settings count over the common ones, and whose history it is [default: $CALLGATE_TENANT]' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l tenants -d 'The folder with a folder for each tenant: DIR/ID/security.yaml [default: config/tenants]' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -s f -l format -d 'How to report, each also as FORMAT=FILE (repeatable): table, json, jsonl, sarif, concise, github, gitlab, junit or markdown [default: table]' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -s o -l output -d 'Write the report to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l min-severity -d 'Show only what is at least this bad; everything is judged and counted all the same' -r -f -a "low\t''
medium\t''
high\t''
critical\t''"
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l listed -d 'Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l force-exclude -d 'Leave out what --exclude and the settings name even where it is named on the command line'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l no-ignore -d 'Take also what .gitignore, .ignore and .callgateignore name'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l hidden -d 'Take also hidden files and folders'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l staged -d 'Judge what git has staged for the next commit, as it stands in the index'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l fail-open -d 'Short for --on-undetermined allow'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l strict -d 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l no-acceptances -d 'Let no acceptance count, neither in comments nor in the settings: for audits'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l exit-zero -d 'End with 0 whatever the verdict'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l deny-unused -d 'Warn at least where an acceptance is unused, expired or faulty'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l audit-required -d 'Fail if an evaluation cannot be stored, instead of telling it only'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l list-files -d 'List every file with what becomes of it, and judge none; as a table, or with --format json or jsonl'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l statistics -d 'Count how often each rule hit; a table shows that instead of the findings'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l features -d 'Also report the features of each script and tool call: tools, arguments, control flow, data flow, sequences'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l explain-score -d 'Also report what each score is made of, and which change would lower the verdict'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -s q -l quiet -d 'Report only what warns or blocks, without totals'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -s v -l verbose -d 'Report everything: also what is allowed, all matches, all steps'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand scan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l stdin-filename -d 'Name standard input, which also tells what it is [default: a script]' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l files-from -d 'Read the paths from a file, or from - for standard input; separated by newlines or NULs' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l language -l as -d 'Take every file for this, whatever its name' -r -f -a "javascript\t''
jsx\t''
typescript\t''
tsx\t''
tool-call\t''
text\t''"
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l dialect -d 'What scripts are written for; only agent scripts are held to a sandbox [default: auto]' -r -f -a "auto\t'An agent script if it calls tools and imports nothing, otherwise Node'
agentscript\t'The body of a function that calls tools and runs in a sandbox'
node\t'A program or module of a host such as Node'"
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l tools -d 'What servers say of their tools: an answer to MCP\'s tools/list (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l exclude -d 'Leave out what this glob matches, as in a .gitignore (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand compare" -s j -l jobs -d 'How many threads work [default: one a processor]' -r
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l model -d 'Compare these models, in this order (repeatable) [default: all that judge by themselves]' -r -f -a "hybrid\t''
rule-based\t''
five-factor\t''
numeric\t''
categorical\t''
tiered\t''
weighted-category\t''
similarity\t''
progressive\t''
composite\t''
max\t''
custom\t''
classifier\t''
external-api\t''
fixed\t''
disabled\t''"
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l warn-threshold -d 'Warn from this score on (0-100) [default: 40, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l block-threshold -d 'Block from this score on (0-100) [default: 70, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l disable -d 'Do not let this rule count (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l on-undetermined -d 'What to answer on what could not be judged [default: block]' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand compare" -s f -l format -d 'How to report: table, json or html, each also as FORMAT=FILE (repeatable) [default: table]' -r
complete -c callgate -n "__fish_callgate_using_subcommand compare" -s o -l output -d 'Write the comparison to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l listed -d 'Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l force-exclude -d 'Leave out what --exclude and the settings name even where it is named on the command line'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l no-ignore -d 'Take also what .gitignore, .ignore and .callgateignore name'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l hidden -d 'Take also hidden files and folders'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l all -d 'Compare also models that say nothing of a script by itself, or that ask a server'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l fail-open -d 'Short for --on-undetermined allow'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l strict -d 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l no-acceptances -d 'Let no acceptance count, neither in comments nor in the settings: for audits'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l disagreements -d 'Show only what the models answer differently'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l stdin-filename -d 'Name standard input, which also tells what it is [default: a script]' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l files-from -d 'Read the paths from a file, or from - for standard input; separated by newlines or NULs' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l language -l as -d 'Take every file for this, whatever its name' -r -f -a "javascript\t''
jsx\t''
typescript\t''
tsx\t''
tool-call\t''
text\t''"
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l dialect -d 'What scripts are written for; only agent scripts are held to a sandbox [default: auto]' -r -f -a "auto\t'An agent script if it calls tools and imports nothing, otherwise Node'
agentscript\t'The body of a function that calls tools and runs in a sandbox'
node\t'A program or module of a host such as Node'"
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l tools -d 'What servers say of their tools: an answer to MCP\'s tools/list (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l exclude -d 'Leave out what this glob matches, as in a .gitignore (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand replay" -s j -l jobs -d 'How many threads work [default: one a processor]' -r
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l config -d 'The settings file before the change, then the one after it; one alone is held against the callgate.yaml here' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l against -d 'What was judged before the change: a report of an earlier run (json or jsonl), or a store of evaluations; so an upgrade of callgate itself is judged' -r
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l model-before -d 'The model that judges before the change (repeatable) [default: as the settings say]' -r -f -a "hybrid\t''
rule-based\t''
five-factor\t''
numeric\t''
categorical\t''
tiered\t''
weighted-category\t''
similarity\t''
progressive\t''
composite\t''
max\t''
custom\t''
classifier\t''
external-api\t''
fixed\t''
disabled\t''"
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l model-after -d 'The model that judges after the change (repeatable) [default: as the settings say]' -r -f -a "hybrid\t''
rule-based\t''
five-factor\t''
numeric\t''
categorical\t''
tiered\t''
weighted-category\t''
similarity\t''
progressive\t''
composite\t''
max\t''
custom\t''
classifier\t''
external-api\t''
fixed\t''
disabled\t''"
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l warn-threshold -d 'Warn from this score on (0-100) [default: 40, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l block-threshold -d 'Block from this score on (0-100) [default: 70, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l disable -d 'Do not let this rule count (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l on-undetermined -d 'What to answer on what could not be judged [default: block]' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand replay" -s f -l format -d 'How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]' -r
complete -c callgate -n "__fish_callgate_using_subcommand replay" -s o -l output -d 'Write the report to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l listed -d 'Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l force-exclude -d 'Leave out what --exclude and the settings name even where it is named on the command line'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l no-ignore -d 'Take also what .gitignore, .ignore and .callgateignore name'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l hidden -d 'Take also hidden files and folders'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l fail-open -d 'Short for --on-undetermined allow'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l strict -d 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l no-acceptances -d 'Let no acceptance count, neither in comments nor in the settings: for audits'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l fail-on-flip -d 'End with 1 if any verdict flips'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l stdin-filename -d 'Name standard input, which also tells what it is [default: a script]' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l files-from -d 'Read the paths from a file, or from - for standard input; separated by newlines or NULs' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l language -l as -d 'Take every file for this, whatever its name' -r -f -a "javascript\t''
jsx\t''
typescript\t''
tsx\t''
tool-call\t''
text\t''"
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l dialect -d 'What scripts are written for; only agent scripts are held to a sandbox [default: auto]' -r -f -a "auto\t'An agent script if it calls tools and imports nothing, otherwise Node'
agentscript\t'The body of a function that calls tools and runs in a sandbox'
node\t'A program or module of a host such as Node'"
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l tools -d 'What servers say of their tools: an answer to MCP\'s tools/list (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l exclude -d 'Leave out what this glob matches, as in a .gitignore (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -s j -l jobs -d 'How many threads work [default: one a processor]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l labels -d 'Which files are bad and which are good: CSV (path,label) or JSON Lines ({"path": …, "label": …})' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l audit -d 'Calibrate the weights of hybrid by this store and its labels [default: as of `callgate audit`]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l model -d 'Tune these models (repeatable) [default: all that judge by themselves]' -r -f -a "hybrid\t''
rule-based\t''
five-factor\t''
numeric\t''
categorical\t''
tiered\t''
weighted-category\t''
similarity\t''
progressive\t''
composite\t''
max\t''
custom\t''
classifier\t''
external-api\t''
fixed\t''
disabled\t''"
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l warn-threshold -d 'Warn from this score on (0-100) [default: 40, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l block-threshold -d 'Block from this score on (0-100) [default: 70, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l disable -d 'Do not let this rule count (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l on-undetermined -d 'What to answer on what could not be judged [default: block]' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l fpr -d 'Find the threshold that flags no more than this share of the good files (repeatable) [default: 0, 0.01, 0.05]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -s f -l format -d 'How to report: table or json, each also as FORMAT=FILE (repeatable) [default: table]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -s o -l output -d 'Write the report to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l plot -d 'Draw the curves and the scores of all models into this SVG file' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l listed -d 'Take the files that are named for a list of all there are: those that hold nothing to judge are passed over, as in a folder'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l force-exclude -d 'Leave out what --exclude and the settings name even where it is named on the command line'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l no-ignore -d 'Take also what .gitignore, .ignore and .callgateignore name'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l hidden -d 'Take also hidden files and folders'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l fail-open -d 'Short for --on-undetermined allow'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l strict -d 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l no-acceptances -d 'Let no acceptance count, neither in comments nor in the settings: for audits'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l write -d 'Put the thresholds of the model that judges or is named (with --audit: the weights of hybrid) into callgate.yaml'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand tune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -f -a "path" -d 'Say where the store is'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -f -a "verify" -d 'Check that no record was changed, added or taken away since it was written'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -f -a "prune" -d 'Take old records out; what is left still verifies'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -f -a "export" -d 'Write records as JSON Lines or CSV'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -f -a "label" -d 'Say that what was judged was bad, or good'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and not __fish_seen_subcommand_from path verify prune export label help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from path" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from path" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from path" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from path" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from path" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from path" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from path" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from path" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -l head -d 'A head that was printed before and noted elsewhere: it must still be there (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l older-than -d 'Records older than this: 90d, 12h, 4w [default: the retention of your settings]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l clean-older-than -d 'Clean passes older than this [default: as --older-than]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l keep -d 'All but so many of the newest' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l keep-clean -d 'All but so many of the newest clean passes [default: as --keep]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l tenant -d 'Only of this tenant' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l dry-run -d 'Only say what would be taken out'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from prune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -s f -l format -d 'How to write them' -r -f -a "jsonl\t'One JSON object a line'
csv\t'Comma-separated, with a line of names'"
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -s o -l output -d 'Write them to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l since -d 'Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l until -d 'Before this day or point in time' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l verdict -d 'At least this strict' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l rule -d 'Where this rule hit' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l path -d 'Whose path fits this glob; * also stands for slashes' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l session -d 'Of this session' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l agent -d 'Of this agent host' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l tenant -d 'Of this tenant [default: $CALLGATE_TENANT, else those without one]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l limit -d 'At most so many, the newest' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l all-tenants -d 'Of all tenants'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l no-clean -d 'Without clean passes'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l labelled -d 'Only what was labelled'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -l note -d 'Why' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from label" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "path" -d 'Say where the store is'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Check that no record was changed, added or taken away since it was written'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "prune" -d 'Take old records out; what is left still verifies'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "export" -d 'Write records as JSON Lines or CSV'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "label" -d 'Say that what was judged was bad, or good'
complete -c callgate -n "__fish_callgate_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand history" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -s o -l output -d 'Write the answer to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand history" -l since -d 'Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l until -d 'Before this day or point in time' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l verdict -d 'At least this strict' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand history" -l rule -d 'Where this rule hit' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l path -d 'Whose path fits this glob; * also stands for slashes' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l session -d 'Of this session' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l agent -d 'Of this agent host' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l tenant -d 'Of this tenant [default: $CALLGATE_TENANT, else those without one]' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l limit -d 'At most so many, the newest' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -s f -l format -d 'How to write them: table, json or csv, each also as FORMAT=FILE (repeatable) [default: table]' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand history" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand history" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand history" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand history" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand history" -l all-tenants -d 'Of all tenants'
complete -c callgate -n "__fish_callgate_using_subcommand history" -l no-clean -d 'Without clean passes'
complete -c callgate -n "__fish_callgate_using_subcommand history" -l labelled -d 'Only what was labelled'
complete -c callgate -n "__fish_callgate_using_subcommand history" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand history" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -s o -l output -d 'Write the answer to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l by -d 'What is looked at by itself, in UTC' -r -f -a "day\t'Each day'
hour\t'Each hour'"
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l since -d 'Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l until -d 'Before this day or point in time' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l verdict -d 'At least this strict' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l rule -d 'Where this rule hit' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l path -d 'Whose path fits this glob; * also stands for slashes' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l session -d 'Of this session' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l agent -d 'Of this agent host' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l tenant -d 'Of this tenant [default: $CALLGATE_TENANT, else those without one]' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l window -d 'Compare the last so long with as long before: what rises is told' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -s f -l format -d 'How to write them: table, json, csv or html, each also as FORMAT=FILE (repeatable) [default: table]' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l html -d 'Write a page for people into this file: short for --format html=FILE' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l all-tenants -d 'Of all tenants'
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l no-clean -d 'Without clean passes'
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l alert -d 'End with 1 if anything rises, and write only that: for cron'
complete -c callgate -n "__fish_callgate_using_subcommand trends" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand trends" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l store -l audit -d 'The store, a file or postgres://… [default: $CALLGATE_AUDIT, the one of your settings, or audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -s o -l output -d 'Write the answer to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l since -d 'Not before this day or point in time: 2026-11-01, 2026-11-01T12:00Z, or so long ago: 30d' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l until -d 'Before this day or point in time' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l verdict -d 'At least this strict' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l rule -d 'Where this rule hit' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l path -d 'Whose path fits this glob; * also stands for slashes' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l session -d 'Of this session' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l agent -d 'Of this agent host' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l tenant -d 'Of this tenant [default: $CALLGATE_TENANT, else those without one]' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l limit -d 'At most so many, those with the newest evaluations' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -s f -l format -d 'How to write them: table, json or csv, each also as FORMAT=FILE (repeatable) [default: table]' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l all-tenants -d 'Of all tenants'
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand sessions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l guess -d 'Say what is thought of a call of the tool of that name with these arguments (a JSON object), and the row to say better' -r
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l warn-threshold -d 'Warn from this score on (0-100) [default: 40, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l block-threshold -d 'Block from this score on (0-100) [default: 70, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l disable -d 'Do not let this rule count (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l on-undetermined -d 'What to answer on what could not be judged [default: block]' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand tools" -s f -l format -d 'How to report: table, json or jsonl, each also as FORMAT=FILE (repeatable) [default: table]' -r
complete -c callgate -n "__fish_callgate_using_subcommand tools" -s o -l output -d 'Write the report to this file instead of standard output' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l fail-open -d 'Short for --on-undetermined allow'
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l strict -d 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged'
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l no-acceptances -d 'Let no acceptance count, neither in comments nor in the settings: for audits'
complete -c callgate -n "__fish_callgate_using_subcommand tools" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand tools" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -f -a "show" -d 'List the findings that a baseline holds'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -f -a "prune" -d 'Judge what is named, and take out of a baseline what fits nothing any more'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and not __fish_seen_subcommand_from show prune help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from show" -s f -l format -d 'How to list' -r -f -a "table\t'For people'
json\t'For machines'"
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from show" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from show" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from show" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from show" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from show" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from show" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from prune" -l baseline -d 'The baseline [default: that of the settings, or callgate-baseline.json]' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from prune" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from prune" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from prune" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from prune" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from prune" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from prune" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from prune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from help" -f -a "show" -d 'List the findings that a baseline holds'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from help" -f -a "prune" -d 'Judge what is named, and take out of a baseline what fits nothing any more'
complete -c callgate -n "__fish_callgate_using_subcommand baseline; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand explain" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand explain" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand explain" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand explain" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand explain" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand explain" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand rules" -s f -l format -d 'How to list' -r -f -a "table\t'For people'
json\t'For machines'"
complete -c callgate -n "__fish_callgate_using_subcommand rules" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand rules" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand rules" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand rules" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand rules" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand rules" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand rules" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand models" -s f -l format -d 'How to list' -r -f -a "table\t'For people'
json\t'For machines'"
complete -c callgate -n "__fish_callgate_using_subcommand models" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand models" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand models" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand models" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand models" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand models" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand models" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -f -a "test" -d 'Run every pattern\'s own examples'
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and not __fish_seen_subcommand_from test help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from test" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from test" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from test" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from test" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from test" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from test" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from test" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from help" -f -a "test" -d 'Run every pattern\'s own examples'
complete -c callgate -n "__fish_callgate_using_subcommand patterns; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -f -a "test" -d 'Check that every sample is found and that no harmless text is taken for one'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -f -a "index" -d 'Write the index of all samples, for `model_settings.similarity.index`'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and not __fish_seen_subcommand_from test index help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from test" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from test" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from test" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from test" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from test" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from test" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from test" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from index" -s o -l output -d 'Write it to this file' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from index" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from index" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from index" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from index" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from index" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from index" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from index" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from help" -f -a "test" -d 'Check that every sample is found and that no harmless text is taken for one'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from help" -f -a "index" -d 'Write the index of all samples, for `model_settings.similarity.index`'
complete -c callgate -n "__fish_callgate_using_subcommand samples; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l tools -d 'What servers say of their tools: an answer to MCP\'s tools/list (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l model -d 'The model that judges; of several the strictest opinion stands (repeatable) [default: hybrid]' -r -f -a "hybrid\t''
rule-based\t''
five-factor\t''
numeric\t''
categorical\t''
tiered\t''
weighted-category\t''
similarity\t''
progressive\t''
composite\t''
max\t''
custom\t''
classifier\t''
external-api\t''
fixed\t''
disabled\t''"
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l warn-threshold -d 'Warn from this score on (0-100) [default: 40, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l block-threshold -d 'Block from this score on (0-100) [default: 70, for models without actions]' -r
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l disable -d 'Do not let this rule count (repeatable)' -r
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l on-undetermined -d 'What to answer on what could not be judged [default: block]' -r -f -a "allow\t''
warn\t''
block\t''"
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l audit -d 'Store every evaluation in this file, or on this server (postgres://…) [default: audit.db in your folder of state]' -r
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l session -d 'The session that everything belongs to, whatever the input says: calls of one session are judged by what came before' -r
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l metrics -d 'Write counters for Prometheus into this file: those of the store if one is written, else those of this run' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l tenant -d 'The tenant whose settings count over the common ones, and whose history it is [default: $CALLGATE_TENANT]' -r
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l tenants -d 'The folder with a folder for each tenant: DIR/ID/security.yaml [default: config/tenants]' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l on-warn -d 'What to answer where the verdict is warn; where nobody can be asked, ask is deny' -r -f -a "ask\t'A person decides'
allow\t'It passes'
deny\t'It does not pass'"
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l deadline -d 'Deny what is not judged after so many seconds' -r
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l fail-open -d 'Short for --on-undetermined allow'
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l strict -d 'Do not pass over what agents run and no reader exists for yet (Python, shell …): it could not be judged'
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l no-acceptances -d 'Let no acceptance count, neither in comments nor in the settings: for audits'
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l audit-required -d 'Fail if an evaluation cannot be stored, instead of telling it only'
complete -c callgate -n "__fish_callgate_using_subcommand hook" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand hook" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand doctor" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand doctor" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand doctor" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand doctor" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand doctor" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand doctor" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand init" -l agent -d 'Add callgate\'s hooks to the settings of this agent host' -r -f -a "claude-code\t''
codex\t''
copilot\t''
cursor\t''
gemini\t''
openclaw\t''"
complete -c callgate -n "__fish_callgate_using_subcommand init" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand init" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand init" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand init" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand init" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand init" -l hook -d 'Add callgate to the git pre-commit hook instead of writing callgate.yaml'
complete -c callgate -n "__fish_callgate_using_subcommand init" -l force -d 'Write callgate.yaml even if there is one'
complete -c callgate -n "__fish_callgate_using_subcommand init" -l user -d 'Into your own settings, for all projects (the default)'
complete -c callgate -n "__fish_callgate_using_subcommand init" -l project -d 'Into the settings of the project in this folder'
complete -c callgate -n "__fish_callgate_using_subcommand init" -l remove -d 'Take callgate\'s hooks out again'
complete -c callgate -n "__fish_callgate_using_subcommand init" -l dry-run -d 'Print the settings instead of writing them'
complete -c callgate -n "__fish_callgate_using_subcommand init" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -f -a "completions" -d 'Completions for a shell, or for all shells into a folder'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -f -a "man" -d 'The manual page of callgate, or one page a command into a folder'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -f -a "schema" -d 'The JSON schema of callgate.yaml, of pattern files, of a tenant\'s settings, or of reports'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -f -a "rules" -d 'The page of all built-in rules, docs/rules.md'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and not __fish_seen_subcommand_from completions man schema rules help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from completions" -s o -l output -d 'Write one file a shell into this folder' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from completions" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from completions" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from completions" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from completions" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from completions" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from completions" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from man" -s o -l output -d 'Write one page a command into this folder' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from man" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from man" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from man" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from man" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from man" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from man" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from schema" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from schema" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from schema" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from schema" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from schema" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from schema" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from rules" -l config -d 'Use this settings file instead of the callgate.yaml found in this folder or above' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from rules" -l config-from -d 'Take the settings, and all files that they name, as they are in this revision of git and not in the working tree' -r
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from rules" -l patterns -d 'Add the patterns of all YAML files in this folder (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from rules" -l samples -d 'Add the known-bad samples of this YAML file for the similarity model (repeatable)' -r -F
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from rules" -l color -d 'When to use colours' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from rules" -l no-config -d 'Use no settings file'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from rules" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "completions" -d 'Completions for a shell, or for all shells into a folder'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "man" -d 'The manual page of callgate, or one page a command into a folder'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "schema" -d 'The JSON schema of callgate.yaml, of pattern files, of a tenant\'s settings, or of reports'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "rules" -d 'The page of all built-in rules, docs/rules.md'
complete -c callgate -n "__fish_callgate_using_subcommand generate; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "scan" -d 'Judge scripts, tool calls and texts, and answer allow, warn or block'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "compare" -d 'Show what every scoring model thinks of the same scripts, side by side'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "replay" -d 'Judge the same files by two settings, and tell which verdicts flip'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "tune" -d 'Find out from labelled files how well each model tells bad from good, and which thresholds would'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "audit" -d 'Work with the store of evaluations: verify it, export it, take old ones out, label them'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "history" -d 'Show the latest evaluations of the store'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "trends" -d 'Show how evaluations of the store changed over time, and whether it gets worse'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "sessions" -d 'Show the sessions of the store: how many calls, how they ended, the highest score'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "tools" -d 'Say what the tools of a server do and what their descriptions hide, before it is connected'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "baseline" -d 'Show what a baseline holds, or take out what is gone'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "explain" -d 'Say what a rule means, why it matters and what to do about it'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "rules" -d 'List all rules'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "models" -d 'List all scoring models'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "patterns" -d 'Work with patterns'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "samples" -d 'Work with the known-bad samples of the similarity model'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "hook" -d 'Answer one payload of an agent host, in the host\'s own form'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "doctor" -d 'Prove that the hooks of agent hosts fire'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "init" -d 'Write a commented callgate.yaml, or install the git hook or the hooks of an agent host'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "generate" -d 'Write completions, man pages or JSON schemas'
complete -c callgate -n "__fish_callgate_using_subcommand help; and not __fish_seen_subcommand_from scan compare replay tune audit history trends sessions tools baseline explain rules models patterns samples hook doctor init generate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "path" -d 'Say where the store is'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "verify" -d 'Check that no record was changed, added or taken away since it was written'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "prune" -d 'Take old records out; what is left still verifies'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "export" -d 'Write records as JSON Lines or CSV'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "label" -d 'Say that what was judged was bad, or good'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from baseline" -f -a "show" -d 'List the findings that a baseline holds'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from baseline" -f -a "prune" -d 'Judge what is named, and take out of a baseline what fits nothing any more'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from patterns" -f -a "test" -d 'Run every pattern\'s own examples'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from samples" -f -a "test" -d 'Check that every sample is found and that no harmless text is taken for one'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from samples" -f -a "index" -d 'Write the index of all samples, for `model_settings.similarity.index`'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from generate" -f -a "completions" -d 'Completions for a shell, or for all shells into a folder'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from generate" -f -a "man" -d 'The manual page of callgate, or one page a command into a folder'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from generate" -f -a "schema" -d 'The JSON schema of callgate.yaml, of pattern files, of a tenant\'s settings, or of reports'
complete -c callgate -n "__fish_callgate_using_subcommand help; and __fish_seen_subcommand_from generate" -f -a "rules" -d 'The page of all built-in rules, docs/rules.md'
