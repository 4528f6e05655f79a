#include "config/collectors.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "collectors/match/nearest.h"

namespace winperf {

const Collector* find_collector(std::string_view name) {
  const auto found = std::ranges::find(collectors(), name, &Collector::name);
  return found == collectors().end() ? nullptr : &*found;
}

std::vector<std::string> alternatives_of(const ReadObject& object) {
  std::vector<std::string> names;
  for (const auto name : object.name | std::views::split('|'))
    names.emplace_back(std::string_view(name));
  return names;
}

namespace {

constexpr std::string_view kDefaultInstance = "SQLServer:";

}  // namespace

bool is_of_sql_server(const ReadObject& object) {
  return object.name.starts_with(kDefaultInstance);
}

std::string of_named_instances(const ReadObject& object) {
  return "MSSQL$*:" + std::string(object.name.substr(kDefaultInstance.size()));
}

std::vector<std::vector<std::string>> reads_of(const Collector& collector) {
  std::vector<std::vector<std::string>> reads;
  for (const ReadObject& object : collector.objects) {
    reads.push_back(alternatives_of(object));
    if (is_of_sql_server(object)) reads.push_back({of_named_instances(object)});
  }
  return reads;
}

std::string_view nearest_collector(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Collector& known : collectors()) names.push_back(known.name);
  return nearest(name, names);
}

std::expected<std::vector<std::string>, std::string> objects_of(std::string_view collector) {
  const Collector* const found = find_collector(collector);
  if (found == nullptr) return std::unexpected(std::string(nearest_collector(collector)));
  std::vector<std::string> names;
  for (const ReadObject& object : found->objects)
    std::ranges::move(alternatives_of(object), std::back_inserter(names));
  return names;
}

std::vector<FactTopic> topics_of(std::string_view collector) {
  std::vector<FactTopic> topics;
  const Collector* const found = find_collector(collector);
  if (found == nullptr) return topics;
  for (const ReadTopic& read : found->topics)
    if (std::ranges::find(topics, read.topic) == topics.end()) topics.push_back(read.topic);
  return topics;
}

bool has_parts(const Collector& collector) {
  const auto is_part = [](const auto& read) { return !read.part.empty(); };
  return std::ranges::any_of(collector.objects, is_part) ||
         std::ranges::any_of(collector.topics, is_part) ||
         std::ranges::any_of(collector.missing, is_part);
}

bool is_missing(const Collector& collector) {
  return collector.objects.empty() && collector.topics.empty() && !collector.missing.empty();
}

bool is_custom(const Collector& collector) {
  return collector.objects.empty() && collector.topics.empty() && collector.missing.empty();
}

std::vector<std::string_view> default_collectors() {
  std::vector<std::string_view> names;
  for (const Collector& collector : collectors())
    if (collector.is_default) names.push_back(collector.name);
  return names;
}

}  // namespace winperf
