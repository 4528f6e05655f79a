// Each limit of the parser, with data that is one below it, at it, and one above it.
#include "collectors/wire/parse_limits.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "collectors/wire/block_view.h"
#include "collectors/wire/v2/data_view.h"
#include "collectors/wire/v2/registration.h"
#include "tests/simulator/v2_bytes.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::ByteVector;
using testing::ObjectBuilder;

bool is_limit(const Error& error) { return error.code == ErrorCode::kLimitExceeded; }

// The problems of all objects, counters and instances of a V1 block.
bool block_exceeds(const ByteVector& bytes, const ParseLimits& limits) {
  const auto block = BlockView::parse(bytes, limits);
  if (!block) return is_limit(block.error());
  bool exceeds = false;
  ObjectWalk objects = block->objects();
  while (const auto object = objects.next()) {
    if (!*object) {
      exceeds = exceeds || is_limit(object->error());
      continue;
    }
    if (const auto problem = (*object)->counters().problem) exceeds = exceeds || is_limit(*problem);
    InstanceWalk instances = (*object)->instances();
    while (const auto instance = instances.next())
      exceeds = exceeds || (!*instance && is_limit(instance->error()));
  }
  return exceeds;
}

bool reply_exceeds(const simulator::Bytes& bytes, const ParseLimits& limits) {
  const auto data = v2::DataView::parse(bytes, limits);
  if (!data) return is_limit(data.error());
  bool exceeds = false;
  v2::ResultWalk results = data->results();
  while (const auto result = results.next()) {
    if (!*result) {
      exceeds = exceeds || is_limit(result->error());
      continue;
    }
    v2::RowWalk rows = (*result)->rows();
    v2::RowWalk::Row row;
    auto more = rows.next(row);
    while (more && *more) more = rows.next(row);
    exceeds = exceeds || (!more && is_limit(more.error()));
  }
  return exceeds;
}

ObjectBuilder object_with(std::uint32_t counters, std::uint32_t instances) {
  ObjectBuilder made(2);
  for (std::uint32_t i = 0; i < counters; ++i) made.counter({.index = 4 + 2 * i});
  for (std::uint32_t i = 0; i < instances; ++i) made.instance({.name = u"abc"});
  return made;
}

simulator::CountersetDefinition set_of(std::uint32_t counters) {
  simulator::CountersetDefinition set;
  for (std::uint32_t i = 0; i < counters; ++i) set.counters.push_back({.id = i});
  return set;
}

simulator::Bytes reply(std::uint32_t counters, std::size_t instances,
                       const std::u16string& name = u"abc") {
  const simulator::CountersetDefinition set = set_of(counters);
  simulator::ResultTable table{.counterset = set, .columns = {}, .rows = {}};
  for (std::uint32_t i = 0; i < counters; ++i) table.columns.push_back(i);
  for (std::uint32_t i = 0; i < instances; ++i)
    table.rows.push_back({name, i, std::vector<std::uint64_t>(counters)});
  const std::vector<simulator::Bytes> results{simulator::table_result(table)};
  return simulator::data_reply({}, results);
}

// Data that holds `size` of something, how the limit of that is set, and whether it is exceeded.
struct Row {
  const char* name;
  std::uint32_t size;
  std::function<void(ParseLimits&, std::uint32_t)> set;
  std::function<bool(const ParseLimits&)> exceeds;
};

void set_block(ParseLimits& limits, std::uint32_t value) { limits.block_bytes = value; }
void set_objects(ParseLimits& limits, std::uint32_t value) { limits.objects = value; }
void set_counters(ParseLimits& limits, std::uint32_t value) { limits.counters_per_object = value; }
void set_instances(ParseLimits& limits, std::uint32_t value) {
  limits.instances_per_object = value;
}
void set_name(ParseLimits& limits, std::uint32_t value) { limits.name_bytes = value; }

std::vector<Row> rows() {
  const ByteVector block = BlockBuilder().add(object_with(3, 4)).add(object_with(3, 0)).bytes();
  const auto in_block = [=](const ParseLimits& limits) { return block_exceeds(block, limits); };
  const simulator::Bytes data = reply(3, 4);
  const auto in_reply = [=](const ParseLimits& limits) { return reply_exceeds(data, limits); };
  const auto in_registration = [](const ParseLimits& limits) {
    const auto parsed = v2::parse_counterset(simulator::counterset_info(set_of(3)), limits);
    return !parsed && is_limit(parsed.error());
  };
  const auto in_strings = [](const ParseLimits& limits) {
    const std::vector<std::pair<std::uint32_t, std::u16string>> texts{{1, u"a"}, {2, u"b"}};
    const auto table = v2::parse_string_table(simulator::string_table(texts), limits);
    return !table.problems.empty() && is_limit(table.problems.front());
  };
  const std::vector<simulator::InstanceValues> instances{{u"abc", 1, {}}, {u"de", 2, {}}};
  const auto in_list = [=](const ParseLimits& limits) {
    const auto list = v2::parse_instances(simulator::instance_list(instances), limits);
    return !list.problems.empty() && is_limit(list.problems.front());
  };
  return {{"bytes of a block", static_cast<std::uint32_t>(block.size()), set_block, in_block},
          {"bytes of a V2 reply", static_cast<std::uint32_t>(data.size()), set_block, in_reply},
          {"objects", 2, set_objects, in_block},
          {"counters of an object", 3, set_counters, in_block},
          {"counters of a V2 result", 3, set_counters, in_reply},
          {"counters of a registration", 3, set_counters, in_registration},
          {"names of counters", 2, set_counters, in_strings},
          {"instances of an object", 4, set_instances, in_block},
          {"instances of a V2 result", 4, set_instances, in_reply},
          {"instances of a V2 list", 2, set_instances, in_list},
          {"bytes of a name", 8, set_name, in_block},
          {"bytes of a V2 name", 8, set_name, in_reply},
          {"bytes of a name in a V2 list", 8, set_name, in_list}};
}

TEST(ParseLimits, EachHoldsToTheNumber) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.name);
    EXPECT_FALSE(row.exceeds({}));
    for (const std::uint32_t limit : {row.size - 1, row.size, row.size + 1}) {
      ParseLimits limits;
      row.set(limits, limit);
      EXPECT_EQ(row.exceeds(limits), limit < row.size) << limit;
    }
  }
}

TEST(ParseLimits, OfARowWithoutInstancesIsOne) {
  ParseLimits limits;
  limits.instances_per_object = 1;
  const auto set = set_of(1);
  const std::vector<simulator::Bytes> results{simulator::table_result(
      {.counterset = set, .columns = {0}, .rows = {{.values = {7}}}, .has_instances = false})};
  const auto bytes = simulator::data_reply({}, results);
  EXPECT_FALSE(reply_exceeds(bytes, limits));
}

TEST(ElementCount, CountsWhatIsTakenAndWhatIsLeft) {
  const ByteVector bytes(8);
  const ByteView some(bytes, "test"), none(std::span<const std::byte>{}, "test");
  for (const std::uint32_t counted : {0U, 1U, 3U}) {
    ElementCount count(counted, 2);
    for (std::uint32_t taken = 0; taken < counted; ++taken) {
      EXPECT_FALSE(count.done());
      EXPECT_EQ(count.taken(), taken);
      EXPECT_EQ(count.counted(), counted);
      const auto problem = count.problem(some);
      EXPECT_EQ(problem.has_value(), taken == 2);
      if (problem) {
        EXPECT_EQ(problem->code, ErrorCode::kLimitExceeded);
        EXPECT_EQ(problem->actual, counted);
        EXPECT_EQ(problem->limit, 2U);
      } else {
        EXPECT_EQ(count.problem(none)->code, ErrorCode::kBadCount);
        EXPECT_EQ(count.problem(none)->actual, counted);
        EXPECT_EQ(count.problem(none)->limit, taken);
      }
      count.take();
    }
    EXPECT_TRUE(count.done());
  }
  ElementCount stopped(5, 10);
  stopped.stop();
  EXPECT_TRUE(stopped.done());
}

}  // namespace
}  // namespace winperf
