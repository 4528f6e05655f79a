// What keeps a browser out is explained, and what is in between does not: passwords, addresses that serve less, a reverse proxy with
// a path prefix, a slow line.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openBrowser, ready, SCREENS, visit, visitScreen } from "../browser.mjs";
import { Exporter } from "../exporter.mjs";
import { Prefix } from "../proxies.mjs";
import { thorough } from "../tier.mjs";

// Of "secret" and "other", by bcrypt with the least cost.
const SECRET = "$2y$04$CCFz9isJ0jJzfuGSmws43eTwzf9632oDoANGJZ.79bykKGYU0Losa";
const OTHER = "$2y$04$TYnvoWsuxzWP.lhmdQTMy.peM1VYucsxUChA98E4Nfr.ER.ctno/2";
const REFUSED = [/answer: 401/, /Failed to load resource: .* 401/];
let browser, exporter, withPassword, withoutApi, open;

function addresses(hash) {
  const address = { address: "127.0.0.1", port: 0 };
  return { listen: [
    { ...address, web: { basic_auth_users: { ops: hash } } },
    { ...address, serve: ["metrics", "page"] },
    { ...address, serve: ["metrics", "page", "api"] },
  ] };
}

before(async () => {
  browser = await openBrowser();
  exporter = await new Exporter({ keys: addresses(SECRET) }).start();
  [withPassword, withoutApi, open] = exporter.urls;
  await exporter.sampled();
});
after(async () => {
  await browser?.close();
  await exporter?.close();
});

test("an address that does not serve the API: the page names the key that would allow it", () =>
  visit(browser, `${withoutApi}/#/overview`, { expected: [/answer: 403/, /Failed to load resource: .* 403/] }, async (page) => {
    const notice = page.locator("#notice");
    await notice.getByText("listen.serve").waitFor();
    assert.match(await notice.textContent(), /Not allowed\..* add api to listen\.serve/);
  }));

test("without a password, or with a wrong one, there is no page", async () => {
  await assert.rejects(visit(browser, withPassword, {}, () => {}), /ERR_INVALID_AUTH_CREDENTIALS/, "the browser asks for it");
  const httpCredentials = { username: "ops", password: "wrong" };
  await visit(browser, withPassword, { httpCredentials, expected: REFUSED }, async (page) => {
    assert.equal((await page.locator("body").textContent()).trim(), "Unauthorized");
  });
});

const RIGHT = { httpCredentials: { username: "ops", password: "secret" }, expected: REFUSED };

test("with the password, the page works", () => visitScreen(browser, withPassword, "health", RIGHT, (page) =>
  page.locator("#machine-name").getByText("SRV01").waitFor()));

thorough("a password that is changed meanwhile: the page says so", () => visitScreen(browser, withPassword, "health", RIGHT,
  async (page) => {
    const notice = page.locator("#notice").getByText("A password is needed.");
    exporter.configure(addresses(OTHER));
    await notice.waitFor();
    exporter.configure(addresses(SECRET));
    await notice.waitFor({ state: "detached" });
  }));

test("a reverse proxy serves it to other machines below a path prefix", async () => {
  const proxy = await new Prefix().open(open);
  try {
    await visit(browser, proxy.url, {}, async (page) => {
      await ready(page, "overview");
      for (const screen of SCREENS) {
        await page.locator(`nav [data-screen=${screen}]`).click();
        await ready(page, screen);
      }
      assert.equal(new URL(page.url()).pathname, "/perf/");
    });
  } finally {
    proxy.close();
  }
});

thorough("it opens on a slow line, and shows what comes", () =>
  visit(browser, "about:blank", {}, async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions",
      { offline: false, latency: 300, downloadThroughput: 50_000, uploadThroughput: 50_000 });
    await page.goto(open, { waitUntil: "commit" });
    await ready(page, "overview");
    for (const screen of ["processes", "health"]) {
      await page.locator(`nav [data-screen=${screen}]`).click();
      await ready(page, screen);
    }
    assert.equal(await page.locator("#notice").textContent(), "");
  }));
