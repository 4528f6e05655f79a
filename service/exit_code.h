// Exit codes of the command line.
#pragma once

namespace winperf {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // it could not be done; the message says why
inline constexpr int kExitUsage = 2;    // the command line or the configuration is wrong

}  // namespace winperf
