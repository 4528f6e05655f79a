#include "tests/providers/sysperf/reply.h"

#include <cstring>

namespace sysperf {
namespace {

// mingw-w64's headers lack these constants for metadata replies.
constexpr LONG kMetadataMultipleInstances = -2;
constexpr LONG kMetadataNoInstances = -3;

LONG instance_count(bool multiple, bool metadata_only) {
  if (metadata_only) return multiple ? kMetadataMultipleInstances : kMetadataNoInstances;
  return multiple ? 0 : PERF_NO_INSTANCES;
}

PERF_COUNTER_DEFINITION definition(const CounterSpec& spec, FirstIndices first) {
  PERF_COUNTER_DEFINITION counter{};
  counter.ByteLength = sizeof counter;
  counter.CounterNameTitleIndex = first.counter + spec.symbol;
  counter.CounterHelpTitleIndex = first.help + spec.symbol;
  counter.DefaultScale = spec.default_scale;
  counter.DetailLevel = spec.detail;
  counter.CounterType = spec.type;
  counter.CounterSize = spec.size;
  counter.CounterOffset = spec.offset;
  return counter;
}

}  // namespace

void Reply::append(const void* data, size_t size) {
  const size_t at = bytes_.size();
  bytes_.resize(at + size);
  std::memcpy(bytes_.data() + at, data, size);
}

void Reply::begin_object(const ObjectSpec& spec, bool metadata_only, LONGLONG time_100ns) {
  begin_ = bytes_.size();
  header_ = {};
  header_.HeaderLength = sizeof header_;
  header_.DefinitionLength =
      static_cast<DWORD>(sizeof header_ + spec.counters.size() * sizeof(PERF_COUNTER_DEFINITION));
  header_.ObjectNameTitleIndex = first_.counter + spec.symbol;
  header_.ObjectHelpTitleIndex = first_.help + spec.symbol;
  header_.DetailLevel = PERF_DETAIL_NOVICE;
  header_.NumCounters = static_cast<DWORD>(spec.counters.size());
  header_.DefaultCounter = spec.default_counter;
  header_.NumInstances = instance_count(spec.multiple, metadata_only);
  header_.CodePage = 0;  // names are UTF-16
  header_.PerfTime.QuadPart = time_100ns;
  header_.PerfFreq.QuadPart = 10'000'000;
  append(&header_, sizeof header_);
  for (const CounterSpec& counter : spec.counters) {
    const PERF_COUNTER_DEFINITION counter_definition = definition(counter, first_);
    append(&counter_definition, sizeof counter_definition);
  }
}

void Reply::end_object() {
  header_.TotalByteLength = static_cast<DWORD>(bytes_.size() - begin_);
  std::memcpy(bytes_.data() + begin_, &header_, sizeof header_);
  ++objects_;
}

void Reply::add_instance_definition(std::wstring_view name) {
  const size_t name_bytes = (name.size() + 1) * sizeof(wchar_t);
  const size_t padding = (8 - (sizeof(PERF_INSTANCE_DEFINITION) + name_bytes) % 8) % 8;
  PERF_INSTANCE_DEFINITION instance{};
  instance.ByteLength = static_cast<DWORD>(sizeof instance + name_bytes + padding);
  instance.UniqueID = PERF_NO_UNIQUE_ID;
  instance.NameOffset = sizeof instance;
  instance.NameLength = static_cast<DWORD>(name_bytes);
  append(&instance, sizeof instance);
  append(name.data(), name.size() * sizeof(wchar_t));
  bytes_.resize(bytes_.size() + sizeof(wchar_t) + padding);  // terminator and padding are zero
  ++header_.NumInstances;
}

}  // namespace sysperf
