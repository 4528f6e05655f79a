// What stands between a browser and the exporter: a line that breaks, and a reverse proxy with a path prefix.
import { once } from "node:events";
import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { connect, createServer } from "node:net";

async function listen(server, port = 0) {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server.address().port;
}

// Passes connections on to the exporter until cut() breaks them all; those made while it `isDown` break at once.
export class Line {
  isDown = false;
  #pairs = new Set();

  async open(url) {
    const { hostname, port } = new URL(url);
    this.server = createServer((client) => {
      if (this.isDown) return client.resetAndDestroy();
      const exporter = connect(Number(port), hostname);
      const pair = [client, exporter];
      const end = () => {
        this.#pairs.delete(pair);
        pair.forEach((socket) => socket.destroy());
      };
      this.#pairs.add(pair);
      for (const socket of pair) socket.on("error", end).on("close", end);
      client.pipe(exporter).pipe(client);
    });
    this.url = `http://127.0.0.1:${await listen(this.server)}`;
    return this;
  }

  cut() {
    for (const [client] of this.#pairs) client.resetAndDestroy();
  }

  close() {
    this.cut();
    this.server.close();
  }
}

// Serves what the exporter does below a prefix, as nginx would: for a client of another machine, under a name of its own.
export class Prefix {
  async open(url, prefix = "/perf/", client = "192.0.2.7") {
    const { hostname, port } = new URL(url);
    this.server = createHttpServer((request, answer) => {
      if (!request.url.startsWith(prefix)) {
        const isBare = `${request.url}/` === prefix;
        answer.writeHead(isBare ? 301 : 404, isBare ? { Location: prefix } : {}).end();
        return;
      }
      const path = request.url.slice(prefix.length - 1);
      const headers = { ...request.headers, "x-forwarded-for": client };
      const passed = httpRequest({ hostname, port, path, method: request.method, headers }, (reply) => {
        answer.writeHead(reply.statusCode, reply.headers);
        reply.on("error", () => answer.destroy()).pipe(answer);
      });
      passed.on("error", () => answer.headersSent ? answer.destroy() : answer.writeHead(502).end("no exporter"));
      answer.on("close", () => passed.destroy());
      request.pipe(passed);
    });
    this.url = `http://127.0.0.1:${await listen(this.server)}${prefix.slice(0, -1)}`;
    return this;
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
