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
  // The events since the last call: one when a call is first lost, or lost for another reason, and
  // one when it works again.
  [[nodiscard]] virtual std::vector<WorkerEvent> take_events() = 0;
  // Traces of processes that ended badly since the last call, if known.
  [[nodiscard]] virtual std::vector<WorkerTrace> take_traces() { return {}; }
};

// The state of the processes and providers that answer a source's queries. Implemented by
// collectors/worker and collectors/hosting; recordings, and sources that query in this process,
// have none.
class SourceHealth {
 public:
  SourceHealth() = default;
  SourceHealth(const SourceHealth&) = delete;
  SourceHealth& operator=(const SourceHealth&) = delete;
  virtual ~SourceHealth() = default;

  virtual std::vector<WorkerView*> workers() = 0;
  // The V1 providers with a separate process.
  virtual std::vector<ProviderState> provider_states() { return {}; }
  // Changes in how they share processes since the last call.
  [[nodiscard]] virtual std::vector<SharingNews> take_sharing_news() { return {}; }
  // Harmful changes that providers made to their process since the last call, as a text; empty if
  // none.
  [[nodiscard]] virtual std::string take_side_effect_text() { return {}; }
  // The provider of an object for messages: static text, or null if unknown.
  virtual const char* supplier_of(ObjectIndex) { return nullptr; }
  // Lost calls may be retried immediately.
  virtual void forget_losses() {}
};

// The same error with the supplier in its `where`: `provider "x" in object.counter`. `supplier`:
// static text, or null if unknown.
[[nodiscard]] Error with_supplier(Error error, const char* supplier);

// Memory for a reply that is committed as needed, so that a large room costs nothing while unused.
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

// The V1 blocks of a reply. Each is walked once, on arrival, which finds its objects and wrong
// lengths; readers use these views instead of walking the block again. Contents of objects aren't
// parsed.
//
// As a container it has the blocks' bytes. Views live as long as the reply, also if it is moved; a
// copy is walked again. One that has been emptied needs no memory for the next blocks if they have
// no more objects. Thread rule: as a value.
class ReplyBlocks {
 public:
  struct Walked {
    std::expected<BlockView, Error> block;
    std::size_t first_object = 0;  // of objects_of()
    std::size_t object_count = 0;
    std::vector<Error> problems{};  // objects, or bytes after them, that can't be separated
  };
  // An object, by places.
  struct Place {
    ObjectIndex index{};
    std::uint32_t block = 0;   // in walked()
    std::uint32_t object = 0;  // in objects_of()
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
  // Hands each block's bytes to `use`, and is empty afterwards.
  template <class Use>
  void give(const Use& use) {
    for (Bytes& bytes : bytes_) use(std::move(bytes));
    clear();
  }
  void clear();

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
  // Of a block, in its order.
  std::span<const ObjectView> objects_of(const Walked& block) const {
    return std::span(views_).subspan(block.first_object, block.object_count);
  }
  // False if a block can't be parsed, or an object's lengths hide those after it.
  bool is_sound() const;
  // All problems of the walks.
  std::vector<Error> problems() const;
  // By index; those with the same one in the order of the reply.
  std::span<const Place> objects() const { return objects_; }
  // Sets `places` to those with one of these indices, or to all if there is none, in the order of
  // the reply.
  void put_in_order(std::span<const ObjectIndex> indices, std::vector<Place>& places) const;
  std::span<const Place> objects_with(ObjectIndex index) const;
  const ObjectView& view(const Place& place) const {
    return objects_of(walked_[place.block])[place.object];
  }
  // Whether there is such an object with values.
  bool has_values_of(ObjectIndex index) const;

 private:
  std::vector<Bytes> bytes_;
  Walked walk(const Bytes& bytes);

  std::vector<Walked> walked_;
  std::vector<ObjectView> views_;  // of all blocks, one after the other
  std::vector<Place> objects_;
};

// One object of a recording that stores values instead of V1 blocks.
struct LoggedObject {
  // Only raw, base, reason and own_clocks, which don't depend on the previous sample.
  std::shared_ptr<const CountersetSample> values;
  std::vector<Error> problems;  // parts that couldn't be read
};

// A requested object that can't be delivered; or all objects of a provider.
struct MissingObject {
  ObjectIndex object{};  // 0: unknown
  Error reason{};
};

// The reply to one query: usually one V1 block; several if a replayed sample was recorded by
// several queries, or if providers were queried separately. It may hold more or fewer objects than
// were requested.
struct Reply {
  ReplyBlocks blocks;
  std::vector<MissingObject> missing{};  // as far as the reason is known
  std::vector<LoggedObject> logged{};
  std::uint64_t logged_bytes = 0;    // of the record that `logged` comes from
  std::optional<Ticks100ns> time{};  // when it was recorded, if known
  std::string host{};                // the machine, if known and not in the blocks
};

// Of one block. `empty`: emptied blocks, whose memory is used again.
[[nodiscard]] std::expected<Reply, Error> reply_of(std::expected<Bytes, Error> block,
                                                   ReplyBlocks empty = {});

// Size of the delivered data in bytes.
[[nodiscard]] std::uint64_t size_of(const Reply& reply);

// Why the reply has none of these objects, if known: the reason of one of them, or that a provider
// that may have them hasn't answered yet.
[[nodiscard]] std::optional<Error> reason_of(const Reply& reply,
                                             std::span<const ObjectIndex> objects);

enum class TextTable { kCounter, kHelp };

// The language of a name table: kEnglish is language 009, kMachine that of this machine.
enum class Language { kEnglish, kMachine };

class CounterSource {
 public:
  CounterSource() = default;
  CounterSource(const CounterSource&) = delete;
  CounterSource& operator=(const CounterSource&) = delete;
  virtual ~CounterSource() = default;

  // The machine whose counters these are, if there are several such sources; empty otherwise.
  virtual std::string machine() const { return {}; }

  // Whether it is the live system, where a query for several objects equals separate queries for
  // each. A recording has a position for each value name.
  virtual bool is_live() const { return false; }

  // `value_name`: one that HKEY_PERFORMANCE_DATA knows, such as "Global", "238 2",
  // "MetadataGlobal".
  [[nodiscard]] virtual std::expected<Reply, Error> query(std::string_view value_name,
                                                          StopToken stop) = 0;
  // The same for a source whose reply is one block: puts it at the beginning of `room` and returns
  // its size. Errors, in addition to those of query(): kBufferLimit.
  [[nodiscard]] virtual std::expected<std::size_t, Error> query_in(const ReplyRoom& room,
                                                                   std::string_view value_name,
                                                                   StopToken stop);

  // Returns a reply whose memory may be reused. Blocks are so large that allocating fresh pages
  // costs more than copying.
  virtual void take_back(Reply) {}

  // Limits the time of each further query with all its attempts; a single attempt can't be
  // interrupted.
  virtual void limit_time(std::chrono::milliseconds) {}

  // Sets the stop for calls without a stop token, where supported.
  virtual void set_stop(StopToken) {}

  // State of the processes that make the queries; null if they are made in this one.
  virtual SourceHealth* health() { return nullptr; }

  // The candidates for a name table as bytes, in order of preference (the registry's table first,
  // then perfcNNN.dat or perfhNNN.dat). The caller uses the valid parts of each.
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

// Why a source can't be created. Unlike winperf::Error it carries text, because it names a
// directory or suggests an alternative.
struct SourceError {
  ErrorCode code = ErrorCode::kOsError;
  std::string text;  // UTF-8, one sentence, lower case, no full stop
};

// A failure of read_whole_file() as an Error: kNoSuchFile, kNotAFile, kLimitExceeded (the size
// against the limit), kOsError. `where` becomes Error::where, so it is static text.
[[nodiscard]] Error file_error(const FileFailure& failure, const char* where,
                               std::uint64_t max_bytes);

}  // namespace winperf
