#include "exporter/json/value_objects.h"

#include <bit>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/hex.h"
#include "exporter/json/json_text.h"
#include "exporter/text/copied_text.h"
#include "exporter/text/number_text.h"

namespace winperf::json {
namespace {

// More than the names, numbers and reasons of any value take.
constexpr std::size_t kMostOfACell = 160;
constexpr std::size_t kUsualOfACell = 80;  // hardly more than most take

// The parts that are the same for all instances, by counter.
class CounterParts {
 public:
  explicit CounterParts(const CountersetSchema& schema) {
    std::string object;
    append_field(object, "{\"object\":", schema.name);
    object += ',';
    append_origin(object, schema);
    for (const CounterSchema& counter : schema.counters) {
      text_ += object;
      append_field(text_, ",\"counter\":", counter.name);
      append_field(text_, ",\"counter_index\":", value_of(counter.index));
      append_type(text_, ",\"type\":", counter.type);
      ends_.push_back(text_.size());
    }
  }

  std::string_view operator[](std::size_t column) const {
    const std::size_t begin = column == 0 ? 0 : ends_[column - 1];
    return std::string_view(text_).substr(begin, ends_[column] - begin);
  }
  std::size_t bytes() const { return text_.size(); }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

void append_labels(std::string& out, const InstanceSchema& instance) {
  if (instance.labels.empty()) return;
  out += ",\"labels\":{";
  append_list(out, instance.labels, [](std::string& to, const InstanceLabel& label) {
    append_string(to, label.name);
    append_field(to, ":", label.value);
  });
  out += '}';
}

// The part that is the same for all counters.
void append_instance(std::string& out, const CountersetSample& sample, std::size_t row) {
  if (!sample.schema->multi_instance) {
    out += ",\"instance\":\"\",\"instance_ordinal\":null";
    return;
  }
  const InstanceSchema& instance = sample.instances->instances[row];
  append_field(out, ",\"instance\":", instance.name);
  append_field(out, ",\"instance_ordinal\":", instance.ordinal);
  if (!instance.parent.empty()) {
    append_field(out, ",\"parent\":", instance.parent);
  }
  append_labels(out, instance);
}

char* write_finite(char* to, double value) {
  return std::isfinite(value) ? write_number(to, value) : copied(to, "null");
}

char* write_raw(char* to, const CountersetSample& sample, std::size_t column, std::size_t cell) {
  const CounterTypeInfo& type = sample.layout->columns[column].type;
  const CounterSchema& counter = sample.schema->counters[column];
  const std::uint64_t raw = sample.raw[cell];
  if (type.formula == Formula::kDouble) return write_finite(to, std::bit_cast<double>(raw));
  const auto negative = negative_of(type, counter.reading, raw, counter.size);
  return negative ? write_number(to, *negative) : write_number(to, raw);
}

char* write_cooked(char* to, NoValue reason, double cooked) {
  if (reason == NoValue::kNone && std::isfinite(cooked)) {
    to = write_number(copied(to, ",\"cooked\":"), cooked);
    return copied(to, ",\"reason\":null}");
  }
  to = copied(to, ",\"cooked\":null,\"reason\":\"");
  to = copied(to, reason == NoValue::kNone ? std::string_view("not_finite") : name_of(reason));
  return copied(to, "\"}");
}

char* write_cell(char* to, const CountersetSample& sample, std::size_t column, std::size_t cell) {
  const NoValue reason = sample.reason[cell];
  to = copied(to, ",\"raw\":");
  to = has_raw(reason) ? write_raw(to, sample, column, cell) : copied(to, "null");
  if (sample.schema->counters[column].has_base) {
    const bool is_there = has_raw(reason) && reason != NoValue::kNoBase;
    to = copied(to, ",\"base\":");
    to = is_there ? write_number(to, sample.base_at(cell)) : copied(to, "null");
  }
  return write_cooked(to, reason, sample.cooked[cell]);
}

}  // namespace

void append_origin(std::string& out, const CountersetSchema& schema) {
  out += "\"path\":\"";
  out += name_of(schema.path);
  const bool has_index = schema.path == CounterPath::kRegistry;
  append_field(out, "\",\"object_index\":",
               has_index ? std::optional(value_of(schema.index)) : std::nullopt);
  if (schema.guid) {
    append_field(out, ",\"guid\":", to_string(*schema.guid));
  }
  if (!schema.machine.empty()) {
    append_field(out, ",\"machine\":", schema.machine);
  }
}

void append_identity(std::string& out, std::string_view name, const InstanceSchema& instance) {
  append_field(out, name, instance.name);
  if (!instance.parent.empty()) append_field(out, ",\"parent\":", instance.parent);
  if (instance.duplicate != 0) append_field(out, ",\"duplicate\":", instance.duplicate);
  if (instance.unique_id) append_field(out, ",\"id\":", instance.unique_id);
  if (instance.process_id) append_field(out, ",\"process_id\":", instance.process_id);
  if (instance.thread_id) append_field(out, ",\"thread_id\":", instance.thread_id);
  append_labels(out, instance);
}

void append_owner(std::string& out, const InstanceSchema& instance,
                  const recorder::ProcessOwners& owners, SteadyTime from, SteadyTime to) {
  if (!instance.process_id) return;
  const recorder::ProcessOwner* const found = owners.find(*instance.process_id, from, to);
  if (found == nullptr) return;
  if (!found->owner.empty()) append_field(out, ",\"owner\":", found->owner);
  if (!found->command_line.empty()) append_field(out, ",\"command_line\":", found->command_line);
}

void append_type(std::string& out, std::string_view name, CounterType type) {
  constexpr std::size_t kDigits = 8;
  out += name;
  ((out += "\"0x") += upper_hex(value_of(type), kDigits)) += '"';
}

void append_values(std::string& out, const CountersetSample& sample, bool& first) {
  const CounterParts counters(*sample.schema);
  const std::size_t columns = sample.columns();
  std::string instance;
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    instance.clear();
    append_instance(instance, sample, row);
    const std::size_t begin = out.size();
    const std::size_t most = counters.bytes() + columns * (instance.size() + kMostOfACell);
    if (row == 0) {
      const std::size_t usual = counters.bytes() + columns * (instance.size() + kUsualOfACell);
      out.reserve(begin + sample.rows() * usual + most);
    }
    out.resize_and_overwrite(begin + most, [&](char* text, std::size_t) {
      char* to = text + begin;
      for (std::size_t column = 0; column < columns; ++column) {
        if (!std::exchange(first, false)) *to++ = ',';
        to = copied(to, counters[column]);
        to = copied(to, instance);
        to = write_cell(to, sample, column, sample.cell(row, column));
      }
      return static_cast<std::size_t>(to - text);
    });
  }
}

}  // namespace winperf::json
