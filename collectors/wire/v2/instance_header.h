// PERF_INSTANCE_HEADER: an instance's id and name, in data and in lists of instances.
//
// Validated: Size is at least 8 and within the bytes. A name without a NUL ends with the header,
// which name_problem() reports. Not validated: the name's text (what can't be decoded becomes
// U+FFFD), uniqueness, and the alignment of Size, since data begins where Size says.
// Errors: kBadLength, kTruncated, kLimitExceeded.
// Lifetime: not longer than the bytes. Thread rule: immutable.
// Source: Learn, PERF_INSTANCE_HEADER.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/parse_limits.h"

namespace winperf::v2 {

struct InstanceHeader {
  ByteView bytes;  // header and name: equal bytes mean the same instance
  std::uint32_t id = 0;

  // `rest`: from the start of the header to the end of its container.
  [[nodiscard]] static std::expected<InstanceHeader, Error> parse(const ByteView& rest,
                                                                  const ParseLimits& limits);
  std::string name() const;  // UTF-8
  // kBadText if the name is not terminated.
  std::optional<Error> name_problem() const;
  std::size_t byte_length() const { return bytes.size(); }
};

// The reply of PerfEnumerateCounterSetInstances: headers, one after another.
struct InstanceList {
  struct Entry {
    std::uint32_t id = 0;
    std::string name;
  };
  std::vector<Entry> all;
  std::vector<Error> problems;
};

InstanceList parse_instances(std::span<const std::byte> bytes, const ParseLimits& limits = {});

}  // namespace winperf::v2
