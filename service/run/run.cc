#include "service/run/run.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/wording.h"
#include "service/console/exit_code.h"
#include "service/console/version.h"
#include "service/log/logging.h"
#include "service/plan/setup.h"
#include "service/run/protection.h"
#include "service/run/reloader.h"

namespace winperf {
namespace {

// How long the program waits for a provider after a stop request before it ends without it. A stop,
// and a system shutdown, takes less than two seconds in all.
constexpr std::chrono::milliseconds kStopTimeout{1500};

// Stops everything, within kStopTimeout in all.
int stop_serving(ServiceHost& host, Server& server, bool failed, Log& log) {
  const auto deadline = std::chrono::steady_clock::now() + kStopTimeout;
  log.write(Event::kStopping, "stopping");
  if (const std::string late = server.stop(deadline); !late.empty()) {
    log.write(Event::kProviderHangs, "no answer within " + std::to_string(kStopTimeout.count()) +
                                         " ms: " + late + " has not ended");
    host.abandon(failed);
  }
  host.still_stopping();
  log.write(Event::kStopped, "stopped");
  const int exit_code = failed ? kExitFailure : kExitOk;
  // It takes as long as the cost of the hash says.
  if (server.still_compares()) host.leave(exit_code);
  return exit_code;
}

// A certificate or a key that can't be used is a mistake in the configuration, as for check-config.
std::optional<std::string> protection_problem(const Config& config) {
  for (const ListenConfig& where : config.listen)
    if (const auto good = protection_of(where.web); !good)
      return "cannot serve " + authority_of(where.address, where.port) + ": " + good.error();
  return std::nullopt;
}

int serve(ServiceHost& host, Setup setup, const RunOptions& options, WatchedFiles files,
          const LogPlace& log_place, const Logger& logger) {
  ReloadGate gate;
  Server server(std::move(setup), options, log_place, logger,
                [&] { return answer_reload(gate, [&] { host.request_reload(); }); });
  Reloader reloader(std::move(files), gate, server, logger);
  if (const auto started = server.start(); !started)
    return host.cannot_start({.message = started.error()});
  logger->write(Event::kStarted, std::string("winperf_exporter ") + kVersion + " samples " +
                                     counted(server.config().countersets.size(), "counterset") +
                                     " and listens on " + server.urls());
  host.running(server.urls());
  // Twice in a row: after the machine has slept, the first look is at a clock that has jumped.
  int stuck_looks = 0;
  const auto poll = [&] {
    reloader.poll();
    logger->report_suppressed();
    stuck_looks = server.is_stuck() ? stuck_looks + 1 : 0;
    return server.is_sampling() && stuck_looks < 2;
  };
  host.wait({.reload = [&] { reloader.reload(); }, .poll = poll});
  gate.close();
  // A program that served its last sample for ever would look healthy. The exit code of a failure
  // makes the host start it again.
  const bool stuck = server.is_stuck();
  if (stuck) logger->write(Event::kSamplingStuck, "the last round has not ended");
  const bool failed = stuck || !server.is_sampling();
  return stop_serving(host, server, failed, *logger);
}

}  // namespace

int run_server(ServiceHost& host, const RunOptions& options) {
  const std::string& file = options.setup.config_file;
  WatchedFiles files(file);
  std::vector<std::string> names;
  const ReadFile read = files.reader(names);
  auto loaded = load_config(file, read);
  if (!loaded) return host.cannot_start(loaded.error());
  auto setup = open_sources(options.setup, loaded->config);
  if (!setup) return host.cannot_start({.message = setup.error()});
  auto used = with_overrides(*std::move(loaded), options.overrides, read);
  if (!used) return host.cannot_start({.exit_code = kExitUsage, .message = used.error()});
  setup->config = std::move(used->config);
  if (const auto wrong = protection_problem(setup->config))
    return host.cannot_start({.exit_code = kExitUsage, .message = *wrong});
  host.still_starting();
  const LogPlace log_place{.service_name = host.service_name(), .config_file = file};
  if (const auto wrong = refuse_log_file(setup->config->log, file))
    return host.cannot_start(
        {.exit_code = kExitUsage, .message = *wrong, .names_its_file = !file.empty()});
  const auto logger = make_logger(setup->config->log, log_place);
  if (!logger) return host.cannot_start({.message = logger.error()});
  if (!setup->perflib_missing.empty())
    (*logger)->write(Event::kPerflibMissing, setup->perflib_missing);
  for (const std::string& notice : setup->notices) (*logger)->write(Event::kSourceNotice, notice);
  return serve(host, *std::move(setup), options, std::move(files), log_place, *logger);
}

}  // namespace winperf
