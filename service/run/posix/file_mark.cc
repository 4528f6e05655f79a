#include "service/run/file_watch.h"

#include <sys/stat.h>

namespace winperf {

FileMark mark_of(const std::filesystem::path& file) {
  struct stat facts{};
  if (stat(file.c_str(), &facts) != 0) return {};
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {.exists = true,
          .written = facts.st_mtim.tv_sec * kNanoseconds + facts.st_mtim.tv_nsec,
          .bytes = static_cast<std::uint64_t>(facts.st_size)};
}

}  // namespace winperf
