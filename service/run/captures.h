// Captures of what the recorder remembers that the program writes by itself: when a counterset
// begins to fail, when a counter crosses a bound, and at a stop.
//
// A thread makes and writes them; the sampling thread only says what has happened. While one is
// made, samples wait, of which only the latest is looked at then. Without such a
// configuration there is neither a thread nor a folder. Of what happens within kPause for the same
// reason, only the first is written, so that what flaps doesn't push it out. Failures go to the log
// and the metrics. Thread rule: change(), end_by() and the destructor belong to one thread, the
// notes to the sampling thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/background_thread.h"
#include "collectors/base/changes.h"
#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/model/sample.h"
#include "config/config.h"
#include "exporter/api/history_query.h"
#include "exporter/http/router.h"
#include "exporter/text/exporter_registry.h"
#include "service/log/logging.h"
#include "service/run/capture_files.h"
#include "service/run/counter_bounds.h"
#include "service/run/recording.h"

namespace winperf {

// Both are called by the captures' thread.
struct CaptureTools {
  std::function<std::shared_ptr<const Sample>()> sample;  // the latest; may be null
  std::function<std::expected<RecordingFile, RecordingProblem>(const api::RecordingQuery&,
                                                               const StopToken&)>
      make;
  std::string prefix;  // of the names of what it makes
};

// What has happened since the thread last looked.
struct CapturePlan {
  CapturesConfig config;
  std::filesystem::path folder;
};
struct CaptureNews {
  std::optional<CapturePlan> plan{};
  std::vector<std::string> failed{};  // countersets
  bool is_sampled = false;
};

// Of captures for one reason.
struct CapturePace {
  std::optional<SteadyTime> last{};  // that was written
  bool is_told = false;              // that another one was left out since then
  std::optional<SteadyTime> failed{};
};

class Captures {
 public:
  static constexpr std::chrono::minutes kPause{5};
  static constexpr std::chrono::minutes kRetryPause{1};  // after one that could not be written
  // Before the deadline of a stop, so that what is being made can end.
  static constexpr std::chrono::milliseconds kMargin{300};

  // `registry` must outlive this object.
  Captures(CaptureTools tools, Logger logger, ClockSource clocks, ExporterRegistry& registry);
  ~Captures();

  // `folder`: that of the configuration (captures_folder_of()).
  void change(const CapturesConfig& config, const std::filesystem::path& folder);

  // A counterset that could be read begins to fail. Written after the next note_sample(), so that
  // the capture has what was sampled at that time.
  void note_failure(const std::string& counterset) noexcept;
  // A sample was published, and recorded.
  void note_sample() noexcept;

  // Begins to write the capture of a stop, if it is configured.
  void request_stop() { thread_.request_stop(); }
  // Whether everything is written, or given up; shortly before the deadline, what is being made is
  // given up. False if the thread still waits for the folder at the deadline.
  [[nodiscard]] bool end_by(SteadyTime deadline);

 private:
  void run() noexcept;
  void work();
  void take(CaptureNews news);
  void tell(const std::exception& error) noexcept;
  void follow(CapturePlan plan);
  void look_at_counters();
  // False if none was written, because it is too soon, or for a reason that was told. `is_again`:
  // the same was tried before.
  bool capture(CaptureReason reason, const std::string& subject, const std::string& detail,
               bool is_again = false);
  bool is_too_soon(CaptureReason reason, const std::string& subject, bool is_again);
  // An archive, and how far it reaches back.
  struct Made {
    RecordingFile archive;
    std::chrono::milliseconds span{};
  };
  [[nodiscard]] std::expected<Made, std::string> make(Ticks100ns until,
                                                      std::chrono::milliseconds span) const;
  [[nodiscard]] std::expected<Made, std::string> make_at_stop(Ticks100ns until) const;
  [[nodiscard]] std::expected<std::string, std::string> write(CaptureReason reason);
  CapturePace& pace_of(CaptureReason reason) { return paces_.at(static_cast<std::size_t>(reason)); }

  const CaptureTools tools_;
  const Logger logger_;
  const ClockSource clocks_;
  ExporterRegistry& registry_;

  // What the sampling thread has to tell.
  std::atomic<bool> wants_failures_ = false;
  std::atomic<bool> wants_samples_ = false;
  std::vector<std::string> failed_;  // used by the sampling thread alone

  // Used by the thread alone.
  CapturesConfig config_;
  std::optional<CaptureFiles> files_;
  CounterBounds bounds_;
  std::array<CapturePace, kCaptureReasons.size()> paces_{};

  StopSource give_up_;
  Changes<CaptureNews> changes_;
  BackgroundThread thread_;
};

}  // namespace winperf
