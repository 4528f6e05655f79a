// The pictures of README.md and docs, as scripts/pictures says. WINPERF_SIMULATED is the program.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { eventually, openBrowser, until, visitScreen } from "./browser.mjs";
import { withExporter } from "./exporter.mjs";

const MINUTE_MS = 60_000;
const COUNTERS = ["\\Processor Information(_Total)\\% Processor Time", "\\PhysicalDisk(_Total)\\Disk Bytes/sec",
  "\\Network Interface(*)\\Bytes Total/sec", "\\Memory\\Available Bytes"];

// Of the simulated server: the name of the picture, the screen, how it is opened, and what is done there before.
function healthy() {
  // What used most of the processors then has ended since.
  const moment = new Date(Date.now() - 42 * MINUTE_MS).toISOString();
  const chart = new URLSearchParams([...COUNTERS.map((path) => ["path", path]), ["since", "1h"]]);
  return [
    ["overview", "overview", {}],
    ["overview-dark", "overview", { dark: true }],
    ["overview-narrow", "overview", { width: 360, height: 780 }],
    ["processes", `processes?at=${moment}`, {}],
    ["counters", "counters?counterset=Memory", {}],
    ["chart", `chart?${chart}`, {}],
  ];
}

// The API answers 503 for a target that can't be read.
const ANSWERING = ["srv-1", "srv-2"];
const TARGETS = { targets: [{ host: [...ANSWERING, "denied-1", "gone-1"], interval: "5s" }] };

const TROUBLED = [
  ["troubles", "overview", {}],
  ["health", "health", {}],
];

async function take(browser, exporter, folder, pictures) {
  for (const [name, screen, options] of pictures) {
    await visitScreen(browser, exporter.url, screen, { ...options, reducedMotion: "reduce" }, async (page) => {
      // What is there soon after the first data: sparks, and values beside names.
      await page.waitForLoadState("load");
      await until(page, () => new Promise((drawn) => requestIdleCallback(() => drawn(true), { timeout: 5_000 })));
      await page.screenshot({ path: join(folder, `page-${name}.png`), animations: "disabled" });
    });
    console.log(`page-${name}.png`);
  }
}

async function versionOf({ url }) {
  return /page\/([0-9a-f]{12})\//.exec(await (await fetch(url)).text())[1];
}

const [folder] = process.argv.slice(2);
const browser = await openBrowser();
try {
  // What is named is missed if it fails.
  const past = { environment: { WINPERF_SIMULATOR_PAST: "110m" }, keys: { countersets: ["*", "Web Service"], interval: "5s" } };
  await withExporter(past, async (exporter) => {
    await exporter.sampled();
    await take(browser, exporter, folder, healthy());
    writeFileSync(join(folder, "page.json"), `${JSON.stringify({ version: await versionOf(exporter) })}\n`);
  });
  await withExporter({ keys: TARGETS }, async (exporter) => {
    await exporter.sampled();
    for (const target of ANSWERING) await eventually(() => exporter.get(`countersets?target=${target}`), `${target} is read`);
    await take(browser, exporter, folder, [["machines", "machines", { expected: [/\b503\b/] }]]);
  });
  const countersets = ["*", "Faulty Device", "Faulty Parts"];
  await withExporter({ ...past, scenario: "server troubled; faulty", keys: { ...past.keys, countersets } }, async (exporter) => {
    await exporter.sampled();
    exporter.fault("av_collect");
    const fails = async () => (await exporter.get("countersets")).countersets.some(({ status }) => status === "failed");
    await eventually(fails, "a failure");
    await take(browser, exporter, folder, TROUBLED);
  });
} finally {
  await browser.close();
}
