#include "tests/support/sample_logs.h"

namespace winperf::testing {
namespace {

constexpr std::uint64_t kTime = 128'315'796'386'590'000;

ByteVector processor_block(std::uint64_t value) {
  return BlockBuilder()
      .add(ObjectBuilder(238)
               .counter({.index = 6, .type = 0x21510500, .size = 8})
               .instance({.name = u"0", .values = {value}}))
      .bytes();
}

ByteVector memory_block(std::uint64_t value) {
  return BlockBuilder().add(ObjectBuilder(4).counter({.index = 24}).single({value})).bytes();
}

BuiltLog whole_objects() {
  BlgBuilder log(1024);
  log.system_event().new_buffer();
  log.record(36, name_record_bytes(u"\\\\HOST-01", {u"1", u"1847", u"4", u"Memory"}));
  log.record(36,
             name_record_bytes(u"\\\\HOST-01", {u"6", u"% Processor Time", u"238", u"Processor"}));
  log.record(
      32, counter_list_bytes({{.object = u"Processor", .instance = u"*"}, {.object = u"Memory"}}));
  for (const std::uint64_t value : {1000U, 2000U, 3000U})
    log.record(34, sample_bytes({{.body = processor_block(value)}, {.body = memory_block(value)}}),
               300);
  log.record(35, ByteVector(40));
  return log.build();
}

BuiltLog mixed() {
  BlgBuilder log(1536);
  log.record(
      32,
      counter_list_bytes(
          {{.object = u"Memory", .counter = u"Available Bytes", .wildcard = 0, .type = 0x00010100},
           {.object = u"Thread", .instance = u"0", .parent = u"svc"},
           {.object = u"Memory"}}));
  for (const std::uint64_t value : {1000U, 2000U}) {
    log.record(34, sample_bytes({{1, counter_body({.first = value}, kTime, 1)},
                                 {2, instances_body({{u"a", {.first = value}},
                                                     {u"bc", {.status = 7, .second = value}}},
                                                    kTime)},
                                 {5, memory_block(value)},
                                 {9, ByteVector(12)}}));
  }
  return log.build();
}

}  // namespace

std::vector<NamedLog> sample_logs() {
  return {{"whole_objects", whole_objects()}, {"mixed", mixed()}};
}

}  // namespace winperf::testing
