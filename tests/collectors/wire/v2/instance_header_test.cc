#include "collectors/wire/v2/data_view.h"

#include <gtest/gtest.h>

#include "tests/simulator/v2_bytes.h"
#include "tests/support/block_builder.h"

namespace winperf::v2 {
namespace {

using testing::with_field;

simulator::Bytes header_of(std::u16string name, std::uint32_t id = 7) {
  const std::vector<simulator::InstanceValues> instances{{std::move(name), id, {}}};
  return simulator::instance_list(instances);
}

std::expected<InstanceHeader, Error> parse(const simulator::Bytes& bytes) {
  return InstanceHeader::parse(ByteView(bytes, "v2.instance"), {});
}

TEST(V2InstanceHeader, HasIdNameAndLength) {
  const auto bytes = header_of(u"abc", 42);
  const auto header = parse(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->id, 42U);
  EXPECT_EQ(header->name(), "abc");
  EXPECT_EQ(header->byte_length(), 16U);
  EXPECT_FALSE(header->name_problem().has_value());
}

TEST(V2InstanceHeader, ItsSizeIsAtLeastItsOwnAndWithinTheBytes) {
  const auto bytes = header_of(u"abc");
  struct Row {
    std::uint32_t size;
    std::optional<ErrorCode> error;
  };
  for (const Row& row :
       {Row{0, ErrorCode::kBadLength}, Row{7, ErrorCode::kBadLength}, Row{8, {}}, Row{15, {}},
        Row{16, {}}, Row{17, ErrorCode::kTruncated}, Row{0xFFFF'FFFF, ErrorCode::kLimitExceeded}}) {
    const auto spoilt = with_field(bytes, 0, row.size);
    const auto header = parse(spoilt);
    EXPECT_EQ(header.has_value(), !row.error) << row.size;
    if (!header) {
      EXPECT_EQ(header.error().code, *row.error) << row.size;
    }
  }
  for (std::size_t size = 0; size < 8; ++size) {
    const simulator::Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(parse(cut).error().code, ErrorCode::kTruncated);
  }
}

TEST(V2InstanceHeader, ANameThatIsTooLongIsReportedWithItsBytes) {
  const auto bytes = header_of(u"abc");
  ParseLimits limits;
  limits.name_bytes = 7;
  const auto header = InstanceHeader::parse(ByteView(bytes, "v2.instance"), limits);
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(header.error().actual, 8U);
  EXPECT_EQ(header.error().limit, 7U);
}

TEST(V2InstanceHeader, ANameEndsAtItsNulOrWithTheHeader) {
  const auto bytes = header_of(u"abc");
  for (const auto& [size, name, has_end] :
       std::vector<std::tuple<std::uint32_t, std::string, bool>>{{16, "abc", true},
                                                                 {15, "abc", false},
                                                                 {14, "abc", false},
                                                                 {12, "ab", false},
                                                                 {8, "", false}}) {
    const auto spoilt = with_field(bytes, 0, size);
    const auto header = parse(spoilt);
    ASSERT_TRUE(header) << size;
    EXPECT_EQ(header->name(), name) << size;
    EXPECT_EQ(!header->name_problem().has_value(), has_end) << size;
  }
}

TEST(V2Instances, AreListedUntilOneIsDamaged) {
  for (const std::size_t number : {0U, 1U, 2U, 5U}) {
    std::vector<simulator::InstanceValues> instances;
    for (std::uint32_t i = 0; i < number; ++i)
      instances.push_back({u"i" + std::u16string(i, u'x'), i, {}});
    const InstanceList list = parse_instances(simulator::instance_list(instances));
    ASSERT_EQ(list.all.size(), number);
    for (std::uint32_t i = 0; i < number; ++i) {
      EXPECT_EQ(list.all[i].id, i);
      EXPECT_EQ(list.all[i].name, "i" + std::string(i, 'x'));
    }
    EXPECT_TRUE(list.problems.empty());
  }
  const std::vector<simulator::InstanceValues> three{{u"a", 1, {}}, {u"b", 2, {}}, {u"c", 3, {}}};
  const auto spoilt = with_field(simulator::instance_list(three), 16, 4);
  const InstanceList list = parse_instances(spoilt);
  EXPECT_EQ(list.all.size(), 1U);
  ASSERT_EQ(list.problems.size(), 1U);
  EXPECT_EQ(list.problems[0].code, ErrorCode::kBadLength);
  EXPECT_EQ(list.problems[0].offset, 16U);
  const InstanceList endless = parse_instances(with_field(header_of(u"abc"), 0, 14));
  ASSERT_GE(endless.problems.size(), 1U);
  EXPECT_EQ(endless.problems[0].code, ErrorCode::kBadText) << "and the name is kept";
  EXPECT_EQ(endless.all.at(0).name, "abc");
}

}  // namespace
}  // namespace winperf::v2
