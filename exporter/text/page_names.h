// The names that a page has, for whoever may add what other programs have named: those of its
// series, and those of its families in either format. OpenMetrics calls a counter x_total the
// family x, and keeps x_created for it. Thread rule: values.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace winperf {

class PageNames {
 public:
  // Lines of a page in any format; comments without series count, too.
  void add(std::string_view lines);
  // Also each name that begins as those of the exporter's own metrics do.
  bool has(std::string_view name) const;

 private:
  void add_family(std::string_view name, std::string_view type);

  std::set<std::string, std::less<>> names_;
};

}  // namespace winperf
