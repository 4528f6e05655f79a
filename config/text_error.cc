#include "config/text_error.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "collectors/base/ascii.h"
#include "collectors/base/utf8.h"
#include "collectors/base/wording.h"

namespace winperf {
TextPosition position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = 1 + static_cast<std::size_t>(std::ranges::count_if(line, starts_character))};
}

LineIndex::LineIndex(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    breaks_.push_back(at);
}

std::size_t LineIndex::line_of(std::size_t offset) const {
  const auto next_break = std::lower_bound(breaks_.begin(), breaks_.end(), offset);
  return 1 + static_cast<std::size_t>(next_break - breaks_.begin());
}

std::string as_json(std::string_view text) {
  using nlohmann::json;
  return json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string shown_key(std::string_view key) {
  constexpr std::size_t kMostBytes = 40;
  const bool is_word = key.size() <= kMostBytes && std::ranges::all_of(key, [](char c) {
                         return is_letter(c) || c == '_' || c == '-' || c == '.';
                       });
  return is_word ? ' ' + in_quotes(key) : "";
}

}  // namespace winperf
