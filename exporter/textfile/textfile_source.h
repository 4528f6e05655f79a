// Facts with text files: those that another source lists and reads, parsed, and merged into one
// set. All other topics are that source's.
//
// Only what has changed is read and parsed again, by what the file system says of each file. Files
// don't affect each other: one that can't be read, is too slow or exceeds a limit is rejected as a
// whole and listed among the problems. A run takes limited time: files that it doesn't reach stay
// as they are, and come first in the next one; slow files come last. Folders are listed one by one;
// files of a folder that can't be listed stay for a minute. Errors: those of the other source
// before it reads anything (kUnsupported, kWorkerStart), and kCancelled. Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/base/whole_file.h"
#include "collectors/facts/fact_source.h"
#include "collectors/model/clock.h"
#include "exporter/textfile/textfile_parser.h"

namespace winperf {

inline constexpr std::chrono::seconds kTextfileTime{5};  // for the answers about a file

// Statistics of reading text files, for tests.
struct TextfileCosts {
  std::uint64_t lists = 0;   // of folders
  std::uint64_t checks = 0;  // checks of a file's stamp, without its content
  std::uint64_t parts = 0;
  std::uint64_t bytes = 0;   // of parts
  std::uint64_t files = 0;   // that were read, or as much of them as was needed to refuse them
  std::uint64_t values = 0;  // that were parsed
  std::uint64_t merges = 0;
};

struct TextfileContent {
  FileStamp stamp{};
  std::uint64_t digest = 0;                        // of all bytes; not of a refused file
  std::shared_ptr<const ParsedTextfile> parsed{};  // null: there is no such file, or
  std::string problem{};                           // why it is refused
  // Whether another content would have another stamp. It may have the same one if the file was
  // written just before, because times of files have steps of up to two seconds.
  bool is_settled = false;
};

// The state of one text file between runs. Thread rule: values.
class KnownTextfile {
 public:
  // Failed reads of a file in a row: after the first, its earlier content still counts.
  static constexpr unsigned kLossesBorne = 1;

  // Its stamp in this run; nothing if the file doesn't exist.
  void saw(std::uint64_t reading, std::optional<FileStamp> stamp);
  // The file itself can't be read.
  void refuse(std::string problem);
  // Checking or reading it took too long or ended the worker: it is retried after increasing
  // pauses.
  void lose(std::string sentence, SteadyTime now);
  void take(std::uint64_t reading, TextfileContent content);
  // Keeps how many values it has, but not the values.
  void drop();

  // False: it was checked, and the file no longer exists.
  bool is_here() const { return seen_ || !problem_.empty() || !loss_.empty() || checked_at == 0; }
  bool rests(SteadyTime now) const { return now < rests_until_; }
  bool is_slow() const { return losses_ > 0; }
  // The content that was read is another one, or may be.
  bool is_news() const { return seen_ && !(content_.is_settled && content_.stamp == *seen_); }
  FileStamp seen() const { return seen_.value_or(FileStamp{}); }
  // As it was last seen.
  std::uint64_t bytes() const { return seen_ ? seen_->state.bytes : 0; }
  double modified_seconds() const;  // of the content
  // How many its content has; 0 if it is refused.
  std::size_t values() const { return values_; }
  bool is_dropped() const { return values_ > 0 && content_.parsed == nullptr; }

  // Null: nothing of it is on the page.
  std::shared_ptr<const ParsedTextfile> shown() const;
  // Why not, or a problem that doesn't prevent it; empty if there is none.
  std::string trouble() const;

  std::uint64_t checked_at = 0;  // in which reading
  std::uint64_t read_at = 0;

 private:
  std::optional<FileStamp> seen_{};
  TextfileContent content_{};
  std::size_t values_ = 0;
  bool was_read_ = false;  // content_ is one
  std::string problem_{};
  std::string loss_{};
  unsigned losses_ = 0;
  SteadyTime rests_until_{};
};

// After half of it no further file is checked, and after all of it none is read, because all other
// facts wait for text files.
inline constexpr std::chrono::seconds kTextfileReadingTime{10};
// Content that can't be read again is kept for at least this long, because a run may take long.
inline constexpr std::chrono::minutes kTextfilesKept{1};

class TextfileSource final : public FactSource {
 public:
  TextfileSource(std::unique_ptr<FactSource> inner, ClockSource clocks);

  [[nodiscard]] std::expected<FactTable, Error> read(const FactRequest& request,
                                                     const StopToken& stop) override;
  bool rest_until(SteadyTime next) override { return inner_->rest_until(next); }
  std::vector<WorkerView*> workers() override { return inner_->workers(); }

  // Replaces the inner source, and keeps what is known of the files. Null: nothing more is read.
  void replace(std::unique_ptr<FactSource> inner) { inner_ = std::move(inner); }
  const TextfileCosts& costs() const { return costs_; }

 private:
  struct Folder {
    std::vector<std::string> files;
    SteadyTime listed_at{};
    bool is_listed = false;  // in this reading
  };
  struct Place {  // of this reading, in the order of folders and names
    const std::string* file;
    KnownTextfile* known;
    bool is_listed;
  };
  using Done = std::expected<void, Error>;

  [[nodiscard]] Done list(const FactRequest& request, const StopToken& stop);
  [[nodiscard]] Done list_folder(const std::string& folder, const FactRequest& request,
                                 const StopToken& stop);
  void place(const FactRequest& request);
  [[nodiscard]] Done check(SteadyTime end, const StopToken& stop);
  [[nodiscard]] Done check_file(const Place& place, const StopToken& stop);
  void refuse_by_size();
  [[nodiscard]] Done read_news(SteadyTime end, const StopToken& stop);
  [[nodiscard]] Done read_one(const Place& place, const StopToken& stop);
  // Whether each file has room among all values; those before it come first.
  std::vector<bool> rooms() const;
  void drop_what_has_no_room();
  FactTable table();
  void merge(std::vector<TextfileInput> inputs);
  // Slow files come last, then those that had the latest turn, then large ones.
  std::vector<Place> in_turn(std::uint64_t KnownTextfile::* last) const;

  std::unique_ptr<FactSource> inner_;
  const ClockSource clocks_;
  std::map<std::string, Folder> folders_;
  std::map<std::string, KnownTextfile> known_;
  std::uint64_t reading_ = 0;
  std::vector<Place> places_;          // of the last reading
  std::vector<std::string> problems_;  // about folders
  std::vector<TextfileInput> merged_;  // what result_ is of
  std::shared_ptr<const TextfileResult> result_;
  TextfileCosts costs_;
};

}  // namespace winperf
