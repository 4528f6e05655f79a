// Documents about the program itself. Thread rule: pure functions; those in ServiceReports are
// called by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/model/clock.h"
#include "collectors/model/sample.h"
#include "collectors/model/worker_state.h"
#include "collectors/recorder/history.h"
#include "config/settings.h"
#include "exporter/api/api_query.h"

namespace winperf::api {

// A message of the log.
struct Message {
  Ticks100ns time;
  std::string_view level;  // as the configuration calls it
  std::string_view event;
  std::string subject{};  // may be empty
  std::string text{};
};

// A client that scrapes the metrics.
struct Scraper {
  std::string address{};
  std::string user_agent{};  // may be empty
  Ticks100ns last_scrape;
  double age_seconds = 0;
  std::optional<double> interval_seconds{};  // between its last two scrapes
  std::uint64_t scrapes = 0;
  std::uint64_t early_scrapes = 0;
  std::string_view format{};
  bool is_compressed = false;
};

// The configuration in use.
struct ConfigReport {
  std::string file{};  // empty: there is none
  std::function<std::shared_ptr<const Settings>()> settings{};
};

// What the program knows of itself. What is missing has no answer.
struct ServiceReports {
  // The last ones, the oldest first.
  std::function<std::vector<Message>()> messages{};
  // Those of them that charts mark.
  std::function<std::vector<Message>()> landmarks{};
  ConfigReport config{};
};

inline constexpr std::size_t kMostMessages = 1'000;
inline constexpr std::size_t kUsualMessages = 100;
inline constexpr std::size_t kMostInterruptions = 1'000;

// GET /api/v1/log: the last messages, or the last ones since a time.
//   {"messages": [{"time", "level", "event", "subject", "text"}]}
[[nodiscard]] std::expected<std::string, Problem> log_document(std::span<const Message> messages,
                                                               const Query& parameters,
                                                               Ticks100ns now);

// GET /api/v1/annotations: messages that charts mark, and where samples are missing.
//   {"annotations": [{"time", "until", "seconds", "kind", "subject", "text"}]}
// The kind of a message is its event; that of missing samples is "gap" or "clock_backwards".
// `history`: null if nothing is recorded.
[[nodiscard]] std::expected<std::string, Problem> annotations_document(
    std::span<const Message> landmarks, const recorder::History* history, const Query& parameters,
    Ticks100ns now);

// GET /api/v1/scrapers: {"scrapers": [{"address", "user_agent", ...}]}
std::string scrapers_document(std::span<const Scraper> scrapers);

// GET /api/v1/config: {"file": "...", "keys": [{"key", "value", "source", "line", "option"}]}
std::string config_document(std::string_view file, const Settings& settings);

// GET /api/v1/workers: {"workers": [...], "providers": [...]}, each as in the sample's document.
// `sample`, `facts`: null if there are none. `of_targets`: those that sample other machines.
std::string workers_document(const Sample* sample, const FactSnapshot* facts,
                             std::span<const WorkerState> of_targets);

}  // namespace winperf::api
