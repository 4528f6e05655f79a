// Which passwords were right or wrong, by a keyed digest of what was compared, so that each costs
// bcrypt once. The digest includes the hash: when a user gets another one, nothing that was
// compared with the old one counts.
//
// A right password has a place of its own for each user, which no guess can take. Of wrong ones the
// last 100 are kept, with random eviction. Thread rule: one thread.
// Source: exporter-toolkit, web/handler.go and web/cache.go.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "exporter/auth/basic_credentials.h"

namespace winperf {

class RememberedPasswords {
 public:
  using Digest = std::array<unsigned char, 32>;

  static constexpr std::size_t kMostWrong = 100;

  // Throws std::runtime_error if the system gives no random numbers.
  RememberedPasswords();

  Digest digest_of(const Credentials& credentials, const std::string& hash) const;
  // Whether it was right; nothing if that isn't known.
  std::optional<bool> outcome_of(const std::string& user, const Digest& digest) const;
  void remember(const std::string& user, const Digest& digest, bool is_right);
  void forget(const std::string& user) { right_.erase(user); }

 private:
  Digest key_{};
  std::map<std::string, Digest> right_;  // by the user
  std::vector<Digest> wrong_;
  std::minstd_rand chance_;
};

}  // namespace winperf
