// The journal of a selftest: each change is in it, on the disk, before it is made; so what a killed
// run has left can be taken back.
//
// A file of JSON lines in the folder of selftests (work_folder.h): {"change": "service", "name":
// "..."}, and {"undone": N} for the Nth change. While a journal is open, no other process can open
// it. Hostile, because without an administrator's rights any program of this account can write it;
// validated: its size, the lines, their number, the kinds and names (change.h). A last line that
// isn't whole was being written when the run was killed, before the change. Errors: a sentence.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "service/selftest/change.h"

namespace winperf::selftest {

// The changes that are in it and not undone, in order; or why it is no journal.
[[nodiscard]] std::expected<std::vector<Change>, std::string> parse_journal(std::string_view text);

// A file that no other process can write meanwhile, and whose lines are on the disk when append()
// returns. Implemented in win/ and posix/.
class JournalFile {
 public:
  virtual ~JournalFile() = default;
  // Up to 1 MiB.
  [[nodiscard]] virtual std::expected<std::string, std::string> text() = 0;
  // The file is as before if it fails.
  [[nodiscard]] virtual std::expected<void, std::string> append(std::string_view line) = 0;
  [[nodiscard]] virtual std::expected<void, std::string> clear() = 0;
  // Leaves so many bytes at its beginning.
  [[nodiscard]] virtual std::expected<void, std::string> cut(std::size_t) { return {}; }
  // Removes the file, while no other process can use it.
  virtual void remove() {}
};
// Creates it if need be.
[[nodiscard]] std::expected<std::unique_ptr<JournalFile>, std::string> open_journal_file(
    const std::filesystem::path& file);

struct JournalEntry {
  Change change;
  bool is_undone = false;
};

class Journal {
 public:
  // Opens the journal in this folder, which is created. The error says so if another selftest runs.
  [[nodiscard]] static std::expected<Journal, std::string> open(const std::filesystem::path& root);
  static Journal of(std::unique_ptr<JournalFile> file, const std::vector<Change>& left = {});

  // What was not undone: of an earlier run at first.
  std::vector<Change> left() const;

  // Call it before the change is made; where it fails, the change must not be made. The number is
  // that of the change.
  [[nodiscard]] std::expected<std::size_t, std::string> begin(Change change);
  // It was taken back.
  void undone(std::size_t number);

  // Removes the file if nothing is left. Nothing can be begun afterwards.
  void close();

  // Takes back all that is left, the last one first. Returns a sentence for each that couldn't be.
  std::vector<std::string> undo_all(const UndoTools& tools);

 private:
  explicit Journal(std::unique_ptr<JournalFile> file) : file_(std::move(file)) {}
  // Starts again with an empty file once nothing is left.
  void shorten();

  std::unique_ptr<JournalFile> file_;
  std::vector<JournalEntry> entries_;
};

}  // namespace winperf::selftest
