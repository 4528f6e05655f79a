#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "tests/simulator/codes.h"
#include "tests/simulator/own_section.h"

namespace winperf::simulator {

std::uint32_t with_section_file(const std::filesystem::path& file, UseSection use, void* of_use) {
  const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return errno == ENOENT ? kFileNotFound : kAccessDenied;
  struct stat facts{};
  const std::size_t bytes =
      fstat(opened, &facts) == 0 ? static_cast<std::size_t>(facts.st_size) : std::size_t{0};
  void* const mapped =
      bytes == 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ, MAP_SHARED, opened, 0);
  close(opened);
  if (mapped == MAP_FAILED) return kAccessDenied;
  use(of_use, {static_cast<const own::Word*>(mapped), bytes / sizeof(own::Word)});
  munmap(mapped, bytes);
  return kSuccess;
}

}  // namespace winperf::simulator
