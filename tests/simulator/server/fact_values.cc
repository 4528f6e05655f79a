#include "tests/simulator/server/fact_values.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "collectors/wire/text.h"

namespace winperf::simulator {
namespace {

constexpr std::int64_t kSecond100ns = 10'000'000;
constexpr std::int64_t kUnixEpochSeconds = 11'644'473'600;

std::int64_t unix_seconds(std::int64_t time_100ns) {
  return time_100ns / kSecond100ns - kUnixEpochSeconds;
}

const ServerObject& object_of(const ServerData& data, const std::string& name) {
  for (const ServerProvider& provider : data.providers)
    for (const ServerObject& object : provider.objects)
      if (object.name == name) return object;
  throw std::out_of_range("the simulated server has no object " + name);
}

const InstanceValues& row_of(const std::vector<InstanceValues>& rows, const std::string& instance) {
  const auto mark = instance.find('#');
  const std::u16string name = to_utf16(instance.substr(0, mark));
  int before = mark == std::string::npos ? 0 : std::stoi(instance.substr(mark + 1));
  for (const InstanceValues& row : rows)
    if (row.name == name && before-- == 0) return row;
  throw std::out_of_range("the simulated server has no instance " + instance);
}

std::uint64_t raw_value(const nlohmann::json& path, const ServerData& data,
                        const ServerMoment& moment) {
  const ServerObject& object = object_of(data, path.at(0).get_ref<const std::string&>());
  const auto counter =
      std::ranges::find(object.counters, path.at(2).get<std::string>(), &ServerCounter::name);
  if (counter == object.counters.end()) throw std::out_of_range(path.dump());
  return row_of(rows_of(data, object, moment), path.at(1).get<std::string>())
      .values.at(static_cast<std::size_t>(counter - object.counters.begin()));
}

nlohmann::json fact_value(const nlohmann::json& field, const ServerData& data,
                          const ServerMoment& moment) {
  if (const auto seconds = field.find("after_start"); seconds != field.end())
    return unix_seconds(moment.boot_100ns) + seconds->get<std::int64_t>();
  if (const auto path = field.find("began"); path != field.end())
    return unix_seconds(static_cast<std::int64_t>(raw_value(*path, data, moment)));
  const auto raw = static_cast<std::int64_t>(raw_value(field.at("of"), data, moment));
  const std::int64_t value =
      raw * field.value("times", std::int64_t{1}) + field.value("plus", std::int64_t{0});
  if (field.value("text", false)) return std::to_string(value);
  return value;
}

}  // namespace

void fill_in(nlohmann::json& rows, const ServerData& data, const ServerMoment& moment) {
  for (nlohmann::json& row : rows)
    for (nlohmann::json& field : row)
      if (field.is_object()) field = fact_value(field, data, moment);
}

}  // namespace winperf::simulator
