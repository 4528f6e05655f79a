// A machine that has the counterset "Shop", with one counter and no instances, through the registry
// and via PerfLib: the values differ, so that a test sees which path was read.
#pragma once

#include <chrono>
#include <optional>

#include "collectors/base/stop.h"
#include "collectors/catalog/catalog.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/sampling/perflib/fake_perflib.h"
#include "tests/support/block_builder.h"

namespace winperf::testing {

inline constexpr std::uint64_t kRegistryValue = 7, kPerflibValue = 8;

class TwoPaths {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TwoPaths() {
    source.names = {{100, u"Shop"}, {102, u"Open"}, {200, u"Bakery"}};
    source.replies["100"] = {block(100, kRegistryValue)};
    source.replies["200"] = {block(200, kRegistryValue)};
    perflib.countersets = {{.guid = kShop,
                            .name = u"Shop",
                            .instance_type = v2::InstanceType::kSingle,
                            .counters = {{.id = 1, .name = u"Open"}}}};
    perflib.result = [this](const v2::CounterRequest&) { return result(kPerflibValue); };
  }

  static Bytes block(std::uint32_t object, std::uint64_t value) {
    return BlockBuilder()
        .add(ObjectBuilder(object).counter({.index = 102}).single({value}))
        .bytes();
  }
  simulator::Bytes result(std::uint64_t value) const {
    return simulator::table_result({.counterset = perflib.countersets.front(),
                                    .columns = {0},
                                    .rows = {{.values = {value}}},
                                    .has_instances = false});
  }
  CatalogKeeper& catalog() {
    if (!catalog_) catalog_.emplace(source, Language::kEnglish, now);
    return *catalog_;
  }
  PerflibConnection& connection() {
    if (!connection_) connection_.emplace(perflib.source, Language::kEnglish, now);
    return *connection_;
  }
  // Of simulated time.
  ClockSource clocks() {
    return {.steady_now = [this] { return now; },
            .wall_now = [this] { return Ticks100ns{now.time_since_epoch().count() / 100}; },
            .pause_until = [this](Time time, const StopToken&) { now = time; }};
  }

  FakeSource source;
  FakePerflib perflib;
  Time now{};

 private:
  std::optional<CatalogKeeper> catalog_;
  std::optional<PerflibConnection> connection_;
};

}  // namespace winperf::testing
