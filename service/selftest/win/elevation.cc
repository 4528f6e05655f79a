#include <windows.h>

#include "collectors/base/win/unique_handle.h"
#include "service/selftest/selftest.h"

namespace winperf::selftest {

bool is_elevated() {
  UniqueKernelHandle token;
  TOKEN_ELEVATION elevation{};
  DWORD bytes = 0;
  return OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, token.put()) &&
         GetTokenInformation(token.get(), TokenElevation, &elevation, sizeof elevation, &bytes) &&
         elevation.TokenIsElevated != 0;
}

}  // namespace winperf::selftest
