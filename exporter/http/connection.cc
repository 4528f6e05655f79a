#include "exporter/http/connection.h"

#include <algorithm>
#include <utility>

namespace winperf {
namespace {

// A client that still sends when its last answer is out would lose that answer if the connection
// were closed immediately. It gets this long, and may send this much.
constexpr std::chrono::seconds kEndingTime{1};
constexpr std::size_t kMostIgnoredBytes = 256 * 1024;
// A small body goes out together with its head.
constexpr std::size_t kJoinedBytes = 8 * 1024;

// Which part of an oversized head is too long: its first line or the fields.
Refusal too_long(std::string_view head) {
  if (!head.substr(0, kMostHeadBytes + 1).contains("\r\n"))
    return {.status = 414, .reason = "the target is too long"};
  return {.status = 431, .reason = "the header fields are too long"};
}

}  // namespace

Connection::Connection(const ConnectionLimits& limits, Time now, bool is_encrypted,
                       SentAnswers* counts)
    : limits_(limits),
      is_encrypted_(is_encrypted),
      counts_(counts),
      since_(now),
      deadline_(now + limits.request_time) {}

void Connection::enter(Stage stage, Time now) {
  // A connection that may be idle for long holds no buffer.
  if (input_.empty()) std::string().swap(input_);
  stage_ = stage;
  since_ = now;
  deadline_ = Time::max();
  if (stage == Stage::kIdle) deadline_ = now + limits_.keep_alive_time;
  if (stage == Stage::kRequest) deadline_ = now + limits_.request_time;
  if (stage == Stage::kEnding) deadline_ = now + kEndingTime;
  if (stage == Stage::kSending) {
    const auto slow = std::chrono::seconds(answer_.body.size() / limits_.answer_bytes);
    deadline_ = now + limits_.answer_time + slow;
  }
}

void Connection::receive(std::string_view bytes, Time now) {
  if (stage_ == Stage::kStreaming || stage_ == Stage::kEnding) {
    ignored_ += bytes.size();
    if (ignored_ > kMostIgnoredBytes) enter(Stage::kOver, now);
    return;
  }
  input_ += bytes;
  // Empty lines before a request are nothing. The first request's time runs from the connection's
  // beginning.
  if (stage_ == Stage::kIdle && leading_empty_lines(input_) == input_.size()) {
    input_.clear();
  } else if (stage_ == Stage::kIdle) {
    const Time first = deadline_;
    enter(Stage::kRequest, now);
    if (!was_used()) deadline_ = first;
  }
}

void Connection::receive_end(Time now) {
  input_ended_ = true;
  if (stage_ == Stage::kIdle || stage_ == Stage::kStreaming || stage_ == Stage::kEnding)
    enter(Stage::kOver, now);
}

void Connection::expire(Time now) {
  if (stage_ != Stage::kRequest) return enter(Stage::kOver, now);
  expired_ = {.status = 408, .reason = "the request took too long to arrive"};
}

Connection::Taken Connection::take_request(Time now) {
  if (stage_ != Stage::kRequest) return std::nullopt;
  if (expired_) return refuse(*expired_, now);
  if (!head_) {
    Taken refusal = read_head(now);
    if (!head_) return refusal;
  }
  return read_body(now);
}

// Returns a refusal or nothing, because the request continues after its head.
Connection::Taken Connection::read_head(Time now) {
  if (const std::size_t empty = leading_empty_lines(input_); empty > 0) {
    input_.erase(0, empty);
    known_ = 0;
    // Nothing has begun after all; the time that it had stays as it was.
    if (input_.empty()) {
      stage_ = input_ended_ ? Stage::kOver : Stage::kIdle;
      return std::nullopt;
    }
  }
  const auto length = head_length(input_, known_);
  const std::size_t so_far = length.value_or(input_.size());
  if (is_malformed(std::string_view(input_).substr(0, so_far), std::min(known_, so_far)))
    return refuse({.status = 400, .reason = "this is not HTTP/1.1"}, now);
  if (so_far > kMostHeadBytes) return refuse(too_long(input_), now);
  known_ = input_.size();
  if (!length) return wait_for_more(now);
  auto head = parse_request_head(std::string_view(input_).substr(0, *length), is_encrypted_);
  input_.erase(0, *length);
  known_ = 0;
  if (!head) return refuse(head.error(), now);
  const std::size_t body = head->content_length.value_or(0);
  if (body > limits_.payload_bytes)
    return refuse({.status = 413, .reason = "the body is too long"}, now);
  head_ = *std::move(head);
  body_left_ = body;
  if (head_->expects_continue && body_left_ > input_.size())
    interim_ = "HTTP/1.1 100 Continue\r\n\r\n";
  return std::nullopt;
}

Connection::Taken Connection::read_body(Time now) {
  const std::size_t body = std::min(body_left_, input_.size());
  input_.erase(0, body);
  body_left_ -= body;
  if (body_left_ > 0) return wait_for_more(now);
  return begin_answering(*std::exchange(head_, std::nullopt), now);
}

Connection::Taken Connection::wait_for_more(Time now) {
  if (!input_ended_) return std::nullopt;
  return refuse({.status = 400, .reason = "the request is incomplete"}, now);
}

Connection::Taken Connection::refuse(const Refusal& refusal, Time now) {
  return begin_answering(std::unexpected(refusal), now);
}

Connection::Taken Connection::begin_answering(std::expected<RequestHead, Refusal> request,
                                              Time now) {
  was_used_ = true;
  // After a refused request the start of the next one is unknown.
  closes_ = closes_ || !request || !request->keeps_alive;
  enter(Stage::kAnswering, now);
  return request;
}

std::string Connection::take_interim() { return std::exchange(interim_, {}); }

void Connection::answer(Answer answer, Time now) {
  answer_ = std::move(answer);
  closes_ = closes_ || answer_.closes || answer_.stream != nullptr;
  if (answer_.body.size() <= kJoinedBytes) {
    answer_.head += answer_.body.str();
    answer_.body = {};
  }
  piece_ = sent_ = 0;
  enter(Stage::kSending, now);
}

std::string_view Connection::to_send() const {
  const auto& pieces = answer_.body.pieces();
  const std::string& piece = piece_ == 0 ? answer_.head : *pieces[piece_ - 1];
  return std::string_view(piece).substr(sent_);
}

void Connection::sent(std::size_t bytes, Time now) {
  sent_ += bytes;
  if (counts_ != nullptr) counts_->bytes += bytes;
  if (!to_send().empty()) return;
  sent_ = 0;
  if (piece_++ == answer_.body.pieces().size()) finish_answer(now);
}

bool Connection::stream(Time now) {
  if (answer_.stream->has_overflowed()) {
    answer_.stream = nullptr;
    enter(Stage::kOver, now);
    return false;
  }
  if (stage_ != Stage::kStreaming) return true;
  AnswerStream::Taken taken = answer_.stream->take();
  if (taken.is_last) answer_.stream = nullptr;
  if (taken.text.size() > 0) {
    answer_.body = std::move(taken.text);
    piece_ = 1;
    enter(Stage::kSending, now);
  } else if (taken.is_last) {
    finish_answer(now);
  }
  return true;
}

void Connection::count_scrape() const {
  if (counts_ == nullptr || !answer_.scrape) return;
  ++counts_->scrapes;
  counts_->scrape_bytes += answer_.scrape->bytes;
  counts_->scrape_time += answer_.scrape->time;
}

void Connection::finish_answer(Time now) {
  was_answered_ = true;
  count_scrape();
  std::string().swap(answer_.head);
  answer_.body = {};
  piece_ = 0;
  if (input_ended_) answer_.stream = nullptr;
  if (answer_.stream != nullptr) {
    input_.clear();  // no other request is answered
    return enter(Stage::kStreaming, now);
  }
  input_.erase(0, leading_empty_lines(input_));
  if (closes_ || (input_ended_ && input_.empty()))
    return enter(input_ended_ ? Stage::kOver : Stage::kEnding, now);
  enter(input_.empty() ? Stage::kIdle : Stage::kRequest, now);
}

void Connection::finish(Time now) {
  closes_ = true;
  if (answer_.stream != nullptr) answer_.stream->end();
  if (stage_ == Stage::kIdle && was_used()) enter(Stage::kOver, now);
}

}  // namespace winperf
