// Opens a comparison in headless Chromium and tries it as a reader would: what is drawn, sorting, filtering, opening a
// row, the dark scheme; and that the page asks for nothing and reports no error.
// node page.mjs CHROMIUM PAGE.html REPORT.json FOLDER, where FOLDER takes the profile and the pictures.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [chromium, page, reportFile, folder] = process.argv.slice(2);
const report = JSON.parse(readFileSync(reportFile, "utf8"));
const profile = mkdtempSync(join(folder, "profile-"));
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"];
const browser = spawn(chromium, flags, { stdio: "ignore" });
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// The browser's own protocol: numbered questions, and events in between.
const connect = async () => {
  const file = join(profile, "DevToolsActivePort");
  for (let tries = 0; !existsSync(file); tries++) {
    assert.ok(tries < 150, "Chromium does not start");
    await pause(200);
  }
  await pause(200);
  const [port] = readFileSync(file, "utf8").split("\n");
  const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const socket = new WebSocket(targets.find((target) => target.type === "page").webSocketDebuggerUrl);
  await new Promise((opened, failed) => { socket.onopen = opened; socket.onerror = failed; });
  const asked = new Map();
  const events = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.id === undefined) events.push(message);
    else asked.get(message.id)(message);
  };
  const ask = (method, params = {}) => new Promise((done, failed) => {
    const id = asked.size + 1;
    asked.set(id, ({ result, error }) => (error ? failed(new Error(`${method}: ${error.message}`)) : done(result)));
    socket.send(JSON.stringify({ id, method, params }));
  });
  return { ask, events, close: () => socket.close() };
};

const check = async ({ ask, events }) => {
  const inPage = async (expression) => {
    const { result, exceptionDetails } = await ask("Runtime.evaluate", { expression, returnByValue: true });
    assert.equal(exceptionDetails, undefined, expression);
    return result.value;
  };
  const picture = async (name) => writeFileSync(join(folder, name), (await ask("Page.captureScreenshot")).data, "base64");
  const names = () => inPage(`[...document.querySelectorAll(".row:not([hidden]) .name")].map((name) => name.textContent)`);
  const click = (selector) => inPage(`document.querySelector(${JSON.stringify(selector)}).click()`);

  for (const domain of ["Page", "Runtime", "Network", "Log"]) await ask(`${domain}.enable`);
  await ask("Emulation.setDeviceMetricsOverride", { width: 1400, height: 1000, deviceScaleFactor: 1, mobile: false });
  await ask("Page.navigate", { url: pathToFileURL(resolve(page)).href });
  for (let tries = 0; !events.some((event) => event.method === "Page.loadEventFired"); tries++) {
    assert.ok(tries < 150, "the page does not load");
    await pause(100);
  }

  const { subjects, models } = report;
  const cells = await inPage(`[...document.querySelectorAll(".row")].map((row) => [...row.querySelectorAll(".c")].map((cell) =>
    ({ score: Number(cell.dataset.s), verdict: Number(cell.dataset.v), colour: getComputedStyle(cell).backgroundColor })))`);
  assert.equal(cells.length, subjects.length, "a row for each subject");
  assert.equal(await inPage(`document.querySelectorAll(".head [data-column]").length`), models.length + 1, "a head for each model");
  const verdicts = ["allow", "warn", "block"];
  const colours = new Map();
  subjects.forEach(({ path, opinions }, at) => {
    assert.equal(cells[at].length, models.length, `a cell for each model: ${path}`);
    opinions.forEach((opinion, column) => {
      const cell = cells[at][column];
      assert.ok(Math.abs(cell.score - (opinion.score ?? -1)) < 1e-5, `${path}: ${opinion.model} scores ${opinion.score}`);
      assert.equal(verdicts[cell.verdict], opinion.verdict ?? undefined, `${path}: ${opinion.model}`);
      if (opinion.score !== null) colours.set(Math.ceil(opinion.score / 10), (colours.get(Math.ceil(opinion.score / 10)) ?? new Set()).add(cell.colour));
    });
  });
  for (const [step, drawn] of colours) assert.equal(drawn.size, 1, `one colour for scores of step ${step}: ${[...drawn]}`);
  const distinct = new Set([...colours.values()].flatMap((drawn) => [...drawn]));
  assert.equal(distinct.size, colours.size, "another colour for each step");
  assert.ok(!distinct.has("rgba(0, 0, 0, 0)"), "every score has a colour");
  await picture("page-light.png");

  const usual = await names();
  await click(`.head [data-column="0"]`);
  const scores = await inPage(`[...document.querySelectorAll(".row")].map((row) => Number(row.querySelector(".c").dataset.v) * 1000 + Number(row.querySelector(".c").dataset.s))`);
  assert.deepEqual(scores, [...scores].sort((left, right) => right - left), "sorted by the first model, the strictest first");
  await click(`.head [data-column="-1"]`);
  assert.deepEqual(await names(), [...usual].sort((left, right) => (left < right ? -1 : 1)), "sorted by name");
  await click("#reset");
  assert.deepEqual(await names(), usual, "in the usual order again");
  await click("#differ");
  assert.equal((await names()).length, report.totals.disagreements, "only disagreements");
  await click("#differ");

  assert.equal(await inPage(`document.querySelector(".body").checkVisibility()`), false, "closed");
  await click("summary");
  assert.equal(await inPage(`document.querySelector(".body").checkVisibility()`), true, "opened");
  const bars = await inPage(`[...document.querySelector(".body").querySelectorAll(".fall rect")].map((bar) => bar.getBoundingClientRect().width)`);
  const tall = await inPage(`[...document.querySelector(".body").querySelectorAll(".fall dt")].map((line) => line.clientHeight - line.firstChild.parentElement.scrollHeight)`);
  assert.ok(tall.every((spare) => spare <= 2), `the lines of a waterfall are as tall as their words: ${tall}`);
  assert.ok(0 < bars.length && bars.every((width) => 0 < width), `a waterfall is drawn: ${bars}`);
  assert.equal(await inPage(`document.querySelectorAll(".row .name ~ :not(.c)").length`), 0, "nothing else stands in a row");
  assert.ok(await inPage(`document.documentElement.scrollWidth <= innerWidth`) || 8 < models.length, "it fits the window");
  await picture("page-open.png");

  assert.equal(await inPage(`document.title`), "callgate compare", "nothing that was scanned has run");
  assert.equal(await inPage(`document.images.length + document.scripts.length`), 1, "nothing that was scanned is an element");

  const paper = () => inPage(`getComputedStyle(document.documentElement).backgroundColor`);
  const light = await paper();
  await ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
  assert.notEqual(await paper(), light, "a dark scheme");
  await picture("page-dark.png");

  const asked = events.filter((event) => event.method === "Network.requestWillBeSent").map((event) => event.params.request.url);
  assert.equal(asked.length, 1, `nothing but the page itself is asked for: ${asked}`);
  const told = events.filter((event) => ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"].includes(event.method));
  assert.deepEqual(told, [], "the console stays empty");
  console.log(`${subjects.length} rows, ${models.length} models, ${colours.size} colours, ${readFileSync(page).length} bytes; sorted, filtered, opened, dark; nothing asked for, no error`);
};

let failure;
try {
  const connection = await connect();
  await check(connection);
  connection.close();
} catch (error) {
  failure = error;
} finally {
  browser.kill();
}
if (failure) {
  console.error(failure.message);
  process.exit(1);
}
