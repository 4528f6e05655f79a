// PERF_DATA_HEADER and the results behind it: what PerfQueryCounterData gives.
//
// Each result (PERF_COUNTER_HEADER) answers one identifier of the query handle, in the order that
// PerfQueryCounterInfo tells. A result is a table: counters are its columns, instances its rows; of
// the five kinds of blocks some leave one or both out.
//
// The system does not check what providers and remote machines deliver; all of it is checked here.
// Validated: every length nests within its container, every stride is at least the structure it
// measures, counts fit the bytes. What a length leaves over within a container is ignored. Each
// block begins where the one before it ends; next_block.h has the one form besides that is
// accepted. A result that is not sound costs itself alone as long as its length leads to the next
// one; a row that is not sound ends its table, because the place of the next one is not known, and
// the rows before it hold. A value of an odd size is a NoValue of that cell.
//
// Lifetime: not longer than the bytes. Thread rule: immutable.
// Source: Learn, "Using the PerfLib Functions to Consume Counter Data", PERF_COUNTER_HEADER.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/error.h"
#include "collectors/model/no_value.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/parse_limits.h"
#include "collectors/wire/v2/blocks.h"
#include "collectors/wire/v2/instance_header.h"

namespace winperf::v2 {

// PERF_COUNTER_DATA: 4 or 8 bytes, little-endian, zero-extended. No data at all is kNotDelivered,
// any other size (text) kBadSize.
struct CounterValue {
  ByteView data;
  std::uint32_t bytes() const { return static_cast<std::uint32_t>(data.size()); }
  std::expected<std::uint64_t, NoValue> number() const;
};

// Walks the rows of one result. After an error the walk is over.
class RowWalk {
 public:
  RowWalk(const ByteView& rest, bool has_instances, std::uint32_t rows, std::uint32_t columns,
          const ParseLimits& limits)
      : rest_(rest),
        has_instances_(has_instances),
        left_(rows),
        columns_(columns),
        limits_(limits) {}

  struct Row {
    std::optional<InstanceHeader> instance;  // nothing where the result has no instances
    std::vector<CounterValue> values;        // one a column
  };
  // Fills `row`, whose memory is used again. True where there was one, false at the end.
  std::expected<bool, Error> next(Row& row);

 private:
  std::expected<CounterValue, Error> take_value();

  ByteView rest_;
  bool has_instances_;
  std::uint32_t left_;
  std::uint32_t walked_ = 0;
  std::uint32_t columns_;
  ParseLimits limits_;
};

class ResultView {
 public:
  // `bytes`: exactly the result, its header included.
  static std::expected<ResultView, Error> parse(const ByteView& bytes, const ParseLimits& limits);

  ResultKind kind() const { return kind_; }
  // Win32 error of a kError result.
  std::uint32_t status() const { return status_; }
  bool has_instances() const { return v2::has_instances(kind_); }
  // A block in it was found after padding that the size of the block before it leaves out.
  bool padding_left_out() const { return padding_left_out_; }
  // Ids of the columns. Nothing where the block does not carry them: it has one column, that of
  // the one counter that was asked for.
  const std::optional<std::vector<std::uint32_t>>& counter_ids() const { return counter_ids_; }
  // As the block says; more than the bytes hold is an error behind the last row.
  std::uint32_t row_count() const { return row_count_; }
  // No row of a kError result.
  RowWalk rows() const;
  std::uint64_t offset() const { return rows_.offset(); }

 private:
  std::expected<void, Error> take_counters();
  std::expected<void, Error> take_instances();

  ResultKind kind_ = ResultKind::kError;
  std::uint32_t status_ = 0;
  std::optional<std::vector<std::uint32_t>> counter_ids_;
  std::uint32_t row_count_ = 0;
  bool padding_left_out_ = false;
  ByteView rows_;
  ParseLimits limits_;
};

// Walks the results of one reply as bytes: exactly a result each, its header included. A length
// that leads nowhere is an error and ends the walk.
class ResultBytesWalk {
 public:
  ResultBytesWalk(const ByteView& rest, std::uint32_t count) : rest_(rest), left_(count) {}
  std::optional<std::expected<ByteView, Error>> next();
  // A result so far was found after padding that the size of the one before it leaves out.
  bool padding_left_out() const { return padding_left_out_; }

 private:
  ByteView rest_;
  std::uint32_t left_;
  bool padding_left_out_ = false;
};

// The same with each result parsed. An error of one result does not end the walk unless its length
// leads nowhere.
class ResultWalk {
 public:
  ResultWalk(const ResultBytesWalk& bytes, const ParseLimits& limits)
      : bytes_(bytes), limits_(limits) {}
  std::optional<std::expected<ResultView, Error>> next();
  bool padding_left_out() const { return bytes_.padding_left_out(); }

 private:
  ResultBytesWalk bytes_;
  ParseLimits limits_;
};

class DataView {
 public:
  static std::expected<DataView, Error> parse(std::span<const std::byte> bytes,
                                              const ParseLimits& limits = {});

  // PerfTime and 100 ns clock; V2 objects have no clock of their own here.
  Clocks clocks() const;
  std::uint32_t result_count() const { return view_.get<std::uint32_t>(4); }
  ResultBytesWalk result_bytes() const;
  ResultWalk results() const { return {result_bytes(), limits_}; }

 private:
  DataView(const ByteView& view, const ParseLimits& limits) : view_(view), limits_(limits) {}

  ByteView view_;
  ParseLimits limits_;
};

}  // namespace winperf::v2
