// The content of one text file, as the reference parser of the Prometheus text format 0.0.4 reads
// it, with checks that it leaves to others: each series once, histograms whose counts agree.
//
// Lines come one after the other, as TextfileFeed finds them. Input is not trusted; limits are in
// textfile_family.h. Errors: a sentence for people; of a line, without its number, which is that of
// the call. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/textfile/textfile_family.h"
#include "exporter/textfile/textfile_line.h"

namespace winperf {

struct ParsedTextfile {
  TextfileFamilies families;  // those with series; `help` may be empty
  std::size_t samples = 0;
};

class TextfileParser {
 public:
  using Outcome = std::expected<void, std::string>;

  // Without its end.
  [[nodiscard]] Outcome take_line(std::string_view line);
  // What is behind the last end of a line: nothing but blanks may be there, because a file that
  // ends within a line may be half-written.
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

std::string too_long_line();
// "line 7: why"
std::string at_line(std::size_t line, std::string_view why);

// A whole file that is here already; errors have the line's number.
[[nodiscard]] std::expected<ParsedTextfile, std::string> parse_textfile(std::string_view content);

}  // namespace winperf
