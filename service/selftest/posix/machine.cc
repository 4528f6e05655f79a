#include "service/selftest/machine.h"

#include <signal.h>

#include <cerrno>
#include <system_error>

#include "collectors/base/system_text.h"

namespace winperf::selftest {

// Nothing is installed here by the program.
std::vector<std::string> machine_traces() { return {}; }

std::expected<void, std::string> end_process_of(std::uint32_t id,
                                                const std::filesystem::path& executable) {
  std::error_code failed;
  const auto runs = std::filesystem::read_symlink("/proc/" + std::to_string(id) + "/exe", failed);
  if (failed) return std::unexpected(system_text(failed));
  if (!std::filesystem::equivalent(runs, executable, failed))
    return std::unexpected("process " + std::to_string(id) + " runs another program");
  if (kill(static_cast<pid_t>(id), SIGKILL) != 0)
    return std::unexpected(system_text(std::error_code(errno, std::system_category())));
  return {};
}

}  // namespace winperf::selftest
