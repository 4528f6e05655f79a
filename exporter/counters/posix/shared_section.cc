#include "exporter/counters/shared_section.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "collectors/base/system_text.h"

namespace winperf::own {
namespace {

class SectionFile final : public SharedSection {
 public:
  SectionFile(int file, void* memory) : file_(file), memory_(memory) {}
  ~SectionFile() override {
    munmap(memory_, kSectionBytes);
    close(file_);
  }

  std::span<Word> words() override { return {static_cast<Word*>(memory_), kSectionWords}; }

 private:
  const int file_;
  void* const memory_;
};

std::string reason_of(int error) { return system_text({error, std::system_category()}); }

std::unexpected<std::string> section_problem(const std::string& place, const std::string& reason) {
  return std::unexpected("the file " + place +
                         " cannot be used for the exporter's own counters: " + reason);
}

// Why the open file can't be a section; empty if it is one. A new file becomes one, of zeros.
std::string prepare_section(int file) {
  if (flock(file, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? "another process publishes in it" : reason_of(errno);
  struct stat found{};
  if (fstat(file, &found) != 0) return reason_of(errno);
  if (!S_ISREG(found.st_mode)) return "it is not a file";
  constexpr auto kSize = static_cast<off_t>(kSectionBytes);
  if (found.st_size == kSize) return {};
  if (found.st_size != 0) return "it exists with another size";
  return ftruncate(file, kSize) == 0 ? std::string() : reason_of(errno);
}

}  // namespace

std::expected<std::unique_ptr<SharedSection>, std::string> create_shared_section(
    const std::string& place) {
  if (place.empty()) return nullptr;
  const int file = open(place.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                        S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (file < 0) return section_problem(place, reason_of(errno));
  if (const std::string reason = prepare_section(file); !reason.empty()) {
    close(file);
    return section_problem(place, reason);
  }
  void* const memory = mmap(nullptr, kSectionBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    const std::string reason = reason_of(errno);
    close(file);
    return section_problem(place, reason);
  }
  return std::make_unique<SectionFile>(file, memory);
}

}  // namespace winperf::own
