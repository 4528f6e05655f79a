#include "service/selftest/program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "collectors/base/posix/descriptor.h"
#include "collectors/base/system_text.h"

namespace winperf::selftest {
namespace {

// A new file; its name is returned through `file`.
Descriptor output_file(const std::filesystem::path& folder, std::filesystem::path& file) {
  std::string name = (folder / "output-XXXXXX").string();
  Descriptor descriptor(mkostemp(name.data(), O_CLOEXEC));
  file = name;
  return descriptor;
}

std::string failure(const std::string& what, int code) {
  return what + ": " + system_text(std::error_code(code, std::system_category()));
}

class PosixProgram final : public Program {
 public:
  PosixProgram(pid_t id, std::filesystem::path output, std::filesystem::path errors)
      : id_(id), output_(std::move(output)), errors_(std::move(errors)) {}
  ~PosixProgram() override {
    kill();
    std::error_code ignored;
    std::filesystem::remove(output_, ignored);
    std::filesystem::remove(errors_, ignored);
  }

  std::uint32_t id() const override { return static_cast<std::uint32_t>(id_); }
  std::optional<std::int64_t> wait_until(std::chrono::steady_clock::time_point time,
                                         const StopToken& stop) override {
    constexpr std::chrono::milliseconds kPause{20};
    while (!end_) {
      int status = 0;
      const pid_t ended = waitpid(id_, &status, WNOHANG);
      if (ended == id_) {
        end_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        break;
      }
      const auto now = std::chrono::steady_clock::now();
      if (ended < 0 || now >= time || stop.stop_requested()) break;
      pause_until(std::min(time, now + kPause), stop);
    }
    return end_;
  }
  bool interrupt() override { return !end_ && ::kill(id_, SIGINT) == 0; }
  // Its process group: also what it has started.
  void kill() override {
    if (end_) return;
    ::kill(-id_, SIGKILL);
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    end_ = 128 + SIGKILL;
  }
  ProgramUse use() const override {
    ProgramUse use;
    clockid_t clock{};
    timespec time{};
    if (!end_ && clock_getcpuclockid(id_, &clock) == 0 && clock_gettime(clock, &time) == 0)
      use.cpu_seconds = static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    return use;
  }
  std::string output() const override { return written_by_program(output_); }
  std::string errors() const override { return written_by_program(errors_); }

 private:
  const pid_t id_;
  const std::filesystem::path output_;
  const std::filesystem::path errors_;
  std::optional<std::int64_t> end_;
};

// In the new process: nothing but what is safe after a fork.
[[noreturn]] void become(const char* program, char* const* words, const char* folder,
                         const char* input_file, int output, int errors, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);
  const int input = open(input_file, O_RDONLY);
  if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) _exit(127);
  if (chdir(folder) < 0) _exit(127);
  execv(program, words);
  _exit(127);
}

}  // namespace

std::expected<std::unique_ptr<Program>, std::string> start_program(const ProgramCall& call) {
  std::filesystem::path output_name;
  std::filesystem::path errors_name;
  const Descriptor output = output_file(call.folder, output_name);
  const Descriptor errors = output_file(call.folder, errors_name);
  if (!output || !errors)
    return std::unexpected(failure("cannot write in " + call.folder.string(), errno));
  if (access(call.program.c_str(), X_OK) != 0)
    return std::unexpected(failure("cannot start " + call.program.string(), errno));
  const std::string program = std::filesystem::absolute(call.program).string();
  const std::string folder = call.folder.empty() ? "/" : call.folder.string();
  std::vector<std::string> words{program};
  words.insert(words.end(), call.words.begin(), call.words.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string input = call.input.empty() ? "/dev/null" : call.input.string();
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id < 0) return std::unexpected(failure("cannot start " + call.program.string(), errno));
  if (id == 0)
    become(program.c_str(), pointers.data(), folder.c_str(), input.c_str(), output.get(),
           errors.get(), parent);
  setpgid(id, id);  // whichever is first
  return std::make_unique<PosixProgram>(id, output_name, errors_name);
}

std::filesystem::path system_program(const std::string&) { return {}; }

}  // namespace winperf::selftest
