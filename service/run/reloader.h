// Reads the configuration again, and reports the outcome to the requester, the log and the metrics.
// A file that is invalid, or can't be applied, changes nothing.
#pragma once

#include <functional>
#include <string>

#include "exporter/http/router.h"
#include "service/log/logging.h"
#include "service/run/file_watch.h"
#include "service/run/reload_gate.h"
#include "service/run/server.h"

namespace winperf {

// Thread rule: one thread, the server's.
class Reloader {
 public:
  // If `config_file` is empty, every reload fails. `watch` was created on the file before it was
  // read. `gate` and `server` must outlive the reloader.
  Reloader(std::string config_file, FileWatch watch, ReloadGate& gate, Server& server,
           Logger logger);

  void reload();
  // Reloads if the file has changed and reload.on_change is set. Also maintains the server.
  void poll();

 private:
  ReloadOutcome load_and_apply();
  void report(const ReloadOutcome& outcome);

  const std::string config_file_;
  FileWatch watch_;
  ReloadGate& gate_;
  Server& server_;
  const Logger logger_;
};

// The response to POST /-/reload: 200, 500 with everything that is wrong, or 503 if it takes too
// long. `request` must make another thread call Reloader::reload(). Thread rule: any thread.
Response answer_reload(ReloadGate& gate, const std::function<void()>& request);

}  // namespace winperf
