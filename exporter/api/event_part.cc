#include "exporter/api/event_part.h"

#include <algorithm>

#include "exporter/json/json_text.h"
#include "exporter/json/value_objects.h"

namespace winperf::api {
namespace {

void append_event_instance(std::string& out, const InstanceSchema* instance) {
  json::append_identity(out, "{\"name\":", *instance);
  out += '}';
}

void append_cooked(std::string& out, const EventValue& value) {
  value.reason.empty() ? json::append_number(out, value.cooked) : void(out += "null");
}

void append_reason(std::string& out, const EventValue& value) {
  value.reason.empty() ? void(out += "null") : json::append_string(out, value.reason);
}

void append_event_column(std::string& out, const EventColumn& column) {
  json::append_field(out, "{\"name\":", column.name);
  out += ",\"cooked\":[";
  json::append_list(out, column.values, append_cooked);
  if (!std::ranges::all_of(column.values, &std::string_view::empty, &EventValue::reason)) {
    out += "],\"reasons\":[";
    json::append_list(out, column.values, append_reason);
  }
  out += "]}";
}

void append_event_part(std::string& out, const EventPart& part) {
  json::append_field(out, "{\"path\":", part.path);
  json::append_field(out, ",\"counterset\":", part.counterset);
  json::append_field(out, ",\"sampled_at\":", part.sampled_at);
  out += ",\"instances\":[";
  json::append_list(out, part.instances, append_event_instance);
  out += "],\"counters\":[";
  json::append_list(out, part.columns, append_event_column);
  out += ']';
  if (part.left_out != 0) json::append_field(out, ",\"left_out\":", part.left_out);
  if (!part.error.empty()) json::append_field(out, ",\"error\":", part.error);
  out += '}';
}

}  // namespace

std::string event_document(const std::vector<EventPart>& parts) {
  if (parts.empty()) return {};
  std::string out = "{\"values\":[";
  json::append_list(out, parts, append_event_part);
  return out + "]}";
}

}  // namespace winperf::api
