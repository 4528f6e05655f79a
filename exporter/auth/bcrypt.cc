#include "exporter/auth/password_hash.h"

// A build may have none, as exporter/auth/CMakeLists.txt says.
#ifdef WINPERF_BCRYPT
#include <mbedtls/platform_util.h>
#include <xcrypt_bcrypt.h>

#include <array>
#include <cstdint>
#include <memory>

namespace winperf {

bool can_check_passwords() { return true; }

std::string bcrypt(std::string_view password, const std::string& setting) {
  std::string phrase(password);
  std::array<std::uint8_t, kXcryptBcryptOutput> output{};
  const auto scratch = std::make_unique<std::array<std::uint64_t, kXcryptBcryptScratch / 8>>();
  xcrypt_bcrypt(phrase.c_str(), phrase.size(), setting.c_str(), setting.size(), output.data(),
                output.size(), scratch->data(), kXcryptBcryptScratch);
  mbedtls_platform_zeroize(scratch->data(), kXcryptBcryptScratch);
  mbedtls_platform_zeroize(phrase.data(), phrase.size());
  return reinterpret_cast<const char*>(output.data());
}

}  // namespace winperf
#else
namespace winperf {

bool can_check_passwords() { return false; }

std::string bcrypt(std::string_view, const std::string&) { return {}; }

}  // namespace winperf
#endif
