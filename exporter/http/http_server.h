// Serves a router's responses over HTTP: listens, and puts the front and the answers together.
//
// start() binds and begins to answer on separate threads. No client can keep stop() from returning;
// it waits for answers that are being sent, and for one that is being made. Errors: start() says in
// words why the server can't listen on an address. Thread rule: one thread starts, closes and stops
// the server, which calls the router on several threads.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exporter/http/door.h"
#include "exporter/http/front.h"
#include "exporter/http/http_answers.h"
#include "exporter/http/router.h"
#include "exporter/http/socket.h"

namespace winperf {

// Against unauthorised clients, and against eavesdropping.
struct Protection {
  std::shared_ptr<TlsContext> tls{};  // null: plain HTTP
  DoorRules door{};
};

struct HttpServerOptions {
  // Where the server listens has no default: the caller decides who can reach it.
  HttpServerOptions(std::string where, int which) : address(std::move(where)), port(which) {}

  // An IPv4 or IPv6 literal, or a name; "" and "::": all addresses.
  std::string address;
  int port;  // 0: any free one
  AnswerRules rules{};
  Protection protection{};
  FrontOptions front{};
  DescribeOwners describe_owners{};  // of a port that is taken
  AwaitPort await_port{};
};

// "127.0.0.1:10182", "[::1]:10182"
std::string authority_of(const std::string& address, int port);

// The sockets of a server that would listen there right now, or why that is impossible: "cannot
// listen on 127.0.0.1:10182: the address is already in use by prometheus.exe (process 1234)".
[[nodiscard]] std::expected<std::vector<Socket>, std::string> try_listening(
    const std::string& address, int port, const DescribeOwners& describe_owners = {},
    const AwaitPort& await_port = {});

class HttpServer final : private FrontObserver {
 public:
  // The router must outlive the server.
  HttpServer(Router& router, HttpServerOptions options);
  ~HttpServer() override { stop(); }

  // A server starts once.
  [[nodiscard]] std::expected<void, std::string> start();
  // No request is being answered, and no answer is going out.
  bool is_idle() const;
  // Releases the port, and returns. Answers continue until stop(); requests that have begun to
  // arrive have the timeout.
  void retire(std::chrono::milliseconds timeout);
  // Releases the port, and returns when the requests that have begun to arrive are answered, all
  // but those that POST, or after the timeout. Until then, Windows may refuse the port to everyone,
  // because it is held exclusively. Answers that take longer are cut off.
  void close(std::chrono::milliseconds timeout);
  // Answers that are nearly out are not cut off by a stop.
  static constexpr std::chrono::milliseconds kStopTimeout{300};
  void stop(std::chrono::milliseconds timeout = kStopTimeout);

  // After stop(): what may still compare a password when the server is gone. Without this call the
  // destructor waits for it.
  BackgroundThread end_passwords() { return door_.end_passwords(); }

  // For all requests from now on.
  void change_rules(AnswerRules rules) { answers_.change_rules(std::move(rules)); }
  void change_protection(Protection protection);

  int port() const { return port_; }  // the actual one; 0 before start()
  std::string url() const;            // "http://127.0.0.1:10182/"

 private:
  void shed(ShedReason reason) override;
  void load_changed(const HttpLoad& difference) override;
  void handshake_failed(TlsFailure failure) override;
  void has_sent(const SentAnswers& answers) override;

  Router& router_;
  HttpServerOptions options_;
  HttpAnswers answers_;
  std::unique_ptr<Front> front_;
  Door door_;  // ends before the front, which gets its decisions
  bool has_tls_ = false;
  int port_ = 0;
};

}  // namespace winperf
