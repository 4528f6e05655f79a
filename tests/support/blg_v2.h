// Builds the records of whole V2 countersets in perfmon's binary logs: registrations, and items of
// kind 21. Each counter has 8 bytes in each instance.
// Source: docs/blg.md; Learn, "Perflib.h header".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/blg_builder.h"

namespace winperf::testing {

struct V2CounterSpec {
  std::uint32_t id = 1;
  std::uint32_t type = 0x0001'0100;           // PERF_COUNTER_LARGE_RAWCOUNT
  std::optional<std::u16string> name = u"N";  // nothing: it has none
  std::uint32_t base_id = 0xFFFF'FFFF;
};

struct V2CountersetSpec {
  std::uint8_t guid = 1;  // its first byte; the others are 0
  std::u16string name = u"Things";
  std::vector<V2CounterSpec> counters{{}};
};

struct V2RowSpec {
  std::u16string instance = u"a";
  std::vector<std::uint64_t> values;  // one for each counter
};

struct V2ClockSpec {
  std::uint64_t perf_time = 0;  // a ten-millionth of a second each
  std::uint64_t time_100ns = 0;
};

// Record type 38.
ByteVector registration_record_bytes(const V2CountersetSpec& counterset);

// Item kind 21.
ByteVector v2_reply_bytes(const V2CountersetSpec& counterset, const std::vector<V2RowSpec>& rows,
                          const V2ClockSpec& clock = {});
// Without data, as for a counterset without an active instance.
ByteVector v2_error_bytes(std::uint32_t status);

// As the list has an object that is collected as a whole.
ListedCounter listed_counterset(const V2CountersetSpec& counterset,
                                std::u16string machine = u"\\\\HOST-01");

}  // namespace winperf::testing
