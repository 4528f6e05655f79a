// What the faulty provider delivers while it is honest, and what its data can be instead: shared by
// the DLL and by the simulated machine, so that both give the same bytes.
//
// It has two objects. "Faulty Device" has no instances, and its data is never spoilt. "Faulty
// Parts" has three, and a counter of each kind whose value depends on more than its own bytes:
//   Part Requests   a rate of 32 bits, which grows by 10 a second
//   Part Jobs       a number from 0 to 9
//   Part Busy       100 ns of the object's own clock, of which half are busy
// Titles are counted from the provider's first: see the symbols. Structures and fields have the
// names of winperf.h. Thread rule: any thread. Source: Learn, "Performance Data Format".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/providers/faulty/faulty_counters.h"

namespace faulty {

struct ObjectType {  // PERF_OBJECT_TYPE
  std::uint32_t TotalByteLength, DefinitionLength, HeaderLength;
  std::uint32_t ObjectNameTitleIndex, ObjectNameTitle, ObjectHelpTitleIndex, ObjectHelpTitle;
  std::uint32_t DetailLevel, NumCounters;
  std::int32_t DefaultCounter, NumInstances;
  std::uint32_t CodePage;
  std::int64_t PerfTime, PerfFreq;
};
static_assert(sizeof(ObjectType) == 64);

struct CounterDefinition {  // PERF_COUNTER_DEFINITION
  std::uint32_t ByteLength;
  std::uint32_t CounterNameTitleIndex, CounterNameTitle, CounterHelpTitleIndex, CounterHelpTitle;
  std::int32_t DefaultScale;
  std::uint32_t DetailLevel, CounterType, CounterSize, CounterOffset;
};
static_assert(sizeof(CounterDefinition) == 40);

struct InstanceDefinition {  // PERF_INSTANCE_DEFINITION
  std::uint32_t ByteLength, ParentObjectTitleIndex, ParentObjectInstance;
  std::int32_t UniqueID;
  std::uint32_t NameOffset, NameLength;
};
static_assert(sizeof(InstanceDefinition) == 24);

struct PartBlock {
  std::uint32_t ByteLength, requests, jobs, unused;
  std::int64_t busy;
};
static_assert(sizeof(PartBlock) == 24);

// The numbers that lodctr gave to the provider's first name and help text.
struct Titles {
  std::uint32_t first_counter = 0;
  std::uint32_t first_help = 0;
};

struct Part {
  std::u16string name;
  std::uint32_t requests = 0;
  std::uint32_t jobs = 0;
  std::int64_t busy = 0;
};

struct Counter {
  std::uint32_t symbol = 0;
  std::uint32_t type = 0;
  std::uint32_t size = 4;
  std::uint32_t offset = 0;
};

// The object "Faulty Parts", before it becomes bytes.
struct Parts {
  std::uint64_t tenths = 0;  // the time from which everything follows
  std::vector<Counter> counters;
  std::vector<Part> parts;
  bool without_instances = false;  // the first part's block alone
};
Parts honest_parts(std::uint64_t tenths);

// An object's bytes; without `data`, as a Metadata* query answers.
using Bytes = std::vector<std::byte>;
Bytes device_bytes(const Titles& titles, std::uint64_t tenths, bool data);
Bytes parts_bytes(const Titles& titles, const Parts& parts, bool data);

// Which objects a value name asks for.
struct Wanted {
  bool device = false;
  bool parts = false;
  bool metadata = false;
};
Wanted wanted_by(std::u16string_view query, const Titles& titles);

}  // namespace faulty
