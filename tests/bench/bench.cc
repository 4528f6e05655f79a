// What a sample costs on its way from bytes to the page: 500 processes with 28 counters each, as a
// busy server has them; and what it costs to find out which countersets a machine has. Prints a
// line per step; scripts/bench builds it optimised and runs it.
//
//   winperf_bench [MILLISECONDS_PER_STEP]
//
// Ends with 1 if a step has not done its work. Figures of two runs can be compared only if the same
// machine was as busy; the ratios between the steps of one run say more.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "collectors/wire/block_view.h"
#include "exporter/json/sample_document.h"
#include "exporter/text/gzip.h"
#include "exporter/text/sample_writer.h"
#include "tests/bench/bench.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/support/block_builder.h"

namespace winperf::testing {
namespace {

constexpr std::uint32_t kProcesses = 500;
constexpr std::uint32_t kCounters = 28;

std::u16string name_of(std::uint32_t process) {
  std::u16string name = u"service";
  for (const char digit : std::to_string(process)) name += static_cast<char16_t>(digit);
  return name;
}

ByteVector process_block() {
  ObjectBuilder object(230);
  for (std::uint32_t i = 0; i < kCounters; ++i)
    object.counter({.index = 6 + 2 * i, .type = kLargeRawCount, .size = 8});
  for (std::uint32_t process = 0; process < kProcesses; ++process)
    object.instance({.name = name_of(process),
                     .values = std::vector<std::uint64_t>(kCounters, 1'000'000 + process)});
  return BlockBuilder().add(object).bytes();
}

// Reads every value by its definition.
std::size_t read_block(const ByteVector& bytes) {
  const auto block = BlockView::parse(bytes);
  if (!block) return 0;
  std::uint64_t values = 0;
  ObjectWalk objects = block->objects();
  while (const auto object = objects.next()) {
    if (!*object) return 0;
    const CounterDefinitions counters = (*object)->counters();
    InstanceWalk instances = (*object)->instances();
    while (const auto instance = instances.next()) {
      if (!*instance) return 0;
      for (const CounterDefinition& counter : counters.all)
        values += (*instance)->block().read(counter).has_value();
    }
  }
  return values == std::uint64_t{kProcesses} * kCounters ? bytes.size() : 0;
}

std::shared_ptr<Sample> process_sample() {
  std::vector<CounterSchema> counters;
  for (std::uint32_t i = 0; i < kCounters; ++i)
    counters.push_back(counter("Counter " + std::to_string(i), kLargeRawCount, 6 + 2 * i));
  std::vector<InstanceSchema> instances;
  for (std::uint32_t process = 0; process < kProcesses; ++process)
    instances.push_back(instance("service" + std::to_string(process), process));
  CountersetSample values_of =
      values(object("Process", std::move(counters), true, 230), std::move(instances));
  for (std::size_t cell = 0; cell < values_of.raw.size(); ++cell) {
    values_of.raw[cell] = 1'000'000 + cell;
    values_of.cooked[cell] = static_cast<double>(1'000'000 + cell);
  }
  return sample(1, {state("Process", std::move(values_of))});
}

int run(std::chrono::milliseconds least) {
  const ByteVector block = process_block();
  const std::shared_ptr<const Sample> of_processes = process_sample();
  SampleWriter writer{MappingOptions{}};
  std::string page;
  bool good = measure("read a V1 block", least, [&] { return read_block(block); });
  good &= measure("map and write a page", least, [&] {
    page.clear();
    SampleWriter(MappingOptions{}).append(page, *of_processes);
    return page.size();
  });
  good &= measure("write a page, names known", least, [&] {
    page.clear();
    writer.append(page, *of_processes);
    return page.size();
  });
  good &= measure("write the JSON document", least,
                  [&] { return json::SampleDocument(of_processes).text({}, kTaken).size(); });
  good &= measure("compress the page", least,
                  [&] { return deflate_part(page).data == nullptr ? 0 : page.size(); });
  good &= measure_profiles(least);
  good &= measure_discovery(least);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace winperf::testing

int main(int argc, char** argv) {
  const int least = argc > 1 ? std::atoi(argv[1]) : 1000;
  return winperf::testing::run(std::chrono::milliseconds(least));
}
