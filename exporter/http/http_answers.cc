#include "exporter/http/http_answers.h"

// Few files include the header, because it takes long to compile.
#include <httplib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

namespace winperf {
namespace {

// The library must not refuse what our parser accepts.
static_assert(CPPHTTPLIB_HEADER_MAX_LENGTH >= kMostHeadBytes &&
              CPPHTTPLIB_MAX_LINE_LENGTH > kMostHeadBytes &&
              CPPHTTPLIB_HEADER_MAX_COUNT >= kMostFields &&
              CPPHTTPLIB_REQUEST_URI_MAX_LENGTH >= kMostTargetBytes);

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr char kCloses[] = "\r\nConnection: close\r\n";
// What a browser must not do with any answer: guess a type, use it as part of another page, or tell
// another server where it was. The page has a policy of its own.
constexpr std::pair<const char*, const char*> kAlways[]{
    {"X-Content-Type-Options", "nosniff"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"Content-Security-Policy",
     "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}};

// A request in memory, and the head of its answer. The body that the library writes after it is
// discarded: the connection has the body itself.
class MemoryStream final : public httplib::Stream {
 public:
  explicit MemoryStream(std::string_view request) : request_(request) {}

  std::string take_head() { return std::move(head_); }

  // Asked about a body without a length, which no request has.
  bool is_readable() const override { return !request_.empty(); }
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

// The header fields that every answer gets, each name once.
using Headers = std::vector<std::pair<std::string, std::string>>;
Headers headers_of_all(const AnswerRules& rules) {
  Headers headers = rules.headers;
  for (const auto& [name, value] : kAlways)
    if (std::ranges::find(rules.headers, name, &Headers::value_type::first) == rules.headers.end())
      headers.emplace_back(name, value);
  return headers;
}

bool has_the_line_of(const RequestHead& head, const httplib::Request& request) {
  const std::string_view target =
      std::string_view(request.target).substr(std::min(head.authority, request.target.size()));
  const bool needs_slash = head.authority > 0 && !target.starts_with('/');
  return request.method == head.method &&
         std::string_view(head.target).substr(needs_slash ? 1 : 0) == target;
}

bool has_once(const httplib::Request& request, const char* name,
              const std::optional<std::string>& value) {
  return request.get_header_value_count(name) == (value ? 1U : 0U) &&
         request.get_header_value(name) == value.value_or("");
}

// One request on its way through the library.
struct Exchange {
  const RequestHead& head;
  const AnswerRules& rules;
  bool has_fields = true;  // the library gets the whole head, and not the target alone
  bool was_read = false;   // the library has no objection to what it got
  bool is_alike = false;   // and has read in it what our reader has
  SharedText body{};
  std::shared_ptr<AnswerStream> stream{};
  bool is_scrape = false;
};

// The library passes its callbacks only the request, which has no user_data. What its members for
// clients hold means nothing to a server, and a std::function gives back what it was made of.
struct ExchangeOf {
  Exchange* exchange;
  bool operator()(const httplib::Response&) const { return true; }
};

// Null if the library has refused it before anything was decided.
Exchange* exchange_of(const httplib::Request& request) {
  const auto* const of = request.response_handler.target<ExchangeOf>();
  return of == nullptr ? nullptr : of->exchange;
}

}  // namespace

bool reads_alike(const RequestHead& head, const httplib::Request& request) {
  const Visitor& visitor = head.visitor;
  const bool is_forwarded = std::ranges::any_of(
      request.headers, [](const auto& field) { return is_of_a_proxy(field.first); });
  return has_the_line_of(head, request) &&
         request.version == (head.is_http10 ? "HTTP/1.0" : "HTTP/1.1") &&
         has_once(request, "Host", head.host) && has_once(request, "Origin", visitor.origin) &&
         has_once(request, "Sec-Fetch-Site", visitor.fetch_site) &&
         has_once(request, "Sec-Fetch-Mode", visitor.fetch_mode) &&
         has_once(request, "Authorization", head.authorization) &&
         is_forwarded == visitor.is_forwarded && !request.has_header("Transfer-Encoding") &&
         request.has_header("Content-Length") == head.content_length.has_value() &&
         request.get_header_value_u64("Content-Length") == head.content_length.value_or(0);
}

// The library writes a part that is a parameter as ":name".
std::string pattern_of(std::string_view path) {
  std::string pattern(path.substr(0, path.find('{')));
  if (pattern.size() != path.size()) pattern += ":name";
  return pattern;
}

// The server of an address. The library may use it from several threads.
class HttpAnswers::Library final : public httplib::Server {
 public:
  explicit Library(Router& router) : router_(router) {
    for (const Router::Route& route : Router::routes()) {
      if (has_rest(route)) continue;
      const Handler handler = [this, &route](const httplib::Request& request,
                                             httplib::Response& response) {
        answer_by(route, request, response);
      };
      if (route.method == "POST") {
        Post(pattern_of(route.path), handler);
        continue;
      }
      Get(pattern_of(route.path), handler);
      if (route.area == Area::kApi)
        Options(pattern_of(route.path),
                [this, &route](const httplib::Request& request, httplib::Response& response) {
                  const Exchange& exchange = *exchange_of(request);
                  if (!exchange.is_alike) return;
                  response.user_data.set(kVisitor, exchange.head.visitor);
                  router_.answer_preflight(route, exchange.rules.access, request, response);
                });
    }
    // The library's patterns have no rest of a path, unless a regular expression goes through it.
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      const Router::Route* const route = Router::route_of(request.path);
      const bool is_here =
          route != nullptr && has_rest(*route) && exchange_of(request)->head.visitor.only_reads;
      if (is_here) answer_by(*route, request, response);
      return is_here ? HandlerResponse::Handled : HandlerResponse::Unhandled;
    });
    set_exception_handler([this](const httplib::Request& request, httplib::Response& response,
                                 const std::exception_ptr&) {
      router_.count_bad_request(500);
      response.headers.clear();
      respond_error(response, request.path, 500, "internal error");
    });
    // Comes to every answer from 400 on; those of handlers have a type.
    set_error_handler([this](const httplib::Request& request, httplib::Response& response) {
      const Exchange* const exchange = exchange_of(request);
      if (exchange == nullptr || !exchange->is_alike || response.has_header("Content-Type")) return;
      response.user_data.set(kVisitor, exchange->head.visitor);
      router_.answer_elsewhere(exchange->rules.access, request, response);
    });
    set_post_routing_handler([](const httplib::Request& request, httplib::Response& response) {
      if (Exchange* const exchange = exchange_of(request)) finish(*exchange, response);
    });
  }

  // The head of the answer, if the library has read the text.
  std::string answer(std::string_view text, Exchange& exchange, bool is_last) {
    MemoryStream stream(text);
    bool closed = false;
    process_request(stream, {}, 0, {}, 0, is_last, closed,
                    [&](httplib::Request& request) { take_over(exchange, request); });
    return stream.take_head();
  }

 private:
  // Between reading and routing. From here on the request has only what our parser has read, so
  // that the library ignores a range, an expectation or a body, which is read and ignored.
  void take_over(Exchange& exchange, httplib::Request& request) const {
    const RequestHead& head = exchange.head;
    exchange.was_read = true;
    exchange.is_alike = exchange.has_fields
                            ? reads_alike(head, request)
                            : request.method == head.method && request.target == head.target;
    request.response_handler = ExchangeOf{&exchange};
    // No character before the path can be encoded.
    if (exchange.has_fields) request.path.erase(0, head.authority);
    request.path = router_.route_path(request.path.empty() ? "/" : request.path);
    request.ranges.clear();
    request.headers.clear();
    const std::pair<const char*, std::string> fields[] = {
        {"Host", head.visitor.host},
        {"Accept", head.accept},
        {"Accept-Encoding", head.accept_encoding},
        {"If-None-Match", head.if_none_match},
        {"Last-Event-ID", head.last_event_id.value_or("")}};
    for (const auto& [name, value] : fields)
      if (!value.empty()) request.headers.emplace(name, value);
  }

  void answer_by(const Router::Route& route, const httplib::Request& request,
                 httplib::Response& response) {
    const Exchange& exchange = *exchange_of(request);
    if (!exchange.is_alike) return;
    response.user_data.set(kVisitor, exchange.head.visitor);
    router_.answer(route, exchange.rules.access, request, response);
  }

  // Of an answer without an end.
  static void end_with_connection(httplib::Response& response) {
    response.headers.erase("Content-Length");
    response.headers.erase("Connection");
    response.set_header("Connection", "close");
  }

  // The library's own words about the connection and about ranges don't hold here.
  static void finish(Exchange& exchange, httplib::Response& response) {
    if (auto* const body = response.user_data.get<SharedText>(kBody))
      exchange.body = std::move(*body);
    if (auto* const stream = response.user_data.get<std::shared_ptr<AnswerStream>>(kStream)) {
      exchange.stream = std::move(*stream);
      end_with_connection(response);
    }
    exchange.is_scrape = response.user_data.get<bool>(kScrape) != nullptr;
    response.headers.erase("Keep-Alive");
    // It would have to be that of the answer that isn't sent; and 204 never has one.
    if (response.status == 304 || response.status == 204) response.headers.erase("Content-Length");
    // That of an answer that isn't made for a HEAD request is unknown.
    if (exchange.head.method == "HEAD" && response.status == 200 &&
        response.get_header_value("Content-Length") == "0")
      response.headers.erase("Content-Length");
    response.set_header("Date", http_date(std::chrono::system_clock::now()));
    response.headers.erase("Accept-Ranges");
    response.set_header("Accept-Ranges", "none");
    // A handler's are kept, unless the configuration has others.
    for (const auto& [name, value] : exchange.rules.headers) response.headers.erase(name);
    for (const auto& [name, value] : headers_of_all(exchange.rules))
      if (!response.has_header(name)) response.set_header(name, value);
  }

  Router& router_;
};

HttpAnswers::HttpAnswers(Router& router, AnswerRules rules)
    : router_(router),
      rules_(std::make_shared<const AnswerRules>(std::move(rules))),
      library_(std::make_unique<Library>(router)) {}

HttpAnswers::~HttpAnswers() = default;

void HttpAnswers::change_rules(AnswerRules rules) {
  auto changed = std::make_shared<const AnswerRules>(std::move(rules));
  const std::lock_guard lock(mutex_);
  rules_.swap(changed);
}

HttpAnswers::SharedRules HttpAnswers::rules() const {
  const std::lock_guard lock(mutex_);
  return rules_;
}

// The library may refuse a request before any callback because of fields that decide nothing here:
// a list in Accept that it finds odd, a range, HTTP/1.2. Such a request is answered by its target
// alone.
Answer HttpAnswers::answer(const RequestHead& request, bool is_last) {
  const auto begun = std::chrono::steady_clock::now();
  const SharedRules rules = this->rules();
  Exchange exchange{.head = request, .rules = *rules};
  Answer answer;
  answer.head = library_->answer(request.text, exchange, is_last);
  if (!exchange.was_read) {
    exchange.has_fields = false;
    const std::string target = request.method + ' ' + request.target + " HTTP/1.1\r\n\r\n";
    answer.head = library_->answer(target, exchange, is_last);
  }
  if (!exchange.is_alike)
    return refuse({.status = 400,
                   .reason = "the request head is ambiguous",
                   .without_body = request.method == "HEAD"});
  answer.closes = answer.head.contains(kCloses);
  if (request.method != "HEAD") {
    answer.body = std::move(exchange.body);
    answer.stream = std::move(exchange.stream);
    if (exchange.is_scrape)
      answer.scrape = Answer::Scrape{.time = std::chrono::steady_clock::now() - begun,
                                     .bytes = answer.body.size()};
  }
  return answer;
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
    answer.head += "Retry-After: " + std::to_string(kRetryAfterSeconds) + "\r\n";
  if (refusal.status == 401) answer.head += "WWW-Authenticate: Basic\r\n";
  for (const auto& [name, value] : headers_of_all(*rules()))
    answer.head += name + ": " + value + "\r\n";
  answer.head += "\r\n";
  if (!refusal.without_body) answer.head += text;
  return answer;
}

// English in every locale, unlike strftime.
std::string http_date(std::chrono::system_clock::time_point time) {
  constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(seconds - day);
  std::array<char, 40> text;
  const int length = std::snprintf(
      text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT",
      kDays[std::chrono::weekday(day).c_encoding()], static_cast<unsigned>(date.day()),
      kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace winperf
