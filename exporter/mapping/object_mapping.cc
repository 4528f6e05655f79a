#include "exporter/mapping/object_mapping.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/mapping/counter_name.h"
#include "exporter/mapping/overrides.h"

namespace winperf {
namespace {

bool is_label(const CountersetSchema& schema, const CounterSchema& counter) {
  return schema.multi_instance &&
         (equal_names(counter.name, "ID Process") || equal_names(counter.name, "ID Thread"));
}

bool is_plain_number(const CounterTypeInfo& info) {
  return info.unit == RawUnit::kNumber && info.exposition == Exposition::kGauge;
}

// Whether the base of a counter gets a family, too: it may be the components of a multi timer, or
// the time that a precision timer measured. A raw fraction has already been divided by its base.
bool has_base_family(const CounterSchema& counter) {
  return counter.has_base && counter.info().base != BaseKind::kNone &&
         counter.info().unit != RawUnit::kRatio;
}

TimeBase clock_of(const CounterTypeInfo& info) {
  if (info.unit == RawUnit::kPerfTicks) return TimeBase::kPerf;
  if (info.unit == RawUnit::kNumber || info.unit == RawUnit::kRatio) return TimeBase::kNone;
  return info.time_base;
}

ValueSource source_of(const CounterTypeInfo& info, MetricType type) {
  if (info.unit == RawUnit::kRatio) return ValueSource::kRatio;
  if (info.unit == RawUnit::kStartTime) return ValueSource::kStartTime;
  if (info.formula == Formula::kDouble) return ValueSource::kRawDouble;
  return type == MetricType::kCounter ? ValueSource::kTotal : ValueSource::kRaw;
}

class ObjectMapper {
 public:
  ObjectMapper(const CountersetSchema& schema, const MappingOptions& options)
      : schema_(schema), options_(options), prefix_(metric_prefix(schema)) {}

  ObjectMapping run() {
    const std::vector<std::string> keys = unique_keys();
    for (std::size_t column = 0; column < schema_.counters.size(); ++column) {
      map_counter(column, keys[column]);
    }
    return std::move(result_);
  }

 private:
  // "object\counter"; the type distinguishes counters of the same name, and the index those of the
  // same type.
  std::vector<std::string> unique_keys() const {
    std::vector<std::string> keys;
    for (const CounterSchema& counter : schema_.counters) {
      keys.push_back(schema_.name + '\\' + counter.name);
    }
    tell_apart(keys, [](const CounterSchema& counter) { return to_string(counter.type); });
    tell_apart(
        keys, [](const CounterSchema& counter) { return std::to_string(value_of(counter.index)); });
    return keys;
  }

  template <class Distinction>
  void tell_apart(std::vector<std::string>& keys, Distinction distinction) const {
    std::unordered_map<std::string, int> uses;
    for (const std::string& key : keys) ++uses[key];
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (uses.at(keys[i]) > 1) keys[i] += '\\' + distinction(schema_.counters[i]);
    }
  }

  void map_counter(std::size_t column, const std::string& key) {
    const CounterSchema& counter = schema_.counters[column];
    if (is_label(schema_, counter)) return;
    if (counter.info().exposition == Exposition::kNone) {
      ++result_.not_numeric;
      return;
    }
    if (counter.name.empty()) ++result_.unnamed;

    const Override& row = override_for(schema_.name, counter.name);
    const bool grows = counter.info().exposition == Exposition::kCounter ||
                       (row.cumulative && is_plain_number(counter.info()));
    const MetricType type = grows ? MetricType::kCounter : MetricType::kGauge;
    const CounterName name = name_counter(counter, type, row);
    const ValueRule value{column, source_of(counter.info(), type), clock_of(counter.info()),
                          name.factor};
    add(name, name.unit, type, key, help_of(schema_, counter), value);
    if (has_base_family(counter)) add_base(name, key, counter, column);
    if (options_.cooked && !is_plain_number(counter.info())) add_displayed(key, counter, column);
  }

  void add(const CounterName& name, const std::string& unit, MetricType type,
           const std::string& key, std::string help, const ValueRule& value) {
    FamilyMapping family;
    family.stem = name.stem.empty() ? prefix_ : prefix_ + '_' + name.stem;
    family.suffix = type == MetricType::kCounter ? unit + "_total" : unit;
    family.key = key;
    family.type = type;
    family.help = std::move(help);
    family.value = value;
    result_.families.push_back(std::move(family));
  }

  void add_base(const CounterName& name, const std::string& key, const CounterSchema& counter,
                std::size_t column) {
    const bool components = counter.info().base == BaseKind::kMulti;
    const bool own_clock = counter.info().base == BaseKind::kRaw;  // of a precision timer
    const ValueRule value{column, components ? ValueSource::kBase : ValueSource::kBaseTotal,
                          own_clock ? clock_of(counter.info()) : TimeBase::kNone, 1};
    add(name, name.unit + "_base", components ? MetricType::kGauge : MetricType::kCounter, key,
        base_help_of(schema_, counter), value);
  }

  void add_displayed(const std::string& key, const CounterSchema& counter, std::size_t column) {
    const CounterName name = name_displayed(counter);
    add(name, name.unit, MetricType::kGauge, key, displayed_help_of(schema_, counter),
        ValueRule{column, ValueSource::kCooked, TimeBase::kNone, 1});
  }

  const CountersetSchema& schema_;
  const MappingOptions& options_;
  std::string prefix_;
  ObjectMapping result_;
};

constexpr std::size_t kMaxHelpBytes = 400;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The text on one line, with single spaces, cut between characters.
std::string one_line(std::string_view text) {
  std::string line;
  bool space = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F) {
      space = !line.empty();
      continue;
    }
    if (line.size() >= kMaxHelpBytes && !is_continuation(c)) return line + "...";
    if (space) line += ' ';
    space = false;
    line += c;
  }
  return line;
}

// The title index of the object, or the GUID of a V2 counterset, then the index or id of the
// counter. A log has only names.
std::string place_of(const CountersetSchema& schema, const CounterSchema& counter) {
  if (schema.path == CounterPath::kLog) return std::string(name_of(schema.path));
  return (schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index))) + '/' +
         std::to_string(value_of(counter.index));
}

std::string with_origin(std::string text, std::string_view what, const CountersetSchema& schema,
                        const CounterSchema& counter, CounterType type) {
  if (!text.empty()) text += ' ';
  text += '[';
  text += what;
  text += one_line(schema.name) + '\\' + one_line(counter.name) + ", " + to_string(type) + ", " +
          place_of(schema, counter) + ']';
  return text;
}

}  // namespace

ObjectMapping map_object(const CountersetSchema& schema, const MappingOptions& options) {
  return ObjectMapper(schema, options).run();
}

std::string metric_prefix(const CountersetSchema& schema) {
  return "winperf_" + name_object(schema);
}

std::string help_of(const CountersetSchema& schema, const CounterSchema& counter) {
  return with_origin(one_line(counter.help), "", schema, counter, counter.type);
}

std::string base_help_of(const CountersetSchema& schema, const CounterSchema& counter) {
  return with_origin("What the metric of the same name without _base is divided by.", "base of ",
                     schema, counter, counter.base_type);
}

std::string displayed_help_of(const CountersetSchema& schema, const CounterSchema& counter) {
  return with_origin(
      "The number that perfmon displays between the last two samples. " + one_line(counter.help),
      "", schema, counter, counter.type);
}

}  // namespace winperf
