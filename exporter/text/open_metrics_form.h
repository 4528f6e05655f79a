// How metrics of text files are written in OpenMetrics, which allows less than the text format.
// Source: OpenMetrics 1.0. Thread rule: any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "exporter/textfile/textfile_family.h"

namespace winperf {

struct OpenMetricsForm {
  // Its lines are those of metrics of unknown type, one for each name.
  bool is_unknown = false;
  // Since when its series count, or null.
  const TextfileFamily* created = nullptr;
};

class OpenMetricsForms {
 public:
  // Both have to outlive it.
  OpenMetricsForms(const TextfileFamilies& families,
                   const std::function<bool(std::string_view)>& is_taken)
      : families_(families), is_taken_(is_taken) {}

  OpenMetricsForm form_of(std::string_view name, const TextfileFamily& family) const;
  // Whether it is a part of another one.
  bool is_created_of_another(std::string_view name) const;

 private:
  bool is_occupied(std::string_view name) const;

  const TextfileFamilies& families_;
  const std::function<bool(std::string_view)>& is_taken_;
};

// Whether one of the names that its lines have, or its own, is such a name.
bool has_name(std::string_view name, TextfileType type,
              const std::function<bool(std::string_view)>& is_one);

}  // namespace winperf
