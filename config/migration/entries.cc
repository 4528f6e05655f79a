#include "config/migration/entries.h"

#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"
#include "config/text_error.h"

namespace winperf::migration {
namespace {

bool share_a_name(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::ranges::find_first_of(some, others, [](const std::string& a, const std::string& b) {
           return equal_names(a, b);
         }) != some.end();
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + as_json(text);
  return '[' + list + ']';
}

}  // namespace

std::string text_of(const Entry& entry) {
  std::string text =
      "{name: " + (entry.names.size() == 1 ? as_json(entry.names.front()) : list_of(entry.names));
  std::string filter;
  if (!entry.include.empty()) filter = "include: " + list_of(entry.include);
  if (!entry.exclude.empty())
    filter += (filter.empty() ? "" : ", ") + std::string("exclude: ") + list_of(entry.exclude);
  if (!filter.empty()) text += ", instances: {" + filter + '}';
  if (!entry.counters.empty()) text += ", counters: {include: " + list_of(entry.counters) + '}';
  return text + "},  // " + entry.comment;
}

void add_entry(std::vector<Entry>& entries, Entry entry, Progress& progress) {
  const bool is_taken = std::ranges::any_of(
      entries, [&](const Entry& other) { return share_a_name(entry.names, other.names); });
  if (!is_taken) {
    entries.push_back(std::move(entry));
    return;
  }
  progress.note(
      entry.comment + ": \"" + entry.names.front() +
      "\" is already sampled, so this entry was left out; what it selects in addition has "
      "to be added to the other one");
}

}  // namespace winperf::migration
