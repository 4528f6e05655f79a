// Reads every route of a running exporter by the client that openapi-typescript and openapi-fetch make of openapi.json.
// Prints the paths that it has read; what the description doesn't have is an error of the compiler.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[]; exit(code: number): never };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
const paths_read: string[] = [];

// The document of an answer, from which `use` takes what every such document has.
function read<Document>(
  path: keyof paths,
  answer: { data?: Document; error?: unknown },
  use: (document: Document) => unknown,
): void {
  if (answer.data === undefined) throw new Error(`${path}: ${JSON.stringify(answer.error)}`);
  if (use(answer.data) === undefined) throw new Error(`${path} lacks what it must have`);
  paths_read.push(path);
}

const memory = ["\\Memory\\Available Bytes"];
read("/api/v1/targets", await client.GET("/api/v1/targets"), (document) => document.length);
read("/api/v1/sample", await client.GET("/api/v1/sample", { params: { query: { format: "columns", path: memory } } }),
  (document) => document.countersets[0]?.counters?.[0]?.cooked[0]);
read("/api/v1/machine", await client.GET("/api/v1/machine"), (document) => [document.exporter.version, document.recorder?.oldest, document.logical_processors]);
read("/api/v1/countersets", await client.GET("/api/v1/countersets"), (document) => document.countersets[0]?.status);
read("/api/v1/countersets/{name}", await client.GET("/api/v1/countersets/{name}", { params: { path: { name: "Memory" } } }),
  (document) => document.counters[0]?.metrics[0]?.name);
read("/api/v1/counters", await client.GET("/api/v1/counters", { params: { query: { q: "available" } } }),
  (document) => document.counters[0]?.help);
read("/api/v1/names", await client.GET("/api/v1/names", { params: { query: { path: memory[0] ?? "" } } }),
  (document) => document.counters[0]?.metrics[0]?.series[0]?.labels);
read("/api/v1/families", await client.GET("/api/v1/families"), (document) => document.families[0]?.series[0]?.value);
read("/api/v1/range", await client.GET("/api/v1/range", { params: { query: { path: memory, since: "1m" } } }),
  (document) => document.counters[0]?.instances[0]?.windows?.[0]?.cooked);
read("/api/v1/range", await client.GET("/api/v1/range", { params: { query: { path: memory, at: "2s", format: "columns" } } }),
  (document) => [document.counters[0]?.times?.[0], document.counters[0]?.instances[0]?.cooked?.[0]]);
read("/api/v1/top", await client.GET("/api/v1/top", { params: { query: { n: "3" } } }), (document) => document.leaders[0]?.instance);
read("/api/v1/facts", await client.GET("/api/v1/facts", { params: { query: { topic: "os" } } }), (document) => document.topics[0]?.topic);
read("/api/v1/log", await client.GET("/api/v1/log", { params: { query: { n: "3" } } }), (document) => document.messages[0]?.text);
read("/api/v1/annotations", await client.GET("/api/v1/annotations"), (document) => document.annotations[0]?.kind);
read("/api/v1/scrapers", await client.GET("/api/v1/scrapers"), (document) => document.scrapers.length);
read("/api/v1/workers", await client.GET("/api/v1/workers"), (document) => document.workers.length);
read("/api/v1/config", await client.GET("/api/v1/config"), (document) => document.keys[0]?.key);
read("/api/v1/discovery", await client.GET("/api/v1/discovery"), (document) => document.countersets.length);
read("/api/v1/doctor", await client.GET("/api/v1/doctor"), (document) => [document.made_at, ...document.checks.map((check) => check.subject)]);
read("/api/v1/openapi.json", await client.GET("/api/v1/openapi.json"), (document) => document["openapi"]);

read("/api/v1/recording", await client.GET("/api/v1/recording", { params: { query: { since: "1m", counterset: ["Memory"] } }, parseAs: "blob" }),
  (file) => file);

// Without an end: its first bytes are enough.
const events = await client.GET("/api/v1/events", { params: { query: { path: memory } }, parseAs: "stream" });
const first = await events.data?.getReader().read();
read("/api/v1/events", { data: first?.value }, (bytes) => bytes?.length);

const wrong = await client.GET("/api/v1/sample", { params: { query: { counterset: ["Memry"] } } });
if (wrong.error?.nearest !== "Memory") throw new Error(`an error is read as ${JSON.stringify(wrong.error)}`);

console.log([...new Set(paths_read)].join("\n"));
process.exit(0);  // the stream still comes
