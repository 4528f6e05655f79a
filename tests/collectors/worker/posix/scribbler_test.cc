// A worker that changes its shared memory while its parent reads it: one byte of the head or of the
// reply at a time, and back again, so that each check may see another value than what follows it.
// Each call ends with data that was copied before it was checked, or with a reason.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <random>

#include "collectors/worker/serve.h"
#include "collectors/worker/worker_facts.h"
#include "collectors/worker/worker_source.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf::worker {
namespace {

using winperf::testing::BlockBuilder;
using winperf::testing::FakeSource;
using winperf::testing::ObjectBuilder;

constexpr std::size_t kScribbledBytes = kHeadBytes + 8192;
constexpr std::size_t kReplyHead = 256;  // of the request, and the first of the reply
constexpr int kRounds = 500;

// Another process changes it until this object ends. Being another process, it is no data race for
// a sanitizer, which would stop the test.
class ScribbledMemory {
 public:
  ScribbledMemory() {
    void* const at =
        mmap(nullptr, kScribbledBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(at, MAP_FAILED);
    bytes_ = {static_cast<std::byte*>(at), kScribbledBytes};
  }
  ScribbledMemory(const ScribbledMemory&) = delete;
  ScribbledMemory& operator=(const ScribbledMemory&) = delete;
  ~ScribbledMemory() {
    if (scribbler_ > 0) {
      kill(scribbler_, SIGKILL);
      waitpid(scribbler_, nullptr, 0);
    }
    munmap(bytes_.data(), bytes_.size());
  }

  std::span<std::byte> bytes() const { return bytes_; }
  // `used`: bytes of the replies, which alone are worth changing.
  void scribble(std::size_t used) {
    scribbler_ = fork();
    if (scribbler_ == 0) scribble_for_ever(used);
    EXPECT_GT(scribbler_, 0);
  }

 private:
  [[noreturn]] void scribble_for_ever(std::size_t used) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::minstd_rand random(1);
    for (;;) {
      const std::size_t at =
          random() % 2 == 0 ? random() % kReplyHead : kHeadBytes + random() % used;
      volatile std::byte& byte = bytes_[at];
      const auto flipped = static_cast<std::byte>(1U << random() % 8);
      byte = byte ^ flipped;
      for (volatile std::uint32_t i = random() % 256; i > 0; i = i - 1) continue;
      byte = byte ^ flipped;
    }
  }

  std::span<std::byte> bytes_;
  pid_t scribbler_ = 0;
};

// The honest half of a worker. It answers within wait().
class ScribbledProcess final : public WorkerProcess {
 public:
  ScribbledProcess(std::span<std::byte> memory, WorkerService& service)
      : memory_(memory), service_(service) {}

  std::span<std::byte> shared() override { return memory_; }
  std::uint64_t id() const override { return 1; }
  void wake() override { is_asked_ = true; }
  Wake wait(std::chrono::steady_clock::time_point) override {
    if (std::exchange(is_asked_, false)) {
      static_cast<void>(service_.answer(memory_));
      return Wake::kReply;
    }
    if (std::exchange(is_up_, true)) return Wake::kTimeOver;
    write_up(memory_);
    return Wake::kReply;
  }
  void interrupt() override {}
  std::optional<EndStatus> end() override { return EndStatus{.crashed = true, .code = SIGSEGV}; }
  ProcessUse use() const override { return {}; }

 private:
  std::span<std::byte> memory_;
  WorkerService& service_;
  bool is_asked_ = false;
  bool is_up_ = false;
};

class OneTable final : public FactSource {
 public:
  std::expected<FactTable, Error> read(const FactRequest&, const StopToken&) override {
    FactTable table;
    for (int i = 0; i < 20; ++i)
      table.add().text("name", "Service " + std::to_string(i)).number("process_id", i);
    return table;
  }
  std::expected<FileAnswer, Error> read_file(const FileQuestion&, std::chrono::milliseconds,
                                             const StopToken&) override {
    return FileAnswer{.stamp = FileStamp{}, .bytes = Bytes(512, std::byte{'x'})};
  }
};

class Scribbler : public ::testing::Test {
 protected:
  Scribbler() {
    ObjectBuilder object(238);
    object.counter({.index = 6, .size = 8}).counter({.index = 8});
    for (int i = 0; i < 16; ++i)
      object.instance({.name = u"Instance " + std::u16string(1, static_cast<char16_t>(u'A' + i)),
                       .values = {1'000, 2}});
    source_.replies["238"] = {BlockBuilder().add(object).build().bytes};
    source_.names = {{238, u"Processor"}, {6, u"% Processor Time"}};
  }

  WorkerOptions options() {
    WorkerOptions options;
    options.name = "registry";
    options.limits.max_reply_bytes = kScribbledBytes - kHeadBytes;
    // No call rests any more when the next one is made.
    options.now = [this] { return now_; };
    options.start =
        [this](const WorkerCommand&) -> std::expected<std::unique_ptr<WorkerProcess>, Error> {
      return std::make_unique<ScribbledProcess>(memory_.bytes(), service_);
    };
    return options;
  }

  // Calls `ask` while the memory is changed. True: it had data; false: a reason.
  void repeat(const std::function<bool()>& ask) {
    ASSERT_TRUE(ask()) << "nothing is changed yet";
    memory_.scribble(source_.replies["238"].front()->size());
    int answered = 0;
    for (int i = 0; i < kRounds; ++i) {
      now_ += std::chrono::hours(1);
      answered += ask() ? 1 : 0;
    }
    RecordProperty("answered", answered);
  }
  bool is_shared(std::span<const std::byte> bytes) {
    const auto shared = memory_.bytes();
    return bytes.data() < shared.data() + shared.size() &&
           shared.data() < bytes.data() + bytes.size();
  }
  static void expect_reason(const Error& error) {
    EXPECT_LT(static_cast<std::uint32_t>(error.code), kErrorCodeCount);
    EXPECT_FALSE(describe(error).empty());
  }

  std::chrono::steady_clock::time_point now_{std::chrono::hours(1'000)};
  FakeSource source_;
  OneTable facts_;
  WorkerService service_{&source_, nullptr, &facts_};
  ScribbledMemory memory_;
};

TEST_F(Scribbler, ABlockIsCopiedBeforeItIsWalked) {
  WorkerSource source(nullptr, options());
  repeat([&] {
    auto reply = source.query("238", {});
    if (!reply) {
      expect_reason(reply.error());
      return false;
    }
    reply->blocks.give([this](const Bytes& block) {
      EXPECT_FALSE(is_shared(block));
      // What was proved on arrival is walked again.
      const ReplyBlocks again{{block}};
      EXPECT_LE(again.size(), 1U);
    });
    return true;
  });
}

TEST_F(Scribbler, NamesAreCopiedBeforeTheyAreRead) {
  WorkerSource source(nullptr, options());
  repeat([&] {
    const auto tables = source.text_tables(TextTable::kCounter, Language::kEnglish);
    for (const auto& table : tables) {
      if (table) {
        EXPECT_FALSE(is_shared(*table));
      } else {
        expect_reason(table.error());
      }
    }
    return !tables.empty() && tables.front().has_value();
  });
}

TEST_F(Scribbler, FactsAreCopiedBeforeTheyAreParsed) {
  WorkerFacts facts(options());
  repeat([&] {
    const auto table = facts.read({.topic = FactTopic::kServices}, {});
    if (!table) expect_reason(table.error());
    return table.has_value();
  });
}

TEST_F(Scribbler, APartOfAFileIsNoLongerThanAskedFor) {
  WorkerFacts facts(options());
  repeat([&] {
    const auto file = facts.read_file({.file = "a.prom", .max_bytes = 512}, {}, {});
    if (!file) {
      expect_reason(file.error());
      return false;
    }
    EXPECT_LE(file->bytes.size(), 512U);
    EXPECT_FALSE(is_shared(file->bytes));
    return true;
  });
}

// What is read of a process that has ended, or hangs.
TEST_F(Scribbler, MarkerAndTraceAreReadFromACopy) {
  repeat([&] {
    write_marker(memory_.bytes(), {.operation = Operation::kQuery, .text = "238"}, {});
    TraceWriter trace(memory_.bytes());
    trace.add("provider.dll");
    trace.finish();
    const Marker marker = read_marker(memory_.bytes());
    EXPECT_LE(marker.text.size(), kHeadBytes);
    for (const std::string& module : read_trace(memory_.bytes()))
      EXPECT_LE(module.size(), kMaxModuleName);
    return marker.busy;
  });
}

}  // namespace
}  // namespace winperf::worker
