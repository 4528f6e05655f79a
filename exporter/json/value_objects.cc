#include "exporter/json/value_objects.h"

#include <bit>
#include <cmath>
#include <string_view>
#include <vector>

#include "collectors/base/hex.h"
#include "exporter/json/json_text.h"

namespace winperf::json {
namespace {

void append_type(std::string& out, CounterType type) {
  constexpr std::size_t kDigits = 8;
  out += "\"0x" + upper_hex(value_of(type), kDigits) + '"';
}

// The part that is the same for all instances.
std::string counter_part(const CountersetSchema& schema, const CounterSchema& counter) {
  std::string out = "{\"object\":";
  append_string(out, schema.name);
  out += ',';
  append_origin(out, schema);
  out += ",\"counter\":";
  append_string(out, counter.name);
  out += ",\"counter_index\":";
  append_number(out, std::uint64_t{value_of(counter.index)});
  out += ",\"type\":";
  append_type(out, counter.type);
  return out;
}

// The part that is the same for all counters.
std::string instance_part(const CountersetSample& sample, std::size_t row) {
  if (!sample.schema->multi_instance) return ",\"instance\":\"\",\"instance_ordinal\":null";
  const InstanceSchema& instance = sample.instances->instances[row];
  std::string out = ",\"instance\":";
  append_string(out, instance.name);
  out += ",\"instance_ordinal\":";
  append_number(out, std::uint64_t{instance.ordinal});
  if (!instance.parent.empty()) {
    out += ",\"parent\":";
    append_string(out, instance.parent);
  }
  if (!instance.labels.empty()) {
    out += ",\"labels\":{";
    for (const InstanceLabel& label : instance.labels) {
      if (&label != &instance.labels.front()) out += ',';
      append_string(out, label.name);
      out += ':';
      append_string(out, label.value);
    }
    out += '}';
  }
  return out;
}

void append_raw(std::string& out, const CounterSchema& counter, std::uint64_t raw) {
  if (counter.info().formula == Formula::kDouble) {
    append_number(out, std::bit_cast<double>(raw));
  } else {
    out += raw_text(counter, raw);
  }
}

void append_cooked(std::string& out, NoValue reason, double cooked) {
  const bool finite = reason == NoValue::kNone && std::isfinite(cooked);
  out += ",\"cooked\":";
  if (finite) {
    append_number(out, cooked);
    out += ",\"reason\":null}";
    return;
  }
  out += "null,\"reason\":";
  append_string(out, reason == NoValue::kNone ? "not_finite" : name_of(reason));
  out += '}';
}

void append_cell(std::string& out, const CountersetSample& sample, const CounterSchema& counter,
                 std::size_t cell) {
  const NoValue reason = sample.reason[cell];
  out += ",\"raw\":";
  if (has_raw(reason)) {
    append_raw(out, counter, sample.raw[cell]);
  } else {
    out += "null";
  }
  if (counter.has_base) {
    out += ",\"base\":";
    if (has_raw(reason) && reason != NoValue::kNoBase) {
      append_number(out, sample.base[cell]);
    } else {
      out += "null";
    }
  }
  append_cooked(out, reason, sample.cooked[cell]);
}

}  // namespace

void append_origin(std::string& out, const CountersetSchema& schema) {
  out += "\"path\":\"";
  out += name_of(schema.path);
  out += "\",\"object_index\":";
  if (schema.path == CounterPath::kRegistry) {
    append_number(out, std::uint64_t{value_of(schema.index)});
  } else {
    out += "null";
  }
  if (schema.guid) {
    out += ",\"guid\":";
    append_string(out, to_string(*schema.guid));
  }
  if (!schema.machine.empty()) {
    out += ",\"machine\":";
    append_string(out, schema.machine);
  }
}

void append_values(std::string& out, const CountersetSample& sample, bool& first) {
  std::vector<std::string> counters;
  for (const CounterSchema& counter : sample.schema->counters) {
    counters.push_back(counter_part(*sample.schema, counter));
  }
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const std::string instance = instance_part(sample, row);
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      if (!first) out += ',';
      first = false;
      out += counters[column];
      out += instance;
      append_cell(out, sample, sample.schema->counters[column], sample.cell(row, column));
    }
  }
}

}  // namespace winperf::json
