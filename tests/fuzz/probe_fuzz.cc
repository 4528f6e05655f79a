// What strangers name in /probe, against the patterns of a configuration: the input is a pattern,
// a NUL, and a name. A matcher of its own, by the table of all prefixes, judges ours; and whatever
// the name, service discovery remains JSON that says it.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/utf8.h"
#include "config/hosts.h"
#include "exporter/json/sample_document.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

// Which prefixes of the name a prefix of the pattern matches, grown by one character of the pattern
// at a time.
bool matches(std::string_view pattern, std::string_view name) {
  std::vector<bool> prefixes(name.size() + 1, false);
  prefixes[0] = true;
  for (const char wanted : pattern) {
    std::vector<bool> next(prefixes.size(), false);
    if (wanted == '*') {
      next[0] = prefixes[0];
      for (std::size_t i = 0; i < name.size(); ++i)
        next[i + 1] = prefixes[i + 1] || (next[i] && name[i] != '.' && name[i] != ':');
    } else {
      for (std::size_t i = 0; i < name.size(); ++i)
        next[i + 1] = prefixes[i] && ((wanted == '?' && name[i] != '.' && name[i] != ':') ||
                                      ascii_lower(wanted) == ascii_lower(name[i]));
    }
    prefixes = std::move(next);
  }
  return prefixes.back();
}

void check(std::string_view pattern, std::string_view name) {
  require(matches_host(pattern, name) == matches(pattern, name), "both matchers say the same");
  if (!why_no_target_name(name)) {
    require(name.size() <= 255 &&
                std::ranges::all_of(name,
                                    [](char c) {
                                      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                                             std::string_view("-._:*?").contains(c);
                                    }),
            "a machine's name is no more than a name");
    require(host_key(host_key(name)) == host_key(name), "a key is its own key");
  }
  const std::string text(name);
  const auto document = nlohmann::json::parse(
      json::targets_document(std::vector{TargetState{.host = text, .module = "m"}}, text));
  if (valid_bytes(name) != name.size()) return;
  require(document[0]["labels"]["__param_target"] == text, "discovery names the machine");
  require(document[0]["targets"][0] == text, "discovery names the address");
}

Input bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<Input> seeds() {
  using namespace std::string_view_literals;
  std::vector<Input> inputs;
  for (const std::string_view input :
       {"srv-1\0srv-1"sv, "web-*\0web-12.corp.example"sv, "*.corp\0a.b.corp"sv,
        "?a*b*c\0XaXXbXXc"sv, "10.0.0.*\00010.0.0.7"sv, "**\0\\\\srv"sv, "fe80::*\0fe80::1%3"sv,
        "web-*\0WEB-1."sv, "web-*\0web-%s%n"sv,
        "web-*\0web-\xE2\x80\xAE"
        "1"sv})
    inputs.push_back(bytes_of(input));
  return inputs;
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 2048));
  const std::size_t end = std::min(input.find('\0'), input.size());
  const std::string_view rest = std::string_view(input).substr(end);
  winperf::fuzz::check(std::string_view(input).substr(0, end), rest.substr(rest.empty() ? 0 : 1));
  return 0;
}
