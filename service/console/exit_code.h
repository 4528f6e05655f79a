// How a command ends: its exit code, and its complaints. Thread rule: any thread.
#pragma once

#include <string>
#include <string_view>

namespace winperf {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // it could not be done; the message says why
inline constexpr int kExitUsage = 2;    // the command line or the configuration is wrong

// Only of `config migrate`: it is done, but some settings could not be migrated.
inline constexpr int kExitIncomplete = 3;

// Only of `service`.
inline constexpr int kExitNotRunning = 3;    // `service status` and `reload`: it does not run
inline constexpr int kExitNotInstalled = 4;  // no service has this name
inline constexpr int kExitAccessDenied = 5;  // only an administrator may do this

// Why something could not be done.
struct Failure {
  int exit_code = kExitFailure;
  std::string message;          // one sentence, or
  bool names_its_file = false;  // lines that begin with the name of a file, like a compiler's
};

// "winperf_exporter: message" on standard error; lines that name their file, as they are.
void complain(std::string_view message);
void complain(const Failure& failure);

}  // namespace winperf
