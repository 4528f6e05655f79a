// The content of one text file, as the reference parser of the Prometheus text format 0.0.4 reads
// it, with checks that it leaves to others: each series once, histograms whose counts agree.
//
// Lines may end in CRLF. The last one has to have an end: without it, the file may be half-written.
// Input is not trusted; limits are in textfile_family.h. Errors: a sentence for people, with the
// line's number if there is one. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "exporter/textfile/textfile_family.h"

namespace winperf {

struct ParsedTextfile {
  TextfileFamilies families;  // those with series; `help` may be empty
  std::size_t samples = 0;
};

[[nodiscard]] std::expected<ParsedTextfile, std::string> parse_textfile(std::string_view content);

}  // namespace winperf
