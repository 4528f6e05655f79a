// The JSON documents: the API's answer and the lines of `query --format json`. Thread rule: any
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/facts/fact_state.h"
#include "collectors/model/inventory.h"
#include "collectors/model/sample.h"
#include "collectors/model/target_state.h"
#include "exporter/text/gzip.h"
#include "exporter/text/page_selection.h"
#include "exporter/text/shared_text.h"

namespace winperf::json {

// The other machines for Prometheus' HTTP service discovery: a list of groups, each with one
// target, this program's address, and the labels that make Prometheus ask it for that machine.
// Source: Prometheus, HTTP SD ("[{"targets": [...], "labels": {...}}]").
// `address`: under which Prometheus reaches this program. Those that only a pattern names are not
// among them: they come and go with their probes.
[[nodiscard]] std::string targets_document(std::span<const TargetState> targets,
                                           std::string_view address);

// GET /api/v1/facts: what is known of each topic that is not a counter:
// {"topics": [{"topic", "success", "error", "duration_seconds", "age_seconds",
//              "rows": [{field: text or number}], "problems": ["..."]}]}
// error: why the last reading failed; null if it did not. age_seconds is null, and rows are
// missing, if there are none, or they have got too old. `topic`: only that one.
std::string facts_document(const FactSnapshot& facts, std::optional<FactTopic> topic,
                           SteadyTime now);

// GET /api/v1/discovery: the countersets that this machine has, and which of them are sampled:
// {"found_at", "supports_metadata", "asked": ["OLD_MetadataGlobal", ...], "duration_seconds",
//  "reply_bytes", "error", "incomplete", "problems": ["..."],
//  "absent": ["..."],
//  "countersets": [{"name", "key", "costly", "active", "sampled"}]}
// found_at and what follows from a look are null or empty before the first one that succeeded. key:
// the title index, or the GUID. error: why the last look failed; null if it did not. incomplete:
// why there may be countersets that the last one that succeeded has not found; null if there is no
// reason to think so. absent: what the configuration names and a whole look has not found.
std::string discovery_document(const DiscoveryReport& report);

// GET /api/v1/sample:
//   {"sequence", "time", "countersets": [{"name", "object", "object_index", "sampled_at",
//    "age_seconds", "stale", "success", "error", "damage", "duration_seconds", "values": [...]}],
//    "next": "...", "problems": [...],
//    "workers": [{"worker", "running", "process_id", "private_bytes", "restarts": {...}, ...}],
//    "providers": [{"provider", "worker", "state", "quarantine_seconds", "error", ...}]}
// object, object_index, sampled_at, age_seconds and stale are null until there is a sample. Stale
// values are here, unlike on the page of metrics: the reader sees the flag next to them. next is
// there only in a page of the document: the counterset after which the next page begins; null on
// the last page. As columns (sample_columns.h), a counterset has these instead of values.
//
// The values of a counterset are rendered once, and compressed once, for all answers that have
// them; only what depends on the time and on the chosen countersets is made for each answer.
enum class SampleForm : std::uint8_t { kRows, kColumns };
inline constexpr std::size_t kSampleFormCount = 2;

class SampleDocument {
 public:
  explicit SampleDocument(std::shared_ptr<const Sample> sample,
                          SampleForm form = SampleForm::kRows);

  const Sample& sample() const { return *sample_; }
  const CountersetIndex& index() const { return index_; }
  // The first of `names` that is neither a counterset nor an object of the sample, regardless of
  // case.
  std::optional<std::string> unknown_counterset(std::span<const std::string> names) const;
  // Makes it a page of the document. `next`: empty on the last one.
  void set_next(std::string next) { next_ = std::move(next); }
  // Only the named countersets, or all if `names` is empty. `now`: on the clock of
  // CountersetState::sampled_at.steady.
  SharedText text(std::span<const std::string> names, SteadyTime now);
  // The same as one gzip file.
  SharedText gzipped(std::span<const std::string> names, SteadyTime now);
  // An entity tag that another sample doesn't have, and neither has this one once more of it is
  // stale. It is a weak one, because the ages in the document grow while it stays the same, but for
  // less than a minute: where sampling has stopped, the client has to see the age.
  // W/"128316516980000000-5-27-0"
  std::string etag(SteadyTime now) const;

 private:
  // What follows the age in the object of a counterset.
  struct Values {
    std::once_flag render_once;
    SharedText::Piece text;
    std::once_flag compress_once;
    DeflatedPart compressed;
  };

  // Calls add_own(std::string) and add_shared(index) in the order of the document.
  template <class AddOwn, class AddShared>
  void write(std::span<const std::string> names, SteadyTime now, const AddOwn& add_own,
             const AddShared& add_shared);
  SharedText::Piece rendered(std::size_t index);
  const DeflatedPart& compressed(std::size_t index);

  std::shared_ptr<const Sample> sample_;
  SampleForm form_;
  std::optional<std::string> next_;
  const CountersetIndex index_;
  std::vector<Values> values_;  // of each counterset
};

// {"schema": 1, "sequence": 0, "time": "...Z", "values": [...]} and a line feed; time is null if
// unknown.
void append_query_line(std::string& out, unsigned schema, std::uint64_t sequence,
                       std::optional<Ticks100ns> time,
                       std::span<const std::shared_ptr<const CountersetSample>> countersets);

}  // namespace winperf::json
