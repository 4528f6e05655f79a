// The data of one topic: rows (a service, a volume; or one row about the machine) of named fields,
// each a text or a number. An unknown field is absent, never an empty text or zero. docs/facts.md
// names the fields of each topic.
//
// As text it is JSON: {"rows": [{"name": "Spooler", "process_id": 1234}], "problems": ["..."]}.
// Worker processes and recorded answers use this form. Thread rule: values.
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "collectors/model/error.h"

namespace winperf {

using FactValue = std::variant<std::string, double>;  // text in UTF-8

class FactRow {
 public:
  // Each field once. A text that is not UTF-8 keeps what is.
  FactRow& text(std::string_view field, std::string_view value);
  FactRow& number(std::string_view field, double value);

  // Null if unknown.
  const FactValue* find(std::string_view field) const;
  // Empty if unknown; numbers in decimal.
  std::string text_of(std::string_view field) const;

  const std::vector<std::pair<std::string, FactValue>>& fields() const { return fields_; }
  bool operator==(const FactRow&) const = default;

 private:
  std::vector<std::pair<std::string, FactValue>> fields_;
};

struct TextfileResult;  // exporter/textfile/textfile_parser.h

struct FactTable {
  std::vector<FactRow> rows{};
  // Unreadable parts, each as a sentence: a service that denies access.
  std::vector<std::string> problems{};
  // The parsed text files; null for other topics. Not part of the text form.
  std::shared_ptr<const TextfileResult> textfiles{};

  FactRow& add() { return rows.emplace_back(); }
  bool operator==(const FactTable&) const = default;
};

inline constexpr std::size_t kMaxFactRows = 100'000;
inline constexpr std::size_t kMaxFactFields = 64;       // of a row
inline constexpr std::size_t kMaxFactProblems = 1'000;  // further ones are counted in the last

std::string fact_text(const FactTable& table);
// Input is not trusted. Errors, with `where` "facts": kBadText (it isn't this JSON; byte offset),
// kLimitExceeded.
[[nodiscard]] std::expected<FactTable, Error> parse_fact_text(std::string_view text);

}  // namespace winperf
