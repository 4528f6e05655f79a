#include "config/web_values.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/value_error.h"

namespace winperf {
namespace {

constexpr std::size_t kHashBytes = 60;
constexpr std::size_t kMostNameBytes = 255;

bool is_of_base64(char c) { return is_letter_or_digit(c) || c == '.' || c == '/'; }

// "$2y$10$" and 53 characters: the kind, the cost from 04 to 31, the salt and the hash.
bool is_bcrypt(std::string_view text) {
  if (text.size() != kHashBytes || !text.starts_with("$2") || text[3] != '$' || text[6] != '$')
    return false;
  if (!std::string_view("abxy").contains(text[2]) || !is_digit(text[4]) || !is_digit(text[5]))
    return false;
  const int cost = (text[4] - '0') * 10 + (text[5] - '0');
  return cost >= 4 && cost <= 31 && std::ranges::all_of(text.substr(7), is_of_base64);
}

// A name ends at the first colon of what a client sends.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostNameBytes && !name.contains(':') &&
         std::ranges::none_of(
             name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

// Without the colon behind the name, what follows is a part of it.
bool may_be_shown(std::string_view name) {
  constexpr std::size_t kMostShown = 32;
  return name.size() <= kMostShown && std::ranges::all_of(name, [](char c) {
           return is_letter_or_digit(c) || std::string_view("._-@").contains(c);
         });
}

std::unexpected<TextError> bad_hash(const Option& option, const Node& user) {
  const std::string name = may_be_shown(user.key) ? "the user " + in_quotes(user.key) : "a user";
  return std::unexpected(
      TextError{user.offset, in_quotes(option.path) + " has no bcrypt hash for " + name +
                                 ": write what \"winperf_exporter config hash-password\" shows for "
                                 "the password"});
}

}  // namespace

std::optional<std::string> user_line(std::string_view name, std::string_view hash) {
  if (!is_name(name)) return std::nullopt;
  std::string line = "'";
  for (const char c : name) line += c == '\'' ? "''" : std::string(1, c);
  return line + "': '" + std::string(hash) + '\'';
}

std::expected<OptionValue, TextError> read_pem(const Option& option, const Node& node) {
  if (node.kind != NodeKind::kScalar)
    return complaint(option, node, "must be text: write PEM, as one text with its lines");
  if (std::cmp_greater(node.text.size(), option.maximum))
    return complaint(option, node,
                     "is too long: write at most " + std::to_string(option.maximum) + " bytes");
  return node.text;
}

std::expected<OptionValue, TextError> read_users(const Option& option, const Node& node) {
  Users users;
  if (node.kind == NodeKind::kNull) return users;
  if (node.kind != NodeKind::kMap)
    return complaint(option, node,
                     "must be an object: write each name with a colon and its bcrypt hash");
  if (std::cmp_greater(node.children.size(), option.maximum))
    return complaint(option, node,
                     "has too many users: write at most " + std::to_string(option.maximum));
  for (const Node& user : node.children) {
    if (!is_name(user.key))
      return std::unexpected(TextError{
          user.key_offset, in_quotes(option.path) + " has a name that no client can send: write 1 "
                                                    "to 255 characters without a colon"});
    if (user.kind != NodeKind::kScalar || !is_bcrypt(user.text)) return bad_hash(option, user);
    users.push_back({.name = user.key, .password_hash = user.text});
  }
  std::ranges::sort(users, {}, &UserConfig::name);
  return users;
}

}  // namespace winperf
