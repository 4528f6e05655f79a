// Words of the C++ that the tables become. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace winperf::tables {

// As a literal.
std::string quoted(std::string_view text);
// The constant's name of a word: service_status is kServiceStatus.
std::string constant(std::string_view word);

// An array, and what a span of it is initialized with; an empty one is no array.
struct Array {
  std::string definition;
  std::string span;
};
Array array_of(const std::string& type, const std::string& name, const std::string& items);

// A source: constants, and a function that returns one of them.
std::string source_of(const std::string& header, const std::string& constants,
                      const std::string& functions);

}  // namespace winperf::tables
