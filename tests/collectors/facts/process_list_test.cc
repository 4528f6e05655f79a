#include "collectors/facts/process_list.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace winperf {
namespace {

constexpr std::uint64_t kAddress = 0x7FF000000000;  // where the system wrote the bytes
constexpr std::size_t kName = 256;                  // where each entry has its name, from its begin
constexpr std::size_t kBytes = 320;                 // of an entry with its name

// Entries as 64-bit Windows writes them. Offsets of fields that are spoiled have names in tests.
struct List {
  std::vector<std::byte> bytes;

  template <class Number>
  void put(std::size_t at, Number number) {
    std::memcpy(bytes.data() + at, &number, sizeof number);
  }
  void add(const std::u16string& name, std::uint64_t id, std::uint64_t parent) {
    const std::size_t at = bytes.size();
    if (at > 0) put(at - kBytes, static_cast<std::uint32_t>(kBytes));
    bytes.resize(at + kBytes);
    put(at + 32, 133'536'836'965'000'000 + id);
    put(at + 56, static_cast<std::uint16_t>(name.size() * 2));
    put(at + 64, name.empty() ? std::uint64_t{0} : kAddress + at + kName);
    put(at + 80, id);
    put(at + 88, parent);
    put(at + 100, std::uint32_t{1});
    std::memcpy(bytes.data() + at + kName, name.data(), name.size() * 2);
  }
  std::expected<std::vector<ProcessEntry>, Error> parsed() const {
    return parse_process_list(bytes, kAddress);
  }
};

List two_processes() {
  List list;
  list.add(u"", 0, 0);
  list.add(u"smss.exe", 468, 4);
  return list;
}

ErrorCode code_of(const List& list) {
  const auto parsed = list.parsed();
  return parsed ? ErrorCode::kOsError : parsed.error().code;
}

TEST(ProcessListTest, Entries_AreRead) {
  const auto parsed = two_processes().parsed();
  ASSERT_TRUE(parsed) << describe(parsed.error());
  ASSERT_EQ(parsed->size(), 2u);
  EXPECT_EQ((*parsed)[0].file_name, u"");
  EXPECT_EQ((*parsed)[1].file_name, u"smss.exe");
  EXPECT_EQ((*parsed)[1].process_id, 468u);
  EXPECT_EQ((*parsed)[1].parent_id, 4u);
  EXPECT_EQ((*parsed)[1].session_id, 1u);
  EXPECT_EQ((*parsed)[1].created, 133'536'836'965'000'468u);
}

TEST(ProcessListTest, NameOutsideTheBytes_IsLeftOut) {
  const std::uint64_t end = kAddress + 2 * kBytes;
  for (const std::uint64_t place :
       {std::uint64_t{0}, kAddress - 1, end - 15, end + 1, ~std::uint64_t{0}}) {
    List list = two_processes();
    list.put(kBytes + 64, place);
    const auto parsed = list.parsed();
    ASSERT_TRUE(parsed) << place;
    EXPECT_EQ((*parsed)[1].file_name, u"") << place;
    EXPECT_EQ((*parsed)[1].process_id, 468u) << place;
  }
  List list = two_processes();
  list.put(kBytes + 64, end - 16);  // just inside
  EXPECT_EQ(list.parsed()->at(1).file_name.size(), 8u);
}

TEST(ProcessListTest, NextEntryElsewhere_IsAnError) {
  List list = two_processes();
  list.put(0, std::uint32_t{103});  // inside of this one
  EXPECT_EQ(code_of(list), ErrorCode::kBadLength);
  list.put(0, std::uint32_t{2 * kBytes + 1});
  EXPECT_EQ(code_of(list), ErrorCode::kBadOffset);
  list.put(0, std::uint32_t{0xFFFFFFFF});
  EXPECT_EQ(code_of(list), ErrorCode::kBadOffset);
  list.put(0, std::uint32_t{2 * kBytes});  // to the end
  EXPECT_EQ(code_of(list), ErrorCode::kTruncated);
}

TEST(ProcessListTest, EveryTruncatedLength_IsHandled) {
  const List whole = two_processes();
  for (std::size_t length = 0; length < whole.bytes.size(); ++length) {
    // In memory of its own, so that AddressSanitizer sees reads past its end.
    const List cut{
        {whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(length)}};
    EXPECT_EQ(cut.parsed().has_value(), length >= kBytes + 104) << length;
  }
}

}  // namespace
}  // namespace winperf
