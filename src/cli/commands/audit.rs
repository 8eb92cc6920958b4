//! `callgate audit`: where the store of evaluations is, whether it verifies, what is in it, and what is taken out.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;

use crate::audit::chain::hex;
use crate::audit::export::{csv_row, json_line};
use crate::audit::prune::{Pruned, Pruning};
use crate::audit::query::Filter;
use crate::audit::record::{self, Record};
use crate::audit::store::Store;
use crate::audit::{AuditError, Scope};
use crate::cli::args::Global;
use crate::cli::audit::args::{
    AuditCommand, AuditCommandArgs, ExportArgs, ExportFormat, FilterArgs, LabelArgs, LabelName, PruneArgs, VerifyArgs,
};
use crate::cli::audit::{existing, retention};
use crate::cli::commands::to_stdout;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::tenant;
use crate::cli::whole_file::WholeFile;
use crate::value::source::shown;
use crate::value::store_place::StorePlace;

/// Works with the store.
///
/// # Errors
///
/// When there is no store, it cannot be read or written, or what is asked for makes no sense.
pub fn run(args: &AuditCommandArgs, global: &Global) -> Result<Exit, Failure> {
    let place = existing(args.store.as_deref(), global)?;
    match &args.command {
        AuditCommand::Path => {
            to_stdout(|out| writeln!(out, "{}", shown(&place.to_string())))?;
            Ok(Exit::Allow)
        }
        AuditCommand::Verify(verify) => self::verify(&opened(&place)?, verify),
        AuditCommand::Prune(prune) => self::prune(&mut opened(&place)?, prune, global),
        AuditCommand::Export(export) => self::export(&opened(&place)?, export),
        AuditCommand::Label(label) => self::label(&mut opened(&place)?, label),
    }
}

/// Opens a store that is there.
pub(super) fn opened(place: &StorePlace) -> Result<Store, Failure> {
    let store = Store::open_existing(place).map_err(|fault| failure(place, &fault))?;
    // A file that cannot be written can still be read.
    let _ = store.settle();
    Ok(store)
}

/// What is told of a store that cannot be used.
pub(super) fn failure(place: &StorePlace, fault: &AuditError) -> Failure {
    let source = std::error::Error::source(fault).filter(|_| matches!(fault, AuditError::Unopened { .. }));
    let told = source.map_or_else(|| fault.to_string(), |source| format!("{fault}: {source}"));
    Failure::Audit { place: place.to_string(), fault: told, help: fault.help() }
}

fn verify(store: &Store, args: &VerifyArgs) -> Result<Exit, Failure> {
    let fault = |fault| failure(store.place(), &fault);
    let verified = store.verify().map_err(fault)?;
    let mut missing = Vec::new();
    for head in &args.head {
        if !store.has_hash(head).map_err(fault)? {
            missing.push(head);
        }
    }
    to_stdout(|out| {
        for chain in &verified.chains {
            let whose = chain.tenant.as_ref().map_or_else(String::new, |tenant| format!(" of tenant {}", shown(tenant)));
            let kind = if chain.is_clean { "clean passes" } else { "findings" };
            let pruned = if chain.pruned == 0 { String::new() } else { format!(", {} pruned before", chain.pruned) };
            writeln!(out, "{kind}{whose}: {} records{pruned}, head {}", chain.records, hex(&chain.head))?;
        }
        for head in &missing {
            writeln!(out, "broken: no record has the hash {} any more", shown(head))?;
        }
        match &verified.broken {
            Some(broken) => {
                let place = broken.record.as_ref().map_or_else(String::new, |record| format!(" at record {}", shown(record)));
                writeln!(out, "broken{place}: {}", shown(&broken.why))
            }
            None if missing.is_empty() => writeln!(out, "the store verifies"),
            None => Ok(()),
        }
    })?;
    Ok(if verified.broken.is_none() && missing.is_empty() { Exit::Allow } else { Exit::Block })
}

fn prune(store: &mut Store, args: &PruneArgs, global: &Global) -> Result<Exit, Failure> {
    let now = Record::now();
    let before = |span: Option<i64>| span.map(|span| now.saturating_sub(span));
    let is_said = args.older_than.or(args.clean_older_than).is_some() || args.keep.or(args.keep_clean).is_some();
    let (findings, clean) = if is_said {
        (args.older_than, args.clean_older_than.or(args.older_than))
    } else {
        let kept = retention(global)?;
        (kept.findings, kept.clean)
    };
    if !is_said && findings.or(clean).is_none() {
        return Err(Failure::usage("nothing says what is to be taken out", "say --older-than 90d, or `audit.retention` in your settings"));
    }
    let pruning = Pruning {
        tenant: args.tenant.clone().map(Some),
        before: before(findings),
        clean_before: before(clean),
        keep: args.keep,
        keep_clean: args.keep_clean.or(args.keep),
        is_dry: args.dry_run,
    };
    let pruned = store.prune(&pruning, now).map_err(|fault| failure(store.place(), &fault))?;
    if !args.dry_run && pruned != Pruned::default() {
        // A store that others write at this moment stays as large as it is, and uses the room again.
        let _ = store.shrink();
    }
    let Pruned { evaluations, clean, sessions } = pruned;
    let word = if args.dry_run { "would be taken out" } else { "taken out" };
    to_stdout(|out| writeln!(out, "{evaluations} findings, {clean} clean passes and {sessions} sessions {word}"))?;
    Ok(Exit::Allow)
}

fn label(store: &mut Store, args: &LabelArgs) -> Result<Exit, Failure> {
    let unknown = |why: &str| Failure::usage(why, "`callgate audit export` and reports in JSON say the ids of evaluations");
    let id = record::id(&args.id).ok_or_else(|| unknown("that is no id of an evaluation"))?;
    let is_bad = args.label == LabelName::Bad;
    let is_there = store.label(id, is_bad, args.note.as_deref(), Record::now()).map_err(|fault| failure(store.place(), &fault))?;
    if is_there { Ok(Exit::Allow) } else { Err(unknown("there is no evaluation of that id in this store")) }
}

/// What a filter on the command line asks for.
///
/// # Errors
///
/// When the variable holds no tenant.
pub(super) fn filter_of(args: &FilterArgs) -> Result<Filter, Failure> {
    let tenant = tenant::named(args.tenant.as_deref())?;
    let scope = Scope { tenant, session: args.session.clone(), agent: args.agent.clone() };
    Ok(Filter {
        scope: (!args.all_tenants).then_some(scope),
        since: args.since,
        until: args.until,
        verdict: args.verdict,
        rule: args.rule.clone(),
        path: args.path.clone(),
        ..Filter::default()
    })
}

fn export(store: &Store, args: &ExportArgs) -> Result<Exit, Failure> {
    let filter = Filter { without_clean: args.no_clean, is_labelled: args.labelled, limit: args.limit, ..filter_of(&args.filter)? };
    match &args.output {
        Some(file) => {
            let unwritable = |source| Failure::unwritable(file, source);
            let mut out = BufWriter::new(WholeFile::create(file).map_err(unwritable)?);
            export_to(store, &filter, args.format, &mut out)?;
            let whole = out.into_inner().map_err(|error| unwritable(error.into_error()))?;
            whole.put().map_err(unwritable)?;
        }
        None => export_to(store, &filter, args.format, &mut BufWriter::new(io::stdout().lock()))?,
    }
    Ok(Exit::Allow)
}

/// A reader that has gone has read what it wanted.
fn export_to(store: &Store, filter: &Filter, format: ExportFormat, out: &mut dyn Write) -> Result<(), Failure> {
    let mut written = Ok(());
    let mut is_first = true;
    let visited = store.visit(filter, |kept| {
        written = match format {
            ExportFormat::Jsonl => json_line(&kept, out),
            ExportFormat::Csv => csv_row(&kept, std::mem::take(&mut is_first), out),
        };
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    visited.map_err(|fault| failure(store.place(), &fault))?;
    written.and_then(|()| out.flush()).err().and_then(|error| Failure::of_writing("the export", error)).map_or(Ok(()), Err)
}
