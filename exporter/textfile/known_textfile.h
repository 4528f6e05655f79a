// What is known of one text file from reading to reading. Thread rule: values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "collectors/base/whole_file.h"
#include "collectors/model/clock.h"
#include "exporter/textfile/textfile_download.h"

namespace winperf {

class KnownTextfile {
 public:
  // Losses of a file in a row: after the first, what it said before still counts.
  static constexpr unsigned kLossesBorne = 1;

  // It was looked at in this reading. Nothing: there is no such file.
  void saw(std::uint64_t reading, std::optional<FileStamp> stamp);
  // It can't be read, for a reason of its own.
  void refuse(std::string problem);
  // The look, or reading it, took too long or cost the worker: it rests, longer each time.
  void lose(std::string sentence, SteadyTime now);
  void take(std::uint64_t reading, TextfileContent content);
  // Keeps how many values it has, but not the values.
  void drop();

  // False: it was looked for, and there is no such file any more.
  bool is_here() const { return seen_ || !problem_.empty() || !loss_.empty() || looked_at == 0; }
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
  // Why not, or what is wrong nevertheless; empty if all is well.
  std::string trouble() const;

  std::uint64_t looked_at = 0;  // in which reading
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

}  // namespace winperf
