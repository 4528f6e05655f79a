// What the configuration asks of windows_exporter's collectors. Thread rule: pure functions.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "exporter/profiles/collector.h"

namespace winperf {

// Null if there is no collector of this name.
const Collector* find_collector(std::string_view name);
std::vector<std::string> alternatives_of(const ReadObject& object);
// Whether it is one of SQL Server's default instance.
bool is_of_sql_server(const ReadObject& object);
// The pattern for that object of SQL Server's named instances.
std::string of_named_instances(const ReadObject& object);
// What a collector reads, by names or patterns of which the first one that the machine has is
// taken: SQL Server's objects of each instance, too.
std::vector<std::vector<std::string>> reads_of(const Collector& collector);
// The name that may be meant, if there is no collector of this name; may be empty.
std::string_view nearest_collector(std::string_view name);
// The names of all objects that a collector reads, alternatives too. The error is
// nearest_collector().
[[nodiscard]] std::expected<std::vector<std::string>, std::string> objects_of(
    std::string_view collector);
// The topics of facts that a collector reads; none for an unknown one.
std::vector<FactTopic> topics_of(std::string_view collector);
// Whether a collector's option "enabled" chooses from its parts.
bool has_parts(const Collector& collector);
// Whether nothing of what it serves is here.
bool is_missing(const Collector& collector);
// Whether its objects are those that its settings name.
bool is_custom(const Collector& collector);
// Those that run without any setting.
std::vector<std::string_view> default_collectors();

}  // namespace winperf
