#include "exporter/textfile/textfile_source.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/facts/textfile_reader.h"

namespace winperf {
namespace {

using std::chrono::milliseconds;

constexpr int kTries = 3;                              // of a file that changes
constexpr std::chrono::seconds kTimeUnsettled{2};      // after it was written
constexpr std::size_t kSlice = std::size_t{64} << 10;  // parsed between two checks for a stop

// Reads and parses one text file part by part, so that a file that exceeds a limit isn't read to
// its end. A file that changes while it is read is read again. The time is that of the answers, not
// that of parsing, so that a slow machine costs no file.
class Download {
 public:
  // `seen`: which file it is.
  Download(FactSource& source, const std::string& file, FileStamp seen, const ClockSource& clocks,
           const StopToken& stop, TextfileCosts& costs)
      : source_(source), file_(file), clocks_(clocks), stop_(stop), costs_(costs) {
    content_.stamp = seen;
  }

  // Errors: those of FactSource::read_file(), kTimedOut (milliseconds), kCancelled.
  [[nodiscard]] std::expected<TextfileContent, Error> run() {
    ++costs_.files;
    for (int tries = 0; tries < kTries; ++tries) {
      begin();
      auto outcome = read_all();
      costs_.values += values_;
      if (!outcome) return std::unexpected(outcome.error());
      if (*outcome) return std::move(content_);
    }
    content_.problem = "it changed while it was read; write it under another name and rename it";
    return std::move(content_);
  }

 private:
  void begin() {
    constexpr std::uint64_t kFnvBasis = 0xCBF2'9CE4'8422'2325;
    const double age =
        unix_seconds(clocks_.wall_now()) -
        std::chrono::duration<double>(content_.stamp.state.modified.time_since_epoch()).count();
    const auto unsettled = std::chrono::duration<double>(kTimeUnsettled);
    // A file whose time is still to come would be read again until then.
    content_.is_settled = std::abs(age) >= unsettled.count();
    content_.digest = kFnvBasis;
    feed_ = {};
    values_ = 0;
  }

  // False: it has changed.
  std::expected<bool, Error> read_all() {
    for (std::uint64_t offset = 0; offset < content_.stamp.state.bytes;) {
      if (spent_ > kTextfileTime) return std::unexpected(too_slow());
      auto answer = ask(offset);
      if (!answer) return std::unexpected(answer.error());
      if (!answer->stamp) return refuse(std::move(answer->problem));
      if (*answer->stamp != content_.stamp || answer->bytes.empty()) {
        content_.stamp = *answer->stamp;
        if (content_.stamp.state.bytes > kMaxTextfileBytes)
          return refuse("it grew to more than " + std::to_string(kMaxTextfileBytes) + " bytes");
        return false;
      }
      offset += answer->bytes.size();
      auto parsed = parse(answer->bytes);
      if (!parsed) return std::unexpected(parsed.error());
      if (!*parsed) return true;
    }
    return finish();
  }

  std::expected<FileAnswer, Error> ask(std::uint64_t offset) {
    const auto began = clocks_.steady_now();
    const std::uint64_t starts = starts_of_workers();
    auto answer = source_.read_file({.file = file_, .offset = offset, .max_bytes = kMaxFilePart},
                                    milliseconds(kTextfileTime), stop_);
    // A process that had to be started took its own time, not the file's.
    if (starts_of_workers() == starts) spent_ += clocks_.steady_now() - began;
    ++costs_.parts;
    if (answer) costs_.bytes += answer->bytes.size();
    return answer;
  }

  std::uint64_t starts_of_workers() {
    std::uint64_t starts = 0;
    for (const WorkerView* const worker : source_.workers()) starts += worker->state().starts;
    return starts;
  }

  // False: it is refused.
  std::expected<bool, Error> parse(std::span<const std::byte> bytes) {
    constexpr std::uint64_t kFnvPrime = 0x0000'0100'0000'01B3;
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(kSlice, bytes.size()))) {
      if (stop_.stop_requested())
        return std::unexpected(Error{.code = ErrorCode::kCancelled, .where = "facts"});
      const auto slice = bytes.first(std::min(kSlice, bytes.size()));
      for (const std::byte byte : slice)
        content_.digest = (content_.digest ^ std::to_integer<std::uint64_t>(byte)) * kFnvPrime;
      const auto taken = feed_.take(slice);
      values_ = feed_.values();
      if (!taken) return !refuse(taken.error());
    }
    return true;
  }

  bool finish() {
    auto parsed = feed_.finish();
    if (!parsed) return refuse(std::move(parsed).error());
    content_.parsed = std::make_shared<const ParsedTextfile>(*std::move(parsed));
    values_ = content_.parsed->samples;
    return true;
  }

  // True: that's all about the file.
  bool refuse(std::string problem) {
    content_.problem = std::move(problem);
    return true;
  }

  Error too_slow() const {
    return {.code = ErrorCode::kTimedOut,
            .where = "facts.read_file",
            .actual = static_cast<std::uint64_t>(std::chrono::floor<milliseconds>(spent_).count()),
            .limit = static_cast<std::uint64_t>(milliseconds(kTextfileTime).count())};
  }

  FactSource& source_;
  const std::string& file_;
  const ClockSource& clocks_;
  const StopToken& stop_;
  TextfileCosts& costs_;
  TextfileContent content_;
  TextfileFeed feed_;
  std::size_t values_ = 0;  // of this try
  SteadyTime::duration spent_{};
};

// After the second loss, and at most.
constexpr std::chrono::minutes kFirstRest{1};
constexpr std::chrono::minutes kLastRest{60};
constexpr unsigned kMaxDoublings = 6;

}  // namespace

void KnownTextfile::saw(std::uint64_t reading, std::optional<FileStamp> stamp) {
  if (!stamp) *this = {};
  checked_at = reading;
  seen_ = stamp;
  problem_.clear();
  if (is_news()) return;
  losses_ = 0;
  loss_.clear();
}

void KnownTextfile::refuse(std::string problem) {
  *this = {};
  problem_ = std::move(problem);
}

void KnownTextfile::lose(std::string sentence, SteadyTime now) {
  ++losses_;
  loss_ = std::move(sentence);
  if (losses_ <= kLossesBorne) return;
  const unsigned doublings = std::min(losses_ - kLossesBorne - 1, kMaxDoublings);
  rests_until_ = now + std::min(kLastRest, kFirstRest * (1 << doublings));
}

void KnownTextfile::take(std::uint64_t reading, TextfileContent content) {
  read_at = reading;
  losses_ = 0;
  loss_.clear();
  seen_ = content.stamp;
  const bool is_gone = content.parsed == nullptr && content.problem.empty();
  if (is_gone) return saw(reading, {});
  // Identical content shares the parsed form.
  const bool is_same = was_read_ && content_.parsed != nullptr && content.parsed != nullptr &&
                       content.digest == content_.digest &&
                       content.stamp.state.bytes == content_.stamp.state.bytes;
  if (is_same) content.parsed = content_.parsed;
  content_ = std::move(content);
  values_ = content_.parsed != nullptr ? content_.parsed->samples : 0;
  was_read_ = true;
}

void KnownTextfile::drop() { content_.parsed.reset(); }

double KnownTextfile::modified_seconds() const {
  const auto since_1970 = content_.stamp.state.modified.time_since_epoch();
  return std::chrono::duration<double>(since_1970).count();
}

std::shared_ptr<const ParsedTextfile> KnownTextfile::shown() const {
  return losses_ <= kLossesBorne && problem_.empty() ? content_.parsed : nullptr;
}

std::string KnownTextfile::trouble() const {
  if (!problem_.empty()) return problem_;
  if (losses_ > kLossesBorne) return loss_ + "; it is retried after increasing pauses";
  if (!loss_.empty()) return loss_;
  if (was_read_) return content_.problem;
  return "it has not been read yet because earlier files took too long";
}

namespace {

// Errors that are about the source, not about a folder or a file.
bool is_of_the_source(ErrorCode code) {
  return code == ErrorCode::kCancelled || code == ErrorCode::kUnsupported ||
         code == ErrorCode::kWorkerStart;
}

// Constant text, so that problems can be compared.
std::string why(const Error& error) {
  if (error.code != ErrorCode::kTimedOut) return "it cannot be read: " + describe(error);
  return "reading it took longer than " + std::to_string(error.limit / 1000) + " seconds";
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

}  // namespace

TextfileSource::TextfileSource(std::unique_ptr<FactSource> inner, ClockSource clocks)
    : inner_(std::move(inner)), clocks_(std::move(clocks)) {
  merge({});
}

std::expected<FactTable, Error> TextfileSource::read(const FactRequest& request,
                                                     const StopToken& stop) {
  if (request.topic != FactTopic::kTextfile) return inner_->read(request, stop);
  ++reading_;
  const SteadyTime began = clocks_.steady_now();
  problems_.clear();
  if (const auto listed = list(request, stop); !listed) return std::unexpected(listed.error());
  place(request);
  const SteadyTime half = began + kTextfileReadingTime / 2;
  if (const auto checked = check(half, stop); !checked) return std::unexpected(checked.error());
  refuse_by_size();
  const SteadyTime end = began + kTextfileReadingTime;
  if (const auto read = read_news(end, stop); !read) return std::unexpected(read.error());
  return table();
}

TextfileSource::Done TextfileSource::list(const FactRequest& request, const StopToken& stop) {
  std::erase_if(folders_, [&](const auto& folder) {
    return std::ranges::find(request.folders, folder.first) == request.folders.end();
  });
  for (auto& [name, folder] : folders_) folder.is_listed = false;
  for (const std::string& folder : request.folders)
    if (auto listed = list_folder(folder, request, stop); !listed) return listed;
  return {};
}

TextfileSource::Done TextfileSource::list_folder(const std::string& folder,
                                                 const FactRequest& request,
                                                 const StopToken& stop) {
  ++costs_.lists;
  const FactRequest one{.topic = request.topic, .folders = {folder}};
  const auto table = inner_->read(one, stop);
  const SteadyTime now = clocks_.steady_now();
  Folder& known = folders_[folder];
  if (!table) {
    if (is_of_the_source(table.error().code)) return std::unexpected(table.error());
    problems_.push_back("the folder " + folder + ": " + why(table.error()));
    if (now - known.listed_at > kTextfilesKept) known.files.clear();
    return {};
  }
  known = {.files = {}, .listed_at = now, .is_listed = true};
  for (const FactRow& row : table->rows) {
    std::string file = row.text_of("file");
    if (!file.empty() && request.rows.check(file).accepted) known.files.push_back(std::move(file));
  }
  problems_.insert(problems_.end(), table->problems.begin(), table->problems.end());
  return {};
}

void TextfileSource::place(const FactRequest& request) {
  places_.clear();
  std::set<std::string_view> names;
  for (const std::string& name : request.folders) {
    const Folder& folder = folders_.at(name);
    for (const std::string& file : folder.files) {
      if (names.contains(file)) continue;
      if (names.size() == kMaxTextfiles) {
        problems_.push_back("more than " + std::to_string(kMaxTextfiles) + " text files; " + file +
                            " and later ones are not read");
        break;
      }
      const auto known = known_.try_emplace(file).first;
      names.insert(known->first);
      places_.push_back({&known->first, &known->second, folder.is_listed});
    }
  }
  std::erase_if(known_, [&](const auto& one) { return !names.contains(one.first); });
}

std::vector<TextfileSource::Place> TextfileSource::in_turn(
    std::uint64_t KnownTextfile::* last) const {
  std::vector<Place> turn;
  const SteadyTime now = clocks_.steady_now();
  for (const Place& place : places_)
    if (place.is_listed && !place.known->rests(now)) turn.push_back(place);
  std::ranges::stable_sort(turn, {}, [last](const Place& place) {
    const KnownTextfile& known = *place.known;
    return std::tuple(known.is_slow(), known.*last, known.bytes());
  });
  return turn;
}

TextfileSource::Done TextfileSource::check(SteadyTime end, const StopToken& stop) {
  for (const Place& place : in_turn(&KnownTextfile::checked_at)) {
    if (auto checked = check_file(place, stop); !checked) return checked;
    if (clocks_.steady_now() > end) break;
  }
  return {};
}

TextfileSource::Done TextfileSource::check_file(const Place& place, const StopToken& stop) {
  ++costs_.checks;
  KnownTextfile& known = *place.known;
  auto answer = inner_->read_file({.file = *place.file}, milliseconds(kTextfileTime), stop);
  if (!answer) {
    if (is_of_the_source(answer.error().code)) return std::unexpected(answer.error());
    known.lose(why(answer.error()), clocks_.steady_now());
  } else if (!answer->stamp && !answer->problem.empty()) {
    known.refuse(std::move(answer->problem));
  } else {
    known.saw(reading_, answer->stamp);
    return {};
  }
  known.checked_at = reading_;
  return {};
}

void TextfileSource::refuse_by_size() {
  std::uint64_t all = 0;
  for (const Place& place : places_) {
    const std::uint64_t bytes = place.known->bytes();
    if (bytes > kMaxTextfileBytes) {
      // Without its size, which may be another one each time.
      place.known->refuse("it is larger than the limit of " + std::to_string(kMaxTextfileBytes) +
                          " bytes");
    } else if (bytes > kMaxTextfileBytesInAll - all) {
      place.known->refuse("with it, all text files together would be larger than " +
                          mebibytes(kMaxTextfileBytesInAll));
    } else {
      all += bytes;
    }
  }
}

TextfileSource::Done TextfileSource::read_news(SteadyTime end, const StopToken& stop) {
  const std::vector<bool> has_room = rooms();
  std::set<const KnownTextfile*> wanted;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const KnownTextfile& known = *places_[i].known;
    if (known.is_news() || (known.is_dropped() && has_room[i])) wanted.insert(&known);
  }
  for (const Place& place : in_turn(&KnownTextfile::read_at)) {
    if (!wanted.contains(place.known)) continue;
    if (auto read = read_one(place, stop); !read) return read;
    drop_what_has_no_room();
    if (clocks_.steady_now() > end) break;
  }
  return {};
}

TextfileSource::Done TextfileSource::read_one(const Place& place, const StopToken& stop) {
  KnownTextfile& known = *place.known;
  auto content = Download(*inner_, *place.file, known.seen(), clocks_, stop, costs_).run();
  if (content) {
    known.take(reading_, *std::move(content));
    return {};
  }
  if (is_of_the_source(content.error().code)) return std::unexpected(content.error());
  known.lose(why(content.error()), clocks_.steady_now());
  known.read_at = reading_;
  return {};
}

std::vector<bool> TextfileSource::rooms() const {
  std::vector<bool> rooms;
  std::size_t all = 0;
  for (const Place& place : places_) {
    const std::size_t values = place.known->values();
    rooms.push_back(values <= kMaxTextfileSamplesInAll - all);
    if (rooms.back()) all += values;
  }
  return rooms;
}

void TextfileSource::drop_what_has_no_room() {
  const std::vector<bool> has_room = rooms();
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (!has_room[i]) places_[i].known->drop();
}

FactTable TextfileSource::table() {
  std::vector<TextfileInput> inputs;
  for (const Place& place : places_)
    if (auto parsed = place.known->shown())
      inputs.push_back({.file = *place.file, .parsed = std::move(parsed)});
  if (inputs != merged_) merge(std::move(inputs));
  FactTable table{.textfiles = result_};
  std::map<std::string_view, std::string_view> refused;
  for (const auto& [file, problem] : result_->problems) refused.emplace(file, problem);
  for (const Place& place : places_) {
    const KnownTextfile& known = *place.known;
    const bool is_shown = known.shown() != nullptr && !refused.contains(*place.file);
    if (is_shown) {
      table.add()
          .text("file", *place.file)
          .text("name", path_text(path_of(*place.file).filename()))
          .number("mtime", known.modified_seconds());
    }
    std::string trouble = known.trouble();
    if (trouble.empty() && known.is_dropped()) trouble = too_many_values_in_all();
    if (trouble.empty() && !is_shown && known.is_here()) trouble = refused[*place.file];
    if (!trouble.empty() && known.is_here()) table.problems.push_back(*place.file + ": " + trouble);
  }
  table.problems.insert(table.problems.end(), problems_.begin(), problems_.end());
  return table;
}

void TextfileSource::merge(std::vector<TextfileInput> inputs) {
  ++costs_.merges;
  result_ = std::make_shared<const TextfileResult>(merge_textfiles(inputs));
  merged_ = std::move(inputs);
}

}  // namespace winperf
