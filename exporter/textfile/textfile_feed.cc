#include "exporter/textfile/textfile_feed.h"

#include <utility>

namespace winperf {
namespace {

// A line may have some carriage returns behind its text.
constexpr std::size_t kLongest = kMaxTextfileLineBytes + 16;

std::string_view without_returns(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::expected<void, std::string> TextfileFeed::take(std::span<const std::byte> bytes) {
  const auto text = decoder_.decode(bytes);
  if (!text) return std::unexpected(text.error());
  return take_text(*text);
}

std::expected<ParsedTextfile, std::string> TextfileFeed::finish() {
  const auto text = decoder_.finish();
  if (!text) return std::unexpected(text.error());
  if (const auto taken = take_text(*text); !taken) return std::unexpected(taken.error());
  if (!begun_.empty())
    if (const auto end = parser_.take_end(without_returns(begun_)); !end)
      return refused(end.error());
  return parser_.finish();
}

std::expected<void, std::string> TextfileFeed::take_text(std::string_view text) {
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    std::string_view line = text.substr(0, end);
    if (begun_.size() + line.size() > kLongest) return refused(too_long_line());
    if (!begun_.empty()) line = begun_.append(line);
    if (auto taken = take_line(line); !taken) return taken;
    begun_.clear();
    text.remove_prefix(end + 1);
  }
  if (begun_.size() + text.size() > kLongest) return refused(too_long_line());
  begun_ += text;
  return {};
}

std::expected<void, std::string> TextfileFeed::take_line(std::string_view line) {
  if (lines_ == kMaxTextfileLines)
    return refused("the file has more than " + std::to_string(kMaxTextfileLines) + " lines");
  if (auto taken = parser_.take_line(without_returns(line)); !taken) return refused(taken.error());
  ++lines_;
  return {};
}

std::unexpected<std::string> TextfileFeed::refused(std::string_view why) const {
  return std::unexpected(at_line(lines_ + 1, why));
}

std::expected<ParsedTextfile, std::string> parse_textfile(std::string_view content) {
  TextfileFeed feed;
  if (auto taken = feed.take(std::as_bytes(std::span(content))); !taken)
    return std::unexpected(std::move(taken).error());
  return feed.finish();
}

}  // namespace winperf
