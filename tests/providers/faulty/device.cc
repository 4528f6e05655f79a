#include "tests/providers/faulty/device.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace faulty {
namespace {

constexpr std::uint32_t kNovice = 100;
constexpr std::uint32_t kRawCount = 0x00010000;
constexpr std::uint32_t kCounter = 0x10410400;
constexpr std::uint32_t kObjectTimer = 0x20610500;  // PERF_OBJ_TIME_TIMER
constexpr std::int32_t kNoInstances = -1;
constexpr std::int32_t kMetadataInstances = -2;
constexpr std::int32_t kMetadataNoInstances = -3;
constexpr std::int64_t kTicksPerTenth = 1'000'000;
constexpr std::int64_t kTicksPerSecond = 10'000'000;

struct DeviceBlock {
  std::uint32_t ByteLength, requests, jobs, unused;
};

std::uint32_t u32(std::size_t value) { return static_cast<std::uint32_t>(value); }

void put(Bytes& bytes, const void* structure, std::size_t size) {
  const auto* const first = static_cast<const std::byte*>(structure);
  bytes.insert(bytes.end(), first, first + size);
}

CounterDefinition definition_of(const Counter& counter, const Titles& titles) {
  CounterDefinition definition{};
  definition.ByteLength = sizeof definition;
  definition.CounterNameTitleIndex = titles.first_counter + counter.symbol;
  definition.CounterHelpTitleIndex = titles.first_help + counter.symbol;
  definition.DetailLevel = kNovice;
  definition.CounterType = counter.type;
  definition.CounterSize = counter.size;
  definition.CounterOffset = counter.offset;
  return definition;
}

// The header and the definitions; the total length is of these.
Bytes definitions(const Titles& titles, std::uint32_t symbol, const std::vector<Counter>& counters,
                  std::int32_t instances, std::uint64_t tenths) {
  ObjectType object{};
  object.HeaderLength = sizeof object;
  object.DefinitionLength = u32(sizeof object + counters.size() * sizeof(CounterDefinition));
  object.TotalByteLength = object.DefinitionLength;
  object.ObjectNameTitleIndex = titles.first_counter + symbol;
  object.ObjectHelpTitleIndex = titles.first_help + symbol;
  object.DetailLevel = kNovice;
  object.NumCounters = u32(counters.size());
  object.NumInstances = instances;
  object.PerfTime = static_cast<std::int64_t>(tenths) * kTicksPerTenth;
  object.PerfFreq = kTicksPerSecond;
  Bytes bytes;
  put(bytes, &object, sizeof object);
  for (const Counter& counter : counters) {
    const CounterDefinition definition = definition_of(counter, titles);
    put(bytes, &definition, sizeof definition);
  }
  return bytes;
}

void set_total(Bytes& bytes) {
  const std::uint32_t total = u32(bytes.size());
  std::memcpy(bytes.data(), &total, sizeof total);
}

void put_block(Bytes& bytes, const Part& part) {
  const PartBlock block{.ByteLength = sizeof block,
                        .requests = part.requests,
                        .jobs = part.jobs,
                        .unused = 0,
                        .busy = part.busy};
  put(bytes, &block, sizeof block);
}

void put_instance(Bytes& bytes, const Part& part) {
  const std::size_t name_bytes = 2 * (part.name.size() + 1);
  const std::size_t length = (sizeof(InstanceDefinition) + name_bytes + 7) / 8 * 8;
  const InstanceDefinition instance{.ByteLength = u32(length),
                                    .ParentObjectTitleIndex = 0,
                                    .ParentObjectInstance = 0,
                                    .UniqueID = -1,
                                    .NameOffset = sizeof instance,
                                    .NameLength = u32(name_bytes)};
  put(bytes, &instance, sizeof instance);
  put(bytes, part.name.data(), 2 * part.name.size());
  bytes.resize(bytes.size() + length - sizeof instance - 2 * part.name.size());
  put_block(bytes, part);
}

std::vector<std::u16string> words_of(std::u16string_view text) {
  std::vector<std::u16string> words(1);
  for (const char16_t unit : text) {
    if (unit == u' ')
      words.emplace_back();
    else
      words.back() += unit >= u'A' && unit <= u'Z' ? static_cast<char16_t>(unit + 32) : unit;
  }
  return words;
}

}  // namespace

Parts honest_parts(std::uint64_t tenths) {
  const auto jobs = static_cast<std::uint32_t>(tenths / 10 % 10);
  const auto requests = static_cast<std::uint32_t>(tenths);
  const std::int64_t busy = static_cast<std::int64_t>(tenths) * kTicksPerTenth / 2;
  return {.tenths = tenths,
          .counters = {{FAULTY_PART_REQUESTS, kCounter, 4, offsetof(PartBlock, requests)},
                       {FAULTY_PART_JOBS, kRawCount, 4, offsetof(PartBlock, jobs)},
                       {FAULTY_PART_BUSY, kObjectTimer, 8, offsetof(PartBlock, busy)}},
          .parts = {{u"left", requests, jobs, busy},
                    {u"right", requests + 1, jobs, busy},
                    {u"top", requests + 2, jobs, busy}}};
}

Bytes device_bytes(const Titles& titles, std::uint64_t tenths, bool data) {
  Bytes bytes = definitions(titles, FAULTY_OBJECT,
                            {{FAULTY_REQUESTS, kRawCount, 4, offsetof(DeviceBlock, requests)},
                             {FAULTY_JOBS, kRawCount, 4, offsetof(DeviceBlock, jobs)}},
                            data ? kNoInstances : kMetadataNoInstances, tenths);
  const DeviceBlock block{.ByteLength = sizeof block,
                          .requests = static_cast<std::uint32_t>(tenths),
                          .jobs = static_cast<std::uint32_t>(tenths / 10 % 10),
                          .unused = 0};
  if (data) put(bytes, &block, sizeof block);
  set_total(bytes);
  return bytes;
}

Bytes parts_bytes(const Titles& titles, const Parts& parts, bool data) {
  const bool single = parts.without_instances;
  const std::int32_t metadata = single ? kMetadataNoInstances : kMetadataInstances;
  const auto count = single ? kNoInstances : static_cast<std::int32_t>(parts.parts.size());
  Bytes bytes =
      definitions(titles, FAULTY_PARTS, parts.counters, data ? count : metadata, parts.tenths);
  if (data && single) put_block(bytes, parts.parts.front());
  if (data && !single)
    for (const Part& part : parts.parts) put_instance(bytes, part);
  set_total(bytes);
  return bytes;
}

Wanted wanted_by(std::u16string_view query, const Titles& titles) {
  const auto is_index = [](const std::u16string& word, std::uint32_t index) {
    const std::string digits = std::to_string(index);
    return std::ranges::equal(word, digits);
  };
  Wanted wanted;
  for (const std::u16string& word : words_of(query.empty() ? u"Global" : query)) {
    if (word == u"foreign") break;  // another machine's indices follow
    if (word == u"metadataglobal") wanted.metadata = true;
    const bool all = word == u"global" || word == u"metadataglobal";
    if (all || is_index(word, titles.first_counter + FAULTY_OBJECT)) wanted.device = true;
    if (all || is_index(word, titles.first_counter + FAULTY_PARTS)) wanted.parts = true;
  }
  return wanted;
}

}  // namespace faulty
