//! `callgate samples`: checks the known-bad samples of the similarity model, and writes their index.

use crate::cli::args::{Global, SamplesArgs, SamplesCommand};
use crate::cli::commands::to_stdout;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::load;
use crate::cli::settings::samples;
use crate::cli::whole_file;
use crate::model::embedding::Embedder;
use crate::model::similarity::known::Sample;
use crate::model::similarity::{self, SimilaritySettings, index::Index, twins};
use crate::value::source::shown;

/// Works with samples.
///
/// # Errors
///
/// When the settings or samples have faults, or the index cannot be written.
pub fn run(args: &SamplesArgs, global: &Global) -> Result<Exit, Failure> {
    let loaded = load::load(global)?;
    let mut settings = loaded.config.model_settings.similarity.clone();
    settings.samples.extend(samples(global));
    let fault = |message: String| Failure::Model { message };
    let samples = similarity::samples(&settings, loaded.folder(), &|path| loaded.read_file(path)).map_err(fault)?;
    let embedder = similarity::embedder(&settings, loaded.folder()).map_err(|error| fault(error.message))?;
    match &args.command {
        SamplesCommand::Test => test(&settings, &samples, embedder.as_ref()),
        SamplesCommand::Index { output } => {
            let index = Index::of(&samples, embedder.as_ref()).map_err(|error| fault(error.message))?;
            let bytes = index.to_bytes();
            whole_file::write(output, &bytes).map_err(|error| Failure::unwritable(output, error))?;
            to_stdout(|out| writeln!(out, "{} samples by {}, {} bytes", samples.len(), shown(&embedder.id()), bytes.len()))?;
            Ok(Exit::Allow)
        }
    }
}

fn test(settings: &SimilaritySettings, samples: &[Sample], embedder: &dyn Embedder) -> Result<Exit, Failure> {
    let mistaken = twins::mistaken(samples, embedder, settings.threshold).map_err(|error| Failure::Model { message: error.message })?;
    let twins = samples.iter().filter(|sample| sample.near_miss.is_some()).count();
    to_stdout(|out| {
        for twins::Mistaken { sample, taken_for, similarity } in &mistaken {
            match taken_for {
                Some(other) => {
                    writeln!(out, "{}: its near miss is taken for `{}` (similarity {similarity:.2})", shown(sample), shown(other))?
                }
                None => writeln!(out, "{}: has no words by which it could be found", shown(sample))?,
            }
        }
        writeln!(out, "{} samples, {twins} near misses, {} broken", samples.len(), mistaken.len())
    })?;
    Ok(if mistaken.is_empty() { Exit::Allow } else { Exit::Failed })
}
