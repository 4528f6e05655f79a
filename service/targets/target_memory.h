// What is remembered of targets (recorder.targets of the configuration): each has a recorder of its
// own, with the same share of recorder.memory as this machine. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/recorder/recorder.h"
#include "config/config.h"

namespace winperf {

// One target's recent past. It outlives a change of the target's configuration.
class TargetMemory {
 public:
  // What is more than that is forgotten.
  void change_budget(std::size_t bytes);
  // Of one target and module. While its configuration changes, two lanes may have such a sample.
  void add(const Sample& sample);
  // Null while there is nothing.
  std::shared_ptr<const recorder::History> history() const { return recorder_.history(); }

 private:
  std::mutex mutex_;  // the recorder has one writer at a time
  recorder::Recorder recorder_{0};
};

struct RecordedTarget {
  std::string host;  // host_key()
  std::string module;
  bool operator==(const RecordedTarget&) const = default;
};
// Those that both `targets` and recorder.targets name, each once.
[[nodiscard]] std::vector<RecordedTarget> recorded_targets(const Config& config);

// The memory of all recorders together, in bytes.
[[nodiscard]] std::size_t recorder_budget(const Config& config);
// The memory of the recorder of one machine.
[[nodiscard]] std::size_t recorder_share(const Config& config);

}  // namespace winperf
