// Every prefix of every log, and every 32-bit field set to every suspicious value: an error or a
// valid result, and nothing read outside the bytes (the address sanitizer sees to that).
#include <gtest/gtest.h>

#include <string>

#include "tests/support/log_reading.h"
#include "tests/support/sample_logs.h"
#include "tests/support/thorough.h"

namespace winperf {
namespace {

using testing::BuiltLog;

constexpr std::uint32_t kSuspicious[] = {0,  1,  7,    8,          24,         52,        71,
                                         72, 73, 1025, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};

void check(const BuiltLog& log, const std::string& what) {
  testing::read_all_of_log(log.text(), [&what](bool holds, const char* property) {
    ASSERT_TRUE(holds) << property << ": " << what;
  });
}

TEST(HostileLogs, TheBuiltOnesAreSound) {
  for (const auto& [name, log] : testing::sample_logs()) check(log, name);
}

TEST(HostileLogs, EveryPrefix) {
  for (const auto& [name, log] : testing::sample_logs()) {
    for (std::size_t size = 0; size <= log.bytes.size(); size += testing::tried_every(7))
      check(log.cut_to(size), name + " cut to " + std::to_string(size));
  }
}

TEST(HostileLogs, EveryField) {
  for (const auto& [name, log] : testing::sample_logs()) {
    for (std::size_t at = 0; at + 4 <= log.bytes.size(); at += 4 * testing::tried_every(19)) {
      for (const std::uint32_t value : kSuspicious)
        check(log.with(at, value),
              name + " with " + std::to_string(value) + " at " + std::to_string(at));
    }
  }
}

// The fields of an event's header are smaller, and its size decides where all others are.
TEST(HostileLogs, EveryByteOfEveryEventHeader) {
  for (const auto& [name, log] : testing::sample_logs()) {
    for (const std::size_t event : log.events) {
      for (std::size_t at = event; at < event + 72; at += testing::tried_every(13)) {
        for (const int value : {0, 1, 7, 8, 71, 72, 0x7F, 0x80, 0xC0, 0xFF})
          check(log.with_byte(at, static_cast<std::uint8_t>(value)),
                name + " with " + std::to_string(value) + " at " + std::to_string(at));
      }
    }
  }
}

}  // namespace
}  // namespace winperf
