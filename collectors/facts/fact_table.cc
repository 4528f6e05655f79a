#include "collectors/facts/fact_table.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "collectors/base/utf8.h"

namespace winperf {
namespace {

using Json = nlohmann::json;

constexpr const char* kWhere = "facts";

std::string as_utf8(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Step step = next_character(text.substr(at));
    out += step.valid ? text.substr(at, step.bytes) : kReplacementCharacter;
    at += step.bytes;
  }
  return out;
}

Error error(ErrorCode code, std::uint64_t offset, std::uint64_t actual = 0,
            std::uint64_t limit = 0) {
  return {.code = code, .where = kWhere, .offset = offset, .actual = actual, .limit = limit};
}

// The error of invalid JSON.
struct NoTable {
  Error error;
};

void read_row(const Json& from, FactRow& row) {
  if (!from.is_object()) throw NoTable{error(ErrorCode::kBadText, 0)};
  if (from.size() > kMaxFactFields)
    throw NoTable{error(ErrorCode::kLimitExceeded, 0, from.size(), kMaxFactFields)};
  for (const auto& [field, value] : from.items()) {
    if (value.is_string()) {
      row.text(field, value.get_ref<const std::string&>());
    } else if (value.is_number()) {
      row.number(field, value.get<double>());
    } else {
      throw NoTable{error(ErrorCode::kBadText, 0)};
    }
  }
}

const Json& list_of(const Json& table, const char* name, std::size_t limit) {
  static const Json kNone = Json::array();
  const auto found = table.find(name);
  if (found == table.end()) return kNone;
  if (!found->is_array()) throw NoTable{error(ErrorCode::kBadText, 0)};
  if (found->size() > limit)
    throw NoTable{error(ErrorCode::kLimitExceeded, 0, found->size(), limit)};
  return *found;
}

FactTable table_of(const Json& from) {
  if (!from.is_object()) throw NoTable{error(ErrorCode::kBadText, 0)};
  FactTable table;
  for (const Json& row : list_of(from, "rows", kMaxFactRows)) read_row(row, table.add());
  for (const Json& problem : list_of(from, "problems", kMaxFactProblems)) {
    if (!problem.is_string()) throw NoTable{error(ErrorCode::kBadText, 0)};
    table.problems.push_back(problem.get<std::string>());
  }
  return table;
}

}  // namespace

FactRow& FactRow::text(std::string_view field, std::string_view value) {
  fields_.emplace_back(field, as_utf8(value));
  return *this;
}

FactRow& FactRow::number(std::string_view field, double value) {
  fields_.emplace_back(field, value);
  return *this;
}

const FactValue* FactRow::find(std::string_view field) const {
  const auto found = std::ranges::find(
      fields_, field, [](const auto& one) -> std::string_view { return one.first; });
  return found == fields_.end() ? nullptr : &found->second;
}

std::string FactRow::text_of(std::string_view field) const {
  const FactValue* const value = find(field);
  if (value == nullptr) return {};
  if (const auto* const text = std::get_if<std::string>(value)) return *text;
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, std::get<double>(*value));
  return {digits, end.ptr};
}

std::string fact_text(const FactTable& table) {
  Json rows = Json::array();
  for (const FactRow& row : table.rows) {
    Json& to = rows.emplace_back(Json::object());
    for (const auto& [field, value] : row.fields())
      std::visit([&to, &name = field](const auto& one) { to[name] = one; }, value);
  }
  Json text{{"rows", std::move(rows)}};
  if (!table.problems.empty()) {
    Json& problems = text["problems"] = Json::array();
    for (const std::string& problem : table.problems) {
      if (problems.size() == kMaxFactProblems - 1 && table.problems.size() > kMaxFactProblems) {
        problems.push_back(std::to_string(table.problems.size() - problems.size()) + " more");
        break;
      }
      problems.push_back(as_utf8(problem));
    }
  }
  return text.dump();
}

std::expected<FactTable, Error> parse_fact_text(std::string_view text) {
  try {
    return table_of(Json::parse(text));
  } catch (const Json::parse_error& bad) {
    return std::unexpected(error(ErrorCode::kBadText, bad.byte));
  } catch (const Json::exception&) {
    return std::unexpected(error(ErrorCode::kBadText, 0));
  } catch (const NoTable& no_table) {
    return std::unexpected(no_table.error);
  }
}

}  // namespace winperf
