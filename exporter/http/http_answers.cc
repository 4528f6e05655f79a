#include "exporter/http/http_answers.h"

// Only this file includes the header, because it takes long to compile.
#include <httplib.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "exporter/http/http_date.h"

namespace winperf {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr char kCloses[] = "\r\nConnection: close\r\n";
// What a browser must not do with any answer: guess a type, or use it as part of another page.
constexpr std::pair<const char*, const char*> kAlways[]{
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Content-Security-Policy",
     "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"}};
constexpr int kSecondsToWait = 1;  // after 503

Request to_request(const RequestHead& head, const httplib::Request& decoded, const Asker& asker) {
  Request request;
  request.method = head.method;
  request.path = decoded.path;
  request.query.assign(decoded.params.begin(), decoded.params.end());
  request.accept = head.accept;
  request.accept_encoding = head.accept_encoding;
  request.if_none_match = head.if_none_match;
  request.visitor = head.visitor;
  request.visitor.is_local = asker.is_local;
  request.visitor.address = asker.address;
  return request;
}

// A request in memory, and the head of its answer. The body that the library writes behind it is
// not kept: the connection has the body itself.
class MemoryStream final : public httplib::Stream {
 public:
  explicit MemoryStream(std::string_view request) : request_(request) {}

  std::string take_head() { return std::move(head_); }

  bool is_readable() const override { return true; }
  bool wait_readable() const override { return true; }
  bool wait_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = request_.copy(to, size);
    request_.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, std::size_t size) override {
    if (!head_.ends_with(kHeadEnd)) {
      head_.append(from, size);
      if (const auto end = head_.find(kHeadEnd); end != std::string::npos)
        head_.resize(end + kHeadEnd.size());
    }
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return INVALID_SOCKET; }
  time_t duration() const override { return 0; }

 private:
  std::string_view request_;
  std::string head_;
};

// All that an answer gets beside what it is about, each name once.
using Headers = std::vector<std::pair<std::string, std::string>>;
Headers headers_of_all(const AnswerRules& rules) {
  Headers headers = rules.headers;
  for (const auto& [name, value] : kAlways)
    if (std::ranges::find(rules.headers, name, &Headers::value_type::first) == rules.headers.end())
      headers.emplace_back(name, value);
  return headers;
}

// One request to a server of the library that never listens. The library's callbacks don't say for
// which request they are, so each has a server of its own; making one takes microseconds.
class OneRequest final : public httplib::Server {
 public:
  OneRequest(Router& router, const RequestHead& head, const Asker& asker, const AnswerRules& rules)
      : router_(router), head_(head), closes_(asker.is_last) {
    // This runs before the library's own routing, and so before it reads a body.
    set_pre_routing_handler([=, this, &rules](const httplib::Request& from, httplib::Response& to) {
      respond(router_.handle(to_request(head_, from, asker), rules.access), to);
      return HandlerResponse::Handled;
    });
    set_exception_handler(
        [this](const httplib::Request&, httplib::Response& to, const std::exception_ptr&) {
          router_.count_bad_request(500);
          respond(plain_response(500, "internal error\n"), to);
        });
    // Requests that the library itself refuses have no content type yet; all of the router's
    // responses do.
    set_error_handler([this](const httplib::Request&, httplib::Response& to) {
      if (to.has_header("Content-Type")) return;
      router_.count_bad_request(to.status);
      respond(plain_response(to.status, std::string(httplib::status_message(to.status)) + "\n"),
              to);
    });
    set_post_routing_handler([&rules](const httplib::Request&, httplib::Response& to) {
      to.headers.erase("Keep-Alive");  // the library's own limits, which nobody applies
      // It would have to be that of the answer that isn't sent.
      if (to.status == 304) to.headers.erase("Content-Length");
      to.set_header("Date", http_date(std::chrono::system_clock::now()));
      to.headers.erase("Accept-Ranges");
      to.set_header("Accept-Ranges", "none");
      for (const auto& [name, value] : headers_of_all(rules)) to.set_header(name, value);
    });
  }

  Answer answer() {
    const std::string text = head_.method + ' ' + head_.target + " HTTP/1.1\r\n\r\n";
    MemoryStream stream(text);
    bool closed = false;
    process_request(stream, {}, 0, {}, 0, closes_, closed, {});
    Answer answer;
    answer.head = stream.take_head();
    answer.closes = answer.head.contains(kCloses);
    if (head_.method != "HEAD") answer.body = std::move(body_);
    return answer;
  }

 private:
  void respond(Response response, httplib::Response& to) {
    to.status = response.status;
    for (auto& [name, value] : response.headers) to.set_header(name, value);
    if (response.status == 503) to.set_header("Retry-After", std::to_string(kSecondsToWait));
    body_ = std::move(response.body);
    if (response.status == 304) return;
    if (body_.size() == 0) return to.set_content("", response.content_type);
    // The library compresses a body that it has, so it gets the length alone.
    to.set_content_provider(body_.size(), response.content_type,
                            [](std::size_t, std::size_t, httplib::DataSink&) { return false; });
  }

  Router& router_;
  const RequestHead& head_;
  const bool closes_;
  SharedText body_;
};

}  // namespace

HttpAnswers::HttpAnswers(Router& router, AnswerRules rules)
    : router_(router), rules_(std::make_shared<const AnswerRules>(std::move(rules))) {}

void HttpAnswers::change_rules(AnswerRules rules) {
  auto changed = std::make_shared<const AnswerRules>(std::move(rules));
  const std::lock_guard lock(mutex_);
  rules_.swap(changed);
}

HttpAnswers::SharedRules HttpAnswers::rules() const {
  const std::lock_guard lock(mutex_);
  return rules_;
}

Answer HttpAnswers::answer(const RequestHead& request, const Asker& asker) {
  const SharedRules rules = this->rules();
  return OneRequest(router_, request, asker, *rules).answer();
}

Effort HttpAnswers::effort_of(const RequestHead& request) {
  return router_.effort_of(request.target);
}

Answer HttpAnswers::refuse(const Refusal& refusal) {
  router_.count_bad_request(refusal.status);
  Answer answer;
  answer.closes = true;
  const std::string text = std::string(refusal.reason) + "\n";
  answer.head = "HTTP/1.1 " + std::to_string(refusal.status) + ' ' +
                httplib::status_message(refusal.status) +
                "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " +
                std::to_string(text.size()) +
                "\r\nDate: " + http_date(std::chrono::system_clock::now()) + kCloses;
  if (refusal.status == 503 || refusal.status == 429)
    answer.head += "Retry-After: " + std::to_string(kSecondsToWait) + "\r\n";
  if (refusal.status == 401) answer.head += "WWW-Authenticate: Basic\r\n";
  for (const auto& [name, value] : headers_of_all(*rules()))
    answer.head += name + ": " + value + "\r\n";
  answer.head += "\r\n";
  if (!refusal.without_body) answer.head += text;
  return answer;
}

}  // namespace winperf
