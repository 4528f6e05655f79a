// A real browser that opens the page, and everything that goes wrong in it: messages on the console, which are also what violates
// the Content-Security-Policy, exceptions, requests that fail or are refused, and dialogs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";

import { axeSource, chromium } from "./packages.mjs";

export const DEADLINE_MS = 180_000;
export const SCREENS = ["overview", "processes", "counters", "chart", "machines", "health"];

// What a browser calls a connection that is cut, refused or closed: which of them depends on where the request was at that moment.
export const CONNECTION_LOST = /net::ERR_(CONNECTION|SOCKET|NETWORK|INCOMPLETE|EMPTY)_\w+/;

function chromiumPath() {
  return process.env.WINPERF_CHROMIUM ?? execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
}

// The time zone and language are those of no machine where the tests run, so that neither is taken for the other.
export const DEFAULTS = { width: 1280, height: 800, dark: false, locale: "en-GB", timezoneId: "America/New_York" };

export function openBrowser() {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: ["--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none"],
    ignoreDefaultArgs: ["--hide-scrollbars"], // people see them, and they take width
  });
}

// What a page does that it must not do. `expected` are patterns of what a case brings about on purpose.
function problemsOf(page, expected) {
  const problems = [];
  const note = (text) => expected.some((pattern) => pattern.test(text)) || problems.push(text);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) &&
    note(`console: ${message.text()} (${message.location().url})`));
  page.on("pageerror", (error) => note(`exception: ${error.stack ?? error}`));
  page.on("requestfailed", (request) => request.failure().errorText === "net::ERR_ABORTED" || // by the page itself
    note(`request: ${request.failure().errorText} ${request.url()}`));
  page.on("response", (answer) => answer.status() >= 400 && note(`answer: ${answer.status()} ${answer.url()}`));
  page.on("dialog", (dialog) => {
    note(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  return problems;
}

// Opens `url` and calls what(page, problems), which has a page of its own; fails if anything goes wrong there that is not
// `expected`. `problems`: what has gone wrong so far.
// `options` are those of DEFAULTS, and of the browser's context.
export async function visit(browser, url, options, what) {
  const { width, height, dark, expected = [], ...others } = { ...DEFAULTS, ...options };
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", ...others });
  context.setDefaultTimeout(DEADLINE_MS);
  let problems = [];
  try {
    const page = await context.newPage();
    problems = problemsOf(page, expected);
    await page.goto(url, { waitUntil: "commit" });
    const result = await what(page, problems);
    assert.deepEqual(problems, [], "nothing goes wrong in the page");
    return result;
  } catch (error) {
    // They are often the reason.
    if (!(error instanceof assert.AssertionError && error.actual === problems)) error.message += `\n${problems.join("\n")}`;
    throw error;
  } finally {
    await context.close();
  }
}

// Waits until the screen shows its first data.
export function ready(page, screen) {
  return page.locator(`html[data-ready="${screen}"]`).waitFor({ state: "attached" });
}

// Opens a screen of the page at `url`, with parameters after "?" if it has any, as visit() does, and waits until it is there.
export function visitScreen(browser, url, screen, options, what) {
  return visit(browser, `${url}/#/${screen}`, options, async (page) => {
    await ready(page, screen.split("?")[0]);
    return what(page);
  });
}

// Waits until check(page) is true, frame by frame, in the page itself.
export function until(page, check, argument) {
  return page.waitForFunction(check, argument, { polling: "raf" });
}

// Waits until what is not seen in the page, such as requests, is true.
export async function eventually(check, what, patience = DEADLINE_MS) {
  const deadline = Date.now() + patience;
  for (;;) {
    const result = await check();
    if (result) return result;
    assert.ok(Date.now() < deadline, `timeout: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// What axe-core finds: the rule, why, and where.
export async function accessibilityProblems(page) {
  const session = await page.context().newCDPSession(page);
  // As DevTools do: the page's policy forbids it to a script.
  await session.send("Runtime.evaluate", { expression: axeSource });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: "axe.run({ resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations))", awaitPromise: true });
  await session.detach();
  assert.equal(exceptionDetails, undefined);
  return JSON.parse(result.value).flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`));
}

// What makes the page wider than the window, if it is.
export function widerThanWindow(page) {
  return page.evaluate(async () => {
    // What follows the size of its place does so in the next frame.
    for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);
    const width = document.documentElement.clientWidth;
    const whole = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
    if (whole <= width) return [];
    const ends = (element) => element.getBoundingClientRect().left + Math.max(element.getBoundingClientRect().width, element.scrollWidth);
    return [`the page is ${whole} wide, and the window ${width}`, ...[...document.querySelectorAll("body *")]
      .filter((element) => ends(element) > width + 0.5)
      .map((element) => `${element.tagName}.${element.className} ends at ${Math.round(ends(element))}`)];
  });
}

// Counts of the page's objects, after what nobody refers to has been collected.
export async function counts(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  const of = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  return { nodes: of.Nodes, listeners: of.JSEventListeners, heap: of.JSHeapUsedSize, documents: of.Documents };
}
