#include "service/commands/new_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "collectors/base/system_text.h"

namespace winperf {

namespace fs = std::filesystem;

std::optional<std::string> take_place(const fs::path& next, const fs::path& file,
                                      const fs::path& backup) {
  std::error_code error;
  struct stat facts{};
  if (stat(file.c_str(), &facts) != 0) error = {errno, std::generic_category()};
  // Only root may give a file away; then the rights have to do.
  if (!error) (void)!chown(next.c_str(), facts.st_uid, facts.st_gid);
  if (!error && chmod(next.c_str(), facts.st_mode & 07777) != 0)
    error = {errno, std::generic_category()};
  if (!error) fs::remove(backup, error);
  if (!error) fs::create_hard_link(file, backup, error);
  if (!error) fs::rename(next, file, error);
  return error ? std::optional(system_text(error)) : std::nullopt;
}

bool is_link(const fs::path& file) {
  std::error_code ignored;
  return fs::is_symlink(file, ignored);
}

}  // namespace winperf
