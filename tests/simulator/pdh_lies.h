// A PDH that is wrong in one way about one counter, and honest about all else. Each way has a name;
// pdh_lies.cc lists them.
//
// The environment variable WINPERF_SIMULATOR_PDH of a simulated executable has statements
// "COUNTERSET|COUNTER|WAY" or "COUNTERSET|COUNTER|WAY|INSTANCE", separated by ';'; without an
// instance, it is the first one. "crash" as the only text ends the process instead of answering.
// Thread rule: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/pdh/pdh_api.h"

namespace winperf::simulator {

inline constexpr const char* kPdhVariable = "WINPERF_SIMULATOR_PDH";

struct PdhLie {
  std::string counterset;
  std::string counter;
  std::string way;
  std::optional<std::string> instance{};
};

// All ways.
std::vector<std::string_view> pdh_ways();

// The error is a sentence.
std::expected<std::vector<PdhLie>, std::string> parse_pdh_lies(std::string_view text);

class LyingPdh final : public PdhApi {
 public:
  LyingPdh(std::unique_ptr<PdhApi> honest, std::vector<PdhLie> lies)
      : honest_(std::move(honest)), lies_(std::move(lies)) {}

  std::expected<std::vector<std::string>, Error> objects() override { return honest_->objects(); }
  std::expected<PdhItems, Error> items(const PdhObject& object) override;
  std::expected<std::vector<PdhDefinition>, Error> open(const PdhQuery& query) override;
  std::expected<PdhCollection, Error> collect() override;
  void close() override { honest_->close(); }

 private:
  std::unique_ptr<PdhApi> honest_;
  std::vector<PdhLie> lies_;
  std::string object_;         // of the open query
  PdhCollection before_;       // honest, of the same query
  std::size_t collected_ = 0;  // how often since it was opened
};

// Of the environment; ends the process with a message where the text is wrong.
std::unique_ptr<PdhApi> lying_as_environment_says(std::unique_ptr<PdhApi> honest);

}  // namespace winperf::simulator
