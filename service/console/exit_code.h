// Exit codes of the command line.
#pragma once

namespace winperf {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // it could not be done; the message says why
inline constexpr int kExitUsage = 2;    // the command line or the configuration is wrong

// Of `config migrate` alone: it was done, but not everything was taken over.
inline constexpr int kExitIncomplete = 3;

// Of `service` alone.
inline constexpr int kExitNotRunning = 3;    // `service status` and `reload`: it does not run
inline constexpr int kExitNotInstalled = 4;  // there is no service of the name
inline constexpr int kExitAccessDenied = 5;  // this takes an administrator

}  // namespace winperf
