#include "exporter/json/range_columns.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "exporter/json/json_text.h"
#include "exporter/json/value_objects.h"

namespace winperf::json {
namespace {

using recorder::InstanceWindows;
using recorder::Window;

// By the steady clock, which is never set back.
std::vector<Instant> times_of(const RangeOfCounter& counter) {
  std::vector<Instant> times;
  for (const InstanceWindows& one : counter.instances)
    for (const Window& window : one.windows) times.push_back(window.to);
  std::ranges::sort(times, {}, &Instant::steady);
  const auto same = std::ranges::unique(times, {}, &Instant::steady);
  times.erase(same.begin(), same.end());
  return times;
}

// The arrays of one instance.
class Cells {
 public:
  Cells(const std::vector<Instant>& times, const std::vector<Window>& windows)
      : times_(times), windows_(windows) {}

  void append(std::string& out) const {
    append_array(out, ",\"cooked\":[", cooked);
    if (any([](const Window& window) { return !reason_of(window).empty(); }))
      append_array(out, ",\"reasons\":[", [](const Window& window) {
        const std::string_view reason = reason_of(window);
        return reason.empty() ? std::nullopt : std::optional(reason);
      });
    append_if_other(out, ",\"min\":[", &Window::lowest);
    // That of a counter without one is its value.
    if (any([](const Window& window) { return window.mean.has_value(); }))
      append_if_other(out, ",\"mean\":[", &Window::mean);
    append_if_other(out, ",\"max\":[", &Window::highest);
  }

 private:
  static std::optional<double> cooked(const Window& window) {
    return reason_of(window).empty() ? std::optional(*window.value) : std::nullopt;
  }

  bool any(const auto& holds) const { return std::ranges::any_of(windows_, holds); }

  void append_if_other(std::string& out, std::string_view name,
                       std::optional<double> Window::* value) const {
    if (any([&](const Window& window) { return window.*value != cooked(window); }))
      append_array(out, name, [&](const Window& window) { return window.*value; });
  }

  void append_array(std::string& out, std::string_view name, const auto& cell_of) const {
    out += name;
    auto window = windows_.begin();
    append_list(out, times_, [&](std::string& list, const Instant& time) {
      if (window == windows_.end() || window->to.steady != time.steady)
        list += "null";
      else
        append_value(list, cell_of(*window++));
    });
    out += ']';
  }

  const std::vector<Instant>& times_;
  const std::vector<Window>& windows_;
};

void append_instance(std::string& out, const InstanceWindows& one,
                     const std::vector<Instant>& times, const recorder::ProcessOwners& owners) {
  append_identity(out, "{\"instance\":", one.instance);
  append_owner(out, one.instance, owners, one.windows.front().from.steady,
               one.windows.back().to.steady);
  Cells(times, one.windows).append(out);
  out += '}';
}

}  // namespace

void append_range_columns(std::string& out, const RangeOfCounter& counter,
                          const recorder::ProcessOwners& owners) {
  const std::vector<Instant> times = times_of(counter);
  append_field(out, "{\"counterset\":", counter.counterset);
  append_field(out, ",\"counter\":", counter.counter);
  append_type(out, ",\"type\":", counter.type);
  out += ",\"times\":[";
  append_list(out, times,
              [](std::string& list, const Instant& time) { append_time(list, time.wall); });
  out += "],\"instances\":[";
  append_list(out, counter.instances, [&](std::string& list, const InstanceWindows& one) {
    append_instance(list, one, times, owners);
  });
  out += "]}";
}

}  // namespace winperf::json
