// What the parameters counterset, counter, instance and path of a request select of a sample.
// Clients choose the patterns, so selecting ends at the first one that takes too many steps. Thread
// rule: pure functions; a selector is for one thread.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collectors/match/filter.h"
#include "collectors/model/sample.h"
#include "exporter/api/api_query.h"
#include "exporter/text/page_selection.h"

namespace winperf::api {

// What a path selects, or all other parameters together.
struct Selection {
  std::string parameter;                 // that names the countersets
  std::string path{};                    // as it was written; empty if it isn't one
  std::vector<std::string> countersets;  // names and patterns; none: all
  Filter counters;
  Filter instances;
  std::string counter{};        // of a path without a pattern for it
  bool names_instance = false;  // a path, without a pattern for the instance
};
[[nodiscard]] std::expected<std::vector<Selection>, Problem> selections_of(const Query& query);

// Rows and columns of a counterset.
struct SelectedCells {
  std::size_t place = 0;  // of the counterset in its sample
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
};

class Selector {
 public:
  explicit Selector(const CountersetIndex& index) : index_(index) {}

  // The places of its countersets in the sample, in their order.
  [[nodiscard]] std::expected<std::set<std::size_t>, Problem> places_of(const Selection& selection);
  // What it selects of one of them, which has values. Nothing if nothing is left of it.
  [[nodiscard]] std::optional<SelectedCells> cells_of(const Selection& selection,
                                                      std::size_t place);
  // What was wrong with the patterns of `selection` until now.
  std::optional<Problem> problem(const Selection& selection) const;

 private:
  bool accepts(const Filter& filter, std::string_view name, std::string_view other = {});
  bool has_row(const CountersetSample& sample, std::size_t row, const Selection& selection);
  Problem unknown(const Selection& selection, const std::string& name) const;

  const CountersetIndex& index_;
  bool limit_reached_ = false;
};

// The counter that a path names, if none of its countersets has it, as a problem with the nearest
// name.
[[nodiscard]] std::optional<Problem> unknown_counter(const Selection& path, const Sample& sample,
                                                     const std::set<std::size_t>& places);

}  // namespace winperf::api
