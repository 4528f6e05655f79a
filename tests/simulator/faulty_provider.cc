#include "tests/simulator/faulty_provider.h"

#include <utility>

#include "tests/providers/faulty/harm.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kRequests = kFaultyObject + 2;
constexpr std::uint32_t kJobs = kFaultyObject + 4;
constexpr std::uint32_t kRawCount = 0x00010000;

ObjectProvider honest_provider(const Machine& machine) {
  const auto build = [&machine](bool metadata) {
    testing::ObjectBuilder object(kFaultyObject);
    object.counter({.index = kRequests, .type = kRawCount});
    object.counter({.index = kJobs, .type = kRawCount});
    if (metadata) return object.metadata();
    const auto tenths =
        static_cast<std::uint64_t>(machine.now().time_100ns - Now{}.time_100ns) / 1'000'000;
    return object.single({tenths, tenths / 10 % 10});
  };
  return {{.service = u"Faulty", .object_list = {kFaultyObject}, .supports_metadata = true},
          {{.index = kFaultyObject, .build = build}},
          {{kFaultyObject, u"Faulty Device"}, {kRequests, u"Requests"}, {kJobs, u"Jobs"}}};
}

}  // namespace

FaultyProvider::FaultyProvider(const Machine& machine, std::filesystem::path control_file)
    : V1Provider(honest_provider(machine).key),
      honest_(honest_provider(machine)),
      control_file_(std::move(control_file)) {}

std::uint32_t FaultyProvider::open(const char16_t* device_names) {
  faulty::fault_at(faulty::Point::kOpen, control_file_);
  return honest_.open(device_names);
}

std::uint32_t FaultyProvider::collect(std::u16string_view query, std::byte*& data,
                                      std::uint32_t& bytes, std::uint32_t& object_types) {
  faulty::fault_at(faulty::Point::kCollect, control_file_, data + bytes);
  return honest_.collect(query, data, bytes, object_types);
}

std::uint32_t FaultyProvider::close() {
  faulty::fault_at(faulty::Point::kClose, control_file_);
  return honest_.close();
}

}  // namespace winperf::simulator
