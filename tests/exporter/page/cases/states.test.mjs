// Machines that are unusual: one that samples nothing, one with failures, one with thousands of processes, one whose names are
// meant to do harm.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { printable } from "../../../../exporter/page/text/printable.js";
import { accessibilityProblems, openBrowser, ready, SCREENS, until, visit, visitScreen } from "../browser.mjs";
import { withExporter } from "../exporter.mjs";

const HOSTILE = new URL("../../../simulator/server/hostile_names.json", import.meta.url);
// What markup in a name would bring into the page.
const MADE_OF_MARKUP = "img, iframe, object, embed, video, audio, form, base, style, marquee, math, template, script:not([src]), " +
  "meta[http-equiv], [onerror], [onload], [onfocus], [onclick], [ontoggle], [onstart], a[href^='javascript:' i]";
// A name may have what no path can: the API says so.
const REFUSED = [/answer: 400/, /Failed to load resource: .* 400/];
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

test("a machine that samples nothing: each screen says what to do", () =>
  withExporter({ keys: { countersets: ["No such counterset"] } }, async ({ url }) => {
    for (const screen of SCREENS) {
      await visitScreen(browser, url, screen, { expected: [/answer: 503/, /Failed to load resource: .* 503/] }, async (page) => {
        assert.deepEqual(await accessibilityProblems(page), [], screen);
        if (screen === "overview") {
          await page.locator(".problems").getByText('No counterset on this machine is called "No such counterset"').waitFor();
          await page.getByText('countersets: ["Memory"]').waitFor();
        }
      });
    }
  }));

test("a provider that fails is seen and explained without a click", () =>
  withExporter({ scenario: "server; library W3SVC missing", keys: { countersets: ["Processor Information", "Memory", "Web Service"] } },
    async (exporter) => {
      await exporter.sampled();
      const { countersets } = await exporter.get("countersets");
      const failed = countersets.filter(({ status }) => status !== "ok");
      await visit(browser, exporter.url, {}, async (page) => {
        await ready(page, "overview");
        for (const { sentence, repair } of failed) {
          await page.locator(".problems").getByText(sentence.slice(0, 40)).first().waitFor();
          for (const step of repair.slice(0, 2)) {
            await page.locator(".problems").getByText(step.command || step.text).first().waitFor();
          }
        }
        assert.ok(failed.length > 0, "something fails");
      });
    }));

const MANY = { scenario: "server; processes 3000", keys: { countersets: ["Process", "Processor Information"], interval: "5s" } };

test("3,000 processes: few are in the document, all are reached", () =>
  withExporter(MANY, async (exporter) => {
    await exporter.sampled();
    await visitScreen(browser, exporter.url, "processes", {}, async (page) => {
      const rows = page.locator(".process-table tbody tr");
      const most = () => page.locator(".process-table table").getAttribute("aria-rowcount").then(Number);
      assert.ok(await most() >= 2_900);
      assert.ok(await rows.count() < 200);
      await page.locator(".table-scroll").evaluate((scroll) => scroll.scrollTo(0, scroll.scrollHeight));
      await until(page, () => {
        const table = document.querySelector(".process-table table");
        return table.querySelector(`tr[aria-rowindex="${table.ariaRowCount}"]`) !== null;
      });
      assert.ok(await rows.count() < 200);
      await page.locator(".process-panel input[type=search]").fill("sqlservr");
      await until(page, () => document.querySelector(".process-table table").ariaRowCount < 10);
      for (const name of await page.locator(".process-table tbody th").allTextContents()) assert.match(name, /^sqlservr/);
    });
  }));

// The names of all processes, as a reader sees them who scrolls through the table.
async function namesInTable(page) {
  const seen = new Set();
  const scroll = page.locator(".table-scroll");
  for (let isEnd = false; !isEnd;) {
    for (const name of await page.locator(".process-table tbody th").allTextContents()) seen.add(name);
    isEnd = await scroll.evaluate(async (place) => {
      const before = place.scrollTop;
      place.scrollBy(0, place.clientHeight / 2);
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      return place.scrollTop === before;
    });
  }
  return seen;
}

test("names are text, whatever they are", () =>
  withExporter({ scenario: "server; names hostile" }, async (exporter) => {
    const names = JSON.parse(await readFile(HOSTILE, "utf8"));
    assert.ok(names.length >= 200);
    await exporter.sampled();
    for (const screen of SCREENS) {
      await visitScreen(browser, exporter.url, screen, {}, async (page) => {
        if (screen === "processes") {
          const seen = [...await namesInTable(page)].join("\n");
          assert.deepEqual(names.filter((name) => !seen.includes(printable(name))), []);
        }
        assert.equal(await page.locator(MADE_OF_MARKUP).count(), 0, screen);
        assert.equal((await page.title()).includes("SRV01"), true);
      });
    }
    const lines = names.slice(0, 20).map((name) => `path=${encodeURIComponent(`\\Process(${name})\\% Processor Time`)}`).join("&");
    for (const address of [`chart?path=${encodeURIComponent("\\Process(*)\\% Processor Time")}`, "counters?q=%3C", `chart?${lines}`]) {
      await visitScreen(browser, exporter.url, address, { expected: REFUSED }, async (page) => {
        assert.equal(await page.locator(MADE_OF_MARKUP).count(), 0, address);
      });
    }
  }));
