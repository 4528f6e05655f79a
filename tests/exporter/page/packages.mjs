// The packages of package-lock.json: they are in a cache folder, which page_test.py names, or which is asked for here.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

function folder() {
  const installer = fileURLToPath(new URL("../../support/npm_packages.py", import.meta.url));
  return process.env.WINPERF_PAGE_PACKAGES ?? execFileSync("python3", [installer, here], { encoding: "utf8" }).trim();
}

const packages = createRequire(`${folder()}/`);

export const { chromium } = packages("playwright-core");
export const axeSource = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");
