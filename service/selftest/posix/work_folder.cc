#include "service/selftest/work_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"
#include "collectors/base/whole_file.h"
#include "service/selftest/selftest.h"

namespace winperf::selftest {

bool is_elevated() { return geteuid() == 0; }

std::expected<std::filesystem::path, std::string> selftest_root() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  std::filesystem::path root;
  if (state != nullptr && *state == '/')
    root = state;
  else if (home != nullptr && *home == '/')
    root = std::filesystem::path(home) / ".local/state";
  else
    return std::unexpected("neither XDG_STATE_HOME nor HOME names a folder");
  return root / "winperf_exporter" / "selftest";
}

std::expected<void, std::string> make_root(const std::filesystem::path& root) {
  std::error_code failed;
  std::filesystem::create_directories(root, failed);
  if (failed) return std::unexpected("cannot make " + path_text(root) + ": " + system_text(failed));
  return {};
}

bool has_administrators_root() { return false; }

std::optional<std::string> why_others_may_change_file(const std::filesystem::path&) { return {}; }

void remove_empty_root(const std::filesystem::path& root) {
  std::error_code ignored;
  if (std::filesystem::remove(root, ignored)) std::filesystem::remove(root.parent_path(), ignored);
}

std::expected<void, std::string> remove_tree(const std::filesystem::path& folder) {
  std::error_code failed;
  if (!std::filesystem::exists(std::filesystem::symlink_status(folder, failed))) return {};
  if (!is_plain_folder(folder)) return std::unexpected("it is a link, or no folder");
  std::filesystem::remove_all(folder, failed);  // doesn't follow links here
  if (failed) return std::unexpected(system_text(failed));
  return {};
}

}  // namespace winperf::selftest
