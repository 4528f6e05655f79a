// How people name what they want: filter patterns, perfmon's paths, and names with *. The input is
// a pattern, a NUL, and a name. Whatever they are: a pattern that a filter accepts a name by has a
// wildcard that matches it, a path is the same when it is written and read again, and what accepts
// a name accepts it.
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/utf8.h"
#include "collectors/match/filter.h"
#include "collectors/match/nearest.h"
#include "config/config.h"
#include "config/patterns.h"
#include "tests/fuzz/text_input.h"

namespace winperf::fuzz {
namespace {

// By the table of all prefixes. A ? is one character, of whatever size.
bool matches(std::string_view wildcard, std::string_view name) {
  std::vector<bool> prefixes(name.size() + 1, false);
  prefixes[0] = true;
  for (const char wanted : wildcard) {
    std::vector<bool> next(prefixes.size(), false);
    if (wanted == '*') next[0] = prefixes[0];
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (wanted == '*')
        next[i + 1] = prefixes[i + 1] || next[i];
      else if (wanted == '?' && prefixes[i])
        next[i + next_character(name.substr(i)).bytes] = true;
      else if (wanted != '?' && prefixes[i] && ascii_lower(wanted) == ascii_lower(name[i]))
        next[i + 1] = true;
    }
    prefixes = std::move(next);
  }
  return prefixes.back();
}

void check_filter(std::string_view text, std::string_view name) {
  const auto pattern = Pattern::compile(text);
  if (!pattern) {
    require(pattern.error().offset <= text.size(), "the place is in the pattern");
    return;
  }
  const Match match = pattern->match(name);
  const Capture capture = pattern->capture(name);
  require(capture.match == match, "a capture matches what the pattern does");
  for (const GroupText& group : capture.groups)
    require(name.contains(group.text), "a group is a part of the name");
  const Filter filter{.include = {*pattern}, .exclude = {}};
  if (filter.check(name).accepted)
    require(matches(wildcard_for(filter), name), "a wildcard isn't narrower than its filter");
  if (const auto only = only_name(filter); only && *only == name)
    require(match != Match::kNo, "the only name is accepted");
}

// What can't be selected, such as a path without an object, has no other form.
void check_path(std::string_view text) {
  auto path = parse_perfmon_path(text);
  if (!path) return;
  CountersetConfig entry;
  if (const auto selected = select_path(entry, *path); !selected)
    require(!selected.error().empty(), "a refusal has a reason");
  path->machine.clear();
  if (!select_path(entry, *path)) return;
  const auto again = parse_perfmon_path(local_path(*path));
  require(again && again->machine.empty() && again->object == path->object &&
              again->instance == path->instance && again->counter == path->counter,
          "a path is the same when it is written and read again");
}

void check_name(const std::string& name) {
  if (const auto problem = name_problem(name)) require(!problem->empty(), "a problem is named");
  const auto filter = filter_of(name);
  if (!filter || valid_bytes(name) != name.size()) return;
  const FilterResult result = filter->check(name);
  require(result.accepted || result.limit_reached, "a name accepts itself");
}

}  // namespace

std::vector<Input> seeds() {
  using namespace std::string_view_literals;
  return inputs_of({"w3wp_(?<pid>\\d+)_.*\0w3wp_12_app"sv, "(?i)C:|D:|HarddiskVolume.*\0c:"sv,
                    "a+[b-d]?\\.x{2}\0aabxx"sv, "(a*)*b\0aaaaaaaaaa"sv, "\\p{L}+\0\xC3\xA4"sv,
                    "\0\\\\srv\\Process(a/b#1)\\% Processor Time"sv, "\0\\Memory\\*"sv,
                    "\0\\Network Interface(*)\\Bytes*/sec"sv, "\0MSSQL$*:Locks"sv});
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const std::string input = fuzz::text_of(data, size, 512);
  std::string_view rest = input;
  const std::string_view pattern = fuzz::take_part(rest);
  fuzz::check_filter(pattern, rest);
  fuzz::check_path(rest);
  fuzz::check_name(std::string(rest));
  const std::string_view words[] = {"interval", "countersets", pattern};
  (void)nearest(rest, words);
  return 0;
}
