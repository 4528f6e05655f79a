#include "exporter/mapping/unit_words.h"

#include <algorithm>
#include <array>

namespace winperf {
namespace {

struct UnitWord {
  std::string_view word;
  std::string_view base;
  double factor;
  UnitSort sort;
  std::string_view neutral;  // replaces the word if it isn't the unit; empty: the word stays
};

constexpr double kKibi = 1024.0;

constexpr std::array kUnitWords{
    UnitWord{"bytes", "bytes", 1, UnitSort::kSize, ""},
    UnitWord{"kbytes", "bytes", kKibi, UnitSort::kSize, ""},
    UnitWord{"mbytes", "bytes", kKibi* kKibi, UnitSort::kSize, ""},
    UnitWord{"gbytes", "bytes", kKibi* kKibi* kKibi, UnitSort::kSize, ""},
    UnitWord{"kb", "bytes", kKibi, UnitSort::kLabel, "kilobyte"},
    UnitWord{"mb", "bytes", kKibi* kKibi, UnitSort::kLabel, "megabyte"},
    UnitWord{"gb", "bytes", kKibi* kKibi* kKibi, UnitSort::kLabel, "gigabyte"},
    UnitWord{"tb", "bytes", kKibi* kKibi* kKibi* kKibi, UnitSort::kLabel, "terabyte"},
    UnitWord{"bits", "bytes", 0.125, UnitSort::kSize, "bit"},
    UnitWord{"kbit", "bytes", 125, UnitSort::kLabel, ""},
    UnitWord{"kbits", "bytes", 125, UnitSort::kLabel, ""},
    UnitWord{"mbit", "bytes", 125e3, UnitSort::kLabel, ""},
    UnitWord{"mbits", "bytes", 125e3, UnitSort::kLabel, ""},
    UnitWord{"gbit", "bytes", 125e6, UnitSort::kLabel, ""},
    UnitWord{"gbits", "bytes", 125e6, UnitSort::kLabel, ""},
    UnitWord{"seconds", "seconds", 1, UnitSort::kTime, ""},
    UnitWord{"second", "seconds", 1, UnitSort::kVague, ""},
    UnitWord{"secs", "seconds", 1, UnitSort::kVague, "second"},
    UnitWord{"sec", "seconds", 1, UnitSort::kVague, "second"},
    UnitWord{"s", "seconds", 1, UnitSort::kVague, "letters"},
    UnitWord{"msecs", "seconds", 1e-3, UnitSort::kTime, ""},
    UnitWord{"msec", "seconds", 1e-3, UnitSort::kTime, ""},
    UnitWord{"ms", "seconds", 1e-3, UnitSort::kTime, "millisecond"},
    UnitWord{"millisec", "seconds", 1e-3, UnitSort::kTime, ""},
    UnitWord{"millisecs", "seconds", 1e-3, UnitSort::kTime, ""},
    UnitWord{"microsec", "seconds", 1e-6, UnitSort::kTime, ""},
    UnitWord{"microsecs", "seconds", 1e-6, UnitSort::kTime, ""},
    UnitWord{"usecs", "seconds", 1e-6, UnitSort::kTime, ""},
    UnitWord{"usec", "seconds", 1e-6, UnitSort::kTime, ""},
    UnitWord{"us", "seconds", 1e-6, UnitSort::kVague, "microsecond"},
    UnitWord{"ns", "seconds", 1e-9, UnitSort::kVague, "nanosecond"},
    UnitWord{"100ns", "seconds", 1e-7, UnitSort::kTime, ""},
    UnitWord{"mins", "seconds", 60, UnitSort::kTime, ""},
    UnitWord{"hrs", "seconds", 3600, UnitSort::kTime, ""},
    UnitWord{"minutes", "seconds", 60, UnitSort::kTime, "minute"},
    UnitWord{"hours", "seconds", 3600, UnitSort::kTime, "hour"},
    UnitWord{"days", "seconds", 86400, UnitSort::kTime, "day"},
    UnitWord{"weeks", "seconds", 604800, UnitSort::kTime, "week"},
    UnitWord{"celsius", "celsius", 1, UnitSort::kLabel, ""},
    UnitWord{"kelvin", "kelvin", 1, UnitSort::kLabel, ""},
    UnitWord{"kelvins", "kelvin", 1, UnitSort::kLabel, "kelvin"},
    UnitWord{"meters", "meters", 1, UnitSort::kLabel, ""},
    UnitWord{"metres", "metres", 1, UnitSort::kLabel, ""},
    UnitWord{"inches", "meters", 0.0254, UnitSort::kLabel, "inch"},
    UnitWord{"yards", "meters", 0.9144, UnitSort::kLabel, "yard"},
    UnitWord{"miles", "meters", 1609.344, UnitSort::kLabel, "mile"},
    UnitWord{"grams", "grams", 1, UnitSort::kLabel, ""},
    UnitWord{"pounds", "grams", 453.59237, UnitSort::kLabel, "pound"},
    UnitWord{"ounces", "grams", 28.349523125, UnitSort::kLabel, "ounce"},
    UnitWord{"joules", "joules", 1, UnitSort::kLabel, ""},
    UnitWord{"calories", "joules", 4.184, UnitSort::kLabel, "calorie"},
    UnitWord{"volts", "volts", 1, UnitSort::kLabel, ""},
    UnitWord{"amperes", "amperes", 1, UnitSort::kLabel, ""},
};

struct Prefix {
  std::string_view text;
  double factor;
  double factor_of_bytes;  // Windows counts memory in powers of two
};

constexpr std::array kPrefixes{
    Prefix{"pico", 1e-12, 1e-12},
    Prefix{"nano", 1e-9, 1e-9},
    Prefix{"micro", 1e-6, 1e-6},
    Prefix{"milli", 1e-3, 1e-3},
    Prefix{"centi", 1e-2, 1e-2},
    Prefix{"deci", 1e-1, 1e-1},
    Prefix{"deca", 10, 10},
    Prefix{"hecto", 100, 100},
    Prefix{"kilo", 1e3, kKibi},
    Prefix{"kibi", kKibi, kKibi},
    Prefix{"mega", 1e6, kKibi* kKibi},
    Prefix{"mibi", kKibi* kKibi, kKibi* kKibi},
    Prefix{"mebi", kKibi* kKibi, kKibi* kKibi},
    Prefix{"giga", 1e9, kKibi* kKibi* kKibi},
    Prefix{"gibi", kKibi* kKibi* kKibi, kKibi* kKibi* kKibi},
    Prefix{"tera", 1e12, kKibi* kKibi* kKibi* kKibi},
    Prefix{"tebi", kKibi* kKibi* kKibi* kKibi, kKibi* kKibi* kKibi* kKibi},
    Prefix{"peta", 1e15, kKibi* kKibi* kKibi* kKibi* kKibi},
    Prefix{"pebi", kKibi* kKibi* kKibi* kKibi* kKibi, kKibi* kKibi* kKibi* kKibi* kKibi},
};

// Words that promlint takes for abbreviated units or metric types, and what to write instead.
struct Replacement {
  std::string_view word;
  std::string_view neutral;
};

constexpr std::array kReplacements{
    Replacement{"b", "letterb"},
    Replacement{"h", "letterh"},
    Replacement{"m", "letterm"},
    Replacement{"d", "letterd"},
    Replacement{"pb", "petabyte"},
    Replacement{"fahrenheit", "degf"},
    Replacement{"rankine", "degr"},
    Replacement{"counter", "counters"},
    Replacement{"gauge", "gauges"},
    Replacement{"summary", "summaries"},
    Replacement{"histogram", "histograms"},
};

const UnitWord* find_unit_word(std::string_view word) {
  const auto found = std::find_if(kUnitWords.begin(), kUnitWords.end(),
                                  [&](const UnitWord& unit) { return unit.word == word; });
  return found == kUnitWords.end() ? nullptr : &*found;
}

const Prefix* find_prefix(std::string_view word) {
  const auto found = std::find_if(kPrefixes.begin(), kPrefixes.end(), [&](const Prefix& prefix) {
    return word.starts_with(prefix.text);
  });
  return found == kPrefixes.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Unit> unit_called(std::string_view word) {
  if (const UnitWord* unit = find_unit_word(word))
    return Unit{unit->base, unit->factor, unit->sort};
  const Prefix* prefix = find_prefix(word);
  if (prefix == nullptr) return std::nullopt;
  const UnitWord* unit = find_unit_word(word.substr(prefix->text.size()));
  if (unit == nullptr || unit->word.size() < 4) return std::nullopt;  // "micros" is not a unit
  const bool bytes = unit->word == "bytes";
  return Unit{unit->base, unit->factor * (bytes ? prefix->factor_of_bytes : prefix->factor),
              unit->sort};
}

std::string neutral_word(std::string_view word) {
  for (const Replacement& replacement : kReplacements) {
    if (replacement.word == word) return std::string(replacement.neutral);
  }
  if (const UnitWord* unit = find_unit_word(word)) {
    return std::string(unit->neutral.empty() ? word : unit->neutral);
  }
  const Prefix* prefix = find_prefix(word);
  if (prefix == nullptr) return std::string(word);
  const std::string_view rest = word.substr(prefix->text.size());
  if (rest.size() < 4) return std::string(word);
  const std::string neutral = neutral_word(rest);
  const bool objectionable = find_unit_word(rest) != nullptr || neutral != rest;
  return objectionable ? std::string(prefix->text) + '_' + neutral : std::string(word);
}

std::string plural(std::string_view word) {
  std::string text(word);
  const bool adds_es =
      word.ends_with("ss") || word.ends_with('x') || word.ends_with("ch") || word.ends_with("sh");
  if (adds_es) return text + "es";
  if (word.empty() || word.ends_with('s')) return text;
  const auto consonant_before_y = [&] {
    return word.size() > 1 && word.ends_with('y') &&
           std::string_view("aeiou").find(word[word.size() - 2]) == std::string_view::npos;
  };
  if (consonant_before_y()) return text.substr(0, text.size() - 1) + "ies";
  return text + 's';
}

}  // namespace winperf
