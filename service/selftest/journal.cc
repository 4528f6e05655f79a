#include "service/selftest/journal.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

namespace winperf::selftest {
namespace {

constexpr std::size_t kMostChanges = 10'000;
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
                                           std::vector<std::optional<Change>>& changes) {
  if (!line.is_object()) return wrong_line(number, "it is no JSON object");
  if (const auto undone = line.find("undone"); undone != line.end()) {
    if (!undone->is_number_unsigned() || undone->get<std::uint64_t>() >= changes.size())
      return wrong_line(number, "there is no such change");
    changes[undone->get<std::size_t>()].reset();
    return {};
  }
  const auto word = text_in(line, "change");
  const auto name = text_in(line, "name");
  if (!word || !name) return wrong_line(number, "it has no change, or no name");
  const auto kind = change_kind(*word);
  if (!kind) return wrong_line(number, "it has an unknown kind of change");
  Change change{.kind = *kind, .name = *name};
  if (!is_ours(change)) return wrong_line(number, "no selftest gives such a name");
  if (changes.size() == kMostChanges) return wrong_line(number, "there are too many changes");
  changes.emplace_back(std::move(change));
  return {};
}

}  // namespace

std::expected<std::vector<Change>, std::string> parse_journal(std::string_view text) {
  std::vector<std::optional<Change>> changes;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // was being written
    const auto line = nlohmann::json::parse(text.substr(0, end), nullptr, false);
    text.remove_prefix(end + 1);
    if (const auto taken = take_line(line, ++number, changes); !taken)
      return std::unexpected(taken.error());
  }
  std::vector<Change> left;
  for (auto& change : changes)
    if (change) left.push_back(*std::move(change));
  return left;
}

Journal Journal::of(std::unique_ptr<JournalFile> file, const std::vector<Change>& left) {
  Journal journal(std::move(file));
  for (const Change& change : left) journal.entries_.push_back({.change = change});
  return journal;
}

std::expected<Journal, std::string> Journal::open(const std::filesystem::path& root) {
  auto file = open_journal_file(root / kJournalName);
  if (!file) return std::unexpected(std::move(file.error()));
  const auto text = (*file)->text();
  if (!text) return std::unexpected(text.error());
  const auto left = parse_journal(*text);
  if (!left) return std::unexpected(left.error());
  // Written anew, because numbers count from the first line, and the last one may be torn.
  if (const auto cleared = (*file)->clear(); !cleared) return std::unexpected(cleared.error());
  Journal journal(*std::move(file));
  for (const Change& change : *left)
    if (const auto begun = journal.begin(change); !begun) return std::unexpected(begun.error());
  return journal;
}

std::vector<Change> Journal::left() const {
  std::vector<Change> left;
  for (const Entry& entry : entries_)
    if (!entry.is_undone) left.push_back(entry.change);
  return left;
}

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
  if (!std::ranges::all_of(entries_, &Entry::is_undone)) return;
  if (file_->clear()) entries_.clear();
}

std::vector<std::string> Journal::undo_all(const UndoTools& tools) {
  std::vector<std::string> failures;
  for (std::size_t number = entries_.size(); number-- > 0;) {
    if (entries_[number].is_undone) continue;
    const Change change = entries_[number].change;
    const auto result = undo(change, tools);
    if (result)
      undone(number);
    else
      failures.push_back(describe(change) + " cannot be removed: " + result.error());
  }
  return failures;
}

}  // namespace winperf::selftest
