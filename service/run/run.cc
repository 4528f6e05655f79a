#include "service/run/run.h"

#include <chrono>
#include <utility>

#include "collectors/base/path_text.h"
#include "service/console/exit_code.h"
#include "service/console/text_columns.h"
#include "service/console/version.h"
#include "service/log/logging.h"
#include "service/run/listen_option.h"
#include "service/run/reloader.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

// How long the program waits for a provider after a stop request before it ends without it. A stop,
// and a system shutdown, takes less than two seconds in all.
constexpr std::chrono::milliseconds kStopTimeout{1500};

// Stops everything, within kStopTimeout in all.
void stop_serving(ServiceHost& host, Server& server, bool failed, Log& log) {
  const auto deadline = std::chrono::steady_clock::now() + kStopTimeout;
  log.write(Event::kStopping, "stopping");
  if (!server.stop(deadline)) {
    log.write(Event::kProviderHangs,
              "no answer within " + std::to_string(kStopTimeout.count()) + " ms");
    host.abandon(failed);
  }
  host.still_stopping();
  log.write(Event::kStopped, "stopped");
}

int serve(ServiceHost& host, Setup setup, const RunOptions& options, FileWatch watch,
          const LogPlace& log_place, const Logger& logger) {
  ReloadGate gate;
  Server server(std::move(setup), options, log_place, logger,
                [&] { return answer_reload(gate, [&] { host.request_reload(); }); });
  if (const auto started = server.start(); !started)
    return host.cannot_start({.message = started.error()});
  Reloader reloader(options.setup.config_file, std::move(watch), gate, server, logger);
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
  stop_serving(host, server, failed, *logger);
  return failed ? kExitFailure : kExitOk;
}

}  // namespace

int run_server(ServiceHost& host, const RunOptions& options) {
  const std::string& file = options.setup.config_file;
  FileWatch watch(path_of(file));
  auto setup = open_setup(options.setup);
  if (!setup) return host.cannot_start(setup.error());
  if (const auto listen = listen_addresses(options.listen, setup->config); !listen)
    return host.cannot_start({.exit_code = kExitUsage, .message = listen.error()});
  host.still_starting();
  const LogPlace log_place{.service_name = host.service_name(), .config_file = file};
  if (const auto wrong = refuse_log_file(setup->config.log, file))
    return host.cannot_start(
        {.exit_code = kExitUsage, .message = *wrong, .names_its_file = !file.empty()});
  const auto logger = make_logger(setup->config.log, log_place);
  if (!logger) return host.cannot_start({.message = logger.error()});
  if (!setup->perflib_missing.empty())
    (*logger)->write(Event::kPerflibMissing, setup->perflib_missing);
  for (const std::string& notice : setup->notices) (*logger)->write(Event::kSourceNotice, notice);
  return serve(host, *std::move(setup), options, std::move(watch), log_place, *logger);
}

}  // namespace winperf
