// Exit codes of commands, and their error messages. Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // the command failed; a message says why
inline constexpr int kExitUsage = 2;    // the command line or the configuration is wrong

// `config migrate` only: done, but something was lost. With notes alone it is kExitOk.
inline constexpr int kExitIncomplete = 3;

// `check-config --strict` only: the file is valid, but this machine lacks something that it names.
inline constexpr int kExitMissing = 3;

// `service` only.
inline constexpr int kExitNotRunning = 3;    // `service status` and `service reload`
inline constexpr int kExitNotInstalled = 4;  // there is no service of this name
inline constexpr int kExitAccessDenied = 5;  // this requires an administrator

// Why something could not be done.
struct Failure {
  int exit_code = kExitFailure;
  std::string message;          // one sentence, or lines
  bool names_its_file = false;  // the lines begin with the name of a file, like a compiler's
};

// Writes "winperf_exporter: message" to standard error; lines that name their file begin with that.
// Terminal escapes in them have no effect (collectors/base/printable.h). They may have several
// lines, so foreign text that must not begin a line has to be made printable() before.
void complain(std::string_view message);
void complain(const Failure& failure);
// The same for a failure, which is red on a terminal; returns the exit code.
int fail(std::string_view message, int exit_code = kExitFailure);

}  // namespace winperf
