#include "service/selftest/processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace winperf::selftest {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kProcess = 256;
constexpr std::size_t kThread = 80;

template <class Number>
void set(std::vector<std::byte>& bytes, std::size_t at, Number number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

// A process of the list with as many threads, each with these switches.
std::vector<std::byte> entry(std::uint64_t id, std::uint64_t parent, std::uint32_t threads,
                             std::uint32_t switches) {
  std::vector<std::byte> bytes(kProcess + threads * kThread);
  set(bytes, 4, threads);
  set(bytes, 40, std::uint64_t{20'000'000});
  set(bytes, 48, std::uint64_t{5'000'000});
  set(bytes, 80, id);
  set(bytes, 88, parent);
  set(bytes, 96, std::uint32_t{300});
  set(bytes, 200, std::uint64_t{1} << 24);
  for (std::uint32_t i = 0; i < threads; ++i) set(bytes, kProcess + i * kThread + 64, switches);
  return bytes;
}

std::vector<std::byte> list_of_two() {
  std::vector<std::byte> list = entry(100, 4, 3, 11);
  set(list, 0, static_cast<std::uint32_t>(list.size()));
  const auto second = entry(200, 100, 1, 7);
  list.insert(list.end(), second.begin(), second.end());
  return list;
}

TEST(Processes, OfWindowsList) {
  const auto processes = parse_processes(list_of_two());
  ASSERT_THAT(processes, SizeIs(2));
  EXPECT_EQ(processes[0].id, 100U);
  EXPECT_EQ(processes[0].parent, 4U);
  EXPECT_DOUBLE_EQ(processes[0].use.cpu_seconds.value_or(0), 2.5);
  EXPECT_EQ(processes[0].use.private_bytes, std::uint64_t{1} << 24);
  EXPECT_EQ(processes[0].use.handles, 300U);
  EXPECT_EQ(processes[0].use.threads, 3U);
  EXPECT_EQ(processes[0].switches, 33U);
  EXPECT_EQ(processes[1].parent, 100U);
  EXPECT_EQ(processes[1].switches, 7U);
}

TEST(Processes, ZeroIsUnknown) {
  std::vector<std::byte> list = entry(1, 0, 1, 0);
  set(list, 96, std::uint32_t{0});
  set(list, 200, std::uint64_t{0});
  const auto processes = parse_processes(list);
  ASSERT_THAT(processes, SizeIs(1));
  EXPECT_FALSE(processes[0].switches);
  EXPECT_FALSE(processes[0].use.handles);
  EXPECT_FALSE(processes[0].use.private_bytes);
}

TEST(Processes, AListThatIsCutAnywhereOnlyHasLess) {
  const auto whole = list_of_two();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::vector<std::byte> cut(whole.begin(),
                                     whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto processes = parse_processes(cut);
    EXPECT_LE(processes.size(), 2U);
    if (size < kProcess) {
      EXPECT_THAT(processes, IsEmpty());
    }
    if (size == kProcess) {
      EXPECT_FALSE(processes.at(0).switches);
    }
  }
}

TEST(Processes, AChainThatDoesNotGoForwardEnds) {
  for (const std::uint32_t next : {1U, 255U, 0xFFFFFFFFU}) {
    std::vector<std::byte> list = list_of_two();
    set(list, 0, next);
    EXPECT_THAT(parse_processes(list), SizeIs(1)) << next;
  }
  std::vector<std::byte> many = list_of_two();
  set(many, 4, std::uint32_t{0xFFFFFFFF});
  EXPECT_FALSE(parse_processes(many).at(0).switches);
}

}  // namespace
}  // namespace winperf::selftest
