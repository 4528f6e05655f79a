#include <charconv>
#include <chrono>
#include <cstdlib>
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
#include "service/stop_signal.h"
#include "service/version.h"

namespace winperf {
namespace {

// How long a provider may keep the sampler from stopping before the process ends without it.
constexpr std::chrono::seconds kStopPatience{2};

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
      logger->info("{}: works again", state.name);
      return;
    }
    logger->warn("{}: {}", state.name, describe(*state.error));
  };
}

// Samples on a thread of its own until stop() or destruction. The promise tells when the thread has
// ended, since joining a thread that hangs in a provider would never return.
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
        logger->error("sampling has ended: {}", error.what());
      }
      promise_.set_value();
    });
  }

  // False if the thread is still inside a provider after `patience`.
  bool stop(std::chrono::seconds patience) {
    thread_.request_stop();
    return ended_.wait_for(patience) == std::future_status::ready;
  }

 private:
  std::promise<void> promise_;
  std::future<void> ended_;
  std::jthread thread_;
};

int serve(const SamplerSources& sources, const Config& config, const Logger& logger) {
  const StopSignal stop;
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
  logger->info("winperf_exporter {} samples {} countersets", kVersion, config.countersets.size());
  std::cout << "listening on " << server.url() << std::endl;

  stop.wait();
  logger->info("stopping");
  server.stop();
  if (!sampler.stop(kStopPatience)) {
    logger->error("a provider has not answered for {} s; ending without it", kStopPatience.count());
    logger->flush();
    std::_Exit(kExitFailure);
  }
  logger->info("stopped");
  return kExitOk;
}

}  // namespace

int run_exporter(const RunOptions& options) {
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
  const auto logger = make_logger(config.log);
  if (!logger) {
    complain(logger.error());
    return kExitFailure;
  }
  if (!setup->perflib_missing.empty())
    (*logger)->info("V2 countersets are read through the registry: {}", setup->perflib_missing);
  return serve(sampler_sources(*setup), config, *logger);
}

}  // namespace winperf
