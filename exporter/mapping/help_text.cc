#include "exporter/mapping/help_text.h"

#include <algorithm>
#include <cstddef>

#include "collectors/base/ascii.h"
#include "exporter/mapping/name_table.h"
#include "exporter/profiles/counter_help.h"

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

std::string unit_phrase(std::string_view suffix) {
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
  std::string what = "average" + unit_phrase(meaning.suffix);
  if (meaning.suffix == "_percent") what = "percentage";
  if (meaning.suffix.ends_with("_per_second")) what = "rate" + unit_phrase(meaning.suffix);
  if (meaning.suffix.starts_with("_delta")) what = "change" + unit_phrase(meaning.suffix);
  return what + over(meaning.interval);
}

std::string total_meaning(const Meaning& meaning) {
  if (meaning.suffix.starts_with("_idle_"))
    return "running total of idle time in seconds, which perfmon subtracts from 100 %";
  const bool time = meaning.suffix.contains("_seconds");
  return "running total" + std::string(time ? " of time" : "") + unit_phrase(meaning.suffix);
}

std::string computation_of(const Meaning& meaning) {
  switch (meaning.source) {
    case ValueSource::kRaw:
    case ValueSource::kRawDouble:
      if (meaning.suffix == "_ratio") return "ratio, 0 to 1";
      return "current value" + unit_phrase(meaning.suffix);
    case ValueSource::kTotal:
      return total_meaning(meaning);
    case ValueSource::kRatio:
      return "ratio, 0 to 1";
    case ValueSource::kStartTime:
      return "start time in seconds since 1970";
    case ValueSource::kCooked:
      return cooked_meaning(meaning);
    case ValueSource::kId:
      return "always 1; the labels hold the ids";
    case ValueSource::kBase:
    case ValueSource::kBaseTotal:
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
std::string counter_key(const CountersetSchema& schema, const CounterSchema& counter) {
  if (schema.path == CounterPath::kLog) return std::string(name_of(schema.path));
  return (schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index))) + '/' +
         std::to_string(value_of(counter.index));
}

// "[Processor\% User Time, PERF_100NSEC_TIMER, 238/142]"
std::string place_of(std::string_view what, const CountersetSchema& schema,
                     const CounterSchema& counter, CounterType type) {
  const Installation installation = installation_of(schema.name);
  std::string text = '[' + std::string(what) + one_line(installation.object) + '\\' +
                     one_line(counter.name) + ", " + to_string(type);
  // Those of several installations share a text, but have different keys.
  if (installation.label.empty()) text += ", " + counter_key(schema, counter);
  return text + ']';
}

// Whether the full stop ends a word that is written short: "Avg.", "e.g.", "z. B.".
bool is_abbreviated(std::string_view before) {
  const std::size_t blank = before.find_last_of(" (.");
  const std::string word = ascii_lower(before.substr(blank == before.npos ? 0 : blank + 1));
  constexpr std::string_view kShort[] = {"avg", "approx", "etc", "incl", "max", "min", "no", "vs"};
  if (word.size() < 2) return word.empty() || !is_digit(word.front());
  return std::ranges::find(kShort, word) != std::ranges::end(kShort);
}

struct Sentences {
  std::string_view first;  // without its full stop
  std::string_view rest;
};

// A sentence ends before a blank that doesn't follow an abbreviation, or with the full stop of
// Chinese and Japanese. The counter's name, with which many texts begin, may have full stops.
Sentences sentences_of(std::string_view text, std::string_view name) {
  constexpr std::string_view kWideStop = "\xE3\x80\x82";
  std::size_t at = text.starts_with(name) ? name.size() : 0;
  const std::size_t wide = text.find(kWideStop, at);
  for (at = text.find('.', at); at < wide; at = text.find('.', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.empty()) return {text.ends_with("..") ? text : text.substr(0, at), {}};
    if (rest.size() > 1 && rest.front() == ' ' && !is_abbreviated(text.substr(0, at)))
      return {text.substr(0, at), rest.substr(1)};
  }
  if (wide == text.npos) return {text, {}};
  std::string_view rest = text.substr(wide + kWideStop.size());
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  return {text.substr(0, wide), rest};
}

// The system's, or ours.
std::string known_text(const CountersetSchema& schema, const CounterSchema& counter) {
  std::string text = one_line(counter.help);
  if (!text.empty()) return text;
  return std::string(counter_help(installation_of(schema.name).object, counter.name));
}

void append_place(std::string& text, const std::string& place) {
  if (!text.empty()) text += ' ';
  text += place;
}

}  // namespace

std::string meaning_of(const Meaning& meaning) {
  const std::string text = computation_of(meaning);
  return meaning.label.empty() ? text : text + ", by " + std::string(meaning.label);
}

HelpText text_of_counter(const CountersetSchema& schema, const CounterSchema& counter) {
  const std::string name = one_line(counter.name);
  const std::string text = known_text(schema, counter);
  const auto [first, rest] = sentences_of(text, name);
  HelpText help{.lead = std::string(first), .origin = std::string(rest)};
  if (help.lead.empty()) help.lead = name.empty() ? "Counter without a name" : name;
  append_place(help.origin, place_of("", schema, counter, counter.type));
  return help;
}

HelpText text_of_part(const CountersetSchema& schema, const CounterSchema& counter,
                      std::string_view words) {
  const std::string_view all = parts_help(installation_of(schema.name).object, words);
  if (all.empty()) return text_of_counter(schema, counter);
  HelpText help{.lead = std::string(all.substr(0, all.size() - 1)),
                .origin = known_text(schema, counter)};
  append_place(help.origin, place_of("", schema, counter, counter.type));
  return help;
}

HelpText text_of_base(const CountersetSchema& schema, const CounterSchema& counter,
                      ValueSource source, std::string_view unit) {
  std::string lead = "Number of components in the total of the same name";
  if (source == ValueSource::kBaseTotal)
    lead = "Divisor of the running total without _base";
  else if (unit == "_bytes")
    lead = "Size in bytes";
  HelpText help{.lead = std::move(lead), .origin = known_text(schema, counter)};
  append_place(help.origin, place_of("base of ", schema, counter, counter.base_type));
  return help;
}

HelpText text_of_row(const CountersetSchema& schema, const CounterSchema& counter,
                     const ProfileRow& row) {
  const CounterRow& known = counter_row(schema.name, counter.name);
  if (row.labels.empty() || known.label.empty() || !known.words)
    return text_of_counter(schema, counter);
  return text_of_part(schema, counter, *known.words);
}

HelpText text_of_object(const CountersetSchema& schema, bool counts_instances) {
  return {.lead = counts_instances ? "Number of instances" : "Constant",
          .origin = '[' + schema.name + ']'};
}

}  // namespace winperf
