// The metrics of several text files as one set: what is on the page of the topic `textfile`.
//
// A metric that several files have is one, if its type is the same in each and no series is there
// twice; otherwise the later file is refused as a whole. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "collectors/facts/fact_table.h"
#include "exporter/textfile/textfile_family.h"

namespace winperf {

struct TextfileTime {
  std::string file;
  double modified_seconds = 0;  // since 1970
};

struct TextfileResult {
  TextfileFamilies families;
  std::vector<TextfileTime> times;  // of the files whose metrics are here, in their order
  // A file and a sentence: why its metrics are not here. The name is empty if it is about a folder.
  std::vector<std::pair<std::string, std::string>> problems;
  // The same, about files whose metrics are here: HELP that differs from that of an earlier file.
  std::vector<std::pair<std::string, std::string>> notices;
  std::size_t samples = 0;  // lines with a value
};

// `table`: of read_textfiles(). Input is not trusted.
TextfileResult merge_textfiles(const FactTable& table);

}  // namespace winperf
