// The command `run`, the program's composition root: reads the configuration, opens the log, then
// samples and serves until its host stops it. Thread rule: the host's thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exporter/http/router.h"
#include "service/log/logging.h"
#include "service/run/file_watch.h"
#include "service/run/server.h"
#include "service/run/service_host.h"

namespace winperf {

// The error lists the problems, one per line.
using ReloadOutcome = std::expected<void, std::string>;

// Lets any thread request a reload of the configuration and wait for its outcome, which the
// reloading thread reports here.
//
// A reload that began before a request may have read the file before it was changed. A request
// therefore waits for a reload that begins later; several waiting requests share one.
// Thread rule: any thread; perform() by one.
class ReloadGate {
 public:
  // Calls `request`, which must make another thread call perform(), and waits for the outcome.
  // Nothing after the timeout, or if the gate is closed.
  [[nodiscard]] std::optional<ReloadOutcome> ask(const std::function<void()>& request,
                                                 std::chrono::milliseconds timeout);
  // Calls `reload`, then `report` with the outcome, then wakes those who wait. An exception from
  // `reload` counts as a failure; the program continues.
  void perform(const std::function<ReloadOutcome()>& reload,
               const std::function<void(const ReloadOutcome&)>& report = {});
  // Ends all waiting, now and later.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  ReloadOutcome last_;
  bool closed_ = false;
};

// The configuration's file and others that it depends on, each watched since before it was read.
// Thread rule: one thread.
class WatchedFiles {
 public:
  explicit WatchedFiles(std::string config_file);

  // Watches these, too; whether one is new. Files already watched are left alone: they may have
  // changed.
  bool add(const std::vector<std::string>& files);
  // Watches a file from now on, then reads it. `others`: gets the names of those that aren't the
  // configuration's.
  ReadFile reader(std::vector<std::string>& others);

  std::string config_file;
  FileWatch config;
  std::vector<std::pair<std::string, FileWatch>> others{};
};

// Reads the configuration again, or only the web configurations that it names, and reports the
// outcome to the requester, the log and the metrics. A file that is invalid, or can't be applied,
// changes nothing. It is tried again when it changes, or a file that it names.
//
// Every file is watched before it is read, so that no change is lost in between. Thread rule: one
// thread, the server's.
class Reloader {
 public:
  // `files`: those of the server's configuration; without a file every reload fails. Other files
  // that it names are watched from now on, and read when the server starts. `gate` and `server`
  // must outlive the reloader.
  Reloader(WatchedFiles files, ReloadGate& gate, Server& server, Logger logger);

  // Between two polls. A file has settled if it is the same after the short one.
  static constexpr std::chrono::seconds kBusyInterval{1};
  static constexpr std::chrono::seconds kCalmInterval{5};

  void reload();
  // Reloads if the file has changed and reload.on_change is set; web configurations, certificates
  // and keys in any case. Also maintains the server. Returns the time until the next call, which is
  // short only while something is changing, since nothing else needs this thread.
  std::chrono::milliseconds poll();

 private:
  // The last attempt to use other files, which is repeated if one of them changes.
  struct Attempt {
    std::vector<std::string> files{};
    bool has_failed = false;
  };

  ReloadOutcome load_and_apply();
  ReloadOutcome load_web_and_apply();
  void reload_web();
  void watch_for(Attempt& attempt, const std::vector<std::string>& files);
  void watch_no_others();
  void check_files();
  void report(const ReloadOutcome& outcome, const std::string& what);

  WatchedFiles files_;
  Attempt of_config_;  // failed only if it is one that names files
  Attempt of_web_;
  ReloadGate& gate_;
  Server& server_;
  const Logger logger_;
};

// The response to POST /-/reload: 200, 500 with all errors, or 503 if it takes too long. `request`
// must make another thread call Reloader::reload(). Thread rule: any thread.
PlainAnswer answer_reload(ReloadGate& gate, const std::function<void()>& request);

// Returns the process's exit code. Errors before the start go to ServiceHost::cannot_start().
int run_server(ServiceHost& host, const RunOptions& options);

}  // namespace winperf
