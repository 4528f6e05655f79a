#include "service/selftest/shown_names.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "collectors/capture/scrubber.h"
#include "collectors/wire/text.h"

namespace winperf::selftest {

std::string ShownNames::shown(const std::string& name) {
  if (!scrubs_ || name.empty() || capture::is_harmless(to_utf16(name))) return name;
  const auto [place, is_new] = numbers_.try_emplace(name, numbers_.size() + 1);
  return "instance-" + std::to_string(place->second);
}

std::vector<std::string> ShownNames::replaced() const {
  std::vector<std::string> names;
  for (const auto& [name, number] : numbers_) names.push_back(name);
  return names;
}

namespace {

using RecordLine = nlohmann::ordered_json;

constexpr std::size_t kMaxRecordLine = std::size_t{128} << 20U;
constexpr int kDeepestRecord = 16;

// [name, status, value] and [name, status, first, second, count, time]; a counter is [name, index].
bool begins_with_an_instance(const RecordLine& list) {
  constexpr std::size_t kLeast = 3;
  return list.size() >= kLeast && list[0].is_string() && !list[1].is_string();
}

void replace_instances(RecordLine& value, ShownNames& names) {
  if (value.is_array()) {
    if (begins_with_an_instance(value)) value[0] = names.shown(value[0].get<std::string>());
    for (RecordLine& part : value) replace_instances(part, names);
  } else if (value.is_object()) {
    for (auto& [key, part] : value.items()) {
      if (key == "instances" && part.is_array()) {
        for (RecordLine& name : part)
          if (name.is_string()) name = names.shown(name.get<std::string>());
      } else {
        replace_instances(part, names);
      }
    }
  }
}

}  // namespace

std::optional<std::string> without_instances(std::string_view records, ShownNames& names) {
  std::string out;
  bool is_deep = false;
  const auto flat = [&](int depth, RecordLine::parse_event_t, RecordLine&) {
    is_deep = is_deep || depth > kDeepestRecord;
    return !is_deep;
  };
  for (std::size_t at = 0; at < records.size();) {
    const std::size_t end = std::min(records.find('\n', at), records.size());
    if (end - at > kMaxRecordLine) return std::nullopt;
    RecordLine line = RecordLine::parse(records.substr(at, end - at), flat, false);
    if (is_deep || !line.is_object()) return std::nullopt;
    replace_instances(line, names);
    out += line.dump(-1, ' ', false, RecordLine::error_handler_t::replace) + '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace winperf::selftest
