#include "service/run/run.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/wording.h"
#include "service/console/exit_code.h"
#include "service/console/version.h"
#include "service/log/logging.h"
#include "service/plan/setup.h"
#include "service/run/protection.h"

namespace winperf {
namespace {

ReloadOutcome outcome_of(const std::function<ReloadOutcome()>& reload) try {
  return reload();
} catch (const std::exception& error) {
  return std::unexpected(exception_text(error));
}

}  // namespace

std::optional<ReloadOutcome> ReloadGate::ask(const std::function<void()>& request,
                                             std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  const std::uint64_t wanted = begun_ + 1;
  lock.unlock();
  request();
  lock.lock();
  changed_.wait_for(lock, timeout, [&] { return closed_ || ended_ >= wanted; });
  if (ended_ < wanted) return std::nullopt;
  return last_;
}

void ReloadGate::perform(const std::function<ReloadOutcome()>& reload,
                         const std::function<void(const ReloadOutcome&)>& report) {
  {
    const std::lock_guard lock(mutex_);
    ++begun_;
  }
  ReloadOutcome outcome = outcome_of(reload);
  if (report) report(outcome);
  {
    const std::lock_guard lock(mutex_);
    ended_ = begun_;
    last_ = std::move(outcome);
  }
  changed_.notify_all();
}

void ReloadGate::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

WatchedFiles::WatchedFiles(std::string file)
    : config_file(std::move(file)), config(path_of(config_file)) {}

bool WatchedFiles::add(const std::vector<std::string>& files) {
  const std::size_t before = others.size();
  for (const std::string& file : files)
    if (std::ranges::none_of(others, [&](const auto& one) { return one.first == file; }))
      others.emplace_back(file, FileWatch(path_of(file)));
  return others.size() != before;
}

ReadFile WatchedFiles::reader(std::vector<std::string>& names) {
  return [this, &names](const std::filesystem::path& file) {
    if (const std::string name = path_text(file); name != config_file) {
      names.push_back(name);
      add({name});
    }
    return read_config_file(file);
  };
}

Reloader::Reloader(WatchedFiles files, ReloadGate& gate, Server& server, Logger logger)
    : files_(std::move(files)), gate_(gate), server_(server), logger_(std::move(logger)) {
  files_.add(web_files(server_.config()));
}

void Reloader::reload() {
  bool is_good = false;
  gate_.perform(
      [this] {
        files_.config.seen();
        return load_and_apply();
      },
      [&](const ReloadOutcome& outcome) {
        is_good = outcome.has_value();
        report(outcome, files_.config_file);
      });
  if (is_good) of_config_.has_failed = of_web_.has_failed = false;
  watch_no_others();
  server_.maintain();
}

void Reloader::watch_for(Attempt& attempt, const std::vector<std::string>& files) {
  attempt.files.insert(attempt.files.end(), files.begin(), files.end());
  files_.add(files);
}

// Except those in use, and those missing in an attempt.
void Reloader::watch_no_others() {
  std::vector<std::string> files = web_files(server_.config());
  for (const Attempt* const attempt : {&of_config_, &of_web_})
    if (attempt->has_failed)
      files.insert(files.end(), attempt->files.begin(), attempt->files.end());
  std::erase_if(files_.others, [&](const auto& one) {
    return std::ranges::find(files, one.first) == files.end();
  });
}

void Reloader::reload_web() {
  const auto outcome = load_web_and_apply();
  report(outcome, "the web configuration");
  of_web_.has_failed = !outcome;
  watch_no_others();
}

std::chrono::milliseconds Reloader::poll() {
  server_.maintain();
  check_files();
  const bool files_change =
      files_.config.is_changing() ||
      std::ranges::any_of(files_.others, [](const auto& one) { return one.second.is_changing(); });
  return files_change || !server_.is_settled() ? kBusyInterval : kCalmInterval;
}

void Reloader::check_files() {
  const bool on_change = server_.config().reload.on_change;
  if (files_.config.settled_change() && on_change) return reload();
  const std::vector<std::string> used = web_files(server_.config());
  // A file that names others may have changed just before the server read it.
  bool use_has_changed = files_.add(used);
  bool has_changed = use_has_changed;
  for (auto& [file, watch] : files_.others) {
    if (!watch.settled_change()) continue;
    has_changed = true;
    use_has_changed = use_has_changed || std::ranges::find(used, file) != used.end();
  }
  // While a new configuration is invalid, the one in use still follows its own files. The last
  // message is about the new one.
  if (use_has_changed || (has_changed && of_web_.has_failed)) reload_web();
  if (has_changed && of_config_.has_failed && on_change) reload();
}

ReloadOutcome Reloader::load_and_apply() {
  if (files_.config_file.empty())
    return std::unexpected(
        "no configuration file to reload, because the program runs without --config");
  of_config_ = {};
  const ReadFile read = files_.reader(of_config_.files);
  auto loaded = load_config(files_.config_file, read);
  of_config_.has_failed = loaded || !of_config_.files.empty();  // until it has succeeded
  if (!loaded) return std::unexpected(loaded.error().message);
  // Like a file just opened for writing, or truncated on a full disk: it would mean the default
  // configuration, on every address of the machine.
  if (loaded->is_blank) {
    of_config_.has_failed = false;
    return std::unexpected(files_.config_file + ": is empty; restart the program to apply this");
  }
  watch_for(of_config_, web_files(loaded->config));
  auto used = with_overrides(*std::move(loaded), server_.overrides(), read);
  if (!used) return std::unexpected(used.error());
  watch_for(of_config_, web_files(used->config));
  auto applied = server_.apply(std::move(used->config));
  if (applied) server_.show_settings(std::move(used->settings));
  return applied;
}

ReloadOutcome Reloader::load_web_and_apply() {
  of_web_ = {};
  auto next = read_web_files({.config = server_.config()}, files_.reader(of_web_.files));
  if (!next) return std::unexpected(describe(next.error()));
  watch_for(of_web_, web_files(next->config));
  return server_.apply(std::move(next->config));
}

void Reloader::report(const ReloadOutcome& outcome, const std::string& what) {
  server_.registry().count_reload(outcome.has_value(), server_.clocks().wall_now());
  if (!outcome) {
    logger_->write(Event::kReloadFailed, outcome.error());
    return;
  }
  logger_->write(Event::kReloaded, what + ": " +
                                       counted(server_.config().countersets.size(), "counterset") +
                                       ", listening on " + server_.urls());
}

PlainAnswer answer_reload(ReloadGate& gate, const std::function<void()>& request) {
  // As long as Prometheus waits for a scrape.
  constexpr std::chrono::seconds kReloadTimeout{10};
  const auto outcome = gate.ask(request, kReloadTimeout);
  if (!outcome) return {503, "reload still in progress; the log will show the result\n"};
  if (!*outcome) return {500, "not reloaded: " + outcome->error() + '\n'};
  return {200, "reloaded\n"};
}

namespace {

// How long the program waits for a provider after a stop request before it ends without it. A stop,
// and a system shutdown, takes less than two seconds in all.
constexpr std::chrono::milliseconds kStopTimeout{1500};

// Stops everything, within kStopTimeout in all.
int stop_serving(ServiceHost& host, Server& server, bool failed, Log& log) {
  const auto deadline = std::chrono::steady_clock::now() + kStopTimeout;
  log.write(Event::kStopping, "stopping");
  if (const std::string late = server.stop(deadline); !late.empty()) {
    log.write(Event::kProviderHangs,
              late + " did not end within " + std::to_string(kStopTimeout.count()) + " ms");
    host.abandon(failed);
  }
  host.still_stopping();
  log.write(Event::kStopped, "stopped");
  const int exit_code = failed ? kExitFailure : kExitOk;
  // Takes as long as the hash's cost demands.
  if (server.still_compares()) host.leave(exit_code);
  return exit_code;
}

// Waits for a port that no program listens on: Windows gives it to another process only when the
// connections of the previous one have ended. Less than `service start` waits.
class PortPatience {
 public:
  PortPatience(ServiceHost& host, Log& log) : host_(host), log_(log) {}

  bool operator()(const std::string& address) {
    if (left_ == kLongest)
      log_.write(Event::kSourceNotice,
                 "no program listens on " + address +
                     ", but connections of one that has ended hold it; retrying for " +
                     std::to_string(std::chrono::seconds(kLongest).count()) + " s");
    if (left_ <= kPause) return false;
    left_ -= kPause;
    host_.still_starting();
    return host_.pause_start(kPause);
  }

 private:
  static constexpr std::chrono::seconds kLongest{20};
  static constexpr std::chrono::milliseconds kPause{500};

  ServiceHost& host_;
  Log& log_;
  std::chrono::milliseconds left_ = kLongest;
};

int serve(ServiceHost& host, Setup setup, const RunOptions& options, Settings settings,
          WatchedFiles files, const LogPlace& log_place, const Logger& logger) {
  ReloadGate gate;
  Server server(
      std::move(setup), options, log_place, logger,
      [&] { return answer_reload(gate, [&] { host.request_reload(); }); },
      [&] { host.request_maintenance(); });
  server.show_settings(std::move(settings));
  Reloader reloader(std::move(files), gate, server, logger);
  if (const auto started = server.start(PortPatience(host, *logger)); !started)
    return host.cannot_start({.message = started.error()});
  logger->write(Event::kStarted, std::string("winperf_exporter ") + kVersion + " samples " +
                                     counted(server.config().countersets.size(), "counterset") +
                                     " and listens on " + server.urls());
  host.running(server.urls());
  // Twice in a row: after the machine has slept, the first check sees a clock that has jumped.
  int stuck_looks = 0;
  const auto poll = [&]() -> std::optional<std::chrono::milliseconds> {
    const auto pause = reloader.poll();
    logger->report_suppressed();
    stuck_looks = server.is_stuck() ? stuck_looks + 1 : 0;
    if (!server.is_sampling() || stuck_looks == 2) return std::nullopt;
    return pause;
  };
  host.wait(
      {.reload = [&] { reloader.reload(); }, .maintain = [&] { server.maintain(); }, .poll = poll});
  gate.close();
  // Ends the program, because serving its last sample permanently would look healthy. A failure's
  // exit code makes the host restart it.
  const bool stuck = server.is_stuck();
  if (stuck) logger->write(Event::kSamplingStuck, "the last sample has not been completed");
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
  return serve(host, *std::move(setup), options, std::move(used->settings), std::move(files),
               log_place, *logger);
}

}  // namespace winperf
