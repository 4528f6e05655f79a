// What people come for is few clicks away, can be taken out and sent to others, and reads as they are used to.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { eventually, openBrowser, ready, until, visit, visitScreen } from "../browser.mjs";
import { Exporter } from "../exporter.mjs";

const AVAILABLE = "\\Memory\\Available Bytes";
let browser, exporter;

before(async () => {
  browser = await openBrowser();
  exporter = await new Exporter({ environment: { WINPERF_SIMULATOR_PAST: "2h" }, keys: { interval: "5s" } }).start();
  await exporter.sampled();
});
after(async () => {
  await browser?.close();
  await exporter?.close();
});

function visitChart(options, what) {
  return visitScreen(browser, exporter.url, `chart?path=${encodeURIComponent(AVAILABLE)}`, options, async (page) => {
    await page.locator(".legend-place tbody tr").waitFor();
    return what(page);
  });
}

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button, exact: true }).click()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test("% Processor Time is charted in two clicks", () => visit(browser, exporter.url, {}, async (page) => {
  await ready(page, "overview");
  await page.locator("nav").getByRole("link", { name: "Chart" }).click();
  await page.getByRole("button", { name: /^CPU/ }).click();
  await page.locator(".legend-place tbody").getByText("% Processor Time").first().waitFor();
}));

test("who used the CPU an hour ago is answered in three clicks", () => visit(browser, exporter.url, {}, async (page) => {
  await ready(page, "overview");
  const moment = new Date(Date.now() - 80 * 60_000);
  const written = moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "America/New_York" });
  await page.locator("nav").getByRole("link", { name: "Processes" }).click();
  const field = page.getByLabel("Time", { exact: true });
  await field.click();
  await field.fill(written);
  await field.press("Enter");
  await until(page, () => location.hash.includes("at="));
  const at = new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("at");
  const { leaders } = await exporter.get(`top?n=1&at=${encodeURIComponent(at)}`);
  await page.locator(`.process-table tbody tr[aria-rowindex="2"]`).getByText(leaders[0].instance, { exact: true }).waitFor();
}));

test("a chart is saved as values and as a picture", () => visitChart({}, async (page) => {
  const csv = await saved(page, "CSV");
  assert.match(csv.name, /^SRV01-chart-.*\.csv$/);
  const [head, first] = csv.content.toString().split("\r\n");
  assert.equal(head, `Time (UTC),${AVAILABLE}`);
  assert.match(first, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,\d+$/);
  const png = await saved(page, "PNG");
  assert.match(png.name, /\.png$/);
  assert.equal(png.content.subarray(1, 4).toString(), "PNG");
}));

test("the address has all that a chart shows", () => visitChart({}, async (page) => {
  await page.getByRole("button", { name: "Pause" }).click();
  await page.locator(".legend-place select").selectOption({ index: 2 });
  const legend = page.locator(".legend-place tbody tr");
  const shown = async () => ({ hash: await page.evaluate(() => location.hash), scale: await legend.locator("select").inputValue(),
    least: await legend.locator("td").nth(5).textContent() });
  await until(page, () => location.hash.includes("until=") && location.hash.includes("scale="));
  const before = await shown();
  await page.reload({ waitUntil: "commit" });
  await ready(page, "chart");
  await legend.waitFor();
  await eventually(async () => (await shown()).least === before.least, "the same values");
  assert.deepEqual(await shown(), before);
}));

test("times are those of the browser, the machine or UTC, and the choice is kept", () =>
  visitScreen(browser, exporter.url, "overview", { timezoneId: "Asia/Kathmandu" }, async (page) => {
    const clock = page.locator("#clock");
    const hour = async () => (await clock.textContent()).slice(0, 5);
    const inZone = (timeZone) => new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
    for (const [zone, timeZone] of [["browser", "Asia/Kathmandu"], ["utc", "UTC"]]) {
      await page.locator("#zone").selectOption(zone);
      await eventually(async () => (await hour()) === inZone(timeZone), `the time of ${zone}`);
    }
    await page.reload({ waitUntil: "commit" });
    await ready(page, "overview");
    assert.equal(await page.locator("#zone").inputValue(), "utc");
  }));

test("numbers are written as in the browser's language", async () => {
  const percent = (locale) => visitScreen(browser, exporter.url, "processes", { locale }, (page) =>
    page.locator(".process-table tbody tr[aria-rowindex='2'] td.number").nth(1).textContent());
  assert.match(await percent("en-US"), /^\d+\.\d/);
  assert.match(await percent("de-DE"), /^\d+,\d/);
});

test("a path is copied", () => visitScreen(browser, exporter.url, "counters?counterset=Memory",
  { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await page.locator(".counters-table").getByRole("button", { name: "Available Bytes", exact: true }).click();
    await page.locator(".counters-copy").getByRole("button", { name: /Copy/ }).first().click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), AVAILABLE);
  }));
