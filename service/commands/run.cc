#include <chrono>
#include <iostream>

#include "service/commands/commands.h"
#include "service/console/exit_code.h"
#include "service/console/version.h"
#include "service/log/logging.h"
#include "service/run/reloader.h"
#include "service/run/server.h"
#include "service/run/service_host.h"
#include "service/run/setup.h"
#include "service/run/start_diagnosis.h"

namespace winperf {
namespace {

// How long, after it was told to stop, the program waits for a provider before it ends without it.
// An administrator, and Windows when it shuts down, get what they want within two seconds.
constexpr std::chrono::milliseconds kStopTimeout{1500};

void report_start(const ServiceHost& host, const Server& exporter, Log& log) {
  log.write(Event::kStarted, std::string("winperf_exporter ") + kVersion + " samples " +
                                 std::to_string(exporter.config().countersets.size()) +
                                 " countersets and listens on " + exporter.url());
  if (!host.is_service()) std::cout << "listening on " << exporter.url() << std::endl;
}

// Everything that has to end does so at the same time, within kStopTimeout.
void stop_serving(ServiceHost& host, Server& exporter, Log& log) {
  const auto deadline = std::chrono::steady_clock::now() + kStopTimeout;
  log.write(Event::kStopping, "stopping");
  if (!exporter.stop(deadline)) {
    log.write(Event::kProviderHangs,
              "it was given " + std::to_string(kStopTimeout.count()) + " ms; ending without it");
    host.abandon();
  }
  host.still_stopping();
  log.write(Event::kStopped, "stopped");
}

int serve(ServiceHost& host, Setup setup, const RunOptions& options, FileWatch watch,
          const LogPlace& log_place, const Logger& logger) {
  ReloadGate gate;
  Server exporter(std::move(setup), options, log_place, logger,
                  [&] { return answer_reload(gate, [&] { host.request_reload(); }); });
  if (const auto started = exporter.start(); !started) {
    complain(started.error());
    return kExitFailure;
  }
  Reloader reloader(options.common.config_file, std::move(watch), gate, exporter, logger);
  host.running();
  report_start(host, exporter, *logger);
  const auto poll = [&] {
    reloader.poll();
    logger->tell_suppressed();
    return exporter.is_sampling();
  };
  host.wait({.reload = [&] { reloader.reload(); }, .poll = poll});
  gate.close();
  // A program that serves the last sample for ever would look healthy: whoever started it starts it
  // again, if its exit code says that it failed.
  const bool failed = !exporter.is_sampling();
  stop_serving(host, exporter, *logger);
  return failed ? kExitFailure : kExitOk;
}

int run(ServiceHost& host, const RunOptions& options) {
  const std::string& file = options.common.config_file;
  FileWatch watch(std::u8string(file.begin(), file.end()));
  auto setup = open_setup(options.common);
  if (!setup) return setup.error();
  if (!options.listen.empty()) {
    if (const auto listen = parse_listen(options.listen, setup->config.listen); !listen) {
      complain(listen.error());
      return kExitUsage;
    }
  }
  host.still_starting();
  const LogPlace log_place{.service_name = host.service_name(), .folder = folder_of(file)};
  const auto logger = make_logger(setup->config.log, log_place);
  if (!logger) {
    complain(logger.error());
    return kExitFailure;
  }
  if (!setup->perflib_missing.empty())
    (*logger)->write(Event::kPerflibMissing, setup->perflib_missing);
  return serve(host, *std::move(setup), options, std::move(watch), log_place, *logger);
}

}  // namespace

int run_exporter(const RunOptions& options) {
  return run_hosted([&](ServiceHost& host) { return run(host, options); });
}

}  // namespace winperf
