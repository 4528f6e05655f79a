#include "collectors/worker/posix/process_use.h"

#include <sys/stat.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

namespace winperf::worker {
namespace {

// The number after a line's name in /proc/PID/status.
std::optional<std::uint64_t> field(std::string_view status, std::string_view name) {
  const auto at = status.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view text = status.substr(at + name.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

// Since Linux 6.2 the folder's size is the number of files; before, it is 0.
std::optional<std::uint64_t> open_files(const std::string& process) {
  const std::string path = process + "/fd";
  struct stat folder{};
  if (stat(path.c_str(), &folder) == 0 && folder.st_size > 0)
    return static_cast<std::uint64_t>(folder.st_size);
  std::error_code error;
  const std::filesystem::directory_iterator files(path, error);
  if (error) return std::nullopt;
  return static_cast<std::uint64_t>(std::distance(begin(files), end(files)));
}

}  // namespace

ProcessUse process_use(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  std::ifstream file(folder + "/status");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ProcessUse use{.private_bytes = field(text, "\nRssAnon:"),
                 .handles = open_files(folder),
                 .threads = field(text, "\nThreads:")};
  constexpr std::uint64_t kKib = 1024;
  if (use.private_bytes) *use.private_bytes *= kKib;
  return use;
}

}  // namespace winperf::worker
