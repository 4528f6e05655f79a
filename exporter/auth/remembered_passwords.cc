#include "exporter/auth/remembered_passwords.h"

#include <mbedtls/entropy.h>
#include <mbedtls/md.h>
#include <mbedtls/platform_util.h>

#include <algorithm>
#include <stdexcept>

namespace winperf {
namespace {

void append(std::string& text, const std::string& part) {
  text += std::to_string(part.size());
  text += ':';
  text += part;
}

}  // namespace

RememberedPasswords::RememberedPasswords() {
  mbedtls_entropy_context entropy;
  mbedtls_entropy_init(&entropy);
  const int code = mbedtls_entropy_func(&entropy, key_.data(), key_.size());
  mbedtls_entropy_free(&entropy);
  if (code != 0) throw std::runtime_error("the system gives no random numbers");
  chance_.seed(key_[0] + 256U * key_[1]);
}

RememberedPasswords::Digest RememberedPasswords::digest_of(const Credentials& credentials,
                                                           const std::string& hash) const {
  std::string text;
  // So that no copy is left where the text was when it was shorter.
  text.reserve(credentials.user.size() + hash.size() + credentials.password.size() + 64);
  append(text, credentials.user);
  append(text, hash);
  append(text, credentials.password);
  Digest digest{};
  mbedtls_md_hmac(mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), key_.data(), key_.size(),
                  reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  mbedtls_platform_zeroize(text.data(), text.size());
  return digest;
}

std::optional<bool> RememberedPasswords::outcome_of(const std::string& user,
                                                    const Digest& digest) const {
  const auto right = right_.find(user);
  if (right != right_.end() && right->second == digest) return true;
  if (std::ranges::find(wrong_, digest) != wrong_.end()) return false;
  return std::nullopt;
}

void RememberedPasswords::remember(const std::string& user, const Digest& digest, bool is_right) {
  if (is_right) {
    right_[user] = digest;
  } else if (wrong_.size() < kMostWrong) {
    wrong_.push_back(digest);
  } else {
    wrong_[chance_() % wrong_.size()] = digest;
  }
}

}  // namespace winperf
