// Hashes of passwords by bcrypt, which makes each guess cost much time on purpose. Neither
// passwords nor hashes are in any message, and what is computed on the way is wiped. A build
// without bcrypt says so. Thread rule: any thread. Source: Provos and Mazieres, A Future-Adaptable
// Password Scheme (1999).
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace winperf {

inline constexpr int kUsualCost = 10;
inline constexpr int kLowestCost = 4;
inline constexpr int kHighestCost = 31;

// False for a build without bcrypt.
bool can_check_passwords();

// bcrypt itself. `setting`: "$2y$10$" and a salt; anything after it, such as the hash, is ignored.
// Empty if the setting is invalid, and always without bcrypt.
std::string bcrypt(std::string_view password, const std::string& setting);

// Of a hash as hash_password() makes it.
int cost_of(const std::string& hash);
// A hash of no user's password, for comparisons that take as long as with another hash of this
// cost.
std::string fake_hash(int cost);

// Whether the hash is that of the password. Of a longer one, the first 72 bytes count. Takes 2^cost
// times some microseconds, regardless of the password.
bool is_password(std::string_view password, const std::string& hash);

// With a random salt: "$2y$10$...", 60 characters. The error is a sentence.
[[nodiscard]] std::expected<std::string, std::string> hash_password(std::string_view password,
                                                                    int cost = kUsualCost);

}  // namespace winperf
