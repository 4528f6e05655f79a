#include "collectors/provider/library_head.h"

#include <cstddef>
#include <fstream>
#include <system_error>
#include <vector>

#include "collectors/base/path_text.h"

namespace winperf {
namespace {

// Linkers put the header with the machine into the first few hundred bytes.
constexpr std::size_t kHeadBytes = 64U << 10;

std::vector<std::byte> head_of(const std::filesystem::path& path) {
  std::vector<std::byte> bytes(kHeadBytes);
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

}  // namespace

LibraryHead read_library_head(const std::filesystem::path& path) {
  LibraryHead library{.path = path_text(path)};
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  library.is_missing = type == std::filesystem::file_type::not_found;
  if (type != std::filesystem::file_type::regular) return library;
  if (const auto machine = pe_machine(head_of(path))) library.machine = *machine;
  return library;
}

bool needs_perf_host(const LibraryHead& library) {
  return library.machine && is_32_bit(*library.machine);
}

}  // namespace winperf
