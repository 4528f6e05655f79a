// PERF_DATA_HEADER and the results after it: the reply of PerfQueryCounterData.
//
// Each result (PERF_COUNTER_HEADER) answers one identifier of the query handle, in the order that
// PerfQueryCounterInfo returns. A result is a table whose columns are counters and whose rows are
// instances; some of the five kinds of blocks leave out one or both.
//
// The system doesn't check what providers and remote machines deliver; all of it is checked here.
// Validated: every length nests within its container, every stride is at least the structure that
// it measures, counts fit the bytes. Bytes of a container that no length covers are ignored. Each
// block begins where the one before it ends; next_block() describes the only exception that is
// accepted. An unsound result costs only itself as long as its length leads to the next one. An
// unsound row ends its table, because the place of the next row is unknown then; the rows before it
// are valid. A value of an unexpected size is a NoValue of that cell.
//
// Lifetime: not longer than the bytes. Thread rule: immutable.
// Source: Learn, "Using the PerfLib Functions to Consume Counter Data", PERF_COUNTER_HEADER.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/model/raw_reading.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/parse_limits.h"
#include "collectors/wire/v2/blocks.h"

namespace winperf::v2 {

// PERF_INSTANCE_HEADER: an instance's id and name, in data and in lists of instances.
//
// Validated: Size is at least 8 and within the bytes. A name without a NUL ends with the header,
// which name_problem() reports. Not validated: the name's text (what can't be decoded becomes
// U+FFFD), uniqueness, and the alignment of Size, since data begins where Size says.
// Errors: kBadLength, kTruncated, kLimitExceeded. Source: Learn, PERF_INSTANCE_HEADER.
struct InstanceHeader {
  ByteView bytes;  // header and name: equal bytes mean the same instance
  std::uint32_t id = 0;

  // `rest`: from the start of the header to the end of its container.
  [[nodiscard]] static std::expected<InstanceHeader, Error> parse(const ByteView& rest,
                                                                  const ParseLimits& limits);
  std::string name() const;  // UTF-8
  // kBadText if the name is not terminated.
  std::optional<Error> name_problem() const;
  std::size_t byte_length() const { return bytes.size(); }
};

// The reply of PerfEnumerateCounterSetInstances: headers, one after another.
struct InstanceList {
  struct Entry {
    std::uint32_t id = 0;
    std::string name;
  };
  std::vector<Entry> all;
  std::vector<Error> problems;
};

InstanceList parse_instances(std::span<const std::byte> bytes, const ParseLimits& limits = {});

// Where the block after a V2 block begins.
//
// It begins exactly where the block before it ends, at start + size. The program in Microsoft's
// documentation ("Using the PerfLib Functions to Consume Counter Data") reads it that way; padding,
// if there is any, is part of the size. PERF_MULTI_COUNTERS with an odd number of ids may therefore
// be 8 + 4n bytes long, and the next block begins at a multiple of 4.
//
// Tolerated: a sender that starts every block at a multiple of 8 and omits the padding from the
// size. Both places are examined; the padded one is taken only if a sound block begins there and
// none begins at the exact one.
struct NextBlock {
  ByteView rest;                  // from its start to the end of the container
  bool padding_left_out = false;  // it begins after padding that no size includes
};

// What follows a block of `size` bytes at the start of `container`, which holds all of it.
// `is_sound` decides whether the bytes from a place on can be the next block.
template <class IsSound>
NextBlock next_block(const ByteView& container, std::size_t size, IsSound is_sound) {
  const ByteView exact = *container.from(size, container.where());
  const std::size_t grid = aligned(size);
  if (grid == size || grid > container.size() || is_sound(exact)) return {exact};
  const ByteView padded = *container.from(grid, container.where());
  return is_sound(padded) ? NextBlock{padded, true} : NextBlock{exact};
}

// Whether a PERF_COUNTER_HEADER of a known kind begins here, with its result within the bytes.
bool is_sound_result(const ByteView& rest);

// Whether the values of all rows begin here, each block within the one around it, in the strict
// form of the documentation's program. `has_instances`: PERF_MULTI_INSTANCES comes first; otherwise
// there is one row. `columns`: values per row.
bool are_sound_rows(const ByteView& rest, bool has_instances, std::size_t columns);

// PERF_COUNTER_DATA: 4 or 8 bytes, little-endian, zero-extended. Without any data it is
// kNotDelivered, and with any other size (text) kBadSize.
struct CounterValue {
  ByteView data;
  std::uint32_t bytes() const { return static_cast<std::uint32_t>(data.size()); }
  [[nodiscard]] std::expected<std::uint64_t, NoValue> number() const;
};

// Walks the rows of one result. An error ends the walk.
class RowWalk {
 public:
  RowWalk(const ByteView& rest, bool has_instances, std::uint32_t rows, std::uint32_t columns,
          const ParseLimits& limits)
      : rest_(rest),
        has_instances_(has_instances),
        count_(rows, limits.instances_per_object),
        columns_(columns),
        limits_(limits) {}

  struct Row {
    std::optional<InstanceHeader> instance;  // empty if the result has no instances
    std::vector<CounterValue> values;        // one per column
  };
  // Fills `row`, reusing its memory. Returns false at the end, when there is no further row.
  [[nodiscard]] std::expected<bool, Error> next(Row& row);

 private:
  [[nodiscard]] std::expected<CounterValue, Error> take_value();

  ByteView rest_;
  bool has_instances_;
  ElementCount count_;
  std::uint32_t columns_;
  ParseLimits limits_;
};

class ResultView {
 public:
  // `bytes`: exactly the result, including its header.
  [[nodiscard]] static std::expected<ResultView, Error> parse(const ByteView& bytes,
                                                              const ParseLimits& limits);

  ResultKind kind() const { return kind_; }
  // Win32 error of a kError result.
  std::uint32_t status() const { return status_; }
  bool has_instances() const { return v2::has_instances(kind_); }
  // Whether a block in it was found after padding that the size of the block before it omits.
  bool padding_left_out() const { return padding_left_out_; }
  // Ids of the columns. Empty if the block doesn't carry them: then it has one column, for the one
  // counter that was requested.
  std::optional<std::vector<std::uint32_t>> counter_ids() const;
  // Whether these are the columns, if a block without ids has that of the request.
  bool are_counter_ids(std::span<const std::uint32_t> ids, std::uint32_t requested) const;
  // A kError result has none. If the bytes hold fewer than the block counts, there is an error
  // after the last one.
  RowWalk rows() const;
  // For callers that walk themselves: from the first row on, and how many the block counts.
  const ByteView& row_bytes() const { return rows_; }
  std::uint32_t row_count() const { return kind_ == ResultKind::kError ? 0 : row_count_; }
  const ParseLimits& limits() const { return limits_; }
  std::uint64_t offset() const { return rows_.offset(); }

 private:
  [[nodiscard]] std::expected<void, Error> take_counters();
  [[nodiscard]] std::expected<void, Error> take_instances();

  ResultKind kind_ = ResultKind::kError;
  std::uint32_t status_ = 0;
  std::optional<ByteView> counter_ids_;  // 4 bytes each
  std::uint32_t row_count_ = 0;
  bool padding_left_out_ = false;
  ByteView rows_;
  ParseLimits limits_;
};

// Walks the results of one reply as bytes: each view is exactly one result, including its header.
// An impossible length is an error and ends the walk.
class ResultBytesWalk {
 public:
  ResultBytesWalk(const ByteView& rest, std::uint32_t count) : rest_(rest), left_(count) {}
  [[nodiscard]] std::optional<std::expected<ByteView, Error>> next();
  // Whether any result so far was found after padding that the size of the one before it omits.
  bool padding_left_out() const { return padding_left_out_; }

 private:
  ByteView rest_;
  std::uint32_t left_;
  bool padding_left_out_ = false;
};

// The same, with each result parsed. An error in one result doesn't end the walk unless its length
// is impossible.
class ResultWalk {
 public:
  ResultWalk(const ResultBytesWalk& bytes, const ParseLimits& limits)
      : bytes_(bytes), limits_(limits) {}
  [[nodiscard]] std::optional<std::expected<ResultView, Error>> next();
  bool padding_left_out() const { return bytes_.padding_left_out(); }

 private:
  ResultBytesWalk bytes_;
  ParseLimits limits_;
};

// PERF_ERROR_RETURN with a status: a result without anything in it.
std::vector<std::byte> error_result(std::uint32_t status);

class DataView {
 public:
  [[nodiscard]] static std::expected<DataView, Error> parse(std::span<const std::byte> bytes,
                                                            const ParseLimits& limits = {});

  // PerfTime and the 100 ns clock; V2 data has no clock of an object.
  Clocks clocks() const;
  std::uint32_t result_count() const { return view_.get(data_header::kNumCounters); }
  ResultBytesWalk result_bytes() const;
  ResultWalk results() const { return {result_bytes(), limits_}; }

 private:
  DataView(const ByteView& view, const ParseLimits& limits) : view_(view), limits_(limits) {}

  ByteView view_;
  ParseLimits limits_;
};

}  // namespace winperf::v2
