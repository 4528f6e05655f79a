#include "exporter/textfile/textfile_merge.h"

#include <cstdint>
#include <optional>

#include "exporter/textfile/textfile_family.h"

namespace winperf {

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
    result_.notices.emplace_back(file, "its HELP of " + other_help +
                                           " differs from that of a file before it, which is kept");
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
