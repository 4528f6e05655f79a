// A log that was opened: its bytes, and what one walk over all of them found. The sources of its
// machines and its V2 countersets share it.
// Memory: the index, one buffer and one record. Thread rule: one thread at a time.
#pragma once

#include <expected>
#include <istream>
#include <memory>
#include <optional>

#include "collectors/blg/log_index.h"
#include "collectors/blg/log_reader.h"

namespace winperf::blg {

struct OpenLog {
  std::unique_ptr<std::istream> stream;
  LogReader reader;
  LogIndex index{};
  std::optional<Record> last_read{};  // V1 objects and V2 countersets are read from the same one

  // The n-th sample; the error says why it can't be read. The record lives until the next call.
  [[nodiscard]] std::expected<const Record*, Error> read_sample(std::size_t number);

 private:
  [[nodiscard]] std::expected<Record, Error> read(const Place& place);
};

}  // namespace winperf::blg
