#include "exporter/mapping/counter_name.h"

#include <algorithm>
#include <vector>

#include "exporter/mapping/name_clash.h"
#include "exporter/mapping/unit_words.h"
#include "exporter/mapping/words.h"

namespace winperf {
namespace {

std::string join(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) {
    if (!text.empty()) text += '_';
    text += neutral_word(word.text);
  }
  return text;
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

// Removes the first word that is a unit (if `only` isn't empty, a unit of that base) and returns
// it.
std::optional<Unit> take_unit(std::vector<Word>& words, std::string_view only) {
  for (auto word = words.begin(); word != words.end(); ++word) {
    const auto unit = unit_of(*word);
    if (!unit || (!only.empty() && unit->base != only)) continue;
    words.erase(word);
    return unit;
  }
  return std::nullopt;
}

// Only its name says what a plain number means.
void name_number(NameWords& name, const CounterTypeInfo& info, MetricType type,
                 CounterName& result) {
  if (name.percent && type == MetricType::kGauge) {
    result.unit = "_ratio";
    result.factor = 0.01;
    return;
  }
  if (const auto unit = take_unit(name.words, {})) {
    result.unit = '_' + std::string(unit->base);
    result.factor = unit->factor;
  }
  if (name.percent && info.base != BaseKind::kSample) result.unit += "_percent";
  if (name.per_second && type == MetricType::kGauge) result.unit += "_per_second";
}

void name_by_type(NameWords& name, const CounterTypeInfo& info, MetricType type,
                  CounterName& result) {
  if (in_ticks(info)) {
    take_unit(name.words, "seconds");
    result.unit = info.inverse ? "_idle_seconds" : "_seconds";
  } else if (info.unit == RawUnit::kRatio) {
    result.unit = "_ratio";
  } else if (info.unit == RawUnit::kStartTime) {
    if (ends_with(name.words, "time")) name.words.pop_back();
    if (ends_with(name.words, "elapsed") || ends_with(name.words, "up")) name.words.pop_back();
    result.unit = "_start_time_seconds";
  } else {
    name_number(name, info, type, result);
  }
}

void drop_average(std::vector<Word>& words) {
  std::erase_if(words,
                [](const Word& word) { return word.text == "avg" || word.text == "average"; });
}

// "_total" is appended to the names of counters; the name of a gauge must not end in it.
void place_total(std::vector<Word>& words, MetricType type) {
  if (!ends_with(words, "total")) return;
  if (type == MetricType::kCounter) {
    words.pop_back();
    return;
  }
  std::rotate(words.begin(), words.end() - 1, words.end());
  if (ends_with(words, "total")) words.back().text = "totals";
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

std::string fallback_stem(const CounterSchema& counter) {
  if (counter.name.empty()) return "counter_" + std::to_string(value_of(counter.index));
  return std::string("x").append(short_hash(counter.name));
}

void finish_stem(std::vector<Word>& words, const CounterSchema& counter, MetricType type,
                 CounterName& result) {
  if (result.unit == "_ratio" && ends_with(words, "ratio")) words.pop_back();
  place_total(words, type);
  if (result.unit.empty()) replace_reserved_ending(words);
  result.stem = join(words);
  if (result.stem.empty() && (result.unit.empty() || counter.name.empty())) {
    result.stem = fallback_stem(counter);
  }
  // split_name() reads only the beginning of a very long name.
  if (counter.name.size() > kMaxNameBytes) result.stem += '_' + short_hash(counter.name);
}

}  // namespace

CounterName name_counter(const CounterSchema& counter, MetricType type, const Override& row) {
  NameWords name = split_name(counter.name, counter.info().base == BaseKind::kAverage);
  take_percent_words(name);
  if (type == MetricType::kCounter) drop_average(name.words);
  CounterName result;
  name_by_type(name, counter.info(), type, result);
  if (!row.unit.empty()) {
    result.unit = '_' + std::string(row.unit);
    result.factor = row.factor;
  }
  finish_stem(name.words, counter, type, result);
  if (!row.stem.empty()) result.stem = row.stem;
  return result;
}

CounterName name_displayed(const CounterSchema& counter) {
  NameWords name = split_name(counter.name, counter.info().base == BaseKind::kAverage);
  CounterName result;
  result.unit = "_displayed";
  if (counter.info().percent) {
    result.unit += "_percent";
  } else if (counter.info().suffix == "/sec") {
    result.unit += "_per_second";
  } else if (!counter.info().suffix.empty()) {
    result.unit += "_seconds";
  }
  result.stem = join(name.words);
  if (result.stem.empty()) result.stem = fallback_stem(counter);
  if (counter.name.size() > kMaxNameBytes) result.stem += '_' + short_hash(counter.name);
  return result;
}

std::string name_object(const CountersetSchema& schema) {
  if (schema.name.empty()) return "object_" + std::to_string(value_of(schema.index));
  std::string text = join(split_name(schema.name, false).words);
  if (text.empty()) text = std::string("x").append(short_hash(schema.name));
  if (schema.name.size() > kMaxNameBytes) text += '_' + short_hash(schema.name);
  // The names of this program's own metrics begin with winperf_exporter_.
  if (text == "exporter" || text.starts_with("exporter_")) text = "object_" + text;
  return text;
}

}  // namespace winperf
