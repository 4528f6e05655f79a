// Samples as text by the layout of typeperf, which Excel, relog and pandas read: a heading with the
// path of each counter, then a row of cooked values for each sample.
//
//   "(PDH-CSV 4.0)","\\HOST\Memory\Available Bytes"
//   "11/27/2026 12:00:01.250","6691321856.000000"
//
// The columns are those of the first sample: an instance that appears later has none, and the cell
// of one that ended, or of a value that can't be computed, is a blank, as typeperf writes it. A
// text stream of Windows makes CR LF of the line ends. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "collectors/model/sample.h"

namespace winperf {

enum class PdhSeparator : char { kComma = ',', kTab = '\t' };

// "\\HOST\Object(parent/instance#1)\Counter"; without a host, it begins with the object.
// `instance`: as display_name() has it, or "*"; ignored if the object has none.
std::string counter_path(std::string_view host, const CountersetSchema& schema,
                         std::string_view instance, const CounterSchema& counter);

class PdhText {
 public:
  // What local clocks show then, in seconds more than UTC.
  using UtcOffset = std::function<std::chrono::seconds(Ticks100ns)>;

  PdhText(PdhSeparator separator, std::string host, UtcOffset utc_offset)
      : separator_(static_cast<char>(separator)),
        host_(std::move(host)),
        utc_offset_(std::move(utc_offset)) {}

  // Appends a row, and before the first one the heading.
  void append(std::string& out, std::span<const std::shared_ptr<const CountersetSample>> samples,
              Ticks100ns time);

  // How many values of the samples so far had no column.
  std::uint64_t values_without_column() const { return values_without_column_; }

 private:
  std::string path_of_cell(const CountersetSample& sample, std::size_t row,
                           std::size_t column) const;
  void append_heading(std::string& out,
                      std::span<const std::shared_ptr<const CountersetSample>> samples);
  void append_cell(std::string& out, std::string_view text) const;

  char separator_;
  std::string host_;
  UtcOffset utc_offset_;
  std::unordered_map<std::string, std::size_t> columns_{};  // by path
  bool has_heading_ = false;
  std::uint64_t values_without_column_ = 0;
};

}  // namespace winperf
