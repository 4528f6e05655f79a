#include "exporter/json/sample_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "exporter/json/json_text.h"
#include "exporter/json/value_objects.h"

namespace winperf::json {
namespace {

// Whether integers of so many bytes are written as texts.
constexpr bool is_wide(std::uint32_t bytes) { return bytes > sizeof(std::uint32_t); }

void append_integer(std::string& out, auto value, bool as_text) {
  if (as_text) out += '"';
  winperf::append_number(out, value);
  if (as_text) out += '"';
}

void append_clocks(std::string& out, const Clocks& clocks) {
  const auto append = [&](std::string_view name, std::int64_t value) {
    out += name;
    append_integer(out, value, true);
  };
  append("{\"perf_time\":", clocks.perf_time.ticks);
  append(",\"perf_frequency\":", clocks.perf_frequency.ticks_per_second);
  append(",\"time_100ns\":", clocks.time_100ns.ticks);
  append(",\"object_time\":", clocks.object_time.ticks);
  append(",\"object_frequency\":", clocks.object_frequency.ticks_per_second);
  out += '}';
}

void append_row(std::string& out, const InstanceSchema& instance) {
  append_identity(out, "{\"name\":", instance);
  out += '}';
}

// One column of a sample.
class Column {
 public:
  Column(const CountersetSample& sample, std::size_t place)
      : sample_(sample),
        counter_(sample.schema->counters[place]),
        layout_(sample.layout->columns[place]),
        begin_(sample.cell(0, place)),
        end_(begin_ + sample.rows()) {}

  void append(std::string& out) const {
    append_schema(out);
    append_cells(out, ",\"raw\":[", [&](std::size_t cell) { append_raw(out, cell); });
    if (counter_.has_base)
      append_cells(out, ",\"base\":[", [&](std::size_t cell) { append_base(out, cell); });
    append_cells(out, ",\"cooked\":[", [&](std::size_t cell) {
      append_number(out, has_value(cell) ? sample_.cooked[cell] : std::nan(""));
    });
    if (any([&](std::size_t cell) { return !has_value(cell); }))
      append_cells(out, ",\"reasons\":[", [&](std::size_t cell) { append_reason(out, cell); });
    append_totals(out);
    if (has_own_clocks())
      append_cells(out, ",\"clocks\":[",
                   [&](std::size_t cell) { json::append_clocks(out, sample_.own_clocks[cell]); });
    out += '}';
  }

 private:
  bool is_double() const { return layout_.type.formula == Formula::kDouble; }
  bool is_raw_text() const { return !is_double() && is_wide(counter_.size); }
  bool has_raw(std::size_t cell) const { return winperf::has_raw(sample_.reason[cell]); }
  bool has_base(std::size_t cell) const {
    return has_raw(cell) && sample_.reason[cell] != NoValue::kNoBase;
  }
  bool has_value(std::size_t cell) const {
    return sample_.reason[cell] == NoValue::kNone && std::isfinite(sample_.cooked[cell]);
  }
  bool has_own_clocks() const {
    return !sample_.own_clocks.empty() &&
           any([&](std::size_t cell) { return sample_.own_clocks[cell] != sample_.clocks; });
  }
  bool any(const auto& holds) const {
    for (std::size_t cell = begin_; cell < end_; ++cell)
      if (holds(cell)) return true;
    return false;
  }

  void append_cells(std::string& out, std::string_view name, const auto& append_cell) const {
    out += name;
    for (std::size_t cell = begin_; cell < end_; ++cell) {
      if (cell != begin_) out += ',';
      append_cell(cell);
    }
    out += ']';
  }

  void append_schema(std::string& out) const {
    append_field(out, "{\"name\":", counter_.name);
    append_field(out, ",\"counter_index\":", value_of(counter_.index));
    append_type(out, ",\"type\":", counter_.type);
    append_field(out, ",\"type_name\":", to_string(counter_.type));
    append_field(out, ",\"kind\":", is_raw_text() ? "text" : "number");
  }

  void append_raw(std::string& out, std::size_t cell) const {
    const std::uint64_t raw = sample_.raw[cell];
    if (!has_raw(cell)) {
      out += "null";
    } else if (is_double()) {
      append_number(out, std::bit_cast<double>(raw));
    } else if (const auto negative =
                   negative_of(layout_.type, counter_.reading, raw, counter_.size)) {
      append_integer(out, *negative, is_raw_text());
    } else {
      append_integer(out, raw, is_raw_text());
    }
  }

  void append_base(std::string& out, std::size_t cell) const {
    if (has_base(cell))
      append_integer(out, sample_.base_at(cell), is_wide(counter_.base_size));
    else
      out += "null";
  }

  void append_reason(std::string& out, std::size_t cell) const {
    if (has_value(cell)) {
      out += "null";
      return;
    }
    const NoValue reason = sample_.reason[cell];
    append_string(out, reason == NoValue::kNone ? "not_finite" : name_of(reason));
  }

  void append_totals(std::string& out) const {
    const auto append = [&](std::string_view name, const auto& total_at) {
      append_cells(out, name, [&](std::size_t cell) {
        if (has_raw(cell))
          append_integer(out, total_at(cell), true);
        else
          out += "null";
      });
    };
    const auto total = [&](std::size_t cell) { return sample_.total_at(cell); };
    const auto base_total = [&](std::size_t cell) { return sample_.base_total_at(cell); };
    if (any([&](std::size_t cell) { return has_raw(cell) && total(cell) != sample_.raw[cell]; }))
      append(",\"total\":[", total);
    if (any([&](std::size_t cell) {
          return has_base(cell) && base_total(cell) != sample_.base_at(cell);
        }))
      append(",\"base_total\":[", base_total);
  }

  const CountersetSample& sample_;
  const CounterSchema& counter_;
  const SampleLayout::Column& layout_;
  std::size_t begin_;
  std::size_t end_;
};

}  // namespace

void append_columns(std::string& out, const CountersetSample* sample) {
  if (sample == nullptr) {
    out += "\"clocks\":null,\"instances\":[],\"counters\":[]";
    return;
  }
  out += "\"clocks\":";
  append_clocks(out, sample->clocks);
  out += ",\"instances\":[";
  if (sample->schema->multi_instance) append_list(out, sample->instances->instances, append_row);
  out += "],\"counters\":[";
  for (std::size_t place = 0; place < sample->columns(); ++place) {
    if (place != 0) out += ',';
    Column(*sample, place).append(out);
  }
  out += ']';
}

}  // namespace winperf::json
