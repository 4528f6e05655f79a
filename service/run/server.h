// What `run` keeps alive: the sampling thread, the sample slot, the metrics page and the HTTP
// server. Also replaces the configuration in use by a new one.
//
// Thread rule: created and used by one thread; the router may call back on any thread.
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
  std::string listen;  // "ADDRESS:PORT"; empty: as configured
};

class Server {
 public:
  // `setup` was opened with `options`. `reload` answers POST /-/reload if the configuration allows
  // it.
  Server(Setup setup, const RunOptions& options, LogPlace log_place, Logger logger,
         std::function<Response()> reload);

  // Listens, then samples. The error is a sentence.
  [[nodiscard]] std::expected<void, std::string> start();

  // Applies the configuration as a whole, or not at all; the error says why.
  [[nodiscard]] std::expected<void, std::string> apply(Config next);
  // Call it regularly. Closes a listener that is no longer needed when it has answered its
  // requests, and tries to listen again if the port was lost to another program.
  void maintain();

  // False if the sampling thread has ended by itself: nothing will be sampled any more.
  [[nodiscard]] bool is_sampling() const;

  // False if a provider keeps the sampling thread busy beyond the deadline.
  [[nodiscard]] bool stop(std::chrono::steady_clock::time_point deadline);

  const Config& config() const { return config_; }
  std::string url() const { return server_->url(); }
  ExporterRegistry& registry() { return registry_; }

 private:
  [[nodiscard]] std::expected<std::unique_ptr<HttpServer>, std::string> listen(
      const ListenConfig& where);
  // If only the address changes, the old listener has to release the port first.
  [[nodiscard]] std::expected<std::unique_ptr<HttpServer>, std::string> listen_instead(
      const ListenConfig& where);
  [[nodiscard]] std::expected<void, std::string> listen_again();
  void replace_server(std::unique_ptr<HttpServer> server);
  [[nodiscard]] std::expected<ListenConfig, std::string> listen_of(const Config& config) const;
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
  std::optional<ListenConfig> lost_;  // where this server should listen, but could not again
  std::unique_ptr<HttpServer> retired_;
  std::chrono::steady_clock::time_point retired_by_;
  std::unique_ptr<SamplingThread> sampling_;
};

}  // namespace winperf
