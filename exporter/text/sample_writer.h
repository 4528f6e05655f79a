// Writes the values of a sample as a part of the page, and counts what it wrote and what it left
// out.
//
// Keeps names, HELP texts and labels from sample to sample while schemas and instances stay the
// same. Thread rule: one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/model/sample.h"
#include "exporter/mapping/page_plan.h"
#include "exporter/mapping/usual_page.h"
#include "exporter/text/family_text.h"
#include "exporter/text/kept_page.h"
#include "exporter/text/page_format.h"
#include "exporter/text/row_texts.h"

namespace winperf {

// Of one counterset of the sample.
struct CountersetCounts {
  std::uint64_t series = 0;            // written
  std::uint64_t no_room = 0;           // left out: the page has no room for this counterset
  std::uint64_t hidden_instances = 0;  // instances left out: others lead
  std::uint64_t duplicates = 0;        // left out: another counterset has the same series
  std::uint64_t unplaced = 0;          // instances that another exporter's names have no place for
  std::uint64_t unnamed = 0;           // counters named by their index
  std::uint64_t not_numeric = 0;       // counters that aren't numbers
  std::array<std::uint64_t, kNoValueCount> missing{};  // values without a number, by reason
};

class SampleWriter {
 public:
  explicit SampleWriter(const MappingOptions& options)
      : options_(options), mapper_(options), texts_(options) {}

  // Appends all families, sorted by name. The counts come in the order of sample.countersets, and
  // so do the flags of `stale`, whose values are left out; empty: none. Names don't depend on them.
  std::vector<CountersetCounts> append(std::string& out, const Sample& sample,
                                       PageFormat format = PageFormat::kText,
                                       const std::vector<bool>& stale = {});
  // Where in `out` the last call has written what.
  std::vector<PagePart> take_parts() { return std::exchange(parts_, {}); }

 private:
  // Decides which instances are on the page.
  void choose_leaders(const Sample& sample, std::vector<CountersetCounts>& counts);
  const std::vector<bool>* shown_rows(const RowSet& rows) const;
  // Decides for which countersets the page has no room, by what they could have if no value was
  // missing, so that they don't come and go.
  void limit_series(const PagePlan& plan, std::vector<CountersetCounts>& counts);
  void append_family(std::string& out, const Sample& sample, const PagePlan& plan,
                     const PageFamily& family, const FamilyText& text,
                     std::vector<CountersetCounts>& counts);

  MappingOptions options_;
  Mapper mapper_;
  std::vector<PagePart> parts_;
  // By format.
  std::array<FamilyTexts, kPageFormatCount> family_texts_{FamilyTexts(PageFormat::kText),
                                                          FamilyTexts(PageFormat::kOpenMetrics)};
  RowTextCache texts_;
  RowTextCache::Selected rows_;  // by row set; null: nothing to write
  std::vector<bool> has_room_;   // by counterset
  // By the counterset's name and machine, of those in which instances lead.
  std::map<std::pair<std::string, std::string>, Leaders> leaders_;
  std::vector<const std::vector<bool>*> leads_;  // by counterset; null: all instances are shown
};

}  // namespace winperf
