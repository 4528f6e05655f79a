#include "collectors/wire/v2/data_view.h"

#include "collectors/base/equal_bytes.h"
#include "collectors/wire/text.h"

namespace winperf::v2 {

std::expected<InstanceHeader, Error> InstanceHeader::parse(const ByteView& rest,
                                                           const ParseLimits& limits) {
  const auto header = rest.first(instance_header::kBytes, "v2.instance");
  if (!header) return std::unexpected(header.error());
  const auto size = header->get(instance_header::kSize);
  if (size < instance_header::kBytes)
    return std::unexpected(rest.error(ErrorCode::kBadLength, size, instance_header::kBytes));
  if (size - instance_header::kBytes > limits.name_bytes)
    return std::unexpected(
        rest.error(ErrorCode::kLimitExceeded, size - instance_header::kBytes, limits.name_bytes));
  const auto bytes = rest.first(size, "v2.instance");
  if (!bytes) return std::unexpected(bytes.error());
  return InstanceHeader{*bytes, bytes->get(instance_header::kInstanceId)};
}

std::string InstanceHeader::name() const {
  return decode_utf16le(bytes.bytes().subspan(instance_header::kBytes)).text;
}

std::optional<Error> InstanceHeader::name_problem() const {
  if (find_nul(bytes, instance_header::kBytes)) return std::nullopt;
  return bytes.error(ErrorCode::kBadText, bytes.size(), bytes.size());
}

InstanceList parse_instances(std::span<const std::byte> bytes, const ParseLimits& limits) {
  InstanceList list;
  ByteView rest(bytes, "v2.instance");
  while (rest.size() != 0) {
    const auto header = InstanceHeader::parse(rest, limits);
    if (!header) {
      list.problems.push_back(header.error());
      break;
    }
    if (list.all.size() == limits.instances_per_object) {
      list.problems.push_back(
          rest.error(ErrorCode::kLimitExceeded, list.all.size() + 1, limits.instances_per_object));
      break;
    }
    list.all.push_back({header->id, header->name()});
    if (const auto problem = header->name_problem()) list.problems.push_back(*problem);
    rest = *rest.from(header->byte_length(), "v2.instance");
  }
  return list;
}

namespace {

// A value takes at least eight bytes of data, including padding.
constexpr std::size_t kSmallestValueBytes = counter_data::kBytes + 8;

// What follows the PERF_COUNTER_DATAs of a row at the start of `rest`; empty if one is unsound. All
// values of a result may pass here, so no view is made of each.
std::optional<ByteView> after_values(const ByteView& rest, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t left = rest.size() - at;
    if (left < counter_data::kBytes) return std::nullopt;
    const auto data_size = rest.get<std::uint32_t>(at + counter_data::kDataSize);
    const auto size = rest.get<std::uint32_t>(at + counter_data::kSize);
    if (size < kSmallestValueBytes || size > left || data_size > size - counter_data::kBytes)
      return std::nullopt;
    at += size;
  }
  return *rest.from(at, "v2.value");
}

std::optional<ByteView> after_instance(const ByteView& rest) {
  const auto header = InstanceHeader::parse(rest, ParseLimits{});
  if (!header || header->name_problem()) return std::nullopt;
  return *rest.from(header->byte_length(), "v2.instance");
}

}  // namespace

bool is_sound_result(const ByteView& rest) {
  const auto header = rest.first(counter_header::kBytes, "v2.result");
  if (!header) return false;
  const auto size = header->get(counter_header::kSize);
  return is_known(static_cast<ResultKind>(header->get(counter_header::kType))) &&
         size >= counter_header::kBytes && size <= rest.size();
}

bool are_sound_rows(const ByteView& rest, bool has_instances, std::size_t columns) {
  if (!has_instances) return after_values(rest, columns).has_value();
  const auto header = rest.first(multi_instances::kBytes, "v2.instances");
  if (!header) return false;
  const auto size = header->get(multi_instances::kTotalSize);
  if (size < multi_instances::kBytes || size > rest.size()) return false;
  ByteView rows =
      *rest.slice(multi_instances::kBytes, size - multi_instances::kBytes, "v2.instance");
  // Each turn consumes the bytes of an instance's header, so the bytes bound the loop.
  for (auto left = header->get(multi_instances::kInstances); left != 0; --left) {
    const auto values = after_instance(rows);
    const auto next = values ? after_values(*values, columns) : std::nullopt;
    if (!next) return false;
    rows = *next;
  }
  return true;
}

std::expected<std::uint64_t, NoValue> CounterValue::number() const {
  constexpr Field<std::uint64_t> kWide{0};
  constexpr Field<std::uint32_t> kNarrow{0};
  if (data.size() == sizeof(std::uint64_t)) return data.get(kWide);
  if (data.size() == sizeof(std::uint32_t)) return data.get(kNarrow);
  return std::unexpected(data.size() == 0 ? NoValue::kNotDelivered : NoValue::kBadSize);
}

std::vector<std::byte> error_result(std::uint32_t status) {
  std::vector<std::byte> result(counter_header::kBytes);
  put(result, counter_header::kStatus, status);
  put(result, counter_header::kSize, static_cast<std::uint32_t>(result.size()));
  return result;
}

std::expected<DataView, Error> DataView::parse(std::span<const std::byte> bytes,
                                               const ParseLimits& limits) {
  const ByteView all(bytes, "v2.data");
  const auto header = all.first(data_header::kBytes, "v2.data");
  if (!header) return std::unexpected(header.error());
  const auto total = header->get(data_header::kTotalSize);
  if (total > limits.block_bytes)
    return std::unexpected(header->error(ErrorCode::kLimitExceeded, total, limits.block_bytes));
  if (total < data_header::kBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, total, data_header::kBytes));
  const auto view = all.first(total, "v2.data");
  if (!view) return std::unexpected(view.error());
  return DataView(*view, limits);
}

Clocks DataView::clocks() const {
  Clocks clocks;
  clocks.perf_time.ticks = view_.get(data_header::kPerfTimeStamp);
  clocks.time_100ns.ticks = view_.get(data_header::kPerfTime100NSec);
  clocks.perf_frequency.ticks_per_second = view_.get(data_header::kPerfFreq);
  return clocks;
}

ResultBytesWalk DataView::result_bytes() const {
  return {*view_.from(data_header::kBytes, "v2.result"), result_count()};
}

std::optional<std::expected<ByteView, Error>> ResultBytesWalk::next() {
  if (left_ == 0) return std::nullopt;
  --left_;
  const auto header = rest_.first(counter_header::kBytes, "v2.result");
  const std::uint32_t size = header ? header->get(counter_header::kSize) : 0;
  auto bytes = header ? rest_.first(size, "v2.result") : header;
  if (header && size < counter_header::kBytes)
    bytes = std::unexpected(rest_.error(ErrorCode::kBadLength, size, counter_header::kBytes));
  if (!bytes) {
    left_ = 0;
    return std::unexpected(bytes.error());
  }
  if (left_ == 0) return *bytes;
  const NextBlock next = next_block(rest_, size, is_sound_result);
  rest_ = next.rest;
  padding_left_out_ = padding_left_out_ || next.padding_left_out;
  return *bytes;
}

std::optional<std::expected<ResultView, Error>> ResultWalk::next() {
  const auto bytes = bytes_.next();
  if (!bytes) return std::nullopt;
  if (!*bytes) return std::unexpected(bytes->error());
  return ResultView::parse(**bytes, limits_);
}

std::expected<ResultView, Error> ResultView::parse(const ByteView& bytes,
                                                   const ParseLimits& limits) {
  const auto header = bytes.first(counter_header::kBytes, "v2.result");
  if (!header) return std::unexpected(header.error());
  ResultView view;
  view.status_ = header->get(counter_header::kStatus);
  const auto type = header->get(counter_header::kType);
  view.kind_ = static_cast<ResultKind>(type);
  view.rows_ = *bytes.from(counter_header::kBytes, "v2.result");
  view.limits_ = limits;

  if (!is_known(view.kind_)) return std::unexpected(bytes.error(ErrorCode::kUnknownBlock, type, 6));
  if (view.kind_ == ResultKind::kError) return view;
  if (has_counter_ids(view.kind_))
    if (const auto taken = view.take_counters(); !taken) return std::unexpected(taken.error());
  if (view.has_instances()) {
    if (const auto taken = view.take_instances(); !taken) return std::unexpected(taken.error());
  } else {
    view.row_count_ = 1;
  }
  return view;
}

std::expected<void, Error> ResultView::take_counters() {
  const auto header = rows_.first(multi_counters::kBytes, "v2.counters");
  if (!header) return std::unexpected(header.error());
  const auto size = header->get(multi_counters::kSize);
  const auto count = header->get(multi_counters::kCounters);
  if (size < multi_counters::kBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, size, multi_counters::kBytes));
  if (count > limits_.counters_per_object)
    return std::unexpected(
        header->error(ErrorCode::kLimitExceeded, count, limits_.counters_per_object));
  const auto block = rows_.first(size, "v2.counters");
  if (!block) return std::unexpected(block.error());
  const std::size_t room = (block->size() - multi_counters::kBytes) / sizeof(std::uint32_t);
  if (count > room) return std::unexpected(block->error(ErrorCode::kBadCount, count, room));

  counter_ids_ =
      *block->slice(multi_counters::kBytes, count * sizeof(std::uint32_t), "v2.counters");
  const NextBlock next = next_block(rows_, size, [&](const ByteView& rest) {
    return are_sound_rows(rest, has_instances(), count);
  });
  rows_ = next.rest;
  padding_left_out_ = next.padding_left_out;
  return {};
}

std::expected<void, Error> ResultView::take_instances() {
  const auto header = rows_.first(multi_instances::kBytes, "v2.instances");
  if (!header) return std::unexpected(header.error());
  const auto size = header->get(multi_instances::kTotalSize);
  if (size < multi_instances::kBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, size, multi_instances::kBytes));
  row_count_ = header->get(multi_instances::kInstances);
  const auto block = rows_.first(size, "v2.instances");
  if (!block) return std::unexpected(block.error());
  rows_ = *block->from(multi_instances::kBytes, "v2.instance");
  return {};
}

RowWalk ResultView::rows() const {
  const std::size_t columns = counter_ids_ ? counter_ids_->size() / sizeof(std::uint32_t) : 1;
  return {rows_, has_instances(), row_count(), static_cast<std::uint32_t>(columns), limits_};
}

std::optional<std::vector<std::uint32_t>> ResultView::counter_ids() const {
  if (!counter_ids_) return std::nullopt;
  std::vector<std::uint32_t> ids(counter_ids_->size() / sizeof(std::uint32_t));
  for (std::size_t i = 0; i < ids.size(); ++i)
    ids[i] = counter_ids_->get<std::uint32_t>(i * sizeof(std::uint32_t));
  return ids;
}

bool ResultView::are_counter_ids(std::span<const std::uint32_t> ids,
                                 std::uint32_t requested) const {
  if (!counter_ids_) return ids.size() == 1 && ids[0] == requested;
  return equal_bytes(std::as_bytes(ids), counter_ids_->bytes());
}

std::expected<bool, Error> RowWalk::next(Row& row) {
  row.instance.reset();
  row.values.clear();
  if (count_.done()) return false;
  const auto fail = [this](const Error& error) {
    count_.stop();
    return std::unexpected(error);
  };
  if (const auto problem = has_instances_ ? count_.problem(rest_) : count_.beyond_limit(rest_))
    return fail(*problem);
  if (has_instances_) {
    const auto header = InstanceHeader::parse(rest_, limits_);
    if (!header) return fail(header.error());
    rest_ = *rest_.from(header->byte_length(), "v2.value");
    row.instance = *header;
  }
  for (std::uint32_t column = 0; column < columns_; ++column) {
    const auto value = take_value();
    if (!value) return fail(value.error());
    row.values.push_back(*value);
  }
  count_.take();
  return true;
}

std::expected<CounterValue, Error> RowWalk::take_value() {
  const auto header = rest_.first(counter_data::kBytes, "v2.value");
  if (!header) return std::unexpected(header.error());
  const auto data_size = header->get(counter_data::kDataSize);
  const auto size = header->get(counter_data::kSize);
  if (size < counter_data::kBytes)
    return std::unexpected(header->error(ErrorCode::kBadLength, size, counter_data::kBytes));
  const auto block = rest_.first(size, "v2.value");
  if (!block) return std::unexpected(block.error());
  if (data_size > size - counter_data::kBytes)
    return std::unexpected(
        block->error(ErrorCode::kBadLength, size, std::uint64_t{counter_data::kBytes} + data_size));
  const auto data = block->slice(counter_data::kBytes, data_size, "v2.value");
  rest_ = *rest_.from(size, "v2.value");
  return CounterValue{*data};
}

}  // namespace winperf::v2
