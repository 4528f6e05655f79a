#include "tests/simulator/faulty_provider.h"

#include <utility>

#include "tests/providers/faulty/harm.h"
#include "tests/providers/faulty/provider.h"
#include "tests/simulator/codes.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kMove = 200;
static_assert(kFaultyParts == kFaultyObject + FAULTY_PARTS);

PerformanceKey key_of(bool eager) {
  PerformanceKey key{.service = u"Faulty", .supports_metadata = true};
  if (!eager) key.object_list = {kFaultyObject, kFaultyParts};
  return key;
}

}  // namespace

FaultyProvider::FaultyProvider(const Machine& machine, std::filesystem::path control_file,
                               bool eager)
    : V1Provider(key_of(eager)), machine_(machine), control_file_(std::move(control_file)) {}

std::uint32_t FaultyProvider::open(const char16_t*) {
  if (faulty::fault_told(faulty::Point::kOpen, control_file_) == "error") return kAccessDenied;
  faulty::fault_at(faulty::Point::kOpen, control_file_);
  return kSuccess;
}

std::uint32_t FaultyProvider::collect(std::u16string_view query, std::byte*& data,
                                      std::uint32_t& bytes, std::uint32_t& object_types) {
  const auto passed = machine_.now().time_100ns - Now{}.time_100ns;
  const std::uint32_t first = first_title();
  return faulty::collect({.query = query,
                          .titles = {.first_counter = first, .first_help = first + 1},
                          .tenths = static_cast<std::uint64_t>(passed) / 1'000'000,
                          .control_file = control_file_},
                         data, bytes, object_types);
}

std::uint32_t FaultyProvider::close() {
  faulty::fault_at(faulty::Point::kClose, control_file_);
  return kSuccess;
}

std::uint32_t FaultyProvider::first_title() const {
  return kFaultyObject +
         (faulty::fault_told(faulty::Point::kNames, control_file_) == "moved" ? kMove : 0);
}

std::vector<std::pair<std::uint32_t, std::u16string>> FaultyProvider::names() const {
  const std::string word = faulty::fault_told(faulty::Point::kNames, control_file_);
  if (word == "gone") return {};
  const std::u16string name = word == "other" ? u"Other" : u"Faulty";
  const std::uint32_t first = first_title();
  return {{first + FAULTY_OBJECT, name + u" Device"},
          {first + FAULTY_REQUESTS, u"Requests"},
          {first + FAULTY_JOBS, u"Jobs"},
          {first + FAULTY_PARTS, name + u" Parts"},
          {first + FAULTY_PART_REQUESTS, u"Part Requests/sec"},
          {first + FAULTY_PART_JOBS, u"Part Jobs"},
          {first + FAULTY_PART_BUSY, u"% Part Busy Time"}};
}

bool FaultyProvider::is_registered() const {
  return faulty::fault_told(faulty::Point::kKey, control_file_) != "gone";
}

}  // namespace winperf::simulator
