#include "exporter/textfile/textfile_merge.h"

#include <expected>
#include <optional>
#include <string_view>
#include <variant>

#include "exporter/textfile/family_clash.h"
#include "exporter/textfile/series_rules.h"
#include "exporter/textfile/textfile_parser.h"

namespace winperf {
namespace {

constexpr const char* kDefaultHelp = "A metric from a text file.";

class Merge {
 public:
  void add(const FactRow& row) {
    const std::string file = row.text_of("file");
    const auto refused = [&](std::string sentence) {
      result_.problems.emplace_back(file, std::move(sentence));
    };
    if (row.find("problem") != nullptr) return refused(row.text_of("problem"));
    const FactValue* const field = row.find("content");
    const auto* const content = field == nullptr ? nullptr : std::get_if<std::string>(field);
    const FactValue* const mtime = row.find("mtime");
    const auto* const seconds = mtime == nullptr ? nullptr : std::get_if<double>(mtime);
    if (content == nullptr || seconds == nullptr) return refused("its content is missing");
    auto parsed = parse_textfile(*content);
    if (!parsed) return refused(std::move(parsed).error());
    if (auto conflict = conflict_of(*parsed)) return refused(std::move(*conflict));
    take(std::move(*parsed), file);
    result_.times.push_back({.file = file, .modified_seconds = *seconds});
  }

  TextfileResult result() {
    for (auto& [name, family] : result_.families)
      if (family.help.empty()) family.help = kDefaultHelp;
    return std::move(result_);
  }

 private:
  const std::string& file_of(const TextfileSeries& series) const {
    return result_.times.at(series.file).file;
  }
  const std::string& file_of(const TextfileFamily& family) const {
    return file_of(family.series.begin()->second);
  }

  std::optional<std::string> conflict_of(const ParsedTextfile& parsed) const {
    if (parsed.samples > kMaxTextfileSamplesInAll - result_.samples) {
      return "with it, all text files together would have more than " +
             std::to_string(kMaxTextfileSamplesInAll) + " values";
    }
    std::size_t fresh = 0;
    for (const auto& [name, family] : parsed.families) {
      const auto known = result_.families.find(name);
      if (known == result_.families.end()) {
        ++fresh;
        const std::string* const other = clashing_family(result_.families, name, family.type);
        if (other != nullptr) {
          return "its metric " + name + " shares names with " + *other + " in " +
                 file_of(result_.families.find(*other)->second);
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
      return "its metric " + name + " has the type " + std::string(name_of(family.type)) +
             ", but " + std::string(name_of(known.type)) + " in " + file_of(known);
    }
    for (const auto& [labels, series] : family.series) {
      const auto twice = known.series.find(labels);
      if (twice != known.series.end())
        return shown_series(name, labels) + " is in " + file_of(twice->second) + " already";
    }
    return std::nullopt;
  }

  void take(ParsedTextfile parsed, const std::string& file) {
    std::string other_help;
    for (auto& [name, family] : parsed.families) {
      for (auto& [labels, series] : family.series)
        series.file = static_cast<std::uint32_t>(result_.times.size());
      const auto [known, is_new] = result_.families.try_emplace(name);
      if (is_new) {
        known->second = std::move(family);
        continue;
      }
      known->second.series.merge(family.series);
      if (known->second.help.empty()) {
        known->second.help = std::move(family.help);
      } else if (!family.help.empty() && family.help != known->second.help && other_help.empty()) {
        other_help = name;
      }
    }
    result_.samples += parsed.samples;
    if (other_help.empty()) return;
    result_.notices.emplace_back(file, "its HELP of " + other_help +
                                           " differs from that of a file before it, which is kept");
  }

  TextfileResult result_;
};

}  // namespace

TextfileResult merge_textfiles(const FactTable& table) {
  Merge merge;
  for (const FactRow& row : table.rows) merge.add(row);
  TextfileResult result = merge.result();
  for (const std::string& problem : table.problems) result.problems.emplace_back("", problem);
  return result;
}

}  // namespace winperf
