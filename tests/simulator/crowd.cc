#include "tests/simulator/crowd.h"

#include <fstream>
#include <string>

#include "collectors/wire/text.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kCounterType = 0x10410400;  // PERF_COUNTER_COUNTER
constexpr std::uint32_t kFirstCounter = kCrowdObject - 2 * kCrowdCounters;

std::size_t present(const std::filesystem::path& file, std::size_t objects) {
  std::ifstream in(file);
  std::size_t count = 0;
  return in >> count ? count : objects;
}

testing::ObjectBuilder crowd_object(std::uint32_t index, std::uint64_t ticks, std::size_t instances,
                                    bool metadata) {
  testing::ObjectBuilder object(index);
  for (std::uint32_t i = 0; i < kCrowdCounters; ++i)
    object.counter({.index = kFirstCounter + 2 * i, .type = kCounterType});
  if (metadata) return object.multi_instance().metadata();
  for (std::size_t i = 0; i < instances; ++i)
    object.instance({.name = to_utf16("member " + std::to_string(i)),
                     .values = std::vector<std::uint64_t>(kCrowdCounters, ticks + i)});
  return object;
}

}  // namespace

std::shared_ptr<ObjectProvider> crowd_provider(const Machine& machine, std::size_t objects,
                                               const std::filesystem::path& file,
                                               std::size_t instances) {
  std::vector<ObjectProvider::Object> all;
  std::vector<std::pair<std::uint32_t, std::u16string>> names;
  for (std::uint32_t i = 0; i < kCrowdCounters; ++i)
    names.emplace_back(kFirstCounter + 2 * i, to_utf16("Acts " + std::to_string(i) + "/sec"));
  for (std::size_t number = 0; number < objects; ++number) {
    const auto index = static_cast<std::uint32_t>(kCrowdObject + 2 * number);
    names.emplace_back(index, to_utf16("Crowd " + std::to_string(number)));
    all.push_back(
        {.index = index,
         .build =
             [&machine, index, instances](bool metadata) {
               const auto ticks = machine.now().time_100ns / 10'000'000;
               return crowd_object(index, static_cast<std::uint64_t>(ticks), instances, metadata);
             },
         .is_there = [file, objects, number] { return number < present(file, objects); }});
  }
  return std::make_shared<ObjectProvider>(
      PerformanceKey{.service = u"Crowd", .object_list = {}, .supports_metadata = true},
      std::move(all), std::move(names));
}

}  // namespace winperf::simulator
