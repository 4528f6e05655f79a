#include "exporter/counters/v1_reply.h"

#include <cstring>

#include "exporter/counters/own_counters.h"

namespace winperf::own {
namespace {

// winperf.h's structures, with their names of the members.
struct ObjectType {  // PERF_OBJECT_TYPE
  std::uint32_t total_byte_length;
  std::uint32_t definition_length;
  std::uint32_t header_length;
  std::uint32_t object_name_title_index;
  std::uint32_t object_name_title;
  std::uint32_t object_help_title_index;
  std::uint32_t object_help_title;
  std::uint32_t detail_level;
  std::uint32_t num_counters;
  std::int32_t default_counter;
  std::int32_t num_instances;
  std::uint32_t code_page;  // 0: names are UTF-16
  std::int64_t perf_time;
  std::int64_t perf_freq;
};
static_assert(sizeof(ObjectType) == 64 && offsetof(ObjectType, perf_time) == 48);

struct CounterDefinitionBytes {  // PERF_COUNTER_DEFINITION
  std::uint32_t byte_length;
  std::uint32_t counter_name_title_index;
  std::uint32_t counter_name_title;
  std::uint32_t counter_help_title_index;
  std::uint32_t counter_help_title;
  std::int32_t default_scale;
  std::uint32_t detail_level;
  std::uint32_t counter_type;
  std::uint32_t counter_size;
  std::uint32_t counter_offset;
};
static_assert(sizeof(CounterDefinitionBytes) == 40 &&
              offsetof(CounterDefinitionBytes, counter_offset) == 36);

struct InstanceDefinition {  // PERF_INSTANCE_DEFINITION
  std::uint32_t byte_length;
  std::uint32_t parent_object_title_index;
  std::uint32_t parent_object_instance;
  std::int32_t unique_id;
  std::uint32_t name_offset;
  std::uint32_t name_length;
};
static_assert(sizeof(InstanceDefinition) == 24 && offsetof(InstanceDefinition, name_length) == 20);

// PERF_COUNTER_BLOCK, and padding: values of 8 bytes follow.
struct CounterBlockHead {
  std::uint32_t byte_length;
  std::uint32_t padding;
};
static_assert(sizeof(CounterBlockHead) == 8);

constexpr std::int32_t kNoInstances = -1;  // PERF_NO_INSTANCES
constexpr std::int32_t kMetadataMultipleInstances = -2;
constexpr std::int32_t kMetadataNoInstances = -3;
constexpr std::int32_t kNoUniqueId = -1;  // PERF_NO_UNIQUE_ID
constexpr std::int32_t kNoDefaultCounter = -1;
constexpr std::int64_t kFiletimesPerSecond = 10'000'000;
constexpr std::size_t kSlotBytes = sizeof(std::uint64_t);

constexpr std::size_t block_bytes(std::size_t counters) {
  return sizeof(CounterBlockHead) + counters * kSlotBytes;
}

// Which rows of an object are shown: a bit for each.
class ShownRows {
 public:
  // `has`: what there is, a bit for each row.
  ShownRows(const ObjectRow& object, std::uint64_t has) {
    for (std::size_t row = 0; row < object.counters.size(); ++row) {
      const bool is_divided =
          row + 1 < object.counters.size() && is_base(object.counters[row + 1].type);
      const std::size_t first = is_base(object.counters[row].type) ? row - 1 : row;
      const std::uint64_t needed = std::uint64_t{is_divided || first != row ? 3U : 1U} << first;
      if ((has & needed) != needed) continue;
      bits_ |= std::uint64_t{1} << row;
      ++count_;
    }
  }

  bool has(std::size_t row) const { return (bits_ >> row & 1) != 0; }
  std::size_t count() const { return count_; }

 private:
  std::uint64_t bits_ = 0;
  std::size_t count_ = 0;
};

// What is shown of a state, and how large that is.
struct ReplyPlan {
  ShownRows exporter;
  ShownRows countersets;
  bool has_exporter = false;
  bool has_countersets = false;
  std::size_t instances = 0;
  std::size_t name_bytes = 0;
  std::size_t bytes = 0;

  ReplyPlan(const ShownRows& exporter_rows, const ShownRows& counterset_rows)
      : exporter(exporter_rows), countersets(counterset_rows) {}
};

std::uint64_t first_bits(std::size_t count) {
  return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
}

std::size_t definition_bytes(const ShownRows& rows) {
  return sizeof(ObjectType) + rows.count() * sizeof(CounterDefinitionBytes);
}

ReplyPlan plan_reply(const SectionView& view, const SectionView::Copy& state,
                     const V1Query& query) {
  std::uint64_t known = 0;
  for (std::size_t i = 0; i < view.exporter_values(); ++i)
    if (state.is_known(i)) known |= std::uint64_t{1} << i;
  ReplyPlan plan(ShownRows(kExporterObject, known),
                 ShownRows(kCountersetObject, first_bits(view.counterset_values())));
  // Without any counter, an object is none.
  plan.has_exporter = query.exporter && plan.exporter.count() != 0;
  plan.has_countersets = query.countersets && plan.countersets.count() != 0;
  if (plan.has_exporter) {
    plan.bytes += definition_bytes(plan.exporter);
    if (!query.metadata) plan.bytes += block_bytes(plan.exporter.count());
  }
  if (plan.has_countersets) {
    plan.bytes += definition_bytes(plan.countersets);
    if (!query.metadata) {
      plan.instances = state.rows();
      plan.name_bytes = state.name_units() * sizeof(char16_t);
      plan.bytes += plan.name_bytes + plan.instances * (sizeof(InstanceDefinition) +
                                                        block_bytes(plan.countersets.count()));
    }
  }
  return plan;
}

// With its NUL, and rounded up to whole words.
std::size_t padded_name_bytes(std::size_t length) {
  return (length / kUnitsPerWord + 1) * sizeof(std::uint64_t);
}

class ReplyWriter {
 public:
  ReplyWriter(const SectionView::Copy& state, const V1Request& request, std::span<std::byte> room)
      : state_(state), request_(request), room_(room) {}

  void put_definitions(const ObjectRow& object, const ShownRows& rows, std::int32_t instances,
                       std::size_t total_bytes);
  void put_exporter(const ShownRows& rows);
  void put_instance(std::size_t row, const ShownRows& rows);
  // Whether everything has fitted exactly.
  bool is_full() const { return fits_ && used_ == room_.size(); }
  // What was put; the room's size is not exceeded in any case.
  bool fits() const { return fits_; }

 private:
  template <class T>
  void put(const T& value) {
    if (room_.size() - used_ < sizeof value) {
      fits_ = false;
      return;
    }
    std::memcpy(room_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
  }
  void put_name(std::size_t row, std::size_t length);

  const SectionView::Copy& state_;
  const V1Request& request_;
  const std::span<std::byte> room_;
  std::size_t used_ = 0;
  bool fits_ = true;
};

void ReplyWriter::put_definitions(const ObjectRow& object, const ShownRows& rows,
                                  std::int32_t instances, std::size_t total_bytes) {
  const TitleIndices& first = request_.indices;
  std::int32_t default_counter = kNoDefaultCounter;
  std::int32_t position = 0;
  for (std::size_t row = 0; row < object.counters.size(); ++row) {
    if (!rows.has(row)) continue;
    if (row == object.default_counter) default_counter = position;
    ++position;
  }
  put(ObjectType{
      .total_byte_length = static_cast<std::uint32_t>(total_bytes),
      .definition_length = static_cast<std::uint32_t>(definition_bytes(rows)),
      .header_length = sizeof(ObjectType),
      .object_name_title_index = first.first_counter + title_offset(object),
      .object_name_title = 0,
      .object_help_title_index = first.first_help + title_offset(object),
      .object_help_title = 0,
      .detail_level = static_cast<std::uint32_t>(Detail::kNovice),
      .num_counters = static_cast<std::uint32_t>(rows.count()),
      .default_counter = default_counter,
      .num_instances = instances,
      .code_page = 0,
      .perf_time = request_.now,
      .perf_freq = kFiletimesPerSecond,
  });
  std::size_t offset = sizeof(CounterBlockHead);
  for (std::size_t row = 0; row < object.counters.size(); ++row) {
    if (!rows.has(row)) continue;
    const CounterRow& counter = object.counters[row];
    put(CounterDefinitionBytes{
        .byte_length = sizeof(CounterDefinitionBytes),
        .counter_name_title_index = first.first_counter + title_offset(object, row),
        .counter_name_title = 0,
        .counter_help_title_index = first.first_help + title_offset(object, row),
        .counter_help_title = 0,
        .default_scale = counter.scale,
        .detail_level = static_cast<std::uint32_t>(counter.detail),
        .counter_type = static_cast<std::uint32_t>(counter.type),
        .counter_size = counter.bytes,
        .counter_offset = static_cast<std::uint32_t>(offset),
    });
    offset += kSlotBytes;
  }
}

void ReplyWriter::put_exporter(const ShownRows& rows) {
  put(CounterBlockHead{.byte_length = static_cast<std::uint32_t>(block_bytes(rows.count())),
                       .padding = 0});
  for (std::size_t row = 0; row < kExporterValues; ++row)
    if (rows.has(row)) put(state_.exporter_value(row));
}

void ReplyWriter::put_name(std::size_t row, std::size_t length) {
  const std::size_t bytes = padded_name_bytes(length);
  for (std::size_t unit = 0; unit < bytes / sizeof(char16_t) && fits_; ++unit)
    put(unit < length ? state_.name_unit(row, unit) : char16_t{0});
}

void ReplyWriter::put_instance(std::size_t row, const ShownRows& rows) {
  const std::size_t length = state_.name_length(row);
  put(InstanceDefinition{
      .byte_length =
          static_cast<std::uint32_t>(sizeof(InstanceDefinition) + padded_name_bytes(length)),
      .parent_object_title_index = 0,
      .parent_object_instance = 0,
      .unique_id = kNoUniqueId,
      .name_offset = sizeof(InstanceDefinition),
      .name_length = static_cast<std::uint32_t>((length + 1) * sizeof(char16_t)),
  });
  put_name(row, length);
  put(CounterBlockHead{.byte_length = static_cast<std::uint32_t>(block_bytes(rows.count())),
                       .padding = 0});
  for (std::size_t value = 0; value < kCountersetValues; ++value)
    if (rows.has(value)) put(state_.value(row, value));
}

// Returns how many objects there are.
std::uint32_t put_objects(ReplyWriter& writer, const ReplyPlan& plan, bool metadata) {
  std::size_t rest = plan.bytes;
  if (plan.has_exporter) {
    const std::size_t bytes =
        definition_bytes(plan.exporter) + (metadata ? 0 : block_bytes(plan.exporter.count()));
    rest -= bytes;
    writer.put_definitions(kExporterObject, plan.exporter,
                           metadata ? kMetadataNoInstances : kNoInstances, bytes);
    if (!metadata) writer.put_exporter(plan.exporter);
  }
  if (plan.has_countersets) {
    writer.put_definitions(
        kCountersetObject, plan.countersets,
        metadata ? kMetadataMultipleInstances : static_cast<std::int32_t>(plan.instances), rest);
    for (std::size_t row = 0; row < plan.instances && writer.fits(); ++row)
      writer.put_instance(row, plan.countersets);
  }
  return std::uint32_t{plan.has_exporter} + std::uint32_t{plan.has_countersets};
}

}  // namespace

V1Reply write_v1_reply(const SectionView& view, const SectionView::Copy& state,
                       const V1Request& request, std::span<std::byte> room) {
  const ReplyPlan plan = plan_reply(view, state, request.query);
  const bool sound_names = plan.name_bytes >= plan.instances * sizeof(std::uint64_t) &&
                           plan.name_bytes <= plan.instances * kNameWords * sizeof(std::uint64_t);
  if (!state.is_whole()) return {.outcome = ReplyOutcome::kChanged};
  if (!sound_names) return {.outcome = ReplyOutcome::kDamaged};
  if (plan.bytes > room.size()) return {.outcome = ReplyOutcome::kTooSmall};
  ReplyWriter writer(state, request, room.first(plan.bytes));
  const std::uint32_t objects = put_objects(writer, plan, request.query.metadata);
  if (!state.is_whole()) return {.outcome = ReplyOutcome::kChanged};
  if (!writer.is_full()) return {.outcome = ReplyOutcome::kDamaged};
  return {.bytes = static_cast<std::uint32_t>(plan.bytes), .objects = objects};
}

}  // namespace winperf::own
