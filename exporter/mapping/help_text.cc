#include "exporter/mapping/help_text.h"

#include "exporter/mapping/installation.h"

namespace winperf {
namespace {

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

std::string in_unit(std::string_view suffix) {
  const std::string_view rate = suffix.ends_with("_per_second") ? " per second" : "";
  for (const std::string_view unit : {"bytes", "seconds", "hertz"})
    if (suffix.contains(unit)) return " in " + std::string(unit).append(rate);
  return std::string(rate);
}

std::string over(std::chrono::milliseconds interval) {
  const auto count = interval.count();
  const std::string samples = " between the last two samples";
  if (count == 0) return samples;
  const bool whole = count % 1000 == 0;
  return samples + ", " + std::to_string(whole ? count / 1000 : count) + (whole ? " s" : " ms") +
         " apart";
}

std::string cooked_meaning(const Meaning& meaning) {
  std::string what = "Average" + in_unit(meaning.suffix);
  if (meaning.suffix == "_percent") what = "Percentage";
  if (meaning.suffix.ends_with("_per_second")) what = "Rate" + in_unit(meaning.suffix);
  if (meaning.suffix.starts_with("_delta")) what = "Change" + in_unit(meaning.suffix);
  return what + over(meaning.interval);
}

std::string total_meaning(const Meaning& meaning) {
  if (meaning.suffix.starts_with("_idle_"))
    return "Running total in seconds of the time that perfmon subtracts from 100 %";
  const bool time = meaning.suffix.contains("_seconds");
  return "Running total" + std::string(time ? " of time" : "") + in_unit(meaning.suffix);
}

std::string sentence_of(const Meaning& meaning) {
  switch (meaning.source) {
    case ValueSource::kRaw:
    case ValueSource::kRawDouble:
      if (meaning.suffix == "_ratio") return "Ratio, 0 to 1";
      return "Current value" + in_unit(meaning.suffix);
    case ValueSource::kTotal:
      return total_meaning(meaning);
    case ValueSource::kBase:
      return meaning.suffix == "_bytes"
                 ? "Size in bytes"
                 : "Number of components that the total of the same name adds up";
    case ValueSource::kBaseTotal:
      return "Running total by which the one without _base is divided";
    case ValueSource::kRatio:
      return "Ratio, 0 to 1";
    case ValueSource::kStartTime:
      return "Start time in seconds since 1970";
    case ValueSource::kCooked:
      return cooked_meaning(meaning);
    case ValueSource::kId:
      return "Always 1; the labels are ids";
    case ValueSource::kRest:
    case ValueSource::kState:
    case ValueSource::kInstances:
    case ValueSource::kConstant:
      break;
  }
  return {};
}

// The title index of the object, or the GUID of a V2 counterset, then the index or id of the
// counter. A log has only names.
std::string place_of(const CountersetSchema& schema, const CounterSchema& counter) {
  if (schema.path == CounterPath::kLog) return std::string(name_of(schema.path));
  return (schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index))) + '/' +
         std::to_string(value_of(counter.index));
}

std::string origin(std::string_view what, const CountersetSchema& schema,
                   const CounterSchema& counter, CounterType type) {
  std::string text = one_line(counter.help);
  if (!text.empty()) text += ' ';
  const Installation installation = installation_of(schema.name);
  text += '[' + std::string(what) + one_line(installation.object) + '\\' + one_line(counter.name) +
          ", " + to_string(type);
  // Those of several installations share a text, and each has a place of its own.
  if (installation.label.empty()) text += ", " + place_of(schema, counter);
  return text + ']';
}

}  // namespace

std::string meaning_of(const Meaning& meaning) {
  const std::string sentence = sentence_of(meaning);
  return sentence + (meaning.label.empty() ? "." : ", by " + std::string(meaning.label) + '.');
}

std::string origin_of(const CountersetSchema& schema, const CounterSchema& counter) {
  return origin("", schema, counter, counter.type);
}

std::string base_origin_of(const CountersetSchema& schema, const CounterSchema& counter) {
  return origin("base of ", schema, counter, counter.base_type);
}

}  // namespace winperf
