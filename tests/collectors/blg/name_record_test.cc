#include "collectors/blg/log_records.h"

#include <gtest/gtest.h>

#include "collectors/wire/name_table.h"
#include "tests/support/blg_builder.h"

namespace winperf::blg {
namespace {

using testing::ByteVector;
using testing::name_record_bytes;

ErrorCode name_refusal(const ByteVector& record) {
  const auto names = read_name_record(record);
  return names ? ErrorCode::kOsError : names.error().code;
}

TEST(NameRecord, SplitsMachineAndPairs) {
  const ByteVector record = name_record_bytes(u"\\\\HOST-01", {u"2", u"System", u"4", u"Memory"});
  const auto names = read_name_record(record);
  ASSERT_TRUE(names);
  EXPECT_EQ(names->machine, "HOST-01");
  const NameTable table = NameTable::parse(names->pairs);
  ASSERT_NE(table.find(4), nullptr);
  EXPECT_EQ(*table.find(4), "Memory");
  EXPECT_EQ(table.entries().size(), 2U);
}

TEST(NameRecord, MayHaveNoPairs) {
  const auto names = read_name_record(name_record_bytes(u"\\\\HOST-01", {}));
  ASSERT_TRUE(names);
  EXPECT_TRUE(names->pairs.empty());
}

TEST(NameRecord, RefusesWhatHasNoMachine) {
  EXPECT_EQ(name_refusal({}), ErrorCode::kBadText);
  EXPECT_EQ(name_refusal(ByteVector(1)), ErrorCode::kBadText);
  EXPECT_EQ(name_refusal(name_record_bytes(u"2", {u"System"})), ErrorCode::kBadText);
  EXPECT_EQ(name_refusal(name_record_bytes(u"", {u"2"})), ErrorCode::kBadText);
}

TEST(NameRecord, RefusesTextThatWouldRunIntoTheNextRecord) {
  ByteVector record = name_record_bytes(u"\\\\HOST-01", {u"2", u"System"});
  record.resize(record.size() - 1);
  EXPECT_EQ(name_refusal(record), ErrorCode::kBadLength);
  record.resize(record.size() - 1);
  EXPECT_EQ(name_refusal(record), ErrorCode::kBadText);
}

}  // namespace
}  // namespace winperf::blg
