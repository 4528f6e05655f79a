#include "service/selftest/journal.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "collectors/base/path_text.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kMostChanges = 1'000;
constexpr char kJournalName[] = "journal.jsonl";

// The text of a member; nothing if there is none, or it is no text.
std::optional<std::string> text_in(const nlohmann::json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::unexpected<std::string> wrong_line(std::size_t number, const std::string& why) {
  return std::unexpected("line " + std::to_string(number) + " of the journal: " + why);
}

// Adds the change, or removes the undone one.
std::expected<void, std::string> take_line(const nlohmann::json& line, std::size_t number,
                                           std::vector<JournalEntry>& entries) {
  if (!line.is_object()) return wrong_line(number, "it is no JSON object");
  if (const auto undone = line.find("undone"); undone != line.end()) {
    if (!undone->is_number_unsigned() || undone->get<std::uint64_t>() >= entries.size())
      return wrong_line(number, "there is no such change");
    entries[undone->get<std::size_t>()].is_undone = true;
    return {};
  }
  const auto word = text_in(line, "change");
  const auto name = text_in(line, "name");
  if (!word || !name) return wrong_line(number, "it has no change, or no name");
  const auto kind = change_kind(*word);
  if (!kind)
    return wrong_line(number,
                      "it has an unknown kind of change, perhaps of a newer winperf_exporter, "
                      "whose selftest --undo takes it back");
  Change change{.kind = *kind, .name = *name};
  if (!is_ours(change)) return wrong_line(number, "no selftest gives such a name");
  if (entries.size() == kMostChanges) return wrong_line(number, "there are too many changes");
  entries.push_back({.change = std::move(change)});
  return {};
}

struct ParsedJournal {
  std::vector<JournalEntry> entries;
  std::size_t whole_bytes = 0;  // without a last line that was being written
};
std::expected<ParsedJournal, std::string> parse_entries(std::string_view text) {
  ParsedJournal parsed;
  for (std::size_t number = 1;; ++number) {
    const std::size_t end = text.find('\n', parsed.whole_bytes);
    if (end == std::string_view::npos) return parsed;
    const auto line = nlohmann::json::parse(
        text.substr(parsed.whole_bytes, end - parsed.whole_bytes), nullptr, false);
    if (const auto taken = take_line(line, number, parsed.entries); !taken)
      return std::unexpected(taken.error());
    parsed.whole_bytes = end + 1;
  }
}

std::vector<Change> left_of(const std::vector<JournalEntry>& entries) {
  std::vector<Change> left;
  for (const JournalEntry& entry : entries)
    if (!entry.is_undone) left.push_back(entry.change);
  return left;
}

}  // namespace

std::expected<std::vector<Change>, std::string> parse_journal(std::string_view text) {
  const auto parsed = parse_entries(text);
  if (!parsed) return std::unexpected(parsed.error());
  return left_of(parsed->entries);
}

Journal Journal::of(std::unique_ptr<JournalFile> file, const std::vector<Change>& left) {
  Journal journal(std::move(file));
  for (const Change& change : left) journal.entries_.push_back({.change = change});
  return journal;
}

std::expected<Journal, std::string> Journal::open(const std::filesystem::path& root) {
  const std::filesystem::path name = root / kJournalName;
  auto file = open_journal_file(name);
  if (!file) return std::unexpected(path_text(name) + ": " + file.error());
  const auto text = (*file)->text();
  if (!text) return std::unexpected(path_text(name) + ": " + text.error());
  auto parsed = parse_entries(*text);
  if (!parsed)
    return std::unexpected(parsed.error() +
                           "; nothing was done. If no selftest has written it, remove " +
                           path_text(name));
  if (parsed->whole_bytes != text->size())
    if (const auto cut = (*file)->cut(parsed->whole_bytes); !cut)
      return std::unexpected(path_text(name) + ": " + cut.error());
  Journal journal(*std::move(file));
  journal.entries_ = std::move(parsed->entries);
  return journal;
}

void Journal::close() {
  if (left().empty()) file_->remove();
}

std::vector<Change> Journal::left() const { return left_of(entries_); }

std::expected<std::size_t, std::string> Journal::begin(Change change) {
  if (!is_ours(change)) return std::unexpected("no selftest gives such a name");
  if (entries_.size() == kMostChanges) return std::unexpected("there are too many changes");
  const nlohmann::ordered_json line{{"change", name_of(change.kind)}, {"name", change.name}};
  if (const auto written = file_->append(line.dump() + '\n'); !written)
    return std::unexpected("cannot write the journal: " + written.error());
  entries_.push_back({.change = std::move(change)});
  return entries_.size() - 1;
}

void Journal::undone(std::size_t number) {
  if (number >= entries_.size() || entries_[number].is_undone) return;
  entries_[number].is_undone = true;
  // Where it can't be written, an undo finds nothing there, which is success.
  (void)file_->append("{\"undone\":" + std::to_string(number) + "}\n");
  shorten();
}

void Journal::shorten() {
  if (!std::ranges::all_of(entries_, &JournalEntry::is_undone)) return;
  if (file_->clear()) entries_.clear();
}

std::vector<std::string> Journal::undo_all(const UndoTools& tools) {
  std::vector<std::string> failures;
  for (std::size_t number = entries_.size(); number-- > 0;) {
    if (entries_[number].is_undone) continue;
    const Change change = entries_[number].change;
    if (tools.stop.stop_requested()) {
      failures.push_back(describe(change) + " was not removed: the undo was stopped");
      continue;
    }
    const auto result = undo(change, tools);
    if (result)
      undone(number);
    else
      failures.push_back(describe(change) + " cannot be removed: " + result.error());
  }
  return failures;
}

}  // namespace winperf::selftest
