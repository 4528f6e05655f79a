// The content of samples for one machine: unchanged blocks, and objects assembled from the values
// of single and wildcard counters.
//
// The n-th item of a sample belongs to the n-th entry of the counter list. Instances are those that
// single counters name and those in the items of wildcard counters; a value that an instance lacks
// is kNotDelivered. If two entries request the same value, the first one counts. Each value has the
// clock that came with it.
// As long as the items list the same instances as those of the sample before, byte for byte, no
// name is decoded or looked up again, and the samples share their instances. Validated: items, by
// their readers; an unsound item costs its values and is a problem of its object. Limits: kMaxCells
// for a machine's sample; instances beyond that are left out, which is a problem, too. Errors: a
// sample record that can't be split into items; offsets are in the file. Thread rule: one thread.
// Source: docs/blg.md, "Counters" and "Missing values".
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

// Collects the values of one object: instances and counters in the order in which they occur, with
// a cell for each pair. Thread rule: one thread. Source: docs/blg.md, "Counters".
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
  // The object in the form of LoggedObject, with at most `max_rows` rows. `time`: the sample's. The
  // instances stay for the next sample, the values don't.
  std::shared_ptr<const CountersetSample> finish(Ticks100ns time, std::size_t max_rows);
  const CountersetSchema& schema() const { return *schema_; }

 private:
  struct Placed {
    std::size_t row;
    Column column;
    RawValue value;
    std::optional<std::uint32_t> multi_count;
  };

  std::shared_ptr<const InstanceSet> instances_of(std::size_t rows) const;

  std::shared_ptr<const CountersetSchema> schema_;
  std::shared_ptr<const SampleLayout> layout_;
  std::vector<InstanceName> rows_;
  std::unordered_map<std::string, std::size_t> row_by_key_;
  std::vector<Placed> values_;
  std::shared_ptr<const InstanceSet> instances_;  // of the last sample
  std::shared_ptr<CountersetSample> sample_;      // the last one, whose memory is used again
};

inline constexpr std::size_t kMaxCells = std::size_t{1} << 21;

class SampleReader {
 public:
  explicit SampleReader(std::size_t machine) : machine_(machine) {}

  // `layout`: of the record; it outlives the reader.
  [[nodiscard]] std::expected<Reply, Error> read(const Record& record, const LogLayout& layout,
                                                 Ticks100ns time);

 private:
  // What the item with this number was in the sample before.
  struct KnownItem {
    std::uint8_t kind = 0;
    bool has_values = false;             // of this machine
    std::vector<std::byte> instances{};  // the whole body of an item that lists instances
    std::vector<std::size_t> rows{};     // of its values, in the object
  };

  void begin(const LogLayout& layout);
  // False if the items aren't those of the sample before.
  bool follow(ItemWalk items);
  bool follow_item(const Item& item, const KnownItem& known, const LogLayout::Entry& entry);
  void add(const Item& item, std::size_t number, const Record& record);
  void add_block(const Item& item, const LogLayout::Entry* entry);
  [[nodiscard]] std::expected<void, Error> add_values(const Item& item,
                                                      const LogLayout::Entry& entry,
                                                      KnownItem& known);
  void add_instances(const InstancesItem& item, const LogLayout::Entry::Column& column,
                     std::vector<std::size_t>& rows);
  std::size_t row_of(const LogLayout::Entry& entry);
  // Null if it has none.
  const LogLayout::Entry* entry_of(std::size_t number) const;
  bool is_mine(const LogLayout::Entry& entry) const { return entry.machine == machine_; }
  Reply finish(const Record& record, Ticks100ns time);

  std::size_t machine_;
  const LogLayout* layout_ = nullptr;  // of the sample before, which had no problem; or null
  std::vector<ObjectValues> objects_;
  std::vector<std::vector<Error>> problems_;  // of each object
  std::vector<KnownItem> items_;
  Reply reply_;
};

}  // namespace winperf::blg
