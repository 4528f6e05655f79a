// A connection that is lost: the page says so and why, and picks up again without a gap.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { CONNECTION_LOST, eventually, openBrowser, visitScreen } from "../browser.mjs";
import { withExporter } from "../exporter.mjs";
import { Line } from "../proxies.mjs";

const AVAILABLE = "\\Memory\\Available Bytes";
const LOST = [CONNECTION_LOST, /answer: 503/, /Failed to load resource: .* 503/];
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

test("the exporter is restarted meanwhile", () => withExporter({}, async (exporter) => {
  await exporter.sampled();
  await visitScreen(browser, exporter.url, "overview", { expected: LOST }, async (page) => {
    const notice = page.locator("#notice");
    assert.equal(await notice.textContent(), "");
    await exporter.stop();
    await notice.getByText("No connection since").waitFor();
    assert.match(await notice.textContent(), /No connection since \d\d:\d\d:\d\d\. .+\. Trying again/);
    const events = page.waitForResponse((answer) => answer.url().includes("/events") && answer.ok());
    await exporter.start();
    await events;
    await notice.getByText("No connection since").waitFor({ state: "detached" });
    await page.locator(".problems").getByText("started", { exact: false }).first().waitFor();
  });
}));

// When the exporter has sampled it since, in milliseconds.
async function sampledTimes(exporter, since) {
  const parameters = new URLSearchParams({ path: AVAILABLE, since: new Date(since).toISOString(), step: "1s" });
  const { counters } = await exporter.get(`range?${parameters}`);
  return (counters[0].instances[0]?.windows ?? []).map((window) => Date.parse(window.to));
}

test("the line is cut: what is missed comes from the recorder", () => withExporter({}, async (exporter) => {
  await exporter.sampled();
  const line = await new Line().open(exporter.url);
  try {
    await visitScreen(browser, line.url, `chart?path=${encodeURIComponent(AVAILABLE)}`, { expected: LOST }, async (page) => {
      const opened = Date.now();
      const sampled = (more) => eventually(async () => (await sampledTimes(exporter, opened)).length >= more, "samples");
      await sampled(3);
      const resumed = page.waitForRequest((request) => request.url().includes("/events") && "last-event-id" in request.headers());
      line.isDown = true;
      line.cut();
      await page.locator("#notice").getByText("No connection since").waitFor();
      await sampled(6);
      line.isDown = false;
      await resumed;
      await page.locator("#notice").getByText("No connection since").waitFor({ state: "detached" });
      await sampled(9);
      const wanted = await sampledTimes(exporter, opened);
      let times;
      await eventually(async () => {
        const download = page.waitForEvent("download");
        await page.getByRole("button", { name: "CSV", exact: true }).click();
        const rows = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n").slice(1);
        times = rows.map((row) => Date.parse(row.split(",")[0]));
        return times.at(-1) >= wanted.at(-1);
      }, "the last sample is in the chart");
      assert.deepEqual(wanted.filter((time) => !times.some((one) => Math.abs(one - time) <= 2)), [], "each sample is in the chart");
    });
  } finally {
    line.close();
  }
}));
