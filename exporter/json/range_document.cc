#include "exporter/json/range_document.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "exporter/json/json_text.h"
#include "exporter/json/range_columns.h"
#include "exporter/json/value_objects.h"

namespace winperf::json {
namespace {

using recorder::InstanceWindows;
using recorder::Window;

std::optional<double> seconds_unless_0(std::chrono::steady_clock::duration time) {
  if (time.count() == 0) return std::nullopt;
  return std::chrono::duration<double>(time).count();
}

void append_window(std::string& out, const Window& window) {
  append_field(out, "{\"from\":", window.from.wall);
  append_field(out, ",\"to\":", window.to.wall);
  const std::string_view reason = reason_of(window);
  append_field(out, ",\"cooked\":", reason.empty() ? std::optional(*window.value) : std::nullopt);
  append_field(out, ",\"reason\":", reason.empty() ? std::nullopt : std::optional(reason));
  append_field(out, ",\"min\":", window.lowest);
  append_field(out, ",\"mean\":", window.mean);
  append_field(out, ",\"max\":", window.highest);
  append_field(out, ",\"shortest_seconds\":", seconds_unless_0(window.shortest));
  out += '}';
}

void append_instance_windows(std::string& out, const InstanceWindows& one,
                             const recorder::ProcessOwners& owners) {
  append_identity(out, "{\"instance\":", one.instance);
  append_owner(out, one.instance, owners, one.windows.front().from.steady,
               one.windows.back().to.steady);
  out += ",\"windows\":[";
  append_list(out, one.windows, append_window);
  out += "]}";
}

void append_counter(std::string& out, const RangeOfCounter& counter,
                    const recorder::ProcessOwners& owners) {
  append_field(out, "{\"counterset\":", counter.counterset);
  append_field(out, ",\"counter\":", counter.counter);
  append_type(out, ",\"type\":", counter.type);
  out += ",\"instances\":[";
  append_list(out, counter.instances, [&](std::string& list, const InstanceWindows& one) {
    append_instance_windows(list, one, owners);
  });
  out += "]}";
}

}  // namespace

std::string_view reason_of(const recorder::Window& window) {
  if (!window.value) return name_of(window.value.error());
  return std::isfinite(*window.value) ? std::string_view() : "not_finite";
}

RangeDocument::RangeDocument(const RangeTimes& times, bool as_columns,
                             const recorder::ProcessOwners& owners)
    : owners_(owners), as_columns_(as_columns) {
  append_field(text_, "{\"since\":", times.since);
  append_field(text_, ",\"until\":", times.until);
  append_field(text_, ",\"step_seconds\":", times.step_seconds);
  text_ += ",\"counters\":[";
}

void RangeDocument::add(const RangeOfCounter& counter) {
  if (!std::exchange(is_first_, false)) text_ += ',';
  if (as_columns_)
    append_range_columns(text_, counter, owners_);
  else
    append_counter(text_, counter, owners_);
}

std::string RangeDocument::finish() && {
  text_ += "]}\n";
  return std::move(text_);
}

}  // namespace winperf::json
