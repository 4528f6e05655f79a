#include "exporter/textfile/textfile_parser.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collectors/base/utf8.h"
#include "exporter/textfile/textfile_decoder.h"
#include "exporter/textfile/textfile_family.h"
#include "exporter/textfile/textfile_line.h"
#include "exporter/textfile/textfile_merge.h"

namespace winperf {
namespace {

using Outcome = TextfileParser::Outcome;

Outcome refused(std::string sentence) { return std::unexpected(std::move(sentence)); }

bool is_whole(double number) {
  return number >= 0 && std::isfinite(number) && std::trunc(number) == number;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

Outcome too_many_families() {
  return refused("the file has more than " + std::to_string(kMaxTextfileFamilies) + " metrics");
}

Outcome twice(const TextfileLine& line) {
  return refused(shown_series(line.name, label_text(line.labels, {})) + " is there twice");
}

}  // namespace

std::string too_long_line() {
  return "it is longer than " + std::to_string(kMaxTextfileLineBytes) + " bytes";
}

std::string at_line(std::size_t line, std::string_view why) {
  return "line " + std::to_string(line) + ": " + std::string(why);
}

Outcome TextfileParser::take_line(std::string_view line) {
  ++line_;
  if (line.size() > kMaxTextfileLineBytes) return refused(too_long_line());
  if (!is_ascii(line) && valid_bytes(line) < line.size())
    return refused(std::string("this is not UTF-8") + kEncodingRepair);
  const auto parsed = parse_textfile_line(line);
  if (!parsed) return refused(parsed.error());
  switch (parsed->content) {
    case LineContent::kNothing:
      return {};
    case LineContent::kHelp:
      return take_help(*parsed);
    case LineContent::kType:
      return take_type(*parsed);
    case LineContent::kSample:
      return take_sample(*parsed);
  }
  return {};
}

Outcome TextfileParser::take_end(std::string_view line) const {
  if (without_blanks_behind(line).empty()) return {};
  return refused(
      "the file ends within this line, so it may be half-written: end it with a line break, "
      "write it under another name, and rename it");
}

// Lines of a histogram or a summary are its family's, unless another family has that very name.
std::pair<TextfileParser::Family*, LineKind> TextfileParser::family_of_line(std::string_view name) {
  auto& families = parsed_.families;
  if (const auto found = families.find(name); found != families.end())
    return {&*found, LineKind::kPlain};
  if (const auto [owner, kind] = composed_owner(families, name); owner != nullptr)
    return {&*families.find(*owner), kind};
  if (families.size() == kMaxTextfileFamilies) return {nullptr, LineKind::kPlain};
  return {&*families.try_emplace(std::string(name)).first, LineKind::kPlain};
}

Outcome TextfileParser::take_help(const TextfileLine& line) {
  auto* const family = family_of_line(line.name).first;
  if (family == nullptr) return too_many_families();
  if (!has_help_.insert(family->first).second)
    return refused("this is the second HELP of " + family->first);
  family->second.help = line.text;
  return {};
}

Outcome TextfileParser::take_type(const TextfileLine& line) {
  auto* const family = family_of_line(line.name).first;
  if (family == nullptr) return too_many_families();
  if (!family->second.series.empty())
    return refused("the TYPE of " + family->first + " comes after its values");
  if (!has_type_.insert(family->first).second)
    return refused("this is the second TYPE of " + family->first);
  const auto type = find_textfile_type(line.text);
  if (!type) {
    return refused("there is no type " + shown_text(line.text) +
                   ": counter, gauge, histogram, summary and untyped are");
  }
  family->second.type = *type;
  return {};
}

Outcome TextfileParser::take_sample(const TextfileLine& line) {
  if (++parsed_.samples > kMaxTextfileSamples)
    return refused("the file has more than " + std::to_string(kMaxTextfileSamples) + " values");
  const auto [family, kind] = family_of_line(line.name);
  if (family == nullptr) return too_many_families();
  if (!has_lines(family->second.type, kind)) {
    return refused(family->first + " is a histogram, whose values are those of " + family->first +
                   "_bucket, " + family->first + "_sum and " + family->first + "_count");
  }
  return is_composed(family->second.type) ? take_part(line, *family, kind)
                                          : take_plain(line, *family);
}

Outcome TextfileParser::take_plain(const TextfileLine& line, Family& family) const {
  const auto [series, is_new] = family.second.series.try_emplace(label_text(line.labels, {}));
  if (!is_new) return twice(line);
  series->second.value = line.value;
  series->second.line = line_;
  return {};
}

Outcome TextfileParser::take_part(const TextfileLine& line, Family& family, LineKind kind) const {
  const bool is_histogram = family.second.type == TextfileType::kHistogram;
  const bool is_step = kind == (is_histogram ? LineKind::kBucket : LineKind::kPlain);
  const std::string label(step_label(family.second.type));
  const auto step = std::ranges::find(line.labels, label, &TextfileLabels::value_type::first);
  if (is_step != (step != line.labels.end())) {
    return refused((is_step ? "the label " + label + " is missing"
                            : "the label " + label + " doesn't belong here") +
                   ", as " + family.first + " is a " + std::string(name_of(family.second.type)));
  }
  if ((is_histogram ? kind != LineKind::kSum : kind == LineKind::kCount) && !is_whole(line.value))
    return refused("a count is a whole number from 0");
  TextfileSeries& series = family.second.series[label_text(line.labels, label)];
  if (series.line == 0) series.line = line_;
  if (is_step) {
    const auto bound = parse_go_number(step->second);
    if (!bound || std::isnan(*bound))
      return refused("the label " + label + " is no number: " + shown_text(step->second));
    const bool is_new = series.steps.try_emplace(*bound + 0.0, line.value).second;  // not -0
    return is_new ? Outcome() : twice(line);
  }
  auto& part = kind == LineKind::kSum ? series.sum : series.count;
  if (part) return twice(line);
  part = line.value;
  return {};
}

std::expected<ParsedTextfile, std::string> TextfileParser::finish() {
  auto& families = parsed_.families;
  std::erase_if(families, [](const auto& one) { return one.second.series.empty(); });
  for (auto& [name, family] : families) {
    if (const auto* const other = clashing_family(families, name, family.type)) {
      const auto line = std::max(first_line(family), first_line(families.find(*other)->second));
      return std::unexpected(at_line(
          line, "the metrics " + name + " and " + *other +
                    " share names: those of a histogram or a summary end in _bucket, _sum and "
                    "_count"));
    }
    if (family.type != TextfileType::kHistogram) continue;
    for (auto& [labels, series] : family.series)
      if (auto outcome = complete_histogram(name, labels, series); !outcome)
        return std::unexpected(at_line(series.line, outcome.error()));
  }
  return std::move(parsed_);
}

}  // namespace winperf
