#include "collectors/base/posix/proc_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace winperf {

std::optional<ProcMemory> proc_memory(const std::string& process) {
  ProcMemory pages;
  if (!(std::ifstream(process + "/statm") >> pages.all >> pages.resident >> pages.shared))
    return std::nullopt;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return ProcMemory{
      .all = pages.all * page, .resident = pages.resident * page, .shared = pages.shared * page};
}

std::optional<std::uint64_t> proc_open_files(const std::string& process) {
  const std::string path = process + "/fd";
  // Since Linux 6.2 the folder's size is the number of files; before, it is 0.
  struct stat folder = {};
  if (stat(path.c_str(), &folder) == 0 && folder.st_size > 0)
    return static_cast<std::uint64_t>(folder.st_size);
  std::error_code error;
  const std::filesystem::directory_iterator files(path, error);
  if (error) return std::nullopt;
  return static_cast<std::uint64_t>(std::distance(begin(files), end(files)));
}

std::optional<std::uint64_t> proc_threads(const std::string& process) {
  // Each thread is a folder there, and two links more are the folder's own.
  constexpr nlink_t kOwn = 2;
  struct stat folder = {};
  if (stat((process + "/task").c_str(), &folder) != 0 || folder.st_nlink <= kOwn)
    return std::nullopt;
  return folder.st_nlink - kOwn;
}

}  // namespace winperf
