// Other programs that checks run: this one's commands, and those of Windows.
//
// A program's output goes into files, not pipes, so that neither side waits for the other. It ends
// with this process (a job on Windows, a signal elsewhere), reads a file or nothing as its standard
// input, and no console window appears. Not validated: its output, which is bytes. Errors: a
// sentence. Thread rule: one thread. Implemented in win/ and posix/, chosen by CMake.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/stop.h"

namespace winperf::selftest {

struct ProgramCall {
  std::filesystem::path program;
  std::vector<std::string> words{};  // UTF-8, each one argument
  // Where it runs, and its output goes: two files, of which the names are unique. Not where this
  // process runs, which may be a folder in which anybody can put a library.
  std::filesystem::path folder{};
  std::chrono::milliseconds deadline{60'000};
  std::filesystem::path input{};  // what it reads; empty: nothing
};

// What a process has used since its start; nothing where it is unknown.
struct ProgramUse {
  std::optional<double> cpu_seconds{};
  std::optional<std::uint64_t> private_bytes{};
  std::optional<std::uint64_t> handles{};
  std::optional<std::uint64_t> threads{};
};

class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  // Ends it with all that it has started.
  virtual ~Program() = default;

  virtual std::uint32_t id() const = 0;
  // Its exit code, or nothing: it still runs then. A crash is its exception, or 128 and the signal.
  [[nodiscard]] virtual std::optional<std::int64_t> wait_until(
      std::chrono::steady_clock::time_point time, const StopToken& stop) = 0;
  // Asks it to end as Ctrl-C does; a program that doesn't answer to that runs on. False: it can't
  // be asked, such as on Windows by a process without a console.
  [[nodiscard]] virtual bool interrupt() = 0;
  virtual void kill() = 0;
  virtual ProgramUse use() const = 0;
  // What it has written so far, up to 64 MiB.
  virtual std::string output() const = 0;
  virtual std::string errors() const = 0;
};

[[nodiscard]] std::expected<std::unique_ptr<Program>, std::string> start_program(
    const ProgramCall& call);

struct ProgramEnd {
  std::optional<std::int64_t> exit_code{};  // nothing: it was ended after its deadline, or a stop
  std::string output{};
  std::string errors{};
  std::chrono::milliseconds took{};
};

// Runs it to its end, or until its deadline or a stop, when it is killed.
[[nodiscard]] std::expected<ProgramEnd, std::string> run_program(const ProgramCall& call,
                                                                 const StopToken& stop);

// "exit code 1", "no answer within 60 s", and what it wrote to standard error, shortened.
std::string describe(const ProgramEnd& end);

// What is in the file of a program's output, up to 64 MiB; for win/ and posix/.
std::string written_by_program(const std::filesystem::path& file);

// One of Windows' own programs, such as "netsh.exe", in its own folder; empty elsewhere.
std::filesystem::path system_program(const std::string& name);

}  // namespace winperf::selftest
