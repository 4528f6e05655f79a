// The seam between this program and the operating system: where the bytes come from.
//
// A source belongs to one machine. It answers with owned bytes and doesn't interpret them; a log of
// counters, which has no such bytes, answers with values. Implementations: replay (here, on any
// platform), the registry (win/), binary logs (collectors/blg).
// Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/base/whole_file.h"
#include "collectors/model/error.h"
#include "collectors/model/ids.h"
#include "collectors/model/sample.h"
#include "collectors/model/worker_state.h"
#include "collectors/wire/block_view.h"

namespace winperf {

using Bytes = std::vector<std::byte>;

// A process that makes queries.
class WorkerView {
 public:
  WorkerView() = default;
  WorkerView(const WorkerView&) = delete;
  WorkerView& operator=(const WorkerView&) = delete;
  virtual ~WorkerView() = default;

  virtual const WorkerState& state() const = 0;
  // What has happened since the last call: one event when a call begins to be lost, or is lost for
  // another reason, and one when it works again.
  [[nodiscard]] virtual std::vector<WorkerEvent> take_events() = 0;
  // Of processes that ended badly since the last call, if anything is known of them.
  [[nodiscard]] virtual std::vector<WorkerTrace> take_traces() { return {}; }
};

// What can be seen of the processes and providers that answer a source's queries. Recordings, and
// sources that make their queries in this process, have none of it. collectors/worker and
// collectors/hosting have it.
class SourceHealth {
 public:
  SourceHealth() = default;
  SourceHealth(const SourceHealth&) = delete;
  SourceHealth& operator=(const SourceHealth&) = delete;
  virtual ~SourceHealth() = default;

  virtual std::vector<WorkerView*> workers() = 0;
  // The V1 providers that have a process of their own.
  virtual std::vector<ProviderState> provider_states() { return {}; }
  // What has changed in how they share processes since the last call.
  [[nodiscard]] virtual std::vector<SharingNews> take_sharing_news() { return {}; }
  // What providers have left in the process that ran them, since the last call, that harms whatever
  // runs there next: for people; empty if there is nothing.
  [[nodiscard]] virtual std::string take_left_over() { return {}; }
  // Who delivers an object, for people: static text, or null if that isn't known.
  virtual const char* supplier_of(ObjectIndex) { return nullptr; }
  // What was lost a moment ago may be asked again at once.
  virtual void forget_losses() {}
};

// The same error with the supplier in its `where`: `provider "x" in object.counter`. `supplier`:
// static text for people, or null if it isn't known.
[[nodiscard]] Error with_supplier(Error error, const char* supplier);

// Memory for a reply, which becomes usable as far as it is needed: where the system takes memory
// that is reserved for memory in use, a large room that nobody fills costs nothing.
// Thread rule: as for a span.
class ReplyRoom {
 public:
  // Makes the first bytes usable; false if the system has no memory for them.
  using Commit = std::function<bool(std::size_t bytes)>;

  // All of it is usable.
  ReplyRoom(std::span<std::byte> bytes) : bytes_(bytes) {}  // NOLINT(*-explicit-*)
  ReplyRoom(std::span<std::byte> bytes, Commit commit)
      : bytes_(bytes), commit_(std::move(commit)) {}

  std::size_t size() const { return bytes_.size(); }
  // `bytes`: at most size(). Throws std::bad_alloc if the system has no memory for them.
  std::span<std::byte> first(std::size_t bytes) const {
    if (commit_ && !commit_(bytes)) throw std::bad_alloc();
    return bytes_.first(bytes);
  }

 private:
  std::span<std::byte> bytes_;
  Commit commit_;
};

// The V1 blocks of a reply. Each is walked once, when it comes in: which objects it has, and where
// its lengths are wrong, is known from then on, and whoever has the reply reads these views instead
// of walking the block again. What an object contains is its own affair.
//
// As a container it has the blocks' bytes. Views live as long as the reply, also if it is moved; a
// copy is walked again. Thread rule: as a value.
class ReplyBlocks {
 public:
  struct Walked {
    std::expected<BlockView, Error> block;
    std::vector<ObjectView> objects{};  // in its order
    std::vector<Error> problems{};      // objects, or what is behind them, that can't be told apart
  };
  // An object, by places.
  struct Place {
    ObjectIndex index{};
    std::uint32_t block = 0;   // in walked()
    std::uint32_t object = 0;  // in its objects
  };

  ReplyBlocks() = default;
  ReplyBlocks(std::initializer_list<Bytes> blocks);
  ReplyBlocks(const ReplyBlocks& other);
  ReplyBlocks& operator=(const ReplyBlocks& other);
  ReplyBlocks(ReplyBlocks&&) = default;
  ReplyBlocks& operator=(ReplyBlocks&&) = default;
  ~ReplyBlocks() = default;

  void push_back(Bytes bytes);
  void append(ReplyBlocks more);
  // Leaves none.
  std::vector<Bytes> take_bytes();

  auto begin() const { return bytes_.begin(); }
  auto end() const { return bytes_.end(); }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  const Bytes& front() const { return bytes_.front(); }
  const Bytes& operator[](std::size_t place) const { return bytes_[place]; }
  const Bytes& at(std::size_t place) const { return bytes_.at(place); }
  friend bool operator==(const ReplyBlocks& a, const ReplyBlocks& b) {
    return a.bytes_ == b.bytes_;
  }
  using value_type = Bytes;
  using const_iterator = std::vector<Bytes>::const_iterator;

  // In the order of the bytes.
  std::span<const Walked> walked() const { return walked_; }
  // False if a block can't be parsed, or an object's lengths hide those behind it.
  bool is_sound() const;
  // All problems of the walks.
  std::vector<Error> problems() const;
  // By index; those with the same one in the order of the reply.
  std::span<const Place> objects() const { return objects_; }
  // Those with one of these indices, or all if there is none, in the order of the reply.
  std::vector<Place> in_order(std::span<const ObjectIndex> indices) const;
  std::span<const Place> objects_with(ObjectIndex index) const;
  const ObjectView& view(const Place& place) const {
    return walked_[place.block].objects[place.object];
  }
  // Whether there is such an object with values.
  bool has_values_of(ObjectIndex index) const;

 private:
  std::vector<Bytes> bytes_;
  std::vector<Walked> walked_;
  std::vector<Place> objects_;
};

// One object of a recording that holds values, but not the V1 block that they came in.
struct LoggedObject {
  // Without what is derived from the sample before: it has raw, base, reason and own_clocks.
  std::shared_ptr<const CountersetSample> values;
  std::vector<Error> problems;  // parts that couldn't be read
};

// An object that was asked for, and can't be delivered; or a provider's, whichever it has.
struct MissingObject {
  ObjectIndex object{};  // 0: not known
  Error reason{};
};

// The reply to one query: usually one V1 block; several if a replayed sample was recorded by
// several queries, or if each provider was asked alone. It may hold more or fewer objects than were
// requested.
struct Reply {
  ReplyBlocks blocks;
  std::vector<MissingObject> missing{};  // as far as the source knows why
  std::vector<LoggedObject> logged{};
  std::uint64_t logged_bytes = 0;    // of the record that `logged` comes from
  std::optional<Ticks100ns> time{};  // when it was recorded, if the recording says so
  std::string host{};  // whose counters they are, if that is known and the blocks don't say it
};

// Of one block.
[[nodiscard]] std::expected<Reply, Error> reply_of(std::expected<Bytes, Error> block);

// Of what was delivered, in bytes.
[[nodiscard]] std::uint64_t size_of(const Reply& reply);

// Why the reply has none of these objects, if the source knows that: the reason of one of them, or
// that somebody who may have them hasn't answered yet.
[[nodiscard]] std::optional<Error> reason_of(const Reply& reply,
                                             std::span<const ObjectIndex> objects);

enum class TextTable { kCounter, kHelp };

// Where a name table comes from. English is the table of language 009; kMachine is the language of
// this machine.
enum class Language { kEnglish, kMachine };

class CounterSource {
 public:
  CounterSource() = default;
  CounterSource(const CounterSource&) = delete;
  CounterSource& operator=(const CounterSource&) = delete;
  virtual ~CounterSource() = default;

  // The machine whose counters these are, if there are several such sources; empty otherwise.
  virtual std::string machine() const { return {}; }

  // Whether it is the system itself: a query for several objects then gives what queries for each
  // of them would. A recording has a place in time for each value name.
  virtual bool is_live() const { return false; }

  // `value_name`: one that HKEY_PERFORMANCE_DATA knows, such as "Global", "238 2",
  // "MetadataGlobal".
  [[nodiscard]] virtual std::expected<Reply, Error> query(std::string_view value_name,
                                                          StopToken stop) = 0;
  // The same for a source whose reply is one block: puts it at the beginning of `room` and returns
  // its size. Errors, besides those of query(): kBufferLimit.
  [[nodiscard]] virtual std::expected<std::size_t, Error> query_in(const ReplyRoom& room,
                                                                   std::string_view value_name,
                                                                   StopToken stop);

  // Takes back a reply that is no longer needed: its memory may serve the next one. Blocks are
  // large enough that the system would give each one fresh pages, which costs more than copying.
  virtual void take_back(Reply) {}

  // How long each further query may take, with all its attempts; a single one can't be interrupted.
  virtual void limit_time(std::chrono::milliseconds) {}

  // Whose stop ends what takes no stop token itself, where it can be ended.
  virtual void set_stop(StopToken) {}

  // Of the processes in which the queries are made; null if they are made in this one.
  virtual SourceHealth* health() { return nullptr; }

  // The candidates for a name table as bytes, in order of preference (the registry's table first,
  // then perfcNNN.dat or perfhNNN.dat). The caller takes what it can use of each.
  [[nodiscard]] virtual std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                                             Language language) = 0;

  // Whether the Metadata* value names may be used.
  virtual bool supports_metadata() { return false; }

  // A number that changes when providers are added or removed: Perflib's "Last Counter". Constant
  // if the source can't change.
  virtual std::uint64_t provider_generation() { return 0; }

  // Unloads cached providers, so that the next query loads them again (RegCloseKey).
  virtual void release() {}
};

// Why a source can't be made, for the person who asked for it. Unlike winperf::Error it carries
// text, because it names a directory or says what to do instead.
struct SourceError {
  ErrorCode code = ErrorCode::kOsError;
  std::string text;  // UTF-8, one sentence, lower case, no full stop
};

// A failure of read_whole_file() as an Error: kNoSuchFile, kNotAFile, kLimitExceeded (the size
// against the limit), kOsError. `where` becomes Error::where, so it is static text.
[[nodiscard]] Error file_error(const FileFailure& failure, const char* where,
                               std::uint64_t max_bytes);

}  // namespace winperf
