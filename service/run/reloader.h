// Reads the configuration again, and tells how that went: whoever asked, the log, the metrics.
// A bad file, or one that cannot be carried out, changes nothing.
#pragma once

#include <functional>
#include <string>

#include "exporter/http/router.h"
#include "service/log/logging.h"
#include "service/run/file_watch.h"
#include "service/run/reload_gate.h"
#include "service/run/server.h"

namespace winperf {

// Thread rule: one thread, that of the exporter.
class Reloader {
 public:
  // `config_file` may be empty: then there is nothing to read again, which is said. `watch` is on
  // the file, from before it was read. What is referred to outlives the reloader.
  Reloader(std::string config_file, FileWatch watch, ReloadGate& gate, Server& exporter,
           Logger logger);

  void reload();
  // Reloads if the file has changed and that is wanted. Also polls after the exporter's listeners.
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

// To POST /-/reload: 200, or 500 with what is wrong, or 503 if it takes too long. `request` has
// Reloader::reload() called, on another thread. Any thread.
Response answer_reload(ReloadGate& gate, const std::function<void()>& request);

}  // namespace winperf
