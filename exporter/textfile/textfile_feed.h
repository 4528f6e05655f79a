// Parses a text file while it is read, piece by piece. What breaks a bound ends it at once: the
// rest needn't be read. No more of the file is kept than the line that has no end yet, and that is
// bounded. Errors: a sentence for people, with the line's number if there is one. Thread rule: one
// thread.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "exporter/textfile/textfile_decoder.h"
#include "exporter/textfile/textfile_parser.h"

namespace winperf {

class TextfileFeed {
 public:
  // After an error nothing else may be called.
  [[nodiscard]] std::expected<void, std::string> take(std::span<const std::byte> bytes);
  // Nothing follows.
  [[nodiscard]] std::expected<ParsedTextfile, std::string> finish();

  std::size_t values() const { return parser_.samples(); }  // so far

 private:
  [[nodiscard]] std::expected<void, std::string> take_text(std::string_view text);
  [[nodiscard]] std::expected<void, std::string> take_line(std::string_view line);
  std::unexpected<std::string> refused(std::string_view why) const;

  TextfileDecoder decoder_;
  TextfileParser parser_;
  std::string begun_;      // the line that has no end yet
  std::size_t lines_ = 0;  // that have an end
};

}  // namespace winperf
