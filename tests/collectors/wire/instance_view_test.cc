#include "collectors/wire/block_view.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "collectors/wire/v1_format.h"
#include "tests/support/block_builder.h"
#include "tests/support/byte_writer.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using testing::ByteVector;
using testing::ObjectBuilder;

struct WalkedInstances {
  std::vector<InstanceView> instances;
  std::vector<Error> errors;
};

// The instances of the first object; the bytes have to outlive them.
WalkedInstances walk_instances(const ByteVector& bytes, const ParseLimits& limits = {}) {
  WalkedInstances walked;
  const auto block = BlockView::parse(bytes, limits);
  const auto object = block ? block->objects().next() : std::nullopt;
  if (!object || !*object) {
    ADD_FAILURE() << "no object";
    return walked;
  }
  InstanceWalk instances = (*object)->instances();
  while (const auto instance = instances.next()) {
    if (*instance) walked.instances.push_back(**instance);
    if (!*instance) walked.errors.push_back(instance->error());
  }
  EXPECT_FALSE(instances.next()) << "the walk stays at its end";
  return walked;
}

std::vector<std::string> names(const WalkedInstances& walked) {
  std::vector<std::string> result;
  for (const InstanceView& instance : walked.instances) result.push_back(instance.name().text);
  return result;
}

using Names = std::vector<std::string>;

BuiltBlock processor() {
  return BlockBuilder()
      .add(ObjectBuilder(238)
               .counter({.index = 6, .type = 0x21510500, .size = 8})
               .instance({.name = u"0", .values = {10}})
               .instance({.name = u"1", .values = {20}})
               .instance({.name = u"_Total", .values = {30}}))
      .build();
}

const CounterDefinition kFirstCounter{.type = CounterType{0x21510500}, .size = 8, .offset = 8};

TEST(InstanceView, ReadsNameParentUniqueIdAndBlock) {
  const auto bytes =
      BlockBuilder()
          .add(ObjectBuilder(232)
                   .counter({.index = 6, .type = 0x20510500, .size = 8})
                   .instance(
                       {.name = u"3", .values = {7}, .parent_object = 230, .parent_position = 12})
                   .instance({.values = {8}, .unique_id = 0x80000001}))
          .bytes();
  const WalkedInstances walked = walk_instances(bytes);
  ASSERT_EQ(walked.instances.size(), 2U);
  const InstanceView& named = walked.instances[0];
  EXPECT_EQ(named.name(), (Text{"3", 0}));
  EXPECT_EQ(named.parent_object(), ObjectIndex{230});
  EXPECT_EQ(named.parent_position(), 12U);
  EXPECT_EQ(named.unique_id(), std::nullopt);
  EXPECT_EQ(named.block().read(kFirstCounter), 7U);
  const InstanceView& numbered = walked.instances[1];
  EXPECT_EQ(numbered.name(), Text{});
  EXPECT_EQ(numbered.unique_id(), 0x80000001U);
  EXPECT_EQ(numbered.block().read(kFirstCounter), 8U);
}

TEST(InstanceView, NameIsDecodedByTheObjectsCodePage) {
  const auto object = [](std::uint32_t code_page) {
    return ObjectBuilder(4000)
        .code_page(code_page)
        .counter({.index = 4002})
        .instance({.name = u"caf\u00e9"});
  };
  EXPECT_EQ(walk_instances(BlockBuilder().add(object(0)).bytes()).errors.size(), 0U);
  const auto utf16 = BlockBuilder().add(object(0)).bytes();
  EXPECT_EQ(names(walk_instances(utf16)), Names{"caf\xC3\xA9"});
  const auto western = BlockBuilder().add(object(1252)).bytes();
  EXPECT_EQ(names(walk_instances(western)), Names{"caf\xC3\xA9"});
  const auto japanese = BlockBuilder().add(object(932)).bytes();
  EXPECT_EQ(walk_instances(japanese).instances.at(0).name(), (Text{"caf\xEF\xBF\xBD", 1}));
}

// Of an object whose names are in one code page, and that says another one.
Names names_told(std::uint32_t in, std::uint32_t told,
                 const std::vector<std::u16string>& instances) {
  ObjectBuilder object(4000);
  object.code_page(in).counter({.index = 4002});
  for (const std::u16string& name : instances) object.instance({.name = name});
  const BuiltBlock built = BlockBuilder().add(object).build();
  return names(walk_instances(built.with(built.objects[0].offset + v1::object::kCodePage, told)));
}

TEST(InstanceView, NamesShowInWhichCodePageTheyAreIfTheObjectIsDamaged) {
  const std::vector<std::u16string> digits{u"0", u"1", u"_Total"};
  for (const std::uint32_t told : {0U, 1U, 1252U, 65001U, 0x10000U, 0xFFFFFFFFU}) {
    EXPECT_EQ(names_told(0, told, digits), (Names{"0", "1", "_Total"})) << told;
    EXPECT_EQ(names_told(0, told, {u"\u0414\u0438\u0441\u043a", u"_Total"}),
              (Names{"\u0414\u0438\u0441\u043a", "_Total"}))
        << told << ", of which only the second one shows it";
    EXPECT_EQ(names_told(1252, told, digits), (Names{"0", "1", "_Total"})) << told;
    EXPECT_EQ(names_told(1252, told, {u"HarddiskVolume1"}), Names{"HarddiskVolume1"}) << told;
  }
}

TEST(InstanceView, ACodePageThatNoNameContradictsIsBelieved) {
  EXPECT_EQ(names_told(1252, 1252, {u"caf\u00e9", u"_Total"}), (Names{"caf\u00e9", "_Total"}));
  EXPECT_EQ(names_told(0, 0, {u"\u7f51\u7edc"}), Names{"\u7f51\u7edc"});
  EXPECT_EQ(names_told(0, 0, {u"\u6261"}), Names{"\u6261"}) << "which is \"ab\" otherwise";
}

TEST(InstanceView, NameNeedsNoNulAndEndsAtTheFirst) {
  const BuiltBlock built = processor();
  const std::size_t total = built.objects[0].instances[2].offset;
  const auto without_nul = built.with(total + v1::instance::kNameLength, 12);
  EXPECT_EQ(names(walk_instances(without_nul)).at(2), "_Total");
  // "_T" and a NUL, with "tal" left after it.
  const auto stale = built.with(total + v1::instance::kBytes + 4, 0x00740000);
  EXPECT_EQ(names(walk_instances(stale)).at(2), "_T");
  // With the padding counted in.
  const auto padded = built.with(total + v1::instance::kNameLength, 16);
  EXPECT_EQ(names(walk_instances(padded)).at(2), "_Total");
}

TEST(InstanceView, AnyNameOffsetWillDoWhereThereIsNoName) {
  const BuiltBlock built =
      BlockBuilder()
          .add(ObjectBuilder(9000).counter({.index = 9002}).instance({.unique_id = 5}))
          .build();
  const auto bytes =
      built.with(built.objects[0].instances[0].offset + v1::instance::kNameOffset, 0xFFFFFFFF);
  const WalkedInstances walked = walk_instances(bytes);
  ASSERT_EQ(walked.instances.size(), 1U);
  EXPECT_EQ(walked.instances[0].unique_id(), 5U);
}

TEST(InstanceWalk, ViolationsKeepTheInstancesBefore) {
  struct Row {
    const char* what;
    std::size_t offset;  // within the second instance, or its block
    bool in_block;
    std::uint32_t value;
    ErrorCode code;
  };
  const Row rows[] = {
      {"length zero", v1::instance::kByteLength, false, 0, ErrorCode::kBadLength},
      {"length 23", v1::instance::kByteLength, false, 23, ErrorCode::kBadLength},
      {"length past the object", v1::instance::kByteLength, false, 4096, ErrorCode::kTruncated},
      {"largest length", v1::instance::kByteLength, false, 0xFFFFFFFF, ErrorCode::kTruncated},
      {"name past the definition", v1::instance::kNameOffset, false, 40, ErrorCode::kTruncated},
      {"largest name offset", v1::instance::kNameOffset, false, 0xFFFFFFFF, ErrorCode::kTruncated},
      {"name too long", v1::instance::kNameLength, false, 9, ErrorCode::kTruncated},
      {"name above the limit", v1::instance::kNameLength, false, 0xFFFFFFFF,
       ErrorCode::kLimitExceeded},
      {"block length zero", v1::counter_block::kByteLength, true, 0, ErrorCode::kBadLength},
      {"block length 3", v1::counter_block::kByteLength, true, 3, ErrorCode::kBadLength},
      {"block past the object", v1::counter_block::kByteLength, true, 4096, ErrorCode::kTruncated},
      {"largest block", v1::counter_block::kByteLength, true, 0xFFFFFFFF, ErrorCode::kTruncated},
  };
  const BuiltBlock built = processor();
  const BuiltBlock::Instance second = built.objects[0].instances[1];
  for (const Row& row : rows) {
    const std::size_t start = row.in_block ? second.block_offset : second.offset;
    const auto bytes = built.with(start + row.offset, row.value);
    const WalkedInstances walked = walk_instances(bytes);
    EXPECT_EQ(names(walked), Names{"0"}) << row.what;
    ASSERT_EQ(walked.errors.size(), 1U) << row.what;
    EXPECT_EQ(walked.errors[0].code, row.code) << row.what << ": " << describe(walked.errors[0]);
    EXPECT_GE(walked.errors[0].offset, second.offset) << row.what;
  }
}

TEST(InstanceWalk, MoreInstancesCountedThanThereAreIsAProblemBehindThem) {
  const BuiltBlock built = processor();
  for (const std::uint32_t count : {4U, 5'000'000U, 0x7FFFFFFFU}) {
    const auto bytes = built.with(built.objects[0].offset + v1::object::kNumInstances, count);
    const WalkedInstances walked = walk_instances(bytes);
    EXPECT_EQ(names(walked), (Names{"0", "1", "_Total"})) << count;
    ASSERT_EQ(walked.errors.size(), 1U) << count;
    EXPECT_EQ(walked.errors[0].code, ErrorCode::kBadCount);
    EXPECT_EQ(walked.errors[0].actual, count);
    EXPECT_EQ(walked.errors[0].limit, 3U);
  }
}

TEST(InstanceWalk, MoreInstancesThanTheLimitIsAnErrorBehindThem) {
  const auto bytes = processor().bytes;
  const WalkedInstances walked = walk_instances(bytes, {.instances_per_object = 2});
  EXPECT_EQ(names(walked), (Names{"0", "1"}));
  ASSERT_EQ(walked.errors.size(), 1U);
  EXPECT_EQ(walked.errors[0].code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(walked.errors[0].actual, 3U);
}

TEST(InstanceWalk, ZeroInstancesHasNoneWhateverFollows) {
  const auto bytes = BlockBuilder()
                         .add(ObjectBuilder(238).counter({.index = 6}).multi_instance().slack(40))
                         .bytes();
  const WalkedInstances walked = walk_instances(bytes);
  EXPECT_TRUE(walked.instances.empty());
  EXPECT_TRUE(walked.errors.empty());
}

TEST(InstanceWalk, SlackBehindTheLastInstanceIsNoProblem) {
  const auto bytes = BlockBuilder()
                         .add(ObjectBuilder(238)
                                  .counter({.index = 6})
                                  .instance({.name = u"0", .values = {1}})
                                  .slack(24))
                         .bytes();
  const WalkedInstances walked = walk_instances(bytes);
  EXPECT_EQ(names(walked), Names{"0"});
  EXPECT_TRUE(walked.errors.empty());
}

TEST(InstanceWalk, AnInstanceNeverReachesIntoTheNextObject) {
  const BuiltBlock built =
      BlockBuilder()
          .add(ObjectBuilder(238).counter({.index = 6}).instance({.name = u"0", .values = {1}}))
          .add(ObjectBuilder(2).counter({.index = 10}).single({1}))
          .build();
  const std::size_t block = built.objects[0].instances[0].block_offset;
  const auto reach = static_cast<std::uint32_t>(built.objects[1].offset - block + 8);
  const WalkedInstances walked = walk_instances(built.with(block, reach));
  EXPECT_TRUE(walked.instances.empty());
  ASSERT_EQ(walked.errors.size(), 1U);
  EXPECT_EQ(walked.errors[0].code, ErrorCode::kTruncated);
}

}  // namespace
}  // namespace winperf
