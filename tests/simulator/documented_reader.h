// An independent reader of PerfLib's data: what the program in Microsoft's documentation does, in
// our words. It shares no code with the readers under test, so that where both read the same bytes,
// one judges the other.
//
// Kept as it is there: each check, their order, what each is held against, and where the next block
// begins (the start of a block plus its own size, nothing rounded). Not kept: the structure that
// names 31 counters (values are found by their ids), the longest name. Source: Learn, "Using the
// PerfLib Functions to Consume Counter Data", CpuPerfCounters::ReadData.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/guid.h"
#include "collectors/sources/perflib_api.h"

namespace winperf::simulator {

struct DocumentedRow {
  std::u16string name;
  std::map<std::uint32_t, std::uint64_t>
      values;  // by counter id; of an id that is there twice, the last
  bool operator==(const DocumentedRow&) const = default;
};

struct DocumentedSample {
  std::int64_t perf_time = 0;
  std::int64_t perf_frequency = 0;
  std::int64_t time_100ns = 0;
  std::vector<DocumentedRow> rows;
  bool operator==(const DocumentedSample&) const = default;
};

// A reply with one result, of the kind PERF_COUNTERSET. The error is a Win32 code:
// ERROR_INVALID_DATA for all that the program refuses. `narrow`: the counters for which it has
// fields of 32 bits, which take the low half of a value of 64; the others have fields of 64.
std::expected<DocumentedSample, std::uint32_t> read_as_documented(
    std::span<const std::byte> reply, const std::set<std::uint32_t>& narrow = {});

// The program as a whole: opens a query for all counters of all instances of a counterset when it
// is first asked, keeps it, and grows its buffer as it is told.
class DocumentedProgram {
 public:
  // `api` outlives the program.
  DocumentedProgram(PerflibApi& api, const Guid& counterset) : api_(api), counterset_(counterset) {}
  ~DocumentedProgram();
  DocumentedProgram(const DocumentedProgram&) = delete;
  DocumentedProgram& operator=(const DocumentedProgram&) = delete;

  std::expected<DocumentedSample, std::uint32_t> read_data();

 private:
  std::uint32_t open();

  PerflibApi& api_;
  Guid counterset_;
  PerflibHandle query_{};
  bool open_ = false;
  std::vector<std::byte> buffer_;
};

}  // namespace winperf::simulator
