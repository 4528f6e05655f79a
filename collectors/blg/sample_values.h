// The content of one sample for one machine: unchanged blocks, and objects assembled from the
// values of single and wildcard counters.
//
// The n-th item of a sample belongs to the n-th entry of the counter list. Instances are those that
// single counters name and those in the items of wildcard counters; a value that an instance lacks
// is kNotDelivered. If two entries request the same value, the first one counts. Each value has the
// clock that came with it.
// Validated: items, by their readers; an unsound item costs its values and is a problem of its
// object. Limits: kMaxCells for a machine's sample; instances beyond that are left out, which is a
// problem, too. Errors: a sample record that can't be split into items; offsets are in the file.
// Thread rule: any thread. Source: docs/blg.md, "Counters" and "Missing values".
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collectors/blg/log_layout.h"
#include "collectors/blg/log_reader.h"
#include "collectors/blg/log_records.h"
#include "collectors/model/clock.h"
#include "collectors/model/sample.h"
#include "collectors/sources/source.h"

namespace winperf::blg {

// Collects the values of one object in a sample: instances and counters in the order in which they
// occur, with a cell for each pair.
// Thread rule: one thread. Source: docs/blg.md, "Counters".
class ObjectValues {
 public:
  using Column = LogLayout::Entry::Column;

  // `layout`: of the schema.
  ObjectValues(std::shared_ptr<const CountersetSchema> schema,
               std::shared_ptr<const SampleLayout> layout)
      : schema_(std::move(schema)), layout_(std::move(layout)) {}

  // The instance's row, which is added if it doesn't exist yet.
  std::size_t row_of(const InstanceName& instance);
  // `multi_count`: the number of components of a multi counter, if known.
  void put(std::size_t row, const Column& column, const RawValue& value,
           std::optional<std::uint32_t> multi_count);

  // How many cells the object takes.
  std::size_t cells() const;
  // The object in the form of LoggedObject, with at most `max_rows` rows. `time`: the sample's.
  std::shared_ptr<const CountersetSample> finish(Ticks100ns time, std::size_t max_rows) const;
  const CountersetSchema& schema() const { return *schema_; }

 private:
  struct Placed {
    std::size_t row;
    Column column;
    RawValue value;
    std::optional<std::uint32_t> multi_count;
  };

  std::shared_ptr<const CountersetSchema> schema_;
  std::shared_ptr<const SampleLayout> layout_;
  std::vector<InstanceName> rows_;
  std::unordered_map<std::string, std::size_t> row_by_key_;
  std::vector<Placed> values_;
};

inline constexpr std::size_t kMaxCells = std::size_t{1} << 21;

[[nodiscard]] std::expected<Reply, Error> read_sample_of(const Record& record,
                                                         const LogLayout& layout,
                                                         std::size_t machine, Ticks100ns time);

}  // namespace winperf::blg
