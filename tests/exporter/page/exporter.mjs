// The program on the simulated server, which a case starts, stops and starts again. As tests/support/simulated_server.py.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { eventually } from "./browser.mjs";

const EXECUTABLE = process.env.WINPERF_SIMULATED;

// The countersets are those of the default configuration. With a sanitizer, providers start more slowly than a query usually may take.
const KEYS = { interval: "1s", limits: { query_timeout: "60s" }, workers: { shortest_timeout: "60s" } };

export class Exporter {
  // `keys` are of the configuration, `environment` is the simulator's.
  constructor({ scenario = "server", environment = {}, keys = {} } = {}) {
    this.folder = mkdtempSync(join(tmpdir(), "winperf-page-"));
    this.config = join(this.folder, "simulated.yaml");
    this.log = join(this.folder, "simulated.log");
    this.faults = join(this.folder, "faults");
    this.environment = { ...process.env, WINPERF_SIMULATOR: scenario, WINPERF_FAULT_FILE: this.faults, ...environment };
    this.fault("");
    this.address = keys.listen ? null : "127.0.0.1:0";
    this.configure(keys);
  }

  // The program sees within seconds that it has another configuration.
  configure(keys) {
    writeFileSync(this.config, JSON.stringify({ ...KEYS, ...keys }));
  }

  // What the provider of the scenario "faulty" does from now on, in the words of tests/providers/faulty/harm.h.
  fault(word) {
    writeFileSync(this.faults, word);
  }

  // Starts it, again at the address that it had the last time. `urls` are where it listens, `url` is the last one.
  async start() {
    const errors = createWriteStream(this.log, { flags: "a" });
    await once(errors, "open");
    const listen = this.address ? ["--listen", this.address] : [];
    this.process = spawn(EXECUTABLE, ["run", "--config", this.config, ...listen],
      { env: this.environment, stdio: ["ignore", "pipe", errors] });
    this.ended = once(this.process, "exit");
    const lines = createInterface({ input: this.process.stdout });
    const [first] = await Promise.race([once(lines, "line"), this.ended]);
    assert.match(String(first), /https?:/, readFileSync(this.log, "utf8"));
    this.urls = first.match(/https?:\/\/[^/]+/g);
    this.url = this.urls.at(-1);
    if (this.address) this.address = new URL(this.url).host;
    return this;
  }

  async stop() {
    this.process.kill("SIGINT");
    const [code] = await this.ended;
    assert.equal(code, 0, readFileSync(this.log, "utf8"));
  }

  // What a route of the API answers; nothing before the first sample.
  async get(route) {
    const answer = await fetch(`${this.url}/api/v1/${route}`);
    if (answer.status === 503) return null;
    assert.ok(answer.ok, `${answer.status} ${answer.url}`);
    return answer.json();
  }

  // Waits until each counterset has been sampled, or has failed to be.
  async sampled() {
    await eventually(async () => {
      const known = await this.get("countersets");
      return known?.countersets.length > 0 && known.countersets.every((counterset) => counterset.status !== "pending");
    }, "all countersets sampled");
    return this;
  }

  async close() {
    if (this.process?.exitCode === null) await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

// An exporter that runs while what(exporter) does.
export async function withExporter(options, what) {
  const exporter = new Exporter(options);
  try {
    return await what(await exporter.start());
  } finally {
    await exporter.close();
  }
}
