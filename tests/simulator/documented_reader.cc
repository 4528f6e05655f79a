#include "tests/simulator/documented_reader.h"

#include <cstring>

#include "tests/simulator/codes.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kInvalidData = 13;  // ERROR_INVALID_DATA
constexpr std::uint32_t kCounterset = 6;    // PERF_COUNTERSET

// sizeof of the structures.
constexpr std::uint32_t kDataHeader = 48;
constexpr std::uint32_t kCounterHeader = 16;
constexpr std::uint32_t kMultiCounters = 8;
constexpr std::uint32_t kMultiInstances = 8;
constexpr std::uint32_t kInstanceHeader = 8;
constexpr std::uint32_t kCounterData = 8;

template <class Integer = std::uint32_t>
Integer at(const std::byte* block, std::size_t offset) {
  Integer value;
  std::memcpy(&value, block + offset, sizeof value);
  return value;
}

// The name of an instance's block; empty if no NUL ends it.
std::expected<std::u16string, std::uint32_t> name_of(const std::byte* header, std::uint32_t size) {
  const std::uint32_t longest = (size - kInstanceHeader) / 2;
  std::u16string name;
  for (std::uint32_t i = 0; i != longest; ++i) {
    const auto unit = at<char16_t>(header, kInstanceHeader + 2 * std::size_t{i});
    if (unit == 0) return name;
    name += unit;
  }
  return std::unexpected(kInvalidData);
}

// AssignCounterValue, of which the program has one for each width of a field.
void assign_counter_value(std::map<std::uint32_t, std::uint64_t>& values, std::uint32_t id,
                          const std::byte* data, bool is_narrow) {
  const std::uint32_t size = at(data, 0);
  if (size == 4 || (size == 8 && is_narrow)) values[id] = at<std::uint32_t>(data, kCounterData);
  if (size == 8 && !is_narrow) values[id] = at<std::uint64_t>(data, kCounterData);
}

// One row. `left`: bytes from `block` on, moved on with it.
std::expected<DocumentedRow, std::uint32_t> read_row(const std::byte*& block, std::uint32_t& left,
                                                     const std::byte* counters,
                                                     const std::set<std::uint32_t>& narrow) {
  if (left < kInstanceHeader || left < at(block, 0) || at(block, 0) < kInstanceHeader)
    return std::unexpected(kInvalidData);
  auto name = name_of(block, at(block, 0));
  if (!name) return std::unexpected(name.error());
  DocumentedRow row{.name = *std::move(name), .values = {}};
  left -= at(block, 0);
  block += at(block, 0);
  for (std::uint32_t counter = 0; counter != at(counters, 4); ++counter) {
    if (left < kCounterData || left < at(block, 4) || at(block, 4) < kCounterData + 8 ||
        at(block, 4) - kCounterData < at(block, 0))
      return std::unexpected(kInvalidData);
    const auto id = at(counters, kMultiCounters + 4 * std::size_t{counter});
    assign_counter_value(row.values, id, block, narrow.contains(id));
    left -= at(block, 4);
    block += at(block, 4);
  }
  return row;
}

}  // namespace

std::expected<DocumentedSample, std::uint32_t> read_as_documented(
    std::span<const std::byte> reply, const std::set<std::uint32_t>& narrow) {
  // PERF_DATA_HEADER, and the one result that was asked for.
  const std::byte* const data = reply.data();
  if (reply.size() < kDataHeader || reply.size() < at(data, 0) || at(data, 0) < kDataHeader ||
      at(data, 4) != 1)
    return std::unexpected(kInvalidData);

  // PERF_COUNTER_HEADER, with PERF_MULTI_COUNTERS and PERF_MULTI_INSTANCES.
  std::uint32_t left = at(data, 0) - kDataHeader;
  const std::byte* const result = data + kDataHeader;
  if (left < kCounterHeader || left < at(result, 8) || at(result, 8) < kCounterHeader ||
      at(result, 4) != kCounterset)
    return std::unexpected(kInvalidData);

  // PERF_MULTI_COUNTERS, with the ids.
  left = at(result, 8) - kCounterHeader;
  const std::byte* const counters = result + kCounterHeader;
  if (left < kMultiCounters || left < at(counters, 0) || at(counters, 0) < kMultiCounters ||
      (at(counters, 0) - kMultiCounters) / 4 < at(counters, 4))
    return std::unexpected(kInvalidData);

  // PERF_MULTI_INSTANCES, with the rows: where the block before it ends.
  left -= at(counters, 0);
  const std::byte* const instances = counters + at(counters, 0);
  if (left < kMultiInstances || left < at(instances, 0) || at(instances, 0) < kMultiInstances)
    return std::unexpected(kInvalidData);

  DocumentedSample sample{.perf_time = at<std::int64_t>(data, 8),
                          .perf_frequency = at<std::int64_t>(data, 24),
                          .time_100ns = at<std::int64_t>(data, 16),
                          .rows = {}};
  left = at(instances, 0) - kMultiInstances;
  const std::byte* block = instances + kMultiInstances;
  for (std::uint32_t row = 0; row != at(instances, 4); ++row) {
    auto read = read_row(block, left, counters, narrow);
    if (!read) return std::unexpected(read.error());
    sample.rows.push_back(*std::move(read));
  }
  return sample;
}

DocumentedProgram::~DocumentedProgram() {
  if (open_) api_.close_query(query_);
}

std::uint32_t DocumentedProgram::open() {
  PerflibHandle query{};
  std::uint32_t status = api_.open_query({}, query);
  if (status != kSuccess) return status;
  // PERF_COUNTER_IDENTIFIER and L"*" in a field of four characters.
  std::vector<std::byte> identifier(48);
  const std::uint32_t size = 48;
  const std::uint32_t all = 0xFFFFFFFF;
  const char16_t every_name = u'*';
  std::memcpy(identifier.data(), counterset_.bytes.data(), counterset_.bytes.size());
  std::memcpy(identifier.data() + 20, &size, sizeof size);
  std::memcpy(identifier.data() + 24, &all, sizeof all);
  std::memcpy(identifier.data() + 28, &all, sizeof all);
  std::memcpy(identifier.data() + 40, &every_name, sizeof every_name);
  status = api_.add_counters(query, identifier);
  if (status == kSuccess) status = at(identifier.data(), 16);
  if (status != kSuccess) {
    api_.close_query(query);
    return status;
  }
  query_ = query;
  open_ = true;
  return kSuccess;
}

std::expected<DocumentedSample, std::uint32_t> DocumentedProgram::read_data() {
  if (!open_)
    if (const std::uint32_t status = open(); status != kSuccess) return std::unexpected(status);
  while (true) {
    std::uint32_t bytes = 0;
    const std::uint32_t status = api_.query_counter_data(query_, buffer_, bytes);
    if (status == kSuccess) return read_as_documented(std::span(buffer_).first(bytes));
    if (status != kNotEnoughMemory) return std::unexpected(status);
    buffer_.assign(bytes, std::byte{});
  }
}

}  // namespace winperf::simulator
