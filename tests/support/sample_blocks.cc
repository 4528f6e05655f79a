#include "tests/support/sample_blocks.h"

namespace winperf::testing {
namespace {

constexpr std::uint32_t kText = 0x00000B00;
constexpr std::uint32_t kNoData = 0x40000200;
constexpr std::uint32_t kBulkCount = 0x10410500;
constexpr std::uint32_t k100nsTimerInverse = 0x21510500;
// Declared as 4 bytes wide by its type; disks deliver 8.
constexpr std::uint32_t kAverageTimer = 0x30020400;
constexpr std::uint32_t kAverageBase = 0x40030402;

ObjectBuilder memory() {
  return ObjectBuilder(4)
      .counter({.index = 28, .type = 0x10410400})
      .counter({.index = 24, .type = 0x00010100, .size = 8})
      .single({1'613'340, 83'587'072});
}

ObjectBuilder processor() {
  return ObjectBuilder(238)
      .counter({.index = 6, .type = k100nsTimerInverse, .size = 8})
      .counter({.index = 148, .type = 0x10410400})
      .instance({.name = u"0", .values = {1000, 7}})
      .instance({.name = u"_Total", .values = {1000, 7}});
}

ObjectBuilder disk() {
  return ObjectBuilder(234)
      .counter({.index = 206, .type = kAverageTimer, .size = 8})
      .counter({.index = 206, .type = kAverageBase})
      .counter({.index = 220, .type = kBulkCount, .size = 8})
      .clock({128'315'940'386'625'891}, {10'000'000})
      .instance({.name = u"0 C:", .values = {5, 2, 4096}})
      .slack(16);
}

ObjectBuilder process() {
  return ObjectBuilder(230)
      .counter({.index = 784})
      .instance({.name = u"svchost", .values = {812}})
      .instance({.name = u"svchost", .values = {900}});
}

ObjectBuilder thread() {
  return ObjectBuilder(232)
      .counter({.index = 804})
      .counter({.index = 1, .type = kText, .size = 12})
      .counter({.index = 3, .type = kNoData, .size = 0})
      .instance({.name = u"0", .values = {1}, .parent_object = 230, .parent_position = 1})
      .instance({.values = {2}, .parent_object = 230, .parent_position = 9, .unique_id = 17});
}

ObjectBuilder narrow_names() {
  return ObjectBuilder(4000)
      .code_page(1252)
      .counter({.index = 4002})
      .instance({.name = u"caf\u00e9 \u0080", .values = {1}});
}

}  // namespace

std::vector<NamedBlock> sample_blocks() {
  return {
      {"no objects", BlockBuilder().build()},
      {"single", BlockBuilder().add(memory()).build()},
      {"multiple", BlockBuilder().add(processor()).build()},
      {"multiple without instances",
       BlockBuilder().add(ObjectBuilder(1000).counter({.index = 1002}).multi_instance()).build()},
      {"parents and unique ids", BlockBuilder().add(process()).add(thread()).build()},
      {"shared widths and a clock", BlockBuilder().add(disk()).build()},
      {"code page", BlockBuilder().add(narrow_names()).build()},
      {"metadata", BlockBuilder().add(memory().metadata()).add(processor().metadata()).build()},
      {"several objects in a larger buffer",
       BlockBuilder().add(memory()).add(processor()).add(disk()).trailing(64).build()},
  };
}

}  // namespace winperf::testing
