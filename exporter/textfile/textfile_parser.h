// The content of one text file, as the reference parser of the Prometheus text format 0.0.4 reads
// it, with checks that it leaves to others: each series once, histograms whose counts agree.
//
// Input is not trusted; limits are in textfile_family.h. Errors: a sentence for people. Thread
// rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/textfile/textfile_family.h"

namespace winperf {

// Converts text files of Windows programs to UTF-8: UTF-8 with or without a byte order mark, and
// UTF-16 with one, which is what PowerShell 5's `>` and Out-File write. UTF-32, and UTF-16 without
// a mark, are refused; whether UTF-8 is valid is not checked here. The bytes may come in any
// pieces. Errors say what to do, with the line if there is one.

// What to do about a file in another encoding; the end of a sentence.
inline constexpr const char* kEncodingRepair =
    "; write it as UTF-8 or ASCII, as PowerShell's Set-Content -Encoding ascii does";

class TextfileDecoder {
 public:
  // Both are valid until the next call.
  [[nodiscard]] std::expected<std::string_view, std::string> decode(
      std::span<const std::byte> bytes);
  // Nothing follows.
  [[nodiscard]] std::expected<std::string_view, std::string> finish();

 private:
  enum class Encoding : std::uint8_t { kUnknown, kUtf8, kLittleEndian, kBigEndian };

  [[nodiscard]] std::expected<void, std::string> recognize();
  [[nodiscard]] std::expected<std::string_view, std::string> from_utf16(std::string_view bytes);
  // Whether a character is complete after this unit; false if a surrogate is alone.
  bool take_unit(char32_t unit);

  Encoding encoding_ = Encoding::kUnknown;
  std::string begin_;       // of the file, until its encoding is known
  std::string text_;        // that was returned last
  std::string half_;        // a byte of a unit
  char32_t surrogate_ = 0;  // the first of two
  std::size_t line_ = 1;
};

struct ParsedTextfile {
  TextfileFamilies families;  // those with series; `help` may be empty
  std::size_t samples = 0;
};

// Lines come one after the other. Errors about one are without its number, which is that of the
// call.
class TextfileParser {
 public:
  using Outcome = std::expected<void, std::string>;

  // Without its end.
  [[nodiscard]] Outcome take_line(std::string_view line);
  // What follows the last line break: only blanks are allowed, because a file that ends within a
  // line may be incomplete.
  [[nodiscard]] Outcome take_end(std::string_view line) const;
  std::size_t samples() const { return parsed_.samples; }  // so far
  // Nothing follows. Errors have the number of a line.
  [[nodiscard]] std::expected<ParsedTextfile, std::string> finish();

 private:
  using Family = TextfileFamilies::value_type;

  std::pair<Family*, LineKind> family_of_line(std::string_view name);
  [[nodiscard]] Outcome take_help(const TextfileLine& line);
  [[nodiscard]] Outcome take_type(const TextfileLine& line);
  [[nodiscard]] Outcome take_sample(const TextfileLine& line);
  Outcome take_plain(const TextfileLine& line, Family& family) const;
  Outcome take_part(const TextfileLine& line, Family& family, LineKind kind) const;

  ParsedTextfile parsed_;
  std::uint32_t line_ = 0;  // from 1
  std::set<std::string, std::less<>> has_help_;
  std::set<std::string, std::less<>> has_type_;
};

// Parses a text file while it is read, piece by piece. Exceeding a limit ends it immediately: the
// rest needn't be read. No more of the file is kept than the line that has no end yet, and that is
// bounded. Errors have the line's number if there is one.
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

// The metrics of several text files as one set: what is on the page of the topic `textfile`.
//
// A metric that several files have is one, if its type is the same in each and no series is there
// twice; otherwise the later file is refused as a whole. Thread rule: any thread.
struct TextfileInput {
  std::string file;
  std::shared_ptr<const ParsedTextfile> parsed;  // never null
  bool operator==(const TextfileInput&) const = default;
};

struct TextfileResult {
  TextfileFamilies families;
  std::vector<std::string> files;  // whose metrics are here, in their order
  // A file and a sentence: why its metrics are not here.
  std::vector<std::pair<std::string, std::string>> problems;
  // The same, about files whose metrics are here: HELP that differs from that of an earlier file.
  std::vector<std::pair<std::string, std::string>> notices;
  std::size_t samples = 0;  // lines with a value
};

// Why a file has no room.
std::string too_many_values_in_all();

TextfileResult merge_textfiles(std::span<const TextfileInput> inputs);

}  // namespace winperf
