// Everything of `run` that lasts: the thread that samples, the slot, the page, the HTTP server; and
// how a new configuration takes the place of the one in use.
//
// Thread rule: made and used by one thread; the functions that the router calls are any thread's.
#pragma once

#include <atomic>
#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "collectors/model/sample_slot.h"
#include "exporter/http/http_server.h"
#include "exporter/http/router.h"
#include "service/log/logging.h"
#include "service/run/sampling_thread.h"
#include "service/run/setup.h"

namespace winperf {

BuildInfo build_info();

struct RunOptions {
  SetupOptions setup;
  std::string listen;  // "ADDRESS:PORT", empty: as configured
};

class Server {
 public:
  // `options` are those that `setup` was opened with. `reload` answers POST /-/reload where that
  // is allowed.
  Server(Setup setup, const RunOptions& options, LogPlace log_place, Logger logger,
         std::function<Response()> reload);

  // Listens, then samples. The error is a sentence.
  std::expected<void, std::string> start();

  // Takes the configuration over whole, or not at all; then the error says why.
  std::expected<void, std::string> apply(Config next);
  // To be called now and then. Ends a listener that is not needed any more once it has answered the
  // requests it has, and listens again where the port was lost to somebody else.
  void maintain();

  // False once its thread has ended by itself: nothing will be sampled any more.
  bool is_sampling() const;

  // False if a provider keeps the sampling thread beyond the deadline.
  bool stop(std::chrono::steady_clock::time_point deadline);

  const Config& config() const { return config_; }
  std::string url() const { return server_->url(); }
  ExporterRegistry& registry() { return registry_; }

 private:
  std::expected<std::unique_ptr<HttpServer>, std::string> listen(const ListenConfig& where);
  // Where only the address changes, the port has to be given up before it can be had again.
  std::expected<std::unique_ptr<HttpServer>, std::string> listen_instead(const ListenConfig& where);
  std::expected<void, std::string> listen_again();
  void replace_server(std::unique_ptr<HttpServer> server);
  std::expected<ListenConfig, std::string> listen_of(const Config& config) const;
  Response answer_reload_request();

  const RunOptions options_;
  const LogPlace log_place_;
  const Logger logger_;
  const std::function<Response()> reload_;
  std::atomic<bool> reload_allowed_;

  Config config_;
  Setup setup_;  // until start()
  SampleSlot slot_;
  ExporterRegistry registry_;
  Router router_;
  std::unique_ptr<HttpServer> server_;
  std::optional<ListenConfig> lost_;  // where nobody listens any more, but should
  std::unique_ptr<HttpServer> retired_;
  std::chrono::steady_clock::time_point retired_by_;
  std::unique_ptr<SamplingThread> sampling_;
};

}  // namespace winperf
