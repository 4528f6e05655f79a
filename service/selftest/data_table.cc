#include "service/selftest/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace winperf::selftest {
namespace {

using TableJson = nlohmann::ordered_json;

constexpr int kDeepestTable = 4;

std::string more_row(std::size_t left_out) {
  return "<tr><td colspan=\"" + std::to_string(kMostColumns) + "\">and " +
         std::to_string(left_out) + " more: see report.json</tr>\n";
}

std::string html_of(const TableJson& value, int depth);

// Four digits are enough for a person; report.json has all.
std::string short_number(double number) {
  constexpr double kWithoutFraction = 1'000;
  const bool is_large = std::abs(number) >= kWithoutFraction && std::abs(number) < 1e15;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), is_large ? "%.0f" : "%.4g", number);
  return text.data();
}

std::string plain_html(const TableJson& value) {
  if (value.is_null()) return "<span class=\"absent\">not known</span>";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return html_text(value.get_ref<const std::string&>());
  if (value.is_number_float()) return short_number(value.get<double>());
  return html_text(value.dump(-1, ' ', false, TableJson::error_handler_t::replace));
}

std::string members_table(const TableJson& object, int depth) {
  std::string out = "<table class=\"d\">\n";
  std::size_t rows = 0;
  for (const auto& [name, value] : object.items()) {
    if (++rows > kMostRows) continue;
    out += "<tr><th>" + html_text(name) + "<td>" + html_of(value, depth + 1) + "</tr>\n";
  }
  if (rows > kMostRows) out += more_row(rows - kMostRows);
  return out + "</table>\n";
}

// The keys of all that are shown, in the order in which they come.
std::vector<std::string> columns_of(const TableJson& list) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < std::min(list.size(), kMostRows); ++i)
    for (const auto& [name, value] : list[i].items())
      if (columns.size() < kMostColumns && std::ranges::find(columns, name) == columns.end())
        columns.push_back(name);
  return columns;
}

std::string entries_table(const TableJson& list, int depth) {
  const std::vector<std::string> columns = columns_of(list);
  std::string out = "<table class=\"d\"><thead><tr>";
  for (const std::string& column : columns) out += "<th>" + html_text(column);
  out += "</tr></thead>\n";
  for (std::size_t i = 0; i < std::min(list.size(), kMostRows); ++i) {
    out += "<tr>";
    for (const std::string& column : columns) {
      const auto found = list[i].find(column);
      out += "<td>" + (found == list[i].end() ? std::string() : html_of(*found, depth + 1));
    }
    out += "</tr>\n";
  }
  if (list.size() > kMostRows) out += more_row(list.size() - kMostRows);
  return out + "</table>\n";
}

std::string values_line(const TableJson& list) {
  std::string out;
  for (std::size_t i = 0; i < std::min(list.size(), kMostRows); ++i)
    out += (i == 0 ? "" : ", ") + plain_html(list[i]);
  if (list.size() > kMostRows)
    out += ", and " + std::to_string(list.size() - kMostRows) + " more: see report.json";
  return out.empty() ? "none" : out;
}

std::string html_of(const TableJson& value, int depth) {
  if (!value.is_structured()) return plain_html(value);
  if (value.empty()) return "none";
  if (depth >= kDeepestTable) return std::to_string(value.size()) + " values: see report.json";
  if (value.is_object()) return members_table(value, depth);
  if (std::ranges::all_of(value, [](const TableJson& each) { return each.is_object(); }))
    return entries_table(value, depth);
  if (std::ranges::none_of(value, [](const TableJson& each) { return each.is_structured(); }))
    return values_line(value);
  return std::to_string(value.size()) + " values: see report.json";
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\n')
      out += "&#xFFFD;";
    else
      out += c;
  }
  return out;
}

std::string data_table(const TableJson& data) {
  if (data.is_null() || (data.is_structured() && data.empty())) return {};
  return html_of(data, 0);
}

}  // namespace winperf::selftest
