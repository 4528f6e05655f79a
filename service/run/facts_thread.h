// Reads what is not a counter, on a thread of its own, until a stop is requested or the object is
// destroyed. A changed configuration takes effect between two readings; topics that stay as they
// were continue without a gap. Thread rule: created and used by one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "collectors/base/background_thread.h"
#include "collectors/base/changes.h"
#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/facts/fact_keeper.h"
#include "config/config.h"
#include "exporter/textfile/textfile_source.h"
#include "service/log/logging.h"

namespace winperf {

// What the configuration wants that a profile shows.
std::vector<PlannedFacts> make_fact_plan(const Config& config);

class FactsThread {
 public:
  using MakeSource = std::function<std::unique_ptr<FactSource>(const Config&)>;

  // `slot` must outlive this object. `make_source` is called on the new thread, and again when
  // workers or limits change.
  FactsThread(SharedConfig config, FactSlot& slot, Logger logger, ClockSource clocks,
              MakeSource make_source);

  void change(SharedConfig config);
  void request_stop() { thread_.request_stop(); }
  // False if the thread still waits for a source at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const {
    return thread_.ended_by(deadline);
  }
  // "facts about textfile": what is read now. Any thread.
  std::string subject() const;

 private:
  void run();
  void read(const StopToken& stop);
  // Reads what is due; returns when the next topic is.
  SteadyTime step(FactKeeper& keeper, FactSource& source, const StopToken& stop);
  // Names text files, and their folders, that have begun to be trouble, or no longer are.
  void log_textfiles();

  SharedConfig config_;  // used by the thread alone
  FactSlot& slot_;
  const Logger logger_;
  const ClockSource clocks_;
  const MakeSource make_source_;
  // Created and used by the thread, but not destroyed: to free what is known of many files takes
  // time, and nothing waits for other people's code then.
  std::unique_ptr<TextfileSource> files_;
  std::set<std::string> troubles_;                  // of text files, that were logged
  std::atomic<const FactTopicInfo*> now_{nullptr};  // what is read

  Changes<SharedConfig> changes_;
  BackgroundThread thread_;
};

}  // namespace winperf
