#include <charconv>
#include <chrono>
#include <filesystem>
#include <future>
#include <iostream>
#include <thread>

#include "collectors/model/sample_slot.h"
#include "collectors/sampling/sampler.h"
#include "exporter/http/http_server.h"
#include "service/commands/commands.h"
#include "service/commands/common.h"
#include "service/exit_code.h"
#include "service/logging.h"
#include "service/page.h"
#include "service/plan.h"
#include "service/service_host.h"
#include "service/version.h"

namespace winperf {
namespace {

// How long, after it was told to stop, the program waits for a provider before it ends without it.
// An administrator, and Windows when it shuts down, get what they want within two seconds.
constexpr std::chrono::milliseconds kStopPatience{1500};

BuildInfo build_info() {
  return {.version = kVersion,
          .revision = kRevision,
          .compiler = kCompiler,
          .os = kOperatingSystem,
          .arch = kArchitecture};
}

// "ADDRESS:PORT", ":PORT" or "[::1]:PORT"; an empty address keeps the configured one.
std::expected<ListenConfig, std::string> parse_listen(const std::string& text,
                                                      ListenConfig listen) {
  const std::size_t colon = text.rfind(':');
  const std::string message = "--listen wants ADDRESS:PORT, such as 127.0.0.1:10182, not \"";
  if (colon == std::string::npos) return std::unexpected(message + text + '"');
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, listen.port);
  if (error != std::errc() || stopped != end) return std::unexpected(message + text + '"');
  if (colon != 0) listen.address = text.substr(0, colon);
  return listen;
}

StateObserver log_changes(Logger logger) {
  return [logger = std::move(logger)](const CountersetState& state) {
    if (state.success) {
      logger->write(Event::kCountersetWorks, state.name, "works again");
      return;
    }
    logger->write(Event::kCountersetFails, state.name, describe(*state.error));
  };
}

// Samples on a thread of its own until it is told to stop, or destruction. The promise tells when
// the thread has ended, since joining a thread that hangs in a provider would never return.
class SamplerThread {
 public:
  SamplerThread(const SamplerSources& sources, SampleSlot& slot, const Config& config,
                Logger logger)
      : ended_(promise_.get_future()) {
    thread_ = std::jthread([this, sources, &slot, config, logger](std::stop_token stop) {
      try {
        Sampler sampler(sources, slot, make_plan(config), system_clocks(), log_changes(logger));
        sampler.run(stop);
      } catch (const std::exception& error) {
        logger->write(Event::kSamplingEnded, error.what());
      }
      promise_.set_value();
    });
  }

  void request_stop() { thread_.request_stop(); }
  // False if the thread is still inside a provider then.
  bool ended_by(std::chrono::steady_clock::time_point deadline) const {
    return ended_.wait_until(deadline) == std::future_status::ready;
  }

 private:
  std::promise<void> promise_;
  std::future<void> ended_;
  std::jthread thread_;
};

// Everything that has to end does so at the same time, within kStopPatience.
int stop_serving(ServiceHost& host, HttpServer& server, SamplerThread& sampler, Log& log) {
  const auto deadline = std::chrono::steady_clock::now() + kStopPatience;
  log.write(Event::kStopping, "stopping");
  sampler.request_stop();
  server.stop();
  host.still_stopping();
  if (!sampler.ended_by(deadline)) {
    log.write(Event::kProviderHangs,
              "it was given " + std::to_string(kStopPatience.count()) + " ms; ending without it");
    host.abandon();
  }
  log.write(Event::kStopped, "stopped");
  return kExitOk;
}

int serve(ServiceHost& host, const SamplerSources& sources, const Config& config,
          const Logger& logger) {
  SampleSlot slot;
  const ClockSource clocks = system_clocks();
  ExporterRegistry registry(build_info(), clocks.wall_now());
  Router router(
      slot, registry,
      {.build = build_info(), .mapping = mapping_options(config.metrics), .now = clocks.wall_now});
  HttpServerOptions server_options;
  server_options.address = config.listen.address;
  server_options.port = config.listen.port;
  HttpServer server(router, server_options);
  if (const auto started = server.start(); !started) {
    complain(started.error());
    return kExitFailure;
  }
  SamplerThread sampler(sources, slot, config, logger);
  host.running({});
  logger->write(Event::kStarted, std::string("winperf_exporter ") + kVersion + " samples " +
                                     std::to_string(config.countersets.size()) +
                                     " countersets and listens on " + server.url());
  if (!host.is_service()) std::cout << "listening on " << server.url() << std::endl;

  host.wait();
  return stop_serving(host, server, sampler, *logger);
}

// A log file's relative name is meant as seen from the configuration: a service's own folder is
// that of Windows.
std::string folder_of(const std::string& config_file) {
  const std::filesystem::path path(std::u8string(config_file.begin(), config_file.end()));
  const std::u8string folder = path.parent_path().u8string();
  return {folder.begin(), folder.end()};
}

int run(ServiceHost& host, const RunOptions& options) {
  auto setup = open_setup(options.common);
  if (!setup) return setup.error();
  Config& config = setup->config;
  if (!options.listen.empty()) {
    const auto listen = parse_listen(options.listen, config.listen);
    if (!listen) {
      complain(listen.error());
      return kExitUsage;
    }
    config.listen = *listen;
  }
  host.still_starting();
  const auto logger =
      make_logger(config.log, host.service_name(), folder_of(options.common.config_file));
  if (!logger) {
    complain(logger.error());
    return kExitFailure;
  }
  if (!setup->perflib_missing.empty())
    (*logger)->write(Event::kPerflibMissing, setup->perflib_missing);
  return serve(host, sampler_sources(*setup), config, *logger);
}

}  // namespace

int run_exporter(const RunOptions& options) {
  return run_hosted([&](ServiceHost& host) { return run(host, options); });
}

}  // namespace winperf
