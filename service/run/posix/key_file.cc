#include "service/run/key_file.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "collectors/base/system_text.h"

namespace winperf {
namespace {

std::unexpected<std::string> failed() {
  return std::unexpected(system_text(std::error_code(errno, std::system_category())));
}

std::string group_text(gid_t id) {
  std::array<char, 4096> buffer{};
  group entry{};
  group* found = nullptr;
  getgrgid_r(id, &entry, buffer.data(), buffer.size(), &found);
  return "group " + (found == nullptr ? std::to_string(id) : std::string(found->gr_name));
}

}  // namespace

std::expected<std::vector<std::string>, std::string> who_else_reads(
    const std::filesystem::path& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return failed();
  std::vector<std::string> others;
  if ((status.st_mode & S_IROTH) != 0) others.emplace_back("everyone");
  if ((status.st_mode & S_IRGRP) != 0) others.push_back(group_text(status.st_gid));
  return others;
}

std::expected<void, std::string> write_private_file(const std::filesystem::path& file,
                                                    std::string_view text) {
  const int descriptor =
      open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return failed();
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const auto error = failed();
      close(descriptor);
      unlink(file.c_str());
      return error;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (close(descriptor) != 0) return failed();
  return {};
}

}  // namespace winperf
