// The metrics of several text files as one set: what is on the page of the topic `textfile`.
//
// A metric that several files have is one, if its type is the same in each and no series is there
// twice; otherwise the later file is refused as a whole. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/textfile/textfile_family.h"
#include "exporter/textfile/textfile_parser.h"

namespace winperf {

// Names that lines of two families would share: those of a histogram "x" are x_bucket, x_sum and
// x_count.

// The histogram or summary among `families` that a line of this name belongs to, and which of its
// lines that is; null if there is none.
std::pair<const std::string*, LineKind> composed_owner(const TextfileFamilies& families,
                                                       std::string_view name);

// Another family that has lines of the same names.
const std::string* clashing_family(const TextfileFamilies& families, std::string_view name,
                                   TextfileType type);

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
