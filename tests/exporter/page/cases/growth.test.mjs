// A day in which the page stays open: nothing grows. The simulated server's day takes minutes.
import assert from "node:assert/strict";
import { after, before } from "node:test";

import { counts, eventually, openBrowser, visitScreen } from "../browser.mjs";
import { withExporter } from "../exporter.mjs";
import { thorough } from "../tier.mjs";

const HOUR_MS = 3_600_000;
const SPEED = 300;
const INTERVAL_SECONDS = 15;
const PATIENCE_MS = 20 * 60_000;
const MOST_REQUESTS = 80;
const MOST_BYTES = 1_000_000;
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

// The machine's, in milliseconds.
async function timeOf(exporter) {
  return Date.parse((await exporter.get("machine")).time);
}

// The requests that the page makes, and the bytes that it gets, from now on.
async function traffic(page) {
  const seen = { requests: 0, bytes: 0 };
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", () => ++seen.requests);
  session.on("Network.dataReceived", ({ encodedDataLength, dataLength }) => (seen.bytes += encodedDataLength || dataLength));
  return seen;
}

const SCREENS = ["overview", "processes", "chart?path=%5CProcess(*)%5C%25%20Processor%20Time", "counters?counterset=Process", "health"];

thorough("a day of each screen", () => withExporter(
  { environment: { WINPERF_SIMULATOR_SPEED: String(SPEED) }, keys: { interval: `${INTERVAL_SECONDS}s` } }, async (exporter) => {
    await exporter.sampled();
    const began = await timeOf(exporter);
    const hours = (count) => eventually(async () => await timeOf(exporter) - began > count * HOUR_MS, `${count} hours`, PATIENCE_MS);
    // At that speed, a sample may be late enough for the exporter not to be ready.
    const expected = [/\b503\b/];
    await Promise.all(SCREENS.map((screen) => visitScreen(browser, exporter.url, screen, { expected }, async (page) => {
      await hours(8);
      const third = await counts(page);
      const seen = await traffic(page);
      await hours(24);
      const whole = await counts(page);
      const told = `${screen}: ${JSON.stringify({ third, whole, seen })}`;
      // What comes and goes with each sample, such as processes, may be more at one moment than at another.
      assert.ok(whole.nodes < 1.1 * third.nodes + 100, told);
      assert.ok(whole.listeners < 1.1 * third.listeners + 20, told);
      assert.ok(whole.heap < 1.2 * third.heap + 1_000_000, told);
    })));
  }));

thorough("a minute of each screen: what it asks for", () => withExporter({ keys: { interval: "5s" } }, async (exporter) => {
  await exporter.sampled();
  const asked = {};
  await Promise.all(SCREENS.map((screen) => visitScreen(browser, exporter.url, screen, {}, async (page) => {
    const seen = await traffic(page);
    const began = await timeOf(exporter);
    await eventually(async () => await timeOf(exporter) - began >= 60_000, "a minute");
    asked[screen] = seen;
  })));
  for (const [screen, seen] of Object.entries(asked)) {
    assert.ok(seen.requests <= MOST_REQUESTS && seen.bytes <= MOST_BYTES, `${screen}: ${JSON.stringify(asked)}`);
  }
}));
