#include "exporter/textfile/textfile_parser.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>

#include "collectors/base/utf8.h"
#include "exporter/textfile/textfile_family.h"

namespace winperf {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
constexpr std::string_view kBigEndianMark = "\xFE\xFF";
constexpr std::string_view kUtf32Mark = "\xFF\xFE\0\0"sv;
constexpr std::size_t kRecognized = 5;  // bytes: the longest mark, and a character of UTF-16

std::unexpected<std::string> bad_encoding(std::string what) {
  return std::unexpected(std::move(what) + kEncodingRepair);
}

bool is_first_half(char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_second_half(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

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
  return refused(shown_series(line.name, label_text(line.labels, {})) + " occurs twice");
}

std::string too_long_line() {
  return "it is longer than " + std::to_string(kMaxTextfileLineBytes) + " bytes";
}

// A line may end with some carriage returns.
constexpr std::size_t kLongest = kMaxTextfileLineBytes + 16;

std::string_view without_returns(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// "line 7: why"
std::string at_line(std::size_t line, std::string_view why) {
  return "line " + std::to_string(line) + ": " + std::string(why);
}

// The first line of its values.
std::uint32_t first_line(const TextfileFamily& family) {
  const auto lines = std::views::values(family.series) |
                     std::views::transform([](const auto& series) { return series.line; });
  return lines.empty() ? 0 : std::ranges::min(lines);
}

// Names that lines of two families would share: those of a histogram "x" are x_bucket, x_sum and
// x_count.

// The histogram or summary among `families` that a line of this name belongs to, and which of its
// lines that is; null if there is none.
std::pair<const std::string*, LineKind> composed_owner(const TextfileFamilies& families,
                                                       std::string_view name) {
  for (const LineKind kind : kLineKinds) {
    const std::string_view suffix = suffix_of(kind);
    if (suffix.empty() || !name.ends_with(suffix)) continue;
    const auto owner = families.find(name.substr(0, name.size() - suffix.size()));
    if (owner != families.end() && is_composed(owner->second.type) &&
        has_lines(owner->second.type, kind))
      return {&owner->first, kind};
  }
  return {nullptr, LineKind::kPlain};
}

// Another family that has lines of the same names.
const std::string* clashing_family(const TextfileFamilies& families, std::string_view name,
                                   TextfileType type) {
  if (const auto* const owner = composed_owner(families, name).first) return owner;
  if (!is_composed(type)) return nullptr;
  for (const LineKind kind : kLineKinds) {
    const std::string_view suffix = suffix_of(kind);
    if (suffix.empty() || !has_lines(type, kind)) continue;
    const auto other = families.find(std::string(name).append(suffix));
    if (other != families.end()) return &other->first;
  }
  return nullptr;
}

}  // namespace

std::expected<std::string_view, std::string> TextfileDecoder::decode(
    std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (encoding_ == Encoding::kUtf8) return text;
  if (encoding_ != Encoding::kUnknown) return from_utf16(text);
  begin_ += text;
  if (begin_.size() < kRecognized) return std::string_view();
  if (const auto known = recognize(); !known) return std::unexpected(known.error());
  const std::string begin = std::exchange(begin_, {});
  if (encoding_ != Encoding::kUtf8) return from_utf16(begin);
  text_ = begin;
  return std::string_view(text_);
}

std::expected<std::string_view, std::string> TextfileDecoder::finish() {
  std::string_view rest;
  if (encoding_ == Encoding::kUnknown) {
    if (const auto known = recognize(); !known) return std::unexpected(known.error());
    text_ = std::exchange(begin_, {});
    rest = text_;
    if (encoding_ != Encoding::kUtf8) {
      const auto decoded = from_utf16(std::exchange(text_, {}));
      if (!decoded) return decoded;
      rest = *decoded;
    }
  }
  if (!half_.empty())
    return bad_encoding(at_line(line_, "the file ends within a UTF-16 character"));
  if (surrogate_ != 0) return bad_encoding(at_line(line_, "unpaired UTF-16 surrogate"));
  return rest;
}

std::expected<void, std::string> TextfileDecoder::recognize() {
  const auto drop = [this](std::string_view mark) { begin_.erase(0, mark.size()); };
  if (begin_.starts_with(kUtf32Mark)) return bad_encoding("it is UTF-32");
  encoding_ = Encoding::kUtf8;
  if (begin_.starts_with(kLittleEndianMark)) {
    encoding_ = Encoding::kLittleEndian;
    drop(kLittleEndianMark);
  } else if (begin_.starts_with(kBigEndianMark)) {
    encoding_ = Encoding::kBigEndian;
    drop(kBigEndianMark);
  } else if (begin_.starts_with(kUtf8Mark)) {
    drop(kUtf8Mark);
  }
  // The text always begins with ASCII.
  if (encoding_ == Encoding::kUtf8 && begin_.substr(0, 2).contains('\0'))
    return bad_encoding("it is UTF-16 without a byte order mark");
  return {};
}

std::expected<std::string_view, std::string> TextfileDecoder::from_utf16(std::string_view bytes) {
  text_.clear();
  for (const char byte : bytes) {
    if (half_.empty()) {
      half_ += byte;
      continue;
    }
    const auto first = static_cast<char32_t>(static_cast<unsigned char>(half_.front()));
    const auto second = static_cast<char32_t>(static_cast<unsigned char>(byte));
    half_.clear();
    const char32_t unit =
        encoding_ == Encoding::kLittleEndian ? first | (second << 8U) : second | (first << 8U);
    if (!take_unit(unit)) return bad_encoding(at_line(line_, "unpaired UTF-16 surrogate"));
  }
  return std::string_view(text_);
}

bool TextfileDecoder::take_unit(char32_t unit) {
  if (surrogate_ != 0) {
    if (!is_second_half(unit)) return false;
    append_utf8(text_, 0x10000 + ((surrogate_ - 0xD800) << 10) + (unit - 0xDC00));
    surrogate_ = 0;
    return true;
  }
  if (is_second_half(unit)) return false;
  if (is_first_half(unit)) {
    surrogate_ = unit;
    return true;
  }
  append_utf8(text_, unit);
  if (unit == '\n') ++line_;
  return true;
}

Outcome TextfileParser::take_line(std::string_view line) {
  ++line_;
  if (line.size() > kMaxTextfileLineBytes) return refused(too_long_line());
  if (!is_ascii(line) && valid_bytes(line) < line.size())
    return refused(std::string("invalid UTF-8") + kEncodingRepair);
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
  if (without_trailing_blanks(line).empty()) return {};
  return refused(
      "the last line has no line break, so the file may be incomplete; end it with one, write it "
      "under another name and rename it");
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
  if (!has_help_.insert(family->first).second) return refused("duplicate HELP of " + family->first);
  family->second.help = line.text;
  return {};
}

Outcome TextfileParser::take_type(const TextfileLine& line) {
  auto* const family = family_of_line(line.name).first;
  if (family == nullptr) return too_many_families();
  if (!family->second.series.empty())
    return refused("the TYPE of " + family->first + " comes after its values");
  if (!has_type_.insert(family->first).second) return refused("duplicate TYPE of " + family->first);
  const auto type = find_textfile_type(line.text);
  if (!type) {
    return refused("unknown type " + shown_text(line.text) +
                   "; use counter, gauge, histogram, summary or untyped");
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
    return refused(family->first + " is a histogram, whose values must be named " + family->first +
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
                            : "the label " + label + " is not allowed") +
                   ", because " + family.first + " is a " +
                   std::string(name_of(family.second.type)));
  }
  if ((is_histogram ? kind != LineKind::kSum : kind == LineKind::kCount) && !is_whole(line.value))
    return refused("a count must be a non-negative whole number");
  TextfileSeries& series = family.second.series[label_text(line.labels, label)];
  if (series.line == 0) series.line = line_;
  if (is_step) {
    const auto bound = parse_go_number(step->second);
    if (!bound || std::isnan(*bound))
      return refused("the label " + label + " is not a number: " + shown_text(step->second));
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
      return std::unexpected(at_line(line, "the metrics " + name + " and " + *other +
                                               " share names; a histogram or a summary also uses "
                                               "those with _bucket, _sum and _count"));
    }
    if (family.type != TextfileType::kHistogram) continue;
    for (auto& [labels, series] : family.series)
      if (auto outcome = complete_histogram(name, labels, series); !outcome)
        return std::unexpected(at_line(series.line, outcome.error()));
  }
  return std::move(parsed_);
}

std::expected<void, std::string> TextfileFeed::take(std::span<const std::byte> bytes) {
  const auto text = decoder_.decode(bytes);
  if (!text) return std::unexpected(text.error());
  return take_text(*text);
}

std::expected<ParsedTextfile, std::string> TextfileFeed::finish() {
  const auto text = decoder_.finish();
  if (!text) return std::unexpected(text.error());
  if (const auto taken = take_text(*text); !taken) return std::unexpected(taken.error());
  if (!begun_.empty())
    if (const auto end = parser_.take_end(without_returns(begun_)); !end)
      return refused(end.error());
  return parser_.finish();
}

std::expected<void, std::string> TextfileFeed::take_text(std::string_view text) {
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    std::string_view line = text.substr(0, end);
    if (begun_.size() + line.size() > kLongest) return refused(too_long_line());
    if (!begun_.empty()) line = begun_.append(line);
    if (auto taken = take_line(line); !taken) return taken;
    begun_.clear();
    text.remove_prefix(end + 1);
  }
  if (begun_.size() + text.size() > kLongest) return refused(too_long_line());
  begun_ += text;
  return {};
}

std::expected<void, std::string> TextfileFeed::take_line(std::string_view line) {
  if (lines_ == kMaxTextfileLines)
    return refused("the file has more than " + std::to_string(kMaxTextfileLines) + " lines");
  if (auto taken = parser_.take_line(without_returns(line)); !taken) return refused(taken.error());
  ++lines_;
  return {};
}

std::unexpected<std::string> TextfileFeed::refused(std::string_view why) const {
  return std::unexpected(at_line(lines_ + 1, why));
}

namespace {

constexpr const char* kDefaultHelp = "A metric from a text file.";

class Merge {
 public:
  void add(const TextfileInput& input) {
    if (auto conflict = conflict_of(*input.parsed)) {
      result_.problems.emplace_back(input.file, std::move(*conflict));
      return;
    }
    take(*input.parsed, input.file);
    result_.files.push_back(input.file);
  }

  TextfileResult result() {
    for (auto& [name, family] : result_.families)
      if (family.help.empty()) family.help = kDefaultHelp;
    return std::move(result_);
  }

 private:
  const std::string& file_of(const TextfileSeries& series) const {
    return result_.files.at(series.file);
  }
  const std::string& file_of(const TextfileFamily& family) const {
    return file_of(family.series.begin()->second);
  }

  std::optional<std::string> conflict_of(const ParsedTextfile& parsed) const {
    if (parsed.samples > kMaxTextfileSamplesInAll - result_.samples)
      return too_many_values_in_all();
    std::size_t fresh = 0;
    for (const auto& [name, family] : parsed.families) {
      const auto known = result_.families.find(name);
      if (known == result_.families.end()) {
        ++fresh;
        const std::string* const other = clashing_family(result_.families, name, family.type);
        if (other != nullptr) {
          return at_line(first_line(family), "its metric " + name + " shares names with " + *other +
                                                 " in " +
                                                 file_of(result_.families.find(*other)->second));
        }
      } else if (auto conflict = conflict_of(name, family, known->second)) {
        return conflict;
      }
    }
    if (fresh > kMaxTextfileFamilies - result_.families.size()) {
      return "with it, all text files together would have more than " +
             std::to_string(kMaxTextfileFamilies) + " metrics";
    }
    return std::nullopt;
  }

  std::optional<std::string> conflict_of(const std::string& name, const TextfileFamily& family,
                                         const TextfileFamily& known) const {
    if (family.type != known.type) {
      return at_line(first_line(family),
                     "its metric " + name + " has the type " + std::string(name_of(family.type)) +
                         ", but " + std::string(name_of(known.type)) + " in " + file_of(known));
    }
    for (const auto& [labels, series] : family.series) {
      const auto twice = known.series.find(labels);
      if (twice != known.series.end())
        return at_line(series.line, shown_series(name, labels) + " is in " +
                                        file_of(twice->second) + " already");
    }
    return std::nullopt;
  }

  void take(const ParsedTextfile& parsed, const std::string& file) {
    std::string other_help;
    for (const auto& [name, family] : parsed.families) {
      TextfileFamily& known = result_.families.try_emplace(name).first->second;
      known.type = family.type;
      for (const auto& [labels, series] : family.series) {
        const auto place = known.series.emplace_hint(known.series.end(), labels, series);
        place->second.file = static_cast<std::uint32_t>(result_.files.size());
      }
      if (known.help.empty()) {
        known.help = family.help;
      } else if (!family.help.empty() && family.help != known.help && other_help.empty()) {
        other_help = name;
      }
    }
    result_.samples += parsed.samples;
    if (other_help.empty()) return;
    result_.notices.emplace_back(
        file, "its HELP of " + other_help +
                  " differs from that of an earlier file; the earlier one is kept");
  }

  TextfileResult result_;
};

}  // namespace

std::string too_many_values_in_all() {
  return "with it, all text files together would have more than " +
         std::to_string(kMaxTextfileSamplesInAll) + " values";
}

TextfileResult merge_textfiles(std::span<const TextfileInput> inputs) {
  Merge merge;
  for (const TextfileInput& input : inputs) merge.add(input);
  return merge.result();
}

}  // namespace winperf
