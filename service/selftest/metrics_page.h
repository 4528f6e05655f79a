// A page of metrics as a client reads it: what Prometheus would refuse, and numbers of it.
//
// Input is a server's answer, which isn't trusted. Validated, each with its line: UTF-8, the form
// of each line (exporter/textfile), no series twice, TYPE and HELP once and before the samples of
// their family, families not mixed; of OpenMetrics the end "# EOF". At most 20 refusals are kept.
// Thread rule: values. Source: Prometheus documentation, "Exposition formats"; OpenMetrics 1.0.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::selftest {

class MetricsPage {
 public:
  MetricsPage(std::string_view text, bool is_openmetrics);

  // Sentences with the line's number; empty: Prometheus takes it.
  const std::vector<std::string>& refusals() const { return refusals_; }
  std::size_t series() const { return values_.size(); }
  // `labels`: as they are on the page, sorted by name, without braces.
  std::optional<double> value(std::string_view name, std::string_view labels = {}) const;
  // All series of this name: labels, as for value(), and number.
  std::map<std::string, double> all(std::string_view name) const;
  // The sum over all series of this name whose labels contain the text; nothing if there is none.
  std::optional<double> sum(std::string_view name, std::string_view text = {}) const;

 private:
  void refuse(std::size_t line, const std::string& why);

  std::vector<std::string> refusals_;
  std::map<std::string, double, std::less<>> values_;  // by NAME{LABELS}
};

}  // namespace winperf::selftest
