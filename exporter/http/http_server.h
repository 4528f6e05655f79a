// Serves a router's responses over HTTP.
//
// start() binds and begins to answer, on threads of its own. stop() returns within a second, even
// if clients hold connections open or send byte by byte: the server reads no more requests, and no
// wait for a client is longer than the timeouts below. Errors: start() says in words why the server
// can't listen on an address. Thread rule: one thread starts and stops the server, which calls the
// router on several at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "exporter/http/router.h"

namespace winperf {

struct HttpServerOptions {
  // Where the server listens has no default: the caller decides who can reach it.
  HttpServerOptions(std::string where, int which) : address(std::move(where)), port(which) {}

  std::string address;               // IPv4 or IPv6 literal (with or without brackets), or a name
  int port;                          // 0: any free one
  std::size_t threads = 8;           // requests answered at the same time
  std::size_t queue = 64;            // connections that wait for a thread; further ones are closed
  std::size_t payload_bytes = 4096;  // the limit of a request body, which is read and ignored
  // A connection without a byte for this long is closed. stop() may have to wait for that.
  std::chrono::milliseconds read_timeout{800};
  std::chrono::milliseconds write_timeout{800};
  std::chrono::seconds keep_alive_timeout{5};  // idle time between two requests; stop() ends it
  std::size_t keep_alive_requests = 100;
};

// "127.0.0.1:10182", "[::1]:10182"
std::string authority_of(const std::string& address, int port);

// Why it is impossible to listen there right now: "cannot listen on 127.0.0.1:10182: the address is
// already in use by prometheus.exe (process 1234)". Nothing if it is possible.
[[nodiscard]] std::optional<std::string> cannot_listen(const std::string& address, int port);

class HttpServer {
 public:
  // The router must outlive the server.
  HttpServer(Router& router, HttpServerOptions options);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();  // stops

  // A server starts once.
  [[nodiscard]] std::expected<void, std::string> start();
  // Waits until no request but POST is being answered, while new ones still arrive. From then on,
  // close() and stop() don't cut off a response.
  void drain(std::chrono::milliseconds timeout);
  bool is_idle() const;  // drain() would not wait
  // Releases the port, and waits for the end of the connections over which no POST is being
  // answered. Until then, Windows may refuse the port to everyone, because it is held exclusively.
  // Responses that have begun still go out, until stop().
  void close(std::chrono::milliseconds timeout);
  void stop();

  int port() const;         // the actual one; 0 before start()
  std::string url() const;  // "http://127.0.0.1:10182/"

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace winperf
