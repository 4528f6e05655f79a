// A whole text file that is here already. Thread rule: any thread.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "exporter/textfile/textfile_parser.h"

namespace winperf {

// Errors have the line's number.
inline std::expected<ParsedTextfile, std::string> parse_textfile(std::string_view content) {
  TextfileFeed feed;
  if (auto taken = feed.take(std::as_bytes(std::span(content))); !taken)
    return std::unexpected(std::move(taken).error());
  return feed.finish();
}

}  // namespace winperf
