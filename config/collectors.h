// What the configuration asks of windows_exporter's collectors. Thread rule: pure functions.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "exporter/profiles/collector.h"

namespace winperf {

// Null if unknown.
const Collector* find_collector(std::string_view name);
std::vector<std::string> alternatives_of(const ReadObject& object);
// Whether it belongs to SQL Server's default instance.
bool is_of_sql_server(const ReadObject& object);
// The pattern for that object of SQL Server's named instances.
std::string of_named_instances(const ReadObject& object);
// What a collector reads, as lists of alternative names or patterns, of which the first that exists
// is used; includes SQL Server's objects of each named instance.
std::vector<std::vector<std::string>> reads_of(const Collector& collector);
// The most similar collector name, for suggestions; may be empty.
std::string_view nearest_collector(std::string_view name);
// The names of all objects that a collector reads, alternatives too. The error is
// nearest_collector().
[[nodiscard]] std::expected<std::vector<std::string>, std::string> objects_of(
    std::string_view collector);
// The topics of facts that a collector reads; none for an unknown one.
std::vector<FactTopic> topics_of(std::string_view collector);
// Whether a collector's option "enabled" chooses from its parts.
bool has_parts(const Collector& collector);
// Whether this program serves none of its metrics.
bool is_missing(const Collector& collector);
// Whether its settings name its objects.
bool is_custom(const Collector& collector);
// The collectors that are enabled by default.
std::vector<std::string_view> default_collectors();

}  // namespace winperf
