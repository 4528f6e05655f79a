// What a worker says that PDH said, and a file of such records: whatever it is, it is read, or
// there is an error; what was read is written as it was; and the comparison has a result.
#include <memory>
#include <string>
#include <string_view>

#include "collectors/pdh/pdh_comparison.h"
#include "collectors/pdh/pdh_record.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/text_input.h"

namespace winperf::fuzz {
namespace {

constexpr const char* kPlace = "pdh.reply";

template <class Read, class Write>
void check_round(std::string_view text, const Read& read, const Write& write) {
  const auto one = read(text, kPlace);
  if (!one) {
    require(one.error().code == ErrorCode::kBadText && one.error().offset <= text.size() + 1,
            "an error lies within the text");
    return;
  }
  const std::string again = write(*one);
  const auto same = read(std::string_view(again), kPlace);
  require(same.has_value() && write(*same) == again, "what was read is read again");
}

// Two instances of a counter of one type.
std::shared_ptr<const CountersetSample> sample_of(CounterType type, std::uint64_t first) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->name = "Memory";
  schema->multi_instance = true;
  CounterSchema counter;
  counter.name = "a";
  counter.type = type;
  counter.size = sizeof(std::uint64_t);
  counter.has_base = true;
  counter.base_size = sizeof(std::uint32_t);
  schema->counters.push_back(counter);
  auto instances = std::make_shared<InstanceSet>();
  for (const char* const name : {"x", "y"}) {
    InstanceSchema instance;
    instance.name = name;
    instances->instances.push_back(instance);
  }
  auto sample = std::make_shared<CountersetSample>();
  const auto layout = layout_of(*schema);
  prepare(*sample, schema, layout, instances, Clocks{.perf_frequency = {10}});
  sample->raw.assign(2, first);
  sample->more.assign(sample->more.size(), first / 2);
  return sample;
}

void check_comparison(const PdhRecord& record) {
  for (const std::uint32_t type :
       {0x10410500U, 0x21510500U, 0x22410500U, 0x30020400U, 0x00010100U}) {
    const auto before = sample_of(CounterType{type}, 5);
    const auto after = sample_of(CounterType{type}, 9);
    const auto compared = compare_with_pdh({*before, *after}, {*after, *after}, record);
    for (const PdhDifference& found : compared.differences)
      require(!found.what.empty(), "a difference says what it is");
  }
}

void check(std::string_view text) {
  check_round(text, read_names, write_names);
  check_round(text, read_object, write_object);
  check_round(text, read_query, write_query);
  check_round(text, read_items, write_items);
  check_round(text, read_definitions, write_definitions);
  check_round(text, read_collection, write_collection);
  if (const auto record = read_record(text)) check_comparison(*record);
  const auto records = read_records(text);
  if (!records)
    return require(records.error().offset <= text.size() + 1, "an error lies within the file");
  std::string file = records_head();
  for (const PdhRecord& record : *records) file += record_line(record);
  const auto again = read_records(file);
  require(again && again->size() == records->size(), "a file is read again");
}

}  // namespace

std::vector<Input> seeds() {
  const PdhRecord record{
      .counterset = "Memory",
      .query = {.object = {.name = "Memory", .index = 4, .has_instances = true},
                .counters = {{.name = "a", .index = 6}}},
      .widths = {{.bytes = 8, .base_bytes = 4}},
      .items = {.object = "Speicher", .counters = {"a"}, .instances = {"x", "y"}},
      .definitions = {{.name = "a", .local_name = "a", .type = CounterType{0x10410500}}},
      .moments = {PdhCollection{{{.name = "a",
                                  .raw = {{"x", {.first = 7, .second = 2, .multi_count = 1}}},
                                  .numbers = {{"x", {.value = 1.5}}}}}},
                  PdhCollection{{{.name = "a", .raw = {{"x", {.first = 9, .second = 3}}}}}}}};
  return inputs_of(
      {write_names({"Memory", "Process"}), write_object(record.query.object),
       write_query(record.query), write_items(record.items), write_definitions(record.definitions),
       write_collection(record.moments[0]), record_line(record),
       records_head() + record_line(record),
       R"([{"name":"a","raw_status":0,"raw":[],"number_status":0,"numbers":[["x",0,"nan"],["y",1,"-inf"]]}])"});
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  winperf::fuzz::check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
