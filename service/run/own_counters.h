// Publishes the exporter's own counters for perfmon and other monitors of this machine, by the road
// that the configuration names (ADR 0027).
//
// A state is published after each sample, and by the main thread every few seconds, so that one
// whose sampling hangs is seen to hang. Publishing never waits and never fails the caller: where a
// road can't be opened, one message of the log says why, and the next state tries again.
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "config/config.h"
#include "exporter/counters/own_state.h"
#include "exporter/text/exporter_registry.h"
#include "service/log/logging.h"
#include "service/run/own_numbers.h"

namespace winperf {

struct ShownState {
  // Under which it is shown: its own, or a greater one where the sink has had that already.
  std::uint64_t number = 0;
  // Why something is missing of it nevertheless: sentences without a full stop, each once.
  std::vector<std::string> problems{};
  std::uint64_t missing = 0;  // how many parts, also where the reason was said before
};

// Where states go: the shared section, or PerfLib. Destroyed, it shows nothing any more. Thread
// rule: one thread at a time.
class StateSink {
 public:
  StateSink() = default;
  StateSink(const StateSink&) = delete;
  StateSink& operator=(const StateSink&) = delete;
  virtual ~StateSink() = default;

  // The error, a sentence like the problems: nothing is shown.
  [[nodiscard]] virtual std::expected<ShownState, std::string> show(const own::OwnState& state) = 0;
};

// What a platform has for it. Null: the road doesn't exist there, and nothing is published, which
// is no failure.
struct OwnPlatform {
  using OpenSink = std::function<std::expected<std::unique_ptr<StateSink>, std::string>()>;

  OpenSink v1{};
  OpenSink v2{};
  // Ticks per second of the performance counter, by which consumers divide (QueryPerformance-
  // Frequency).
  std::int64_t frequency = kTicks100nsPerSecond;
};

// Of this system; elsewhere than on Windows it has no road.
OwnPlatform own_platform();
// The shared section at that place (exporter/counters/shared_section.h).
OwnPlatform::OpenSink section_at(std::string place);
// PerfLib (exporter/counters/v2_provider.h).
OwnPlatform::OpenSink perflib_provider();

class OwnCounters {
 public:
  // `facts`: everything but the sample, by the thread that publishes. The slot, the registry and
  // what `facts` uses must outlive this.
  OwnCounters(OwnPlatform platform, const SampleSlot& slot, ExporterRegistry& registry,
              Ticks100ns started, Logger logger, std::function<OwnFacts()> facts);

  // From the next state on. The road before is closed at once.
  void change(OwnCountersRoad road);
  void publish();
  // For good.
  void close();

 private:
  [[nodiscard]] std::expected<void, std::string> show();
  const OwnPlatform::OpenSink* road() const;
  void report(const std::string& trouble);

  const OwnPlatform platform_;
  const SampleSlot& slot_;
  ExporterRegistry& registry_;
  const Logger logger_;
  const std::function<OwnFacts()> facts_;

  std::mutex mutex_;
  OwnNumbers numbers_;
  OwnCountersRoad road_ = OwnCountersRoad::kNone;
  std::unique_ptr<StateSink> sink_;
  std::uint64_t number_ = 0;  // of the last state
  std::uint64_t failures_ = 0;
  std::string trouble_;  // that the log has; empty while all is well
};

}  // namespace winperf
