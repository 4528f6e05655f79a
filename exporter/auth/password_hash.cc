#include "exporter/auth/password_hash.h"

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/platform_util.h>

// The only header of the library that doesn't say so itself.
extern "C" {
#include <mbedtls/constant_time.h>
}

#include <array>

namespace winperf {
namespace {

constexpr std::size_t kHashBytes = 60;
constexpr std::size_t kMostPasswordBytes = 72;
constexpr std::size_t kSaltBytes = 16;
// That of "fakepassword", as exporter-toolkit has it.
constexpr std::string_view kFakeHash =
    "$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi";

// bcrypt's own kind of base 64: without padding, and in another order.
std::string salt_text(const std::array<unsigned char, kSaltBytes>& salt) {
  constexpr std::string_view kDigits =
      "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string text;
  unsigned bits = 0;
  int held = 0;
  for (const unsigned char byte : salt) {
    bits = (bits << 8) | byte;
    for (held += 8; held >= 6; held -= 6) text += kDigits[(bits >> (held - 6)) & 63];
  }
  return text + kDigits[(bits << (6 - held)) & 63];
}

bool fill_randomly(std::array<unsigned char, kSaltBytes>& salt) {
  mbedtls_entropy_context entropy;
  mbedtls_ctr_drbg_context random;
  mbedtls_entropy_init(&entropy);
  mbedtls_ctr_drbg_init(&random);
  const bool filled =
      mbedtls_ctr_drbg_seed(&random, mbedtls_entropy_func, &entropy, nullptr, 0) == 0 &&
      mbedtls_ctr_drbg_random(&random, salt.data(), salt.size()) == 0;
  mbedtls_ctr_drbg_free(&random);
  mbedtls_entropy_free(&entropy);
  return filled;
}

}  // namespace

int cost_of(const std::string& hash) {
  const auto digit = [&](std::size_t at) { return hash[at] - '0'; };
  return hash.size() == kHashBytes ? 10 * digit(4) + digit(5) : kUsualCost;
}

std::string fake_hash(int cost) {
  std::string hash(kFakeHash);
  hash[4] = static_cast<char>('0' + cost / 10);
  hash[5] = static_cast<char>('0' + cost % 10);
  return hash;
}

bool is_password(std::string_view password, const std::string& hash) {
  // A zero would end it early, so that its beginning would do.
  if (hash.size() != kHashBytes || password.contains('\0')) return false;
  const std::string own = bcrypt(password, hash);
  return own.size() == kHashBytes && mbedtls_ct_memcmp(own.data(), hash.data(), kHashBytes) == 0;
}

std::expected<std::string, std::string> hash_password(std::string_view password, int cost) {
  if (!can_check_passwords())
    return std::unexpected("this build has no bcrypt and cannot check passwords");
  if (cost < kLowestCost || cost > kHighestCost)
    return std::unexpected("the cost must be a number from 4 to 31");
  if (password.empty()) return std::unexpected("the password is empty");
  if (password.contains('\0')) return std::unexpected("the password contains a zero byte");
  if (password.size() > kMostPasswordBytes)
    return std::unexpected("the password is longer than the 72 bytes that bcrypt uses");
  std::array<unsigned char, kSaltBytes> salt{};
  if (!fill_randomly(salt)) return std::unexpected("the system provides no random numbers");
  const std::string digits = std::to_string(cost);
  std::string hash = bcrypt(
      password, "$2y$" + std::string(2 - digits.size(), '0') + digits + '$' + salt_text(salt));
  if (hash.size() != kHashBytes) return std::unexpected("bcrypt failed");
  return hash;
}

}  // namespace winperf
