// The keyboard alone reaches and works everything, and shows where it is.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openBrowser, ready, until, visitScreen } from "../browser.mjs";
import { Exporter } from "../exporter.mjs";

const MOST_STEPS = 200;
let browser, exporter;

before(async () => {
  browser = await openBrowser();
  exporter = await new Exporter().start();
  await exporter.sampled();
});
after(async () => {
  await browser?.close();
  await exporter?.close();
});

// What has the focus, and whether one sees it: on itself, or around what it fills.
function focused(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    const isOutlined = (node) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(node);
      return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
    };
    return {
      tag: element.tagName, role: element.getAttribute("role"), screen: element.dataset.screen ?? null, text: element.textContent.trim(),
      inHead: element.closest("thead") !== null,
      isSeen: isOutlined(element) || isOutlined(element.parentElement),
    };
  });
}

// Presses Tab until what has the focus is wanted; everything on the way shows that it has it.
async function tabTo(page, wanted) {
  for (let step = 0; step < MOST_STEPS; ++step) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (now.tag !== "BODY") assert.ok(now.isSeen, `the focus is seen on ${JSON.stringify(now)}`);
    if (wanted(now)) return now;
  }
  assert.fail(`${wanted} is not reached by Tab`);
}

test("the skip link is first, and leads to the screen", () => visitScreen(browser, exporter.url, "overview", {}, async (page) => {
  await page.keyboard.press("Tab");
  assert.match((await focused(page)).text, /^Skip/);
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "screen");
}));

test("a screen opens by Enter", () => visitScreen(browser, exporter.url, "overview", {}, async (page) => {
  await tabTo(page, (now) => now.screen === "health");
  await page.keyboard.press("Enter");
  await ready(page, "health");
}));

test("a table is sorted, and one of its rows opened and closed", () => visitScreen(browser, exporter.url, "processes", {}, async (page) => {
  const before = await tabTo(page, (now) => now.inHead && now.tag === "BUTTON");
  await page.keyboard.press("ArrowLeft");
  assert.notEqual((await focused(page)).text, before.text);
  await page.keyboard.press("Enter");
  const sorted = page.locator("th[aria-sort]");
  assert.equal((await sorted.textContent()).trim(), (await focused(page)).text);
  const order = await sorted.getAttribute("aria-sort");
  await page.keyboard.press("Enter");
  assert.notEqual(await sorted.getAttribute("aria-sort"), order);
  await page.locator(".process-table table").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".process-details:not([hidden])").waitFor();
  assert.equal(await page.locator("tr[aria-selected=true]").count(), 1);
  await page.keyboard.press("Escape");
  await page.locator(".process-details").waitFor({ state: "hidden" });
}));

test("a counter is found and charted", () => visitScreen(browser, exporter.url, "chart", {}, async (page) => {
  await tabTo(page, (now) => now.role === "combobox");
  await page.keyboard.type("available bytes");
  await page.locator("[role=option]").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".legend-place").getByText("Available Bytes").first().waitFor();
  await until(page, () => new URLSearchParams(location.hash.split("?")[1]).getAll("path").includes("\\Memory\\Available Bytes"));
}));
