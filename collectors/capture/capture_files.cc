#include "collectors/capture/capture_files.h"

#include <cstddef>

namespace winperf::capture {
namespace {

std::string digits(std::uint32_t number, std::size_t least) {
  std::string text = std::to_string(number);
  return std::string(text.size() < least ? least - text.size() : 0, '0') + text;
}

}  // namespace

std::string block_file(std::uint32_t sample, std::uint32_t part) {
  return "sample-" + digits(sample, 4) + '-' + digits(part, 2) + ".perf";
}

std::string v2_data_file(std::uint32_t sample) { return "sample-" + digits(sample, 4) + ".v2"; }

std::string registration_file(const Guid& counterset, RegistrationInfo info,
                              std::uint32_t argument) {
  const std::string guid = to_string(counterset);
  return "v2-" + guid.substr(1, guid.size() - 2) + '-' +
         std::to_string(static_cast<std::uint32_t>(info)) + '-' + std::to_string(argument) + ".bin";
}

}  // namespace winperf::capture
