// One HTTP connection without its socket: bytes and times go in, requests and bytes come out.
//
// A connection is always in one stage, and each stage that depends on the client has a deadline in
// all, not between two bytes; of an answer without an end, each part has one. Requests are taken
// one after the other, in the order in which they came; what follows a request waits unread until
// its answer is sent. Input is not trusted: what is kept of it is bounded. Thread rule: one thread.
// Source: RFC 9112, sections 9.3 (persistence, pipelining) and 9.6 (closing).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/http/request_head.h"
#include "exporter/http/socket.h"
#include "exporter/text/sent_answers.h"
#include "exporter/text/shared_text.h"

namespace winperf {

// The rest of an endless answer: what is pushed is sent immediately, until either side ends it.
//
// A slow client delays nothing: if more is pushed than the queue holds, the connection is closed,
// so the content should mark its own end. The connection owns the stream; the pushing side keeps a
// weak pointer, which expires with the connection. Thread rule: any thread.
class AnswerStream {
 public:
  static constexpr std::size_t kMostBytes = 64 * 1024;  // that wait, as they count
  static constexpr std::size_t kPieceBytes = 64;        // overhead that each piece counts

  explicit AnswerStream(std::size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

  struct Taken {
    SharedText text;       // all that waited
    bool is_last = false;  // nothing follows it
  };

  // Sent whole and in order, or not at all. After an overflow nothing more is sent.
  void push(const SharedText& text) {
    std::unique_lock lock(mutex_);
    if (state_ != State::kOpen) return;
    const std::size_t bytes = text.size() + kPieceBytes * text.pieces().size();
    const bool was_empty = bytes_ == 0;
    if (bytes > most_bytes_ - bytes_ || !append(text)) {
      state_ = State::kOverflowed;
      waiting_ = {};
    } else {
      bytes_ += bytes;
    }
    if (was_empty || state_ == State::kOverflowed) wake(std::move(lock));
  }
  // Nothing else will be pushed.
  void end() {
    std::unique_lock lock(mutex_);
    if (state_ != State::kOpen) return;
    state_ = State::kEnded;
    wake(std::move(lock));
  }

  bool has_overflowed() const {
    const std::lock_guard lock(mutex_);
    return state_ == State::kOverflowed;
  }
  Taken take() {
    const std::lock_guard lock(mutex_);
    bytes_ = 0;
    return {.text = std::exchange(waiting_, {}), .is_last = state_ == State::kEnded};
  }
  // Wakes this waker when there is something to take.
  void wakes(std::shared_ptr<const Waker> waker) {
    const std::lock_guard lock(mutex_);
    waker_ = std::move(waker);
  }

 private:
  enum class State { kOpen, kEnded, kOverflowed };

  // False if memory is missing.
  bool append(const SharedText& text) {
    try {
      for (const SharedText::Piece& piece : text.pieces()) waiting_.add(piece);
    } catch (const std::bad_alloc&) {
      return false;
    }
    return true;
  }
  // Not under the lock, because the woken thread takes it.
  void wake(std::unique_lock<std::mutex> lock) const {
    const std::shared_ptr<const Waker> waker = waker_;
    lock.unlock();
    if (waker != nullptr) waker->wake();
  }

  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  SharedText waiting_;
  std::size_t bytes_ = 0;  // of it, as they count
  State state_ = State::kOpen;
  std::shared_ptr<const Waker> waker_;
};

struct ConnectionLimits {
  // For a whole request, head and body, from its first byte or from the connection's beginning.
  std::chrono::milliseconds request_time{10'000};
  std::chrono::milliseconds keep_alive_time{120'000};  // between two requests
  // For a whole answer; each full answer_bytes of it adds a second.
  std::chrono::milliseconds answer_time{30'000};
  std::size_t answer_bytes = 64 * 1024;
  std::size_t payload_bytes = 4096;  // of a request's body, which is read and ignored
};

// The answer to a request.
struct Answer {
  std::string head;  // with its empty line
  SharedText body;
  bool closes = false;  // the head says that no other request is answered
  // What follows the body, if the answer has no end. The head says that the connection closes.
  std::shared_ptr<AnswerStream> stream = nullptr;
  // Of an answer with metrics.
  struct Scrape {
    std::chrono::steady_clock::duration time{};  // that it took to make it
    std::size_t bytes = 0;                       // of its body
  };
  std::optional<Scrape> scrape = std::nullopt;
};

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  enum class Stage : std::uint8_t {
    kIdle,       // no byte of a request is there
    kRequest,    // a part of one is
    kAnswering,  // a whole request is there, and its answer is being made
    kSending,    // an answer goes out
    // An answer has no end, and all that there is of it by now is out. A client that closes its
    // side of the connection ends it.
    kStreaming,
    kEnding,  // everything is sent, and the client is given time to read it
    kOver,    // the socket can be closed
  };

  // `is_encrypted`: its bytes come by TLS. `counts`: gets what is sent; null: nothing does.
  Connection(const ConnectionLimits& limits, Time now, bool is_encrypted = false,
             SentAnswers* counts = nullptr);

  Stage stage() const { return stage_; }
  Time since() const { return since_; }        // when this stage began
  Time deadline() const { return deadline_; }  // Time::max() if there is none
  // Whether the client had no whole request yet, so that closing now cuts no answer off.
  bool is_waiting() const { return stage_ == Stage::kIdle || stage_ == Stage::kRequest; }
  bool was_used() const { return was_used_; }
  bool was_answered() const { return was_answered_; }  // the whole of an answer is out
  // Whether this stage reads. Otherwise the client's bytes stay with the system.
  bool reads() const {
    return is_waiting() || stage_ == Stage::kStreaming || stage_ == Stage::kEnding;
  }

  void receive(std::string_view bytes, Time now);
  void receive_end(Time now);  // the client sends no more
  // The deadline is over.
  void expire(Time now);

  // The next whole request, once, or why there is none; nothing if more has to come. Either has to
  // be answered.
  using Taken = std::optional<std::expected<RequestHead, Refusal>>;
  [[nodiscard]] Taken take_request(Time now);
  // An interim response for the client: "100 Continue"; it fits any socket buffer.
  std::string take_interim();

  // Sends nothing more; the client is given time to read what was sent.
  void end(Time now) { enter(Stage::kEnding, now); }

  void answer(Answer answer, Time now);
  // The next bytes of the answer; not empty while the stage is kSending.
  std::string_view to_send() const;
  void sent(std::size_t bytes, Time now);
  // Whether an answer without an end goes out.
  bool has_stream() const {
    return answer_.stream != nullptr && (stage_ == Stage::kSending || stage_ == Stage::kStreaming);
  }
  // Of such an answer: begins to send what was pushed by now, unless a part of it is still being
  // sent. False if that was too much for the stream; the connection is over then.
  [[nodiscard]] bool stream(Time now);
  const SharedText& body() const { return answer_.body; }  // of the answer, until it is all out

  // The request that is being answered or has begun to arrive is the last; so is the first one of a
  // client that has just connected.
  void finish(Time now);
  bool closes() const { return closes_; }

 private:
  void enter(Stage stage, Time now);
  [[nodiscard]] Taken read_head(Time now);
  [[nodiscard]] Taken read_body(Time now);
  [[nodiscard]] Taken wait_for_more(Time now);
  [[nodiscard]] Taken refuse(const Refusal& refusal, Time now);
  [[nodiscard]] Taken begin_answering(std::expected<RequestHead, Refusal> request, Time now);
  void finish_answer(Time now);
  void count_scrape() const;

  const ConnectionLimits& limits_;
  const bool is_encrypted_;
  SentAnswers* const counts_;
  Stage stage_ = Stage::kIdle;
  Time since_;
  Time deadline_;

  std::string input_;
  std::size_t known_ = 0;            // bytes of it that hold no end of a head
  std::optional<RequestHead> head_;  // while its body is being read
  std::size_t body_left_ = 0;
  std::string interim_;
  bool was_used_ = false;
  bool was_answered_ = false;
  std::size_t ignored_ = 0;  // bytes that came where none are expected
  bool input_ended_ = false;
  std::optional<Refusal> expired_;
  bool closes_ = false;

  Answer answer_;
  std::size_t piece_ = 0;  // 0: the head, then the body's pieces
  std::size_t sent_ = 0;   // bytes of it
};

// What kind of work an answer is, so that one kind can't take all threads.
enum class Effort : std::uint8_t {
  kPlain,   // shared by all clients, such as the whole page, or trivial
  kCostly,  // made for one client: a part of the page, JSON, another machine's page
  kSlow,    // waits for something else, such as a reload
};
inline constexpr std::array kAllEfforts{Effort::kPlain, Effort::kCostly, Effort::kSlow};

// A party among which a front divides what its clients share: threads, connections, memory and
// time.
//
// Each network has the same share, divided equally between clients that were answered before and
// new ones: a scraper that keeps its connection doesn't compete with a burst of new connections,
// even from its own machine.
struct Party {
  NetAddress network{};       // network_of() the client's address
  bool was_answered = false;  // its connection has had a whole answer before
};

// Thread rule: any thread, also several concurrently.
class Answerer {
 public:
  Answerer() = default;
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;
  virtual ~Answerer() = default;

  // `is_last`: no other request is answered over its connection.
  virtual Answer answer(const RequestHead& request, bool is_last) = 0;
  // Both are fast enough for the front's only thread.
  virtual Effort effort_of(const RequestHead& request) = 0;
  virtual Answer refuse(const Refusal& refusal) = 0;  // the connection closes after it
};

}  // namespace winperf
