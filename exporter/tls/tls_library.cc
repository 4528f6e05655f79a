#include "exporter/tls/tls_library.h"

#include <mbedtls/error.h>
#include <psa/crypto.h>

#include <array>

namespace winperf {

std::mutex& handshake_mutex() {
  static std::mutex mutex;
  return mutex;
}

bool begin_tls() {
  static const bool begun = [] {
    const std::lock_guard lock(handshake_mutex());
    return psa_crypto_init() == PSA_SUCCESS;
  }();
  return begun;
}

std::string tls_error_text(int code) {
  std::array<char, 200> text{};
  mbedtls_strerror(code, text.data(), text.size());
  return text.data();
}

}  // namespace winperf
