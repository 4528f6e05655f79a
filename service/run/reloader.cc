#include "service/run/reloader.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/wording.h"
#include "config/document.h"

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

namespace {

// As long as Prometheus waits for a scrape.
constexpr std::chrono::seconds kReloadTimeout{10};

// As a file is that somebody has begun to write, or for which a disk had no room: it would mean the
// default configuration, at every address of the machine.
bool is_blank(const std::filesystem::path& file) {
  const auto text = read_config_file(file);
  const auto document = text ? read_document(*text) : std::unexpected(TextError{});
  return document && document->root.kind == NodeKind::kNull;
}

}  // namespace

Reloader::Reloader(std::string config_file, FileWatch watch, ReloadGate& gate, Server& server,
                   Logger logger)
    : config_file_(std::move(config_file)),
      watch_(std::move(watch)),
      gate_(gate),
      server_(server),
      logger_(std::move(logger)) {
  watch_also(web_files(server_.config()));
}

void Reloader::reload() {
  bool is_good = false;
  gate_.perform(
      [this] {
        watch_.seen();
        return load_and_apply();
      },
      [&](const ReloadOutcome& outcome) {
        is_good = outcome.has_value();
        report(outcome, config_file_);
      });
  if (is_good) of_config_.has_failed = of_web_.has_failed = false;
  watch_no_others();
  server_.maintain();
}

// Those that are watched already go on: they may have changed meanwhile. Whether there are others.
bool Reloader::watch_also(const std::vector<std::string>& files) {
  const std::size_t before = web_watches_.size();
  for (const std::string& file : files)
    if (std::ranges::none_of(web_watches_, [&](const auto& one) { return one.first == file; }))
      web_watches_.emplace_back(file, FileWatch(path_of(file)));
  return web_watches_.size() != before;
}

void Reloader::watch_for(Attempt& attempt, const std::vector<std::string>& files) {
  attempt.files.insert(attempt.files.end(), files.begin(), files.end());
  watch_also(files);
}

// But for those that are used, and those that an attempt lacked.
void Reloader::watch_no_others() {
  std::vector<std::string> files = web_files(server_.config());
  for (const Attempt* const attempt : {&of_config_, &of_web_})
    if (attempt->has_failed)
      files.insert(files.end(), attempt->files.begin(), attempt->files.end());
  std::erase_if(web_watches_, [&](const auto& one) {
    return std::ranges::find(files, one.first) == files.end();
  });
}

void Reloader::reload_web() {
  const auto outcome = load_web_and_apply();
  report(outcome, "the web configuration");
  of_web_.has_failed = !outcome;
  watch_no_others();
}

void Reloader::poll() {
  server_.maintain();
  const bool on_change = server_.config().reload.on_change;
  if (watch_.settled_change() && on_change) return reload();
  const std::vector<std::string> used = web_files(server_.config());
  // A file that names others may have changed just before the server read it.
  bool use_has_changed = watch_also(used);
  bool has_changed = use_has_changed;
  for (auto& [file, watch] : web_watches_) {
    if (!watch.settled_change()) continue;
    has_changed = true;
    use_has_changed = use_has_changed || std::ranges::find(used, file) != used.end();
  }
  // While a new configuration is no good, the one in use still follows its own files. What is said
  // last is of the new one.
  if (use_has_changed || (has_changed && of_web_.has_failed)) reload_web();
  if (has_changed && of_config_.has_failed && on_change) reload();
}

ReloadOutcome Reloader::load_and_apply() {
  if (config_file_.empty())
    return std::unexpected(
        "there is no configuration file to reload: the program runs without --config");
  of_config_ = {};
  if (is_blank(path_of(config_file_)))
    return std::unexpected(config_file_ +
                           ": is empty, which only a restart of the program puts into effect");
  const auto named = load_config_alone(path_of(config_file_));
  if (named) watch_for(of_config_, web_files(*named));
  of_config_.has_failed = named.has_value();  // until it has succeeded
  const auto config = load_config(config_file_);
  if (!config) return std::unexpected(config.error().message);
  if (const auto used = with_overrides(*config, server_.overrides()))
    watch_for(of_config_, web_files(*used));
  return server_.apply(*config);
}

ReloadOutcome Reloader::load_web_and_apply() {
  of_web_ = {};
  const auto next = with_web_files(server_.config());
  if (!next) return std::unexpected(next.error());
  watch_for(of_web_, web_files(*next));
  return server_.apply(*next);
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
  const auto outcome = gate.ask(request, kReloadTimeout);
  if (!outcome) return {503, "not reloaded yet; the log will have the outcome\n"};
  if (!*outcome) return {500, "not reloaded: " + outcome->error() + '\n'};
  return {200, "reloaded\n"};
}

}  // namespace winperf
