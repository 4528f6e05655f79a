// Errors of Windows: of a whole topic, a sentence about a part of it, and one sentence about many
// parts. The codes are Windows'. Thread rule: Refusals belong to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "collectors/facts/fact_table.h"

namespace winperf {

// The error of a whole topic.
std::unexpected<Error> os_failure(std::uint32_t os_code, const char* where);

// "Spooler: Access is denied (Windows error 5)"
std::string refusal_text(std::string_view what, std::uint32_t os_code);
// "The size of C:\pagefile.sys can't be read: Access is denied (Windows error 5)"
std::string problem_text(std::string_view what, std::uint32_t os_code);

class Refusals {
 public:
  // What can't be read, in the plural: "logon sessions".
  explicit Refusals(std::string_view what) : what_(what) {}

  void add(std::uint32_t os_code);
  // Adds the sentence to the table's problems, if anything was refused: "12 logon sessions can't be
  // read, the first because of: Access is denied (Windows error 5)".
  void report(FactTable& table) const;

 private:
  std::string_view what_;
  std::size_t count_ = 0;
  std::uint32_t first_ = 0;
};

}  // namespace winperf
