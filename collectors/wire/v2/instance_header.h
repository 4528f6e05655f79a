// PERF_INSTANCE_HEADER: an instance's id and name, in data and in lists of instances.
//
// Validated: Size is at least 8 and within the bytes. A name without a NUL ends with the header;
// name_problem() tells. Not validated: the name's text (what cannot be decoded becomes U+FFFD),
// uniqueness, alignment of Size: data begins where it says.
// Errors: kBadLength, kTruncated, kLimitExceeded.
// Lifetime: not longer than the bytes.
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
  ByteView bytes;  // all of it: equal bytes mean the same instance
  std::uint32_t id = 0;

  // `rest`: from the start of the header to the end of its container.
  static std::expected<InstanceHeader, Error> parse(const ByteView& rest,
                                                    const ParseLimits& limits);
  std::string name() const;  // UTF-8
  // kBadText where the name is not terminated.
  std::optional<Error> name_problem() const;
  std::size_t byte_length() const { return bytes.size(); }
};

// What PerfEnumerateCounterSetInstances gives: headers, one behind the other.
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
