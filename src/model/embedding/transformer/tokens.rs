//! Texts to numbers of tokens, by the model's own tokenizer.json.

use tokenizers::{Encoding, PostProcessor as _, Tokenizer, TruncationDirection};

use crate::model::embedding::EmbeddingError;
use crate::model::embedding::transformer::folder::{Folder, LARGEST_TOKENIZER};
use crate::model::embedding::transformer::guard::guarded;

/// The name of the file.
pub const TOKENIZER: &str = "tokenizer.json";

/// What fails, in words.
const LIBRARY: &str = "the tokenizer";

/// Windows of fewer tokens say nothing.
const SHORTEST: usize = 4;

/// The tokens of a window where no file says anything; most encoders have room for as many.
const USUAL: usize = 512;

/// Windows of more tokens take quadratically long.
const LONGEST: usize = 8192;

/// How many windows a text may have: with the usual 256 tokens about 32 000 tokens, or 100 kB of source.
pub const MOST_WINDOWS: usize = 128;

/// More bytes than a token of any language has on average; what is longer than this for all windows is not even cut.
const BYTES_A_TOKEN: usize = 32;

/// A tokenizer that cuts a text into windows, each with what the model wants at its ends.
pub struct Tokens {
    tokenizer: Tokenizer,
    /// The most tokens of a window, without its ends.
    room: usize,
    lower_case: bool,
}

impl Tokens {
    /// The tokenizer of the folder, and the bytes of its file. `longest` is for how many tokens the model was made, if it
    /// says so, and `capacity` for how many its weights have room.
    ///
    /// # Errors
    ///
    /// When tokenizer.json is missing, damaged, or leaves no room in a window.
    pub fn read(folder: &Folder, longest: Option<usize>, capacity: usize, lower_case: bool) -> Result<(Self, Vec<u8>), EmbeddingError> {
        let bytes = folder.read(TOKENIZER, LARGEST_TOKENIZER)?;
        let mut tokenizer = guarded(LIBRARY, || Tokenizer::from_bytes(&bytes)).map_err(|error| folder.fault(TOKENIZER, error))?;
        let written = tokenizer.get_truncation().map(|truncation| truncation.max_length);
        let window = longest.or(written).unwrap_or(USUAL).min(capacity).min(LONGEST);
        let ends = tokenizer.get_post_processor().map_or(0, |ends| ends.added_tokens(false));
        if window < ends.saturating_add(SHORTEST) {
            let message = format!("windows of {window} tokens have no room beside the {ends} that stand at their ends");
            return Err(folder.fault(TOKENIZER, message));
        }
        // With truncation the library stops reading where the first window ends, and what follows would never be judged.
        tokenizer.with_padding(None).with_truncation(None).map_err(|error| folder.fault(TOKENIZER, error))?;
        Ok((Self { tokenizer, room: window - ends, lower_case }, bytes))
    }

    /// One more than the highest number of a token.
    pub fn vocabulary(&self) -> usize {
        let highest = self.tokenizer.get_vocab(true).into_values().max();
        highest.and_then(|highest| usize::try_from(highest).ok()).map_or(0, |highest| highest.saturating_add(1))
    }

    /// The tokens of a text, window by window; the first window is all that other software looks at.
    ///
    /// # Errors
    ///
    /// When the text is too long, or the tokenizer fails.
    pub fn windows(&self, text: &str) -> Result<Vec<Vec<u32>>, EmbeddingError> {
        let too_long = || EmbeddingError::new(format!("the text is longer than {MOST_WINDOWS} windows of {} tokens", self.room));
        if self.room.saturating_mul(MOST_WINDOWS * BYTES_A_TOKEN) < text.len() {
            return Err(too_long());
        }
        let lower = self.lower_case.then(|| text.to_lowercase());
        let text = lower.as_deref().unwrap_or(text);
        let mut first = guarded(LIBRARY, || self.tokenizer.encode_fast(text, false))?;
        first.truncate(self.room, 0, TruncationDirection::Right);
        let rest = first.take_overflowing();
        if MOST_WINDOWS <= rest.len() {
            return Err(too_long());
        }
        std::iter::once(first).chain(rest).map(|window| self.with_ends(window)).collect()
    }

    fn with_ends(&self, window: Encoding) -> Result<Vec<u32>, EmbeddingError> {
        guarded(LIBRARY, || self.tokenizer.post_process(window, None, true)).map(|window| window.get_ids().to_vec())
    }
}
