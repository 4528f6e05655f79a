// Text files that a test tells, as a source of facts, with what it costs to read them, in simulated
// time. Thread rule: one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/textfile/textfile_source.h"

namespace winperf::testing {

// What a call that hangs ends with.
inline constexpr Error kHung{
    .code = ErrorCode::kTimedOut, .where = "facts.read_file", .actual = 10'004, .limit = 10'000};

struct ToldFile {
  std::string content{};
  FileStamp stamp{};
  std::string problem{};  // instead
  std::chrono::milliseconds look_takes{};
  std::chrono::milliseconds part_takes{};
  std::optional<Error> fails{};                             // the call, each time
  std::function<void(ToldFile&, std::uint64_t)> on_part{};  // before a part from that offset
};

// The machine that has them, which outlives sources.
struct ToldMachine {
  std::map<std::string, ToldFile> files;  // of the folder before the last slash
  std::map<std::string, Error> bad_folders;
  SteadyTime steady{std::chrono::hours(1)};
  std::chrono::sys_seconds wall{std::chrono::seconds(1'700'000'000)};
  std::vector<std::string> asked;  // "look a", "read a 0"
  std::function<void()> on_read = [] {};
  std::uint64_t next_number = 1;
  std::chrono::milliseconds start_takes{};  // of a process, before the next part is read

  // Written long ago, if nothing else is said.
  ToldFile& write(const std::string& name, std::string content,
                  std::chrono::seconds ago = std::chrono::hours(1)) {
    ToldFile& file = files[name];
    file.content = std::move(content);
    file.stamp = {.state = {.bytes = file.content.size(), .modified = wall - ago},
                  .volume = 1,
                  .number = next_number++};
    return file;
  }
  void pass(std::chrono::milliseconds time) {
    steady += time;
    wall += std::chrono::duration_cast<std::chrono::seconds>(time);
  }
  ClockSource clocks() {
    return {.steady_now = [this] { return steady; },
            .wall_now =
                [this] {
                  constexpr std::int64_t kTicksTo1970 = 116'444'736'000'000'000;
                  return Ticks100ns{kTicksTo1970 + wall.time_since_epoch().count() * 10'000'000};
                },
            .pause_until = [](SteadyTime, const StopToken&) {}};
  }
  std::vector<std::string> take_asked() { return std::exchange(asked, {}); }
};

class ToldFiles final : public FactSource {
 public:
  explicit ToldFiles(ToldMachine& machine) : machine_(machine) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    FactTable table;
    if (request.topic != FactTopic::kTextfile) {
      machine_.asked.emplace_back(name_of(request.topic));
      return table;
    }
    for (const std::string& folder : request.folders) {
      if (const auto bad = machine_.bad_folders.find(folder); bad != machine_.bad_folders.end())
        return std::unexpected(bad->second);
      for (const auto& [name, file] : machine_.files)
        if (name.substr(0, name.rfind('/')) == folder) table.add().text("file", name);
    }
    return table;
  }

  std::expected<FileAnswer, Error> read_file(const FileQuestion& question,
                                             std::chrono::milliseconds,
                                             const StopToken& stop) override {
    const bool is_look = question.max_bytes == 0;
    machine_.asked.push_back(is_look
                                 ? "look " + question.file
                                 : "read " + question.file + ' ' + std::to_string(question.offset));
    machine_.on_read();
    if (stop.stop_requested()) return std::unexpected(Error{.code = ErrorCode::kCancelled});
    const auto found = machine_.files.find(question.file);
    if (found == machine_.files.end()) return FileAnswer{};
    ToldFile& file = found->second;
    machine_.pass(is_look ? file.look_takes : file.part_takes);
    if (!is_look && machine_.start_takes.count() != 0) {
      machine_.pass(std::exchange(machine_.start_takes, {}));
      worker_.begin();
    }
    if (file.fails) return std::unexpected(*file.fails);
    if (!file.problem.empty()) return FileAnswer{.problem = file.problem};
    if (!is_look && file.on_part) file.on_part(file, question.offset);
    FileAnswer answer{.stamp = file.stamp};
    const std::string_view all = file.content;
    const auto part =
        all.substr(std::min<std::size_t>(question.offset, all.size()), question.max_bytes);
    const auto bytes = std::as_bytes(std::span(part));
    answer.bytes.assign(bytes.begin(), bytes.end());
    return answer;
  }

  std::vector<WorkerView*> workers() override { return {&worker_}; }

 private:
  class ToldWorker final : public WorkerView {
   public:
    const WorkerState& state() const override { return state_; }
    std::vector<WorkerEvent> take_events() override { return {}; }
    void begin() { ++state_.starts; }

   private:
    WorkerState state_;
  };

  ToldMachine& machine_;
  ToldWorker worker_;
};

// "a{i="0"} 1", ... as many as that.
inline std::string told_values(std::string_view name, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text.append(name).append("{i=\"").append(std::to_string(i)).append("\"} 1\n");
  return text;
}

}  // namespace winperf::testing
