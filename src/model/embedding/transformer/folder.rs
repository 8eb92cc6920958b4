//! The files of a model's folder, read whole and never beyond a bound.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::model::embedding::EmbeddingError;
use crate::value::source::shown;

/// The largest settings file of a model, in bytes. Known ones have less than 64 KiB.
pub const LARGEST_SETTINGS: u64 = 1 << 20;

/// The largest tokenizer.json, in bytes. The largest in common use, of 250 000 pieces, have about 17 MiB.
pub const LARGEST_TOKENIZER: u64 = 64 << 20;

/// The largest file of weights, in bytes. They are held in memory, and models of this size take seconds a script.
pub const LARGEST_WEIGHTS: u64 = 2 << 30;

/// A folder that is said to hold a model.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at that path.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn open(path: &Path) -> Result<Self, EmbeddingError> {
        let name = shown(&path.to_string_lossy());
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => Ok(Self { path: path.to_path_buf() }),
            Ok(_) => Err(EmbeddingError::new(format!(
                "{name} is not a folder: `model` names the folder that holds model.safetensors and tokenizer.json"
            ))),
            Err(cause) => {
                Err(EmbeddingError::new(format!("there is no model at {name} ({cause}): the path is relative to the settings file")))
            }
        }
    }

    /// Returns true if and only if there is something of that name.
    pub fn holds(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }

    /// What is wrong with a file of this folder.
    pub fn fault(&self, name: &str, message: impl std::fmt::Display) -> EmbeddingError {
        EmbeddingError::new(format!("{}: {message}", shown(&self.path.join(name).to_string_lossy())))
    }

    /// A file that must be there.
    ///
    /// # Errors
    ///
    /// When it is missing, is no regular file, is larger than `largest` bytes, or cannot be read.
    pub fn read(&self, name: &str, largest: u64) -> Result<Vec<u8>, EmbeddingError> {
        let path = self.path.join(name);
        let metadata = fs::metadata(&path)
            .map_err(|cause| self.fault(name, format!("it cannot be read ({cause}); copy it from where the model comes from")))?;
        if !metadata.is_file() {
            return Err(self.fault(name, "it is not a regular file"));
        }
        if largest < metadata.len() {
            return Err(self.fault(name, format!("it has {} bytes; at most {largest} are read", metadata.len())));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        let file = File::open(&path).map_err(|cause| self.fault(name, format!("it cannot be read ({cause})")))?;
        // The file may grow while it is read.
        file.take(largest).read_to_end(&mut bytes).map_err(|cause| self.fault(name, format!("it cannot be read ({cause})")))?;
        Ok(bytes)
    }

    /// What a JSON file says, if it is there.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or does not say what is expected of it.
    pub fn settings<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, EmbeddingError> {
        if !self.holds(name) {
            return Ok(None);
        }
        let bytes = self.read(name, LARGEST_SETTINGS)?;
        let parsed = serde_json::from_slice(&bytes);
        parsed.map(Some).map_err(|cause| self.fault(name, format!("it is not as expected: {}", shown(&cause.to_string()))))
    }
}
