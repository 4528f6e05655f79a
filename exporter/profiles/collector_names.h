// Which of windows_exporter's collectors read a counterset. Thread rule: any thread.
#pragma once

#include <string_view>
#include <vector>

#include "exporter/profiles/name_template.h"

namespace winperf {

struct ReadBy {
  std::string_view collector;
  std::string_view part;          // of the collector (ProfileBlock::part); may be empty
  std::vector<LabelPart> labels;  // that all series of the counterset have
  bool operator==(const ReadBy&) const = default;
};

// `object`: its English name, whatever its case. Each once.
std::vector<ReadBy> collectors_of(std::string_view object);

}  // namespace winperf
