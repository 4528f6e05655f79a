#include "service/selftest/rendered_events.h"

#include <array>
#include <charconv>
#include <utility>

namespace winperf::selftest {
namespace {

constexpr std::size_t kMostEvents = 10'000;

// What is between the start tag `name`, whatever its attributes are, and the end tag.
std::optional<std::string_view> element_in(std::string_view text, std::string_view name) {
  const std::string begin = '<' + std::string(name);
  for (std::size_t at = text.find(begin); at != std::string_view::npos;
       at = text.find(begin, at + 1)) {
    const std::size_t after = at + begin.size();
    if (after >= text.size() || !std::string_view(" >\t\r\n").contains(text[after])) continue;
    const std::size_t content = text.find('>', after);
    if (content == std::string_view::npos) return std::nullopt;
    const std::size_t end = text.find("</" + std::string(name) + '>', content);
    if (end == std::string_view::npos) return std::nullopt;
    return text.substr(content + 1, end - content - 1);
  }
  return std::nullopt;
}

// With either quotation mark.
std::string attribute_in(std::string_view text, std::string_view before, std::string_view name) {
  const std::size_t tag = text.find(before);
  if (tag == std::string_view::npos) return {};
  text = text.substr(tag, text.find('>', tag) - tag);
  const std::string begin = ' ' + std::string(name) + '=';
  const std::size_t at = text.find(begin);
  if (at == std::string_view::npos || at + begin.size() >= text.size()) return {};
  const char quote = text[at + begin.size()];
  text.remove_prefix(at + begin.size() + 1);
  return std::string(text.substr(0, text.find(quote)));
}

std::string without_entities(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
  std::string out;
  while (!text.empty()) {
    char next = text.front();
    std::size_t size = 1;
    for (const auto& [entity, sign] : kEntities) {
      if (!text.starts_with(entity)) continue;
      next = sign;
      size = entity.size();
    }
    out += next;
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace

std::vector<RenderedEvent> rendered_events(std::string_view output) {
  constexpr std::string_view kEnd = "</Event>";
  std::vector<RenderedEvent> events;
  while (events.size() < kMostEvents) {
    const std::size_t begin = output.find("<Event ");
    if (begin == std::string_view::npos) break;
    const std::size_t end = output.find(kEnd, begin);
    if (end == std::string_view::npos) break;
    const std::string_view whole = output.substr(begin, end - begin);
    output.remove_prefix(end + kEnd.size());
    const auto number = element_in(whole, "EventID");
    if (!number) continue;
    RenderedEvent event{.provider = without_entities(attribute_in(whole, "<Provider", "Name"))};
    const auto read = std::from_chars(number->data(), number->data() + number->size(), event.id);
    if (read.ec != std::errc()) continue;
    const auto message = element_in(whole, "Message");
    if (message && !message->empty()) event.message = without_entities(*message);
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace winperf::selftest
