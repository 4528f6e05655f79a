#include "tests/support/sample_logs.h"

#include "tests/support/blg_v2.h"

namespace winperf::testing {
namespace {

constexpr std::uint64_t kTime = 128'315'796'386'590'000;
constexpr std::uint64_t kUtc = kTime + 4 * 36'000'000'000;

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
           {.object = u"Thread",
            .instance = u"*",
            .counter = u"% Processor Time",
            .parent = u"svc",
            .wildcard = 1,
            .type = 0x20510500},
           {.object = u"Memory"}}));
  for (const std::uint64_t value : {1000U, 2000U}) {
    log.record(34,
               sample_bytes({{1, counter_body({.first = value}, kTime, 1)},
                             {2, instances_body({{u"a", {.first = value, .second = kUtc + value}},
                                                 {u"bc", {.status = 7, .second = value}}},
                                                kTime)},
                             {5, memory_block(value)},
                             {9, ByteVector(12)}}));
  }
  return log.build();
}

ListedCounter counter(std::u16string machine, std::u16string object,
                      std::optional<std::u16string> instance, std::u16string name,
                      std::uint32_t type) {
  return {.machine = std::move(machine),
          .object = std::move(object),
          .instance = instance,
          .counter = std::move(name),
          .wildcard = instance == u"*" ? 1U : 0U,
          .type = type,
          .time_base = 10'000'000};
}

// Of two machines; with a trace header, and a counter list that changes part way.
BuiltLog counters() {
  BlgBuilder log(2048);
  log.trace_header({.bias = 300}).new_buffer();
  log.record(36, name_record_bytes(u"\\\\TWO", {u"4", u"Memory"}));
  const ListedCounter faults = counter(u"\\\\ONE", u"Memory", {}, u"Faults/sec", 0x1041'0400);
  const ListedCounter of_two = counter(u"\\\\TWO", u"Memory", {}, u"Faults/sec", 0x1041'0400);
  const ListedCounter busy = counter(u"\\\\ONE", u"Disk", u"*", u"% Busy", 0x2057'0500);
  const ListedCounter id = counter(u"\\\\TWO", u"Process", u"a#1", u"ID Process", 0x0001'0000);
  log.record(32, counter_list_bytes({faults, busy, of_two, id}), 600);
  for (const std::uint64_t value : {1U, 2U}) {
    log.record(34, sample_bytes({{1, counter_body({.first = value, .second = value}, kTime, 1)},
                                 {2, instances_body({{u"0/C:", {.first = value, .second = kUtc}},
                                                     {u"x", {.status = 0x8000'07D1}}},
                                                    kTime, true)},
                                 {1, counter_body({.status = 0x8000'07D5}, kTime, 1)},
                                 {1, counter_body({.first = 7}, kTime, 1)}}));
  }
  log.record(32, counter_list_bytes({of_two, faults}));
  log.record(34, sample_bytes({{1, counter_body({.first = 9}, kTime, 1)}}));
  return log.build();
}

// The list, the names and the registrations come after the samples.
BuiltLog circular() {
  const V2CountersetSpec things{
      .guid = 1,
      .name = u"Things",
      .counters = {{.id = 1, .type = 0x4002'0500, .name = u"Avg", .base_id = 3},
                   {.id = 3, .type = 0x4003'0402, .name = std::nullopt}}};
  BlgBuilder log(1024);
  log.trace_header({.bias = 60, .circular = true}).new_buffer();
  const auto add = [&](std::uint64_t number) {
    const V2ClockSpec clock{.perf_time = number, .time_100ns = kUtc + number};
    log.at(kTime + number * 10'000'000)
        .record(34,
                sample_bytes({{21, v2_reply_bytes(things, {{u"a", {number, 2 * number}}}, clock)},
                              {21, v2_error_bytes(232)},
                              {1, counter_body({.first = number}, kTime, 1)}}));
  };
  add(2);
  add(3);
  log.record(36, name_record_bytes(u"\\\\HOST-01", {u"4", u"Memory"}));
  log.record(38, registration_record_bytes(things));
  log.record(38, registration_record_bytes({.guid = 2, .name = u"Empty"}));
  log.record(32, counter_list_bytes(
                     {listed_counterset(things),
                      listed_counterset({.guid = 2, .name = u"Empty"}),
                      {.object = u"Memory", .counter = u"n", .wildcard = 0, .type = 0x0001'0000}}));
  log.new_buffer();
  add(1);
  return log.build();
}

}  // namespace

std::vector<NamedLog> sample_logs() {
  return {{"whole_objects", whole_objects()},
          {"mixed", mixed()},
          {"counters", counters()},
          {"circular", circular()}};
}

}  // namespace winperf::testing
