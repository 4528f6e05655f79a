#include "exporter/json/range_document.h"

#include <chrono>

#include "exporter/json/json_text.h"
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
  append_field(out, ",\"cooked\":", window.value ? std::optional(*window.value) : std::nullopt);
  out += ",\"reason\":";
  window.value ? void(out += "null") : append_string(out, name_of(window.value.error()));
  append_field(out, ",\"min\":", window.lowest);
  append_field(out, ",\"mean\":", window.mean);
  append_field(out, ",\"max\":", window.highest);
  append_field(out, ",\"shortest_seconds\":", seconds_unless_0(window.shortest));
  out += '}';
}

void append_instance_windows(std::string& out, const InstanceWindows& one,
                             const recorder::ProcessOwners& owners) {
  append_identity(out, "{\"instance\":", one.instance);
  if (!one.windows.empty())
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

std::string range_document(const RangeTimes& times, std::span<const RangeOfCounter> counters,
                           const recorder::ProcessOwners& owners) {
  std::string out;
  append_field(out, "{\"since\":", times.since);
  append_field(out, ",\"until\":", times.until);
  append_field(out, ",\"step_seconds\":", times.step_seconds);
  out += ",\"counters\":[";
  append_list(out, counters, [&](std::string& list, const RangeOfCounter& counter) {
    append_counter(list, counter, owners);
  });
  return out + "]}\n";
}

}  // namespace winperf::json
