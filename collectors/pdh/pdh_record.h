// What PDH said about one counterset, as JSON: between the worker that asks PDH and its parent, and
// in the file that `verify --with pdh --raw FILE` writes, from which everything can be computed
// again on any system.
//
// The file is JSON Lines, as docs/pdh.md describes: a line that names the format, then a line for
// each counterset. Integers are exact; a number that isn't finite is "nan", "inf" or "-inf".
// Validated, when it is read: that it is JSON of this shape, at most kMaxPdhText (a line of the
// file: kMaxPdhRecord) long, and that integers fit into their members. Not validated: everything
// that it says, including names, counts and their order. Errors: kBadText (offset: the byte, or 0
// if the JSON has another shape); kLimitExceeded (bytes). Thread rule: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/pdh/pdh_api.h"

namespace winperf {

inline constexpr std::size_t kMaxPdhText = std::size_t{24} << 20U;  // of one document
inline constexpr std::size_t kMaxPdhRecord = 3 * kMaxPdhText;       // of a line of the file

// How wide a counter's raw values are, by our reading of its definition: where they wrap.
struct PdhWidths {
  std::uint32_t bytes = 0;
  std::uint32_t base_bytes = 0;  // 0: it has no base
  bool operator==(const PdhWidths&) const = default;
};

// Two collections of one counterset, at least a second apart.
struct PdhRecord {
  std::string counterset{};  // its name, as `verify` has it
  PdhQuery query{};
  std::vector<PdhWidths> widths{};  // of query.counters
  PdhItems items{};
  std::vector<PdhDefinition> definitions{};
  std::array<PdhCollection, 2> moments{};
};

// `where`: the place of errors, static text; of a file it is "pdh.record".
template <class Read>
using PdhRead = std::expected<Read, Error>;

[[nodiscard]] std::string write_names(const std::vector<std::string>& names);
[[nodiscard]] PdhRead<std::vector<std::string>> read_names(std::string_view text,
                                                           const char* where);
[[nodiscard]] std::string write_object(const PdhObject& object);
[[nodiscard]] PdhRead<PdhObject> read_object(std::string_view text, const char* where);
[[nodiscard]] std::string write_query(const PdhQuery& query);
[[nodiscard]] PdhRead<PdhQuery> read_query(std::string_view text, const char* where);
[[nodiscard]] std::string write_items(const PdhItems& items);
[[nodiscard]] PdhRead<PdhItems> read_items(std::string_view text, const char* where);
[[nodiscard]] std::string write_definitions(const std::vector<PdhDefinition>& definitions);
[[nodiscard]] PdhRead<std::vector<PdhDefinition>> read_definitions(std::string_view text,
                                                                   const char* where);
[[nodiscard]] std::string write_collection(const PdhCollection& collection);
[[nodiscard]] PdhRead<PdhCollection> read_collection(std::string_view text, const char* where);

// The lines of the file, each with its line feed. read_records() wants the first one.
[[nodiscard]] std::string records_head();
[[nodiscard]] std::string record_line(const PdhRecord& record);
[[nodiscard]] PdhRead<PdhRecord> read_record(std::string_view line);
// Of a whole file. An error's offset counts from the file's start.
[[nodiscard]] PdhRead<std::vector<PdhRecord>> read_records(std::string_view file);

}  // namespace winperf
