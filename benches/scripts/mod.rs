//! Scripts to measure with: files of a folder that the user names, or scripts made here.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The scripts to measure with: name and text. `CALLGATE_BENCH_FILES` names a folder of your own.
pub fn scripts() -> Vec<(String, String)> {
    match std::env::var_os("CALLGATE_BENCH_FILES") {
        Some(folder) => read(Path::new(&folder)),
        None => (0..200).map(|seed| (format!("made-{seed}.js"), made(seed))).collect(),
    }
}

fn read(folder: &Path) -> Vec<(String, String)> {
    let mut scripts = Vec::new();
    for entry in fs::read_dir(folder).expect("CALLGATE_BENCH_FILES is a folder") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            scripts.extend(read(&path));
        } else if let (Some("js" | "mjs" | "cjs" | "ts" | "mts" | "tsx" | "jsx"), Ok(text)) =
            (path.extension().and_then(|extension| extension.to_str()), fs::read_to_string(&path))
        {
            scripts.push((path.to_string_lossy().into_owned(), text));
        }
    }
    scripts.sort();
    scripts
}

/// Ordinary code of 5 to 20 kilobytes: classes, helpers, strings, comments, requests.
pub fn made(seed: usize) -> String {
    let mut text =
        format!("import {{ join }} from 'node:path';\nimport {{ readFile }} from 'node:fs/promises';\n\n/** Module {seed}. */\n");
    for part in 0..10 + seed % 30 {
        let _ = write!(
            text,
            "/**\n * Loads part {part} and keeps what is asked for.\n * @param {{string}} root where it lies\n */\n\
             export async function load{part}(root, options = {{}}) {{\n  const {{ limit = {limit}, filter = (item) => item.kind === 'part-{part}' }} = options;\n  \
             const path = join(root, 'parts', `part-${{limit}}-{part}.json`);\n  const text = await readFile(path, 'utf8');\n  \
             const items = JSON.parse(text).items.filter(filter).slice(0, limit);\n  if (items.length === 0) {{\n    \
             throw new Error(`nothing in ${{path}}: expected at least one item`);\n  }}\n  \
             return items.map((item, index) => ({{ ...item, index, label: item.name ?? 'item ' + index }}));\n}}\n\n\
             class Part{part} extends Map {{\n  #size = {part};\n  get size() {{\n    return this.#size + super.size * 2;\n  }}\n  \
             describe() {{\n    switch (this.#size % 3) {{\n      case 0:\n        return 'small';\n      case 1:\n        return \"middling\";\n      default:\n        return `large (${{this.size}})`;\n    }}\n  }}\n}}\n\n",
            limit = 10 + part
        );
    }
    text
}
