// Serves a router's answers over HTTP.
//
// start() binds and begins to answer on threads of its own; stop() ends within a second whatever
// the clients do that hold connections open or send byte by byte: it reads no more requests, and no
// wait for a client is longer than the timeouts here.
// Errors: start() says in words why an address cannot be had.
// Thread rule: start and stop by one thread; the router is called by several at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "exporter/http/router.h"

namespace winperf {

struct HttpServerOptions {
  std::string address = "127.0.0.1";  // IPv4 or IPv6 literal (with or without brackets), or a name
  int port = 10182;                   // 0: any free one
  std::size_t threads = 8;            // requests answered at the same time
  std::size_t queue = 64;             // connections that wait for a thread; more are closed
  std::size_t payload_bytes = 4096;   // of a request body, which is read and thrown away
  // Without a byte for so long, a connection is given up. stop() has to wait as long.
  std::chrono::milliseconds read_timeout{800};
  std::chrono::milliseconds write_timeout{800};
  std::chrono::seconds keep_alive_timeout{5};  // idle, between two requests; stop() ends it
  std::size_t keep_alive_requests = 100;
};

// Why nobody can listen there right now: "cannot listen on 127.0.0.1:10182: the address is already
// in use by prometheus.exe (process 1234)". Nothing where the port is to be had.
std::optional<std::string> cannot_listen(const std::string& address, int port);

class HttpServer {
 public:
  // The router must outlive the server.
  HttpServer(Router& router, HttpServerOptions options);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();  // stops

  // A server starts once.
  std::expected<void, std::string> start();
  // Waits until no request but POST is being answered, while new ones still come in; at most so
  // long. From then on an answer is not cut off by close() or stop().
  void drain(std::chrono::milliseconds timeout);
  bool is_idle() const;  // drain() would not wait
  // Gives the port back, and waits for the connections to end over which no POST is being answered;
  // at most so long. Before that, Windows may refuse the port to everybody: it is held exclusively.
  // Answers that are on their way still go out, until stop().
  void close(std::chrono::milliseconds timeout);
  void stop();

  int port() const;         // the one in use; 0 before start()
  std::string url() const;  // "http://127.0.0.1:10182/"

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace winperf
