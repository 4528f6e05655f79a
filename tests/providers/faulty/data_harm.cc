#include "tests/providers/faulty/data_harm.h"

#include <cstring>

namespace faulty {
namespace {

constexpr std::uint32_t kHuge = 0x7FFFFFF8;
constexpr std::uint32_t kSystemTitle = 2;
constexpr std::uint32_t kMiB = 1024 * 1024;
constexpr std::uint32_t kMoreData = 234;
constexpr std::uint32_t kBusy = 170;
constexpr std::uint32_t kGeneralFailure = 31;
constexpr std::uint32_t kRawCount = 0x00010000;
constexpr std::uint32_t kText = 0x00000B00;  // PERF_COUNTER_TEXT
constexpr std::int64_t kTicksPerDay = 864'000'000'000;

// The structures of "Faulty Parts" in an answer. They may be written to.
struct Places {
  ObjectType* object;
  CounterDefinition* counters;
  std::vector<InstanceDefinition*> instances;
  std::vector<PartBlock*> blocks;
};

Places places_in(Answer& answer) {
  std::byte* at = answer.bytes.data() + answer.parts_at;
  auto* const object = reinterpret_cast<ObjectType*>(at);
  Places places{object, reinterpret_cast<CounterDefinition*>(at + object->HeaderLength), {}, {}};
  at += object->DefinitionLength;
  for (std::int32_t i = 0; i < object->NumInstances; ++i) {
    places.instances.push_back(reinterpret_cast<InstanceDefinition*>(at));
    at += places.instances.back()->ByteLength;
    places.blocks.push_back(reinterpret_cast<PartBlock*>(at));
    at += sizeof(PartBlock);
  }
  return places;
}

// The first part's name, without a NUL behind it.
void fill_name(Places& places) {
  InstanceDefinition& instance = *places.instances[0];
  auto* const name = reinterpret_cast<std::byte*>(&instance) + sizeof instance;
  instance.NameLength = instance.ByteLength - static_cast<std::uint32_t>(sizeof instance);
  for (std::uint32_t i = 0; i < instance.NameLength; i += 2) {
    name[i] = std::byte{'n'};
    name[i + 1] = std::byte{0};
  }
}

void append_zeros(Answer& answer, std::uint32_t bytes) {
  answer.bytes.resize(answer.bytes.size() + bytes);
  places_in(answer).object->TotalByteLength += bytes;
}

void fill_with_noise(Answer& answer) {
  std::uint32_t state = 12345;
  for (std::size_t i = answer.parts_at; i < answer.bytes.size(); ++i) {
    state = state * 1'664'525 + 1'013'904'223;
    answer.bytes[i] = static_cast<std::byte>(state >> 24);
  }
}

void rename_first(Parts& parts, std::u16string name) { parts.parts[0].name = std::move(name); }

void multiply(Parts& parts, std::size_t count, bool same_name, std::uint64_t first = 0) {
  const Part one = parts.parts.front();
  parts.parts.assign(count, one);
  for (std::size_t i = 0; i < count && !same_name; ++i) {
    const std::string number = std::to_string(first + i);
    parts.parts[i].name = u"part " + std::u16string(number.begin(), number.end());
  }
}

template <typename Change>
void each_part(Parts& parts, Change change) {
  for (Part& part : parts.parts) change(part);
}

// By turns, each for a second.
bool is_second_turn(const Parts& parts) { return parts.tenths / 10 % 2 == 1; }

struct PartsHarm {
  std::string_view word;
  void (*act)(Parts&);
};

constexpr PartsHarm kPartsHarms[] = {
    {"name_32k", [](Parts& parts) { rename_first(parts, std::u16string(16 * 1024, u'n')); }},
    {"name_1m", [](Parts& parts) { rename_first(parts, std::u16string(512 * 1024, u'n')); }},
    {"surrogate", [](Parts& parts) { rename_first(parts, {u'a', char16_t{0xD800}, u'b'}); }},
    {"newline", [](Parts& parts) { rename_first(parts, u"a\nwinperf_forged 1\r\n"); }},
    {"quotes", [](Parts& parts) { rename_first(parts, u"a\"b\\c'"); }},
    {"labels", [](Parts& parts) { rename_first(parts, u"a\",evil=\"1"); }},
    {"control", [](Parts& parts) { rename_first(parts, u"\x1B[31mred\x07\x08\x7F\x9B"); }},
    {"name_empty", [](Parts& parts) { rename_first(parts, u""); }},
    {"duplicates", [](Parts& parts) { multiply(parts, 1'000, true); }},
    {"many", [](Parts& parts) { multiply(parts, 50'000, false); }},
    {"churn", [](Parts& parts) { multiply(parts, 500, false, parts.tenths * 1'000); }},
    {"none", [](Parts& parts) { parts.parts.clear(); }},
    {"backwards",
     [](Parts& parts) {
       each_part(parts, [](Part& part) {
         part.requests = 1'000'000'000 - part.requests;
         part.busy = 1'000'000'000'000 - part.busy;
       });
     }},
    {"jump",
     [](Parts& parts) {
       each_part(parts, [](Part& part) {
         part.requests *= 0x01000193;
         part.busy *= 1'000'003;
       });
     }},
    {"still",
     [](Parts& parts) {
       parts.tenths = 0;
       each_part(parts, [](Part& part) { part.requests = 0, part.jobs = 0, part.busy = 0; });
     }},
    {"type_changes",
     [](Parts& parts) {
       if (is_second_turn(parts)) parts.counters[0].type = kRawCount;
     }},
    {"counters_change",
     [](Parts& parts) {
       if (is_second_turn(parts)) parts.counters.pop_back();
     }},
    {"single_changes", [](Parts& parts) { parts.without_instances = is_second_turn(parts); }},
};

struct BytesHarm {
  std::string_view word;
  void (*act)(Places&);
};

constexpr BytesHarm kBytesHarms[] = {
    {"total_huge", [](Places& at) { at.object->TotalByteLength = 0xFFFFFFF0; }},
    {"total_zero", [](Places& at) { at.object->TotalByteLength = 0; }},
    {"total_small", [](Places& at) { at.object->TotalByteLength = 40; }},
    {"total_more", [](Places& at) { at.object->TotalByteLength += 64; }},
    {"definition_huge", [](Places& at) { at.object->DefinitionLength = kHuge; }},
    {"header_zero", [](Places& at) { at.object->HeaderLength = 0; }},
    {"counters_huge", [](Places& at) { at.object->NumCounters = kHuge; }},
    {"counters_zero", [](Places& at) { at.object->NumCounters = 0; }},
    {"counter_len_zero", [](Places& at) { at.counters[0].ByteLength = 0; }},
    {"counter_len_huge", [](Places& at) { at.counters[0].ByteLength = kHuge; }},
    {"counter_offset", [](Places& at) { at.counters[0].CounterOffset = 0x10000; }},
    {"counter_size", [](Places& at) { at.counters[0].CounterSize = 3; }},
    {"counter_overlap",
     [](Places& at) { at.counters[1].CounterOffset = at.counters[0].CounterOffset + 2; }},
    {"counter_type", [](Places& at) { at.counters[0].CounterType = kText; }},
    {"counter_unknown", [](Places& at) { at.counters[0].CounterNameTitleIndex += 100'000; }},
    {"inst_huge", [](Places& at) { at.object->NumInstances = kHuge; }},
    {"inst_neg", [](Places& at) { at.object->NumInstances = -7; }},
    {"inst_more", [](Places& at) { at.object->NumInstances += 1; }},
    {"inst_len_zero", [](Places& at) { at.instances[0]->ByteLength = 0; }},
    {"inst_len_huge", [](Places& at) { at.instances[0]->ByteLength = kHuge; }},
    {"inst_len_odd", [](Places& at) { at.instances[0]->ByteLength += 3; }},
    {"inst_overlap", [](Places& at) { at.instances[0]->ByteLength = 28; }},
    {"name_offset", [](Places& at) { at.instances[0]->NameOffset = 0x10000; }},
    {"name_len", [](Places& at) { at.instances[0]->NameLength = 0x100000; }},
    {"name_len_odd", [](Places& at) { at.instances[0]->NameLength = 5; }},
    {"name_unterminated", [](Places& at) { fill_name(at); }},
    {"block_zero", [](Places& at) { at.blocks[0]->ByteLength = 0; }},
    {"block_small", [](Places& at) { at.blocks[0]->ByteLength = 8; }},
    {"block_huge", [](Places& at) { at.blocks[0]->ByteLength = kHuge; }},
    {"freq_zero", [](Places& at) { at.object->PerfFreq = 0; }},
    {"time_back", [](Places& at) { at.object->PerfTime = kTicksPerDay - at.object->PerfTime; }},
    {"time_still", [](Places& at) { at.object->PerfTime = kTicksPerDay; }},
    {"code_page", [](Places& at) { at.object->CodePage = 54'936; }},
    {"parent_huge",
     [](Places& at) {
       at.instances[0]->ParentObjectTitleIndex = at.object->ObjectNameTitleIndex;
       at.instances[0]->ParentObjectInstance = kHuge;
     }},
    {"index_foreign", [](Places& at) { at.object->ObjectNameTitleIndex = kSystemTitle; }},
    {"index_zero", [](Places& at) { at.object->ObjectNameTitleIndex = 0; }},
};

struct ReportHarm {
  std::string_view word;
  void (*act)(Answer&);
};

void fail(Answer& answer, std::uint32_t status) {
  answer = {};
  answer.status = status;
}

constexpr ReportHarm kReportHarms[] = {
    {"lie_bytes", [](Answer& answer) { answer.reported += 256 * kMiB; }},
    {"lie_4g", [](Answer& answer) { answer.reported = 0xFFFFFF60; }},
    {"lie_pointer", [](Answer& answer) { answer.moved = 0; }},
    {"say_less", [](Answer& answer) { answer.reported = answer.reported / 16 * 8; }},
    {"say_odd", [](Answer& answer) { answer.reported = answer.moved -= 2; }},
    {"objects_lie", [](Answer& answer) { answer.objects += 6; }},
    {"objects_zero", [](Answer& answer) { answer.objects = 0; }},
    {"nothing", [](Answer& answer) { fail(answer, 0); }},
    {"more_data", [](Answer& answer) { fail(answer, kMoreData); }},
    {"busy", [](Answer& answer) { fail(answer, kBusy); }},
    {"error", [](Answer& answer) { fail(answer, kGeneralFailure); }},
};

constexpr ReportHarm kAppendHarms[] = {
    {"garbage", [](Answer& answer) { fill_with_noise(answer); }},
    {"tail",
     [](Answer& answer) { answer.bytes.resize(answer.bytes.size() + 24, std::byte{0xEE}); }},
    {"big40", [](Answer& answer) { append_zeros(answer, 40 * kMiB); }},
    {"big300", [](Answer& answer) { append_zeros(answer, 300 * kMiB); }},
};

constexpr std::string_view kEverywhere = "all_";

template <typename Harm, std::size_t kCount>
const Harm* find(const Harm (&harms)[kCount], std::string_view word) {
  if (word.starts_with(kEverywhere)) word.remove_prefix(kEverywhere.size());
  for (const Harm& harm : harms)
    if (harm.word == word) return &harm;
  return nullptr;
}

}  // namespace

std::vector<std::string_view> data_words() {
  std::vector<std::string_view> words;
  for (const PartsHarm& harm : kPartsHarms) words.push_back(harm.word);
  for (const BytesHarm& harm : kBytesHarms) words.push_back(harm.word);
  for (const ReportHarm& harm : kReportHarms) words.push_back(harm.word);
  for (const ReportHarm& harm : kAppendHarms) words.push_back(harm.word);
  return words;
}

void spoil_parts(std::string_view word, Parts& parts) {
  if (const PartsHarm* const harm = find(kPartsHarms, word)) harm->act(parts);
}

void spoil_bytes(std::string_view word, Answer& answer) {
  if (!answer.has_parts) return;
  if (const BytesHarm* const harm = find(kBytesHarms, word)) {
    Places places = places_in(answer);
    harm->act(places);
  }
  if (const ReportHarm* const harm = find(kAppendHarms, word)) harm->act(answer);
}

void spoil_report(std::string_view word, Answer& answer) {
  if (!answer.has_parts) return;
  if (const ReportHarm* const harm = find(kReportHarms, word)) harm->act(answer);
}

bool is_everywhere(std::string_view word) { return word.starts_with(kEverywhere); }

}  // namespace faulty
