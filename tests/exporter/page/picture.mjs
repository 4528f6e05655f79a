#!/usr/bin/env node
// Takes a picture of a page, and says what went wrong in it.
//
//   picture.mjs URL OUT.png [--width 1280] [--height 800] [--dark] [--full] [--wait SCREEN] [--select CSS] [--click CSS]...
//
// --full takes all of the page, --select one element. Without --wait, the screen is that of the URL. --click clicks before it.
import { parseArgs } from "node:util";

import { DEFAULTS, openBrowser, ready, visit } from "./browser.mjs";

const { values, positionals: [url, file] } = parseArgs({ allowPositionals: true, options: {
  width: { type: "string", default: String(DEFAULTS.width) },
  height: { type: "string", default: String(DEFAULTS.height) },
  dark: { type: "boolean", default: false },
  full: { type: "boolean", default: false },
  wait: { type: "string" },
  select: { type: "string" },
  click: { type: "string", multiple: true, default: [] },
} });

const screen = values.wait ?? /#\/(\w+)/.exec(url)?.[1] ?? "overview";
const browser = await openBrowser();
try {
  await visit(browser, url, { width: Number(values.width), height: Number(values.height), dark: values.dark }, async (page) => {
    try {
      await ready(page, screen);
      for (const selector of values.click) await page.locator(selector).click({ timeout: 5_000 });
    } finally {
      // What is there is shown even if the screen never says that it is ready.
      const target = values.select ? page.locator(values.select) : page;
      await target.screenshot({ path: file, animations: "disabled", ...(values.select ? {} : { fullPage: values.full }) });
    }
  });
} finally {
  await browser.close();
}
