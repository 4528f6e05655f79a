#!/usr/bin/env node
// What the page costs the browser that shows it, as scripts/page-cost says. WINPERF_SIMULATED is the program.
import { parseArgs } from "node:util";

import { openBrowser, ready, visitScreen } from "./browser.mjs";
import { withExporter } from "./exporter.mjs";

const { values } = parseArgs({ options: {
  runs: { type: "string", default: "5" },
  seconds: { type: "string", default: "30" },
  processes: { type: "string", default: "3000" },
} });
const runs = Number(values.runs);
const seconds = Number(values.seconds);
const PARTS = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

async function repeated(what) {
  const found = [];
  for (let run = 0; run < runs; ++run) found.push(await what());
  return found;
}

// Before anything of the page runs.
const WATCH = `globalThis.longTasks = [];
new PerformanceObserver((list) => list.getEntries().forEach((entry) => longTasks.push(Math.round(entry.duration))))
  .observe({ type: "longtask", buffered: true });`;

// The seconds of script, layout and style that the page has taken so far.
async function spent(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.filter(({ name }) => PARTS.includes(name)).reduce((sum, { value }) => sum + value, 0);
}

// Opens a screen with an empty cache and stays for a while.
async function stay(browser, url, screen) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable");
    await session.send("Network.enable");
    let bytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    let requests = 0;
    session.on("Network.requestWillBeSent", () => ++requests);
    await page.goto(`${url}/#/${screen}`);
    await ready(page, screen);
    const opening = await page.evaluate(() => longTasks.splice(0));
    const before = { cost: await spent(session), bytes, requests };
    await page.waitForTimeout(seconds * 1000);
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
    return {
      paint, opening,
      percent: 100 * (await spent(session) - before.cost) / seconds,
      later: await page.evaluate(() => longTasks),
      bytes: (bytes - before.bytes) * 60 / seconds,
      requests: (requests - before.requests) * 60 / seconds,
    };
  } finally {
    await context.close();
  }
}

// What the page's own files are on the wire: all that an empty cache has to fetch.
async function pageBytes(browser, url) {
  const sizes = await visitScreen(browser, url, "overview", {}, (page) => page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter((entry) => !/\/api\//.test(entry.name)).map((entry) => entry.encodedBodySize)));
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function row(...cells) {
  console.log(`| ${cells.join(" | ")} |`);
}

function tasks(found, of) {
  const all = found.flatMap((run) => run[of]);
  return all.length === 0 ? "none" : `${all.length} in ${runs} runs, the longest ${Math.max(...all)} ms`;
}

const browser = await openBrowser();
try {
  const servers = [["the simulated server", "server"], [`with ${values.processes} processes`, `server; processes ${values.processes}`]];
  for (const [name, scenario] of servers) {
    await withExporter({ scenario, environment: { WINPERF_SIMULATOR_PAST: "20m" } }, async (exporter) => {
      await exporter.sampled();
      if (scenario === "server") {
        const { files, bytes } = await pageBytes(browser, exporter.url);
        console.log(`${files} files of the page, ${bytes} bytes compressed\n`);
        row("screen, one sample a second", "first paint, ms", "script, layout and style, % of a core", "least to most",
          "tasks over 50 ms while it opens", "later", "requests a minute", "KB a minute");
        row(..."--------".split("").map((dash) => dash.repeat(3)));
      }
      for (const screen of ["overview", "processes"]) {
        const found = await repeated(() => stay(browser, exporter.url, screen));
        const percents = found.map((run) => run.percent);
        row(`${screen}, ${name}`, Math.round(median(found.map((run) => run.paint))), median(percents).toFixed(2),
          `${Math.min(...percents).toFixed(2)} to ${Math.max(...percents).toFixed(2)}`, tasks(found, "opening"), tasks(found, "later"),
          Math.round(median(found.map((run) => run.requests))), Math.round(median(found.map((run) => run.bytes)) / 1024));
      }
    });
  }
} finally {
  await browser.close();
}
