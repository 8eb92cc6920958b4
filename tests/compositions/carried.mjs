// Runs the scripts of a folder, whose manifest.json says what each is, with stubs for the ways out, and tells which of
// them do not carry the value that they are given. `tests/compositions.rs` starts it where CALLGATE_NODE names Node.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';

const [folder, typescript] = process.argv.slice(2);
const secret = 'Geheim-wort_7Q2z';
const compiler = typescript ? createRequire(import.meta.url)(typescript) : null;
const AsyncFunction = (async () => {}).constructor;
let sent = [];
globalThis.fetch = async (url, init) => { sent.push(init.body); };
const callTool = async (name, given) => { if (name !== 'webhook:send') return secret; sent.push(given.body); };
process.env.API_KEY = secret;
process.on('unhandledRejection', (fault) => console.log(`unhandled: ${fault?.stack}`));

const javascript = (text, isModule) => {
  const { ScriptTarget, ModuleKind, JsxEmit } = compiler;
  // An import keeps the text a module, so that it may await.
  const compilerOptions = { target: ScriptTarget.ES2022, module: ModuleKind.ESNext, jsx: JsxEmit.React, alwaysStrict: false, removeComments: true };
  const out = compiler.transpileModule(text, { compilerOptions, fileName: 'a.tsx' }).outputText;
  return isModule ? out : out.replace(/^export \{\};?$/m, '');
};

const run = async ({ name, file, dialect, typed }) => {
  let text = fs.readFileSync(path.join(folder, file), 'utf8');
  if (typed) text = javascript(text, dialect === 'node');
  if (dialect === 'agent') return await new AsyncFunction('callTool', text)(callTool);
  const module = path.join(folder, file.replace(/\.\w+$/, '.mjs'));
  fs.writeFileSync(module, text);
  await import(pathToFileURL(module).href);
};

const late = (name) => new Promise((done, fail) => setTimeout(fail, 5000, new Error(`${name} does not end`)).unref());
let skipped = 0;
const wrong = [];
for (const one of JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'))) {
  if (one.typed && !compiler) { skipped++; continue; }
  sent = [];
  const expected = one.side === 'attack' ? secret : 'done';
  try {
    const hold = setInterval(() => {}, 1000);
    await Promise.race([run(one), late(one.name)]).finally(() => clearInterval(hold));
    if (sent.length !== 1 || sent[0] !== expected) wrong.push(`${one.name} (${one.dialect}, ${one.side}) sends ${JSON.stringify(sent)}`);
  } catch (fault) {
    wrong.push(`${one.name} (${one.dialect}, ${one.side}) throws ${fault?.stack ?? fault}`);
  }
}
console.log(`${skipped} skipped for want of a compiler, ${wrong.length} wrong`);
for (const line of wrong) console.log(line);
process.exit(wrong.length ? 1 : 0);
