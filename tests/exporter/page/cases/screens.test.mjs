// Each screen at the widths of a telephone, a desk and a wall, light and dark: nothing goes wrong, nothing is wider than the window,
// and axe-core finds nothing.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { accessibilityProblems, openBrowser, SCREENS, visitScreen, widerThanWindow } from "../browser.mjs";
import { Exporter } from "../exporter.mjs";
import { thorough } from "../tier.mjs";

const WIDTHS = [360, 1280, 2560];
let browser, exporter;

before(async () => {
  browser = await openBrowser();
  exporter = await new Exporter({ environment: { WINPERF_SIMULATOR_PAST: "20m" } }).start();
  await exporter.sampled();
});
after(async () => {
  await browser?.close();
  await exporter?.close();
});

for (const screen of SCREENS) {
  test(`${screen}: fits at each width, is accessible light and dark, and moves nothing`, () =>
    visitScreen(browser, exporter.url, screen, { reducedMotion: "reduce" }, async (page) => {
      for (const dark of [false, true]) {
        await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
        assert.deepEqual(await accessibilityProblems(page), [], dark ? "dark" : "light");
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(await widerThanWindow(page), [], `${width} px`);
        }
      }
      assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
      assert.match(await page.title(), new RegExp(`^${screen}`, "i"));
    }));
}

describe("opened at that size", () => {
  for (const screen of SCREENS) {
    for (const width of WIDTHS) {
      for (const dark of [false, true]) {
        thorough(`${screen}, ${width} px, ${dark ? "dark" : "light"}`, () =>
          visitScreen(browser, exporter.url, screen, { width, dark }, async (page) => {
            assert.deepEqual(await widerThanWindow(page), []);
            assert.deepEqual(await accessibilityProblems(page), []);
          }));
      }
    }
  }
});
