// The tests notice what goes wrong in a page.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { CONNECTION_LOST, accessibilityProblems, counts, eventually, openBrowser, visit, widerThanWindow } from "../browser.mjs";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";
const SCRIPTS = {
  "/nothing.js": "",
  "/message.js": "console.error('a message')",
  "/exception.js": "setTimeout(() => { throw new Error('an exception') })",
  "/markup.js": "document.body.innerHTML = '<b>markup</b>'",
  "/answer.js": "fetch('/there-is-none')",
  "/request.js": "fetch('/that-ends')",
  "/dialog.js": "alert('a dialog')",
  "/wide.js": "document.querySelector('pre').firstChild.data = 'x'.repeat(900)",
};

function page(script, body = "") {
  return '<!doctype html><html lang="en"><head><title>t</title><link rel="icon" href="data:,">' +
    `<script src="${script}" defer></script></head><body><main><h1>t</h1><pre>text</pre>${body}</main></body></html>`;
}

const server = createServer((request, answer) => {
  const path = request.url;
  if (path === "/that-ends") return request.socket.destroy();
  if (path in SCRIPTS) return answer.writeHead(200, { "Content-Type": "text/javascript" }).end(SCRIPTS[path]);
  if (path === "/there-is-none") return answer.writeHead(404).end();
  return answer.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": `${POLICY}; img-src data:` })
    .end(page(path.replace("/of", ""), path.includes("style") ? '<p style="color: red">text</p>' : ""));
});
let browser, url;

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${server.address().port}`;
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  server.close();
});

function settled(path, what = () => {}) {
  return visit(browser, `${url}/of${path}`, {}, async (opened) => {
    await opened.waitForLoadState("networkidle");
    return what(opened);
  });
}

test("a page without faults passes", async () => {
  assert.deepEqual(await settled("/nothing.js", accessibilityProblems), []);
  assert.deepEqual(await settled("/nothing.js", widerThanWindow), []);
});

for (const [path, fault] of Object.entries({
  "/message.js": /console: a message/,
  "/exception.js": /exception: .*an exception/s,
  "/markup.js": /console: .*TrustedHTML/,
  "/answer.js": /answer: 404/,
  "/request.js": new RegExp(`request: ${CONNECTION_LOST.source}`),
  "/dialog.js": /dialog: a dialog/,
  "/nothing.js?style": /console: .*Content Security Policy/,
})) {
  test(`${path} is noticed`, async () => {
    const noticed = visit(browser, `${url}/of${path}`, {}, (_, problems) =>
      eventually(() => problems.some((problem) => fault.test(problem)), `${fault} is noticed`));
    await assert.rejects(noticed, (error) => fault.test(error.actual?.join("\n")));
  });
}

test("what is expected is not noticed", async () => {
  await visit(browser, `${url}/of/message.js`, { expected: [/a message/] }, (opened) => opened.waitForLoadState("networkidle"));
});

test("what is wider than the window is named", async () => {
  const wide = await settled("/wide.js", widerThanWindow);
  assert.match(wide.join("\n"), /the window 1280\n.*PRE\. ends at/s);
});

test("what a screen reader can't read is named", async () => {
  const found = await settled("/nothing.js", async (opened) => {
    await opened.locator("main").evaluate((main) => main.append(document.createElement("button")));
    return accessibilityProblems(opened);
  });
  assert.match(found.join("\n"), /^button-name: button/);
});

test("nodes and listeners are counted", async () => {
  const [few, many] = await settled("/nothing.js", async (opened) => {
    const first = await counts(opened);
    await opened.evaluate(() => {
      for (let i = 0; i < 500; ++i) {
        const made = document.createElement("i");
        made.addEventListener("click", () => {});
        document.body.append(made);
      }
    });
    return [first, await counts(opened)];
  });
  assert.equal(many.nodes - few.nodes, 500);
  assert.equal(many.listeners - few.listeners, 500);
});
