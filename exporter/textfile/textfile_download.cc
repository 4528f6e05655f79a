#include "exporter/textfile/textfile_download.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace winperf {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kSlice = std::size_t{64} << 10;  // that is parsed between two looks at a stop

class Download {
 public:
  Download(FactSource& source, const std::string& file, FileStamp seen, const ClockSource& clocks,
           const StopToken& stop, TextfileCosts& costs)
      : source_(source), file_(file), clocks_(clocks), stop_(stop), costs_(costs) {
    content_.stamp = seen;
  }

  std::expected<TextfileContent, Error> run() {
    ++costs_.files;
    for (int tries = 0; tries < kTextfileTries; ++tries) {
      begin();
      auto outcome = read_all();
      costs_.values += values_;
      if (!outcome) return std::unexpected(outcome.error());
      if (*outcome) return std::move(content_);
    }
    content_.problem = "it is being written: write it under another name, and rename it";
    return std::move(content_);
  }

 private:
  void begin() {
    constexpr std::uint64_t kFnvBasis = 0xCBF2'9CE4'8422'2325;
    const double age =
        unix_seconds(clocks_.wall_now()) -
        std::chrono::duration<double>(content_.stamp.state.modified.time_since_epoch()).count();
    const auto unsettled = std::chrono::duration<double>(kTextfileTimeUnsettled);
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
          return refuse("it has grown to more than " + std::to_string(kMaxTextfileBytes) +
                        " bytes");
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

}  // namespace

std::expected<TextfileContent, Error> read_textfile_content(FactSource& source,
                                                            const std::string& file, FileStamp seen,
                                                            const ClockSource& clocks,
                                                            const StopToken& stop,
                                                            TextfileCosts& costs) {
  return Download(source, file, seen, clocks, stop, costs).run();
}

}  // namespace winperf
