// PDH that says what a test makes of the truth, and the machine that it reads: the standard one,
// and an object with instances of the same name and values near the ends of their widths.
//
// Each verification has a machine and clocks of its own. Thread rule: one thread.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/pdh/pdh_verifier.h"
#include "tests/simulator/pdh_double.h"
#include "tests/simulator/registry_source.h"
#include "tests/simulator/standard_machine.h"

namespace winperf::testing {

inline constexpr std::uint32_t kPdhNoData = 0x800007D5;  // PDH_NO_DATA

// PDH, but for what the hooks change. Those that are empty change nothing.
class ChangedPdh final : public PdhApi {
 public:
  struct Hooks {
    std::function<void(std::vector<std::string>&)> objects{};
    std::function<void(PdhItems&)> items{};
    std::function<void(std::vector<PdhDefinition>&)> definitions{};
    // A collection, and the true one before it: itself, if it's the first.
    std::function<void(PdhCollection&, const PdhCollection&)> values{};
    std::function<bool()> fails{};  // asked before each collection
  };
  ChangedPdh(simulator::Machine& machine, Hooks hooks)
      : truth_(machine), hooks_(std::move(hooks)) {}

  std::expected<std::vector<std::string>, Error> objects() override {
    auto said = truth_.objects();
    if (said && hooks_.objects) hooks_.objects(*said);
    return said;
  }
  std::expected<PdhItems, Error> items(const PdhObject& object) override {
    auto said = truth_.items(object);
    if (said && hooks_.items) hooks_.items(*said);
    return said;
  }
  std::expected<std::vector<PdhDefinition>, Error> open(const PdhQuery& query) override {
    before_.reset();
    auto said = truth_.open(query);
    if (said && hooks_.definitions) hooks_.definitions(*said);
    return said;
  }
  std::expected<PdhCollection, Error> collect() override {
    if (hooks_.fails && hooks_.fails())
      return std::unexpected(
          Error{.code = ErrorCode::kOsError, .where = kPdhCollect, .os_code = kPdhNoData});
    auto said = truth_.collect();
    if (!said || !hooks_.values) return said;
    const PdhCollection now = *said;
    hooks_.values(*said, before_.value_or(now));
    before_ = now;
    return said;
  }
  void close() override { truth_.close(); }

 private:
  simulator::SimulatedPdh truth_;
  Hooks hooks_;
  std::optional<PdhCollection> before_;
};

// What the standard machine lacks: instances of the same name, and values near the ends of their
// widths.
inline std::shared_ptr<simulator::ObjectProvider> edge_provider(const simulator::Machine& machine) {
  constexpr std::uint32_t kEdge = 3'000;
  const auto build = [&machine](bool metadata) {
    ObjectBuilder object(kEdge);
    object.counter({.index = 3'002, .type = 0x10410400});
    object.counter({.index = 3'004, .type = 0x00010000});
    object.counter({.index = 3'006, .type = 0x00010100, .size = 8});
    object.counter({.index = 3'008, .type = 0x10410500, .size = 8});
    object.counter({.index = 3'010, .type = 0x30240500, .size = 8});
    if (metadata) return object.multi_instance().metadata();
    const auto passed =
        static_cast<std::uint64_t>(machine.now().time_100ns - simulator::Now{}.time_100ns);
    object.clock(ObjectTicks{1'000'000'000 + static_cast<std::int64_t>(passed)},
                 Frequency{10'000'000});
    for (std::uint64_t n = 1; n <= 3; ++n)
      object.instance({.name = n < 3 ? u"twin" : u"other",
                       .values = {(0xFFFF'FFFFU - 3'000'000 + passed / 8 * n) & 0xFFFF'FFFFU,
                                  0xFFFF'FFF0U - n, ~std::uint64_t{0} - 4 * n,
                                  0x7'0000'0000U * n + passed / 1'000 * n, 123'456'789 * n}});
    return object;
  };
  return std::make_shared<simulator::ObjectProvider>(
      simulator::PerformanceKey{
          .service = u"Edges", .object_list = {kEdge}, .supports_metadata = true},
      std::vector<simulator::ObjectProvider::Object>{{.index = kEdge, .build = build}},
      std::vector<std::pair<std::uint32_t, std::u16string>>{{3'000, u"Edge"},
                                                            {3'002, u"Wraps/sec"},
                                                            {3'004, u"Wide Size"},
                                                            {3'006, u"Huge Size"},
                                                            {3'008, u"Many/sec"},
                                                            {3'010, u"Age"}});
}

// Everything that differs, as text.
inline std::string text_of(const VerifiedByPdh& result) {
  std::string text = result.not_compared;
  for (const PdhDifference& found : result.comparison.differences)
    text += found.counter + '|' + found.instance + '|' + found.type + '|' + found.what + '|' +
            found.ours + '|' + found.pdh + '\n';
  for (const PdhKnown& known : result.comparison.known)
    text += "known: " + known.type + '|' + known.reason + '|' + std::to_string(known.values) + '\n';
  if (result.registry_error) text += "registry: " + describe(*result.registry_error) + '\n';
  if (result.pdh_error) text += "pdh: " + describe(*result.pdh_error) + '\n';
  return text;
}

// How time passes: between two looks at the clocks, and beyond what a pause was meant to take.
struct Pace {
  std::int64_t look_100ns = 0;
  int late_percent = 0;
};

class PdhOutsider : public ::testing::Test {
 protected:
  VerifiedByPdh verify(const std::string& object, ChangedPdh::Hooks hooks, Pace pace = {0, 1},
                       std::size_t rounds = 2) {
    std::int64_t passed = 0;
    simulator::Machine machine{[&] {
      passed += pace.look_100ns;
      simulator::Now now;
      now.perf_time += passed;
      now.time_100ns += passed;
      return now;
    }};
    simulator::furnish(machine);
    machine.add(edge_provider(machine));
    ChangedPdh pdh(machine, std::move(hooks));
    simulator::RegistrySource registry(machine, {});
    CatalogKeeper catalog(registry, Language::kEnglish, {});
    std::chrono::steady_clock::time_point now;
    const auto pause = [&](auto until, const auto&) {
      passed += std::chrono::nanoseconds(until - now).count() / 10'000 * (100 + pace.late_percent);
      now = until;
    };
    const ClockSource clocks{.steady_now = [&] { return now; },
                             .wall_now = [] { return Ticks100ns{}; },
                             .pause_until = pause};
    PdhVerifier verifier(registry, catalog, pdh, clocks, rounds);
    VerifiedByPdh result = verifier.verify(object, {});
    unlisted_ = verifier.unlisted_among(pdh.objects().value());
    return result;
  }

  std::vector<std::string> unlisted_;  // by the latest PDH, of what was verified
};

}  // namespace winperf::testing
