#include "collectors/diagnosis/procedure_names.h"

#include <algorithm>
#include <string>

namespace winperf {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("_?@$.").contains(c);
}

// "@" and the number of bytes of the arguments.
bool is_argument_size(std::string_view text) {
  return text.size() > 1 && text.front() == '@' && std::ranges::all_of(text.substr(1), is_digit);
}

bool is_c(std::string_view exported, std::string_view plain) {
  const bool prefixed = exported.starts_with('_') || exported.starts_with('@');
  const std::string_view name = exported.substr(prefixed ? 1 : 0);
  if (!name.starts_with(plain)) return false;
  const std::string_view rest = name.substr(plain.size());
  return is_argument_size(rest) || (rest.empty() && exported.starts_with('_'));
}

bool is_microsoft_cpp(std::string_view exported, std::string_view plain) {
  return exported.starts_with('?') && exported.substr(1).starts_with(plain) &&
         exported.substr(1 + plain.size()).starts_with('@');
}

// Names are written with their length in front: of the function, and of what it is in.
bool is_itanium_cpp(std::string_view exported, std::string_view plain) {
  if (!exported.starts_with("_Z") && !exported.starts_with("__Z")) return false;
  const std::string counted = std::to_string(plain.size()).append(plain);
  const std::size_t at = exported.find(counted);
  return at != std::string_view::npos && !is_digit(exported[at - 1]);
}

}  // namespace

bool is_decorated(std::string_view exported, std::string_view plain) {
  return !plain.empty() && std::ranges::all_of(exported, is_name_character) &&
         (is_c(exported, plain) || is_microsoft_cpp(exported, plain) ||
          is_itanium_cpp(exported, plain));
}

}  // namespace winperf
