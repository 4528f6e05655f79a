#include "exporter/mapping/counter_name.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collectors/base/hex.h"
#include "collectors/base/wording.h"
#include "exporter/mapping/name_table.h"
#include "exporter/mapping/words.h"

namespace winperf {
namespace {

// If hashes clash, hashing once more resolves it; the bound only keeps the loop finite.
constexpr int kMaxAttempts = 16;

std::string hashed_name(const FamilyMapping& family, int attempt) {
  const std::string text = family.key + std::string(static_cast<std::size_t>(attempt), '\\');
  return family.stem + '_' + short_hash(text) + family.suffix;
}

}  // namespace

std::string short_hash(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619U;
  }
  return hex(hash).substr(2);
}

std::vector<std::string> resolve_name_clashes(std::span<const FamilyMapping* const> families) {
  std::vector<std::string> names(families.size());
  std::vector<std::size_t> order(families.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < families.size(); ++i)
    names[i] = families[i]->stem + families[i]->suffix;
  // In OpenMetrics a counter "x_total" and a gauge "x" can't both be.
  const auto claimed = [&](std::size_t i) {
    if (families[i]->block != nullptr) return names[i];
    return std::string(family_of(names[i], name_of(families[i]->type)));
  };
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::tuple(claimed(i), !families[i]->well_known, std::string_view(families[i]->key));
  });

  // Those that keep their names come first: a hashed name must not take one of these.
  std::unordered_map<std::string, std::string_view> owner;  // family name -> key
  for (const std::size_t i : order) owner.try_emplace(claimed(i), families[i]->key);
  // A counter's base is renamed with it, or it would pass for the other counter's base.
  std::set<std::pair<std::string_view, std::string_view>> renamed;  // key and stem
  for (const std::size_t i : order)
    if (owner.at(claimed(i)) != families[i]->key)
      renamed.emplace(families[i]->key, families[i]->stem);
  for (const std::size_t i : order) {
    const FamilyMapping& family = *families[i];
    if (!renamed.contains({family.key, family.stem})) continue;
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      names[i] = hashed_name(family, attempt);
      if (owner.try_emplace(claimed(i), family.key).first->second == family.key) break;
    }
  }
  return names;
}

namespace {

std::string join(const std::vector<Word>& words) {
  return joined(words, "_", [](const Word& word) { return neutral_word(word.text); });
}

bool ends_with(const std::vector<Word>& words, std::string_view text) {
  return !words.empty() && words.back().text == text;
}

bool in_ticks(const CounterTypeInfo& info) {
  return info.unit == RawUnit::kTicksOfTimeBase || info.unit == RawUnit::kPerfTicks;
}

// "Percent Free" and "Unread Percentage" mean the same as a percent sign.
void take_percent_words(NameWords& name) {
  const auto removed = std::erase_if(name.words, [](const Word& word) {
    return word.text == "percent" || word.text == "percentage";
  });
  if (removed != 0) name.percent = true;
}

std::optional<Unit> take(std::vector<Word>& words, std::optional<std::size_t> position) {
  if (!position) return std::nullopt;
  const auto word = words.begin() + static_cast<std::ptrdiff_t>(*position);
  const auto unit = unit_called(word->text);
  words.erase(word);
  return unit;
}

// Only its name says what a plain number means.
void name_number(NameWords& name, MetricType type, CounterName& result) {
  if (name.percent && type == MetricType::kGauge) {
    result.unit = "_ratio";
    result.factor = 0.01;
    return;
  }
  if (const auto unit = take(name.words, find_unit(name.words))) {
    result.unit = '_' + std::string(unit->base);
    result.factor = unit->factor;
  }
  if (name.per_second && type == MetricType::kGauge) result.unit += "_per_second";
}

void name_by_type(NameWords& name, const CounterTypeInfo& info, MetricType type,
                  CounterName& result) {
  if (in_ticks(info)) {
    take(name.words, find_time_unit(name.words));
    result.unit = info.inverse ? "_idle_seconds" : "_seconds";
  } else if (info.unit == RawUnit::kRatio) {
    result.unit = "_ratio";
  } else if (info.unit == RawUnit::kStartTime) {
    if (ends_with(name.words, "time")) name.words.pop_back();
    if (ends_with(name.words, "elapsed") || ends_with(name.words, "up")) name.words.pop_back();
    result.unit = "_start_time_seconds";
  } else {
    name_number(name, type, result);
  }
}

// "Avg. Bytes/Read" is a running total of the sizes of reads.
void name_average(std::vector<Word>& words, const CounterTypeInfo& info,
                  const CounterName& result) {
  std::erase_if(words,
                [](const Word& word) { return word.text == "avg" || word.text == "average"; });
  if (info.base != BaseKind::kAverage) return;
  std::erase_if(words, [](const Word& word) { return word.text == "per"; });
  if (words.empty()) return;
  const auto ends_in = [&](std::initializer_list<std::string_view> ends) {
    return std::ranges::find(ends, words.back().text) != ends.end();
  };
  if (result.unit == "_seconds" && !ends_in({"time", "latency", "duration"}))
    words.push_back({"duration"});
  if (result.unit == "_bytes" && !ends_in({"size", "length"})) words.push_back({"size"});
}

// "_total" is appended to the names of counters; the name of a gauge must not end in it.
void place_total(std::vector<Word>& words, MetricType type, const std::string& unit) {
  if (!ends_with(words, "total")) return;
  if (type == MetricType::kCounter) {
    words.pop_back();
  } else if (unit.empty()) {
    std::rotate(words.begin(), words.end() - 1, words.end());
    if (ends_with(words, "total")) words.back().text = "totals";
  }
}

// Only the series of histograms may end in "_count", "_sum" or "_bucket": "Thread Count" is
// "threads".
void replace_reserved_ending(std::vector<Word>& words) {
  if (ends_with(words, "sum") || ends_with(words, "bucket")) words.back().text += 's';
  if (!ends_with(words, "count")) return;
  if (words.size() == 1) {
    words.back().text = "counts";
    return;
  }
  words.pop_back();
  const std::string several = plural(words.back().text);
  words.back().text = neutral_word(several) == several ? several : words.back().text + "_counts";
}

// "Requests over 10 seconds" aren't in seconds, so their name must not end as if they were.
void replace_seeming_unit(std::vector<Word>& words) {
  if (words.empty()) return;
  std::string& last = words.back().text;
  const auto unit = unit_called(last);
  if (unit && unit->base == last && last.ends_with('s')) last.pop_back();
}

std::string fallback_stem(const CounterSchema& counter) {
  if (counter.name.empty()) return "counter_" + std::to_string(value_of(counter.index));
  return std::string("x").append(short_hash(counter.name));
}

bool ends_in_words(std::string_view text, std::string_view words) {
  return text.ends_with(words) &&
         (text.size() == words.size() || text[text.size() - words.size() - 1] == '_');
}

// "Disk Reads" of "physical_disk" are "reads".
void drop_repeated(std::vector<Word>& words, std::string_view object) {
  for (auto end = words.end(); end != words.begin(); --end) {
    if (!ends_in_words(object, join({words.begin(), end}))) continue;
    words.erase(words.begin(), end);
    return;
  }
}

std::string stem_of(NameWords& name, const CounterSchema& counter, MetricType type,
                    const CounterName& result, std::string_view object) {
  std::vector<Word>& words = name.words;
  if (result.unit == "_ratio" && ends_with(words, "ratio")) words.pop_back();
  place_total(words, type, result.unit);
  if (result.unit.empty()) {
    replace_seeming_unit(words);
    replace_reserved_ending(words);
  }
  if (words.empty() && (result.unit.empty() || counter.name.empty())) return fallback_stem(counter);
  drop_repeated(words, object);
  std::string stem = join(words);
  // split_name() reads only the beginning of a very long name.
  if (counter.name.size() > kMaxNameBytes) stem += '_' + short_hash(counter.name);
  return stem;
}

// What a running total becomes when perfmon shows it.
void name_cooked(const CounterTypeInfo& info, bool percent, CounterName& result) {
  if (info.percent || percent) {
    result.cooked = "_percent";
    return;
  }
  const bool in_unit = info.unit == RawUnit::kNumber || info.unit == RawUnit::kPerfTicks;
  const std::string unit = in_unit ? result.unit : "";
  result.cooked_factor = result.factor;
  result.cooked = info.formula == Formula::kRate    ? unit + "_per_second"
                  : info.formula == Formula::kDelta ? "_delta" + unit
                                                    : "_average" + unit;
}

}  // namespace

CounterName name_counter(const CounterSchema& counter, MetricType type, const CounterRow& row,
                         std::string_view object) {
  const CounterTypeInfo info = counter.info();
  NameWords name = split_name(counter.name, info.base == BaseKind::kAverage);
  take_percent_words(name);
  CounterName result;
  name_by_type(name, info, type, result);
  if (type == MetricType::kCounter) name_average(name.words, info, result);
  if (!row.unit.empty()) {
    result.unit = '_' + std::string(row.unit);
    result.factor = row.factor;
  }
  result.stem = row.words ? std::string(*row.words) : stem_of(name, counter, type, result, object);
  name_cooked(info, name.percent, result);
  return result;
}

std::string name_object(const CountersetSchema& schema) {
  const ObjectRow& row = object_row(schema.name);
  if (!row.words.empty()) return std::string(row.words);
  if (schema.name.empty()) return "object_" + std::to_string(value_of(schema.index));
  const std::string name = installation_of(schema.name).object;
  std::string text = join(split_name(name, false).words);
  if (text.empty()) text = std::string("x").append(short_hash(name));
  if (name.size() > kMaxNameBytes) text += '_' + short_hash(name);
  // The names of this program's own metrics begin with winperf_exporter_.
  if (text == "exporter" || text.starts_with("exporter_")) text = "object_" + text;
  return text;
}

}  // namespace winperf
