#include "exporter/http/http_server.h"

// Only this file includes the header, because it takes long to compile.
#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "exporter/http/listen_socket.h"

namespace winperf {
namespace {

// Long bodies are written in pieces, because stop() takes effect between two of them.
constexpr std::size_t kPieceBytes = 16 * 1024;
// A body up to this length goes out together with the headers, even if the server is closed
// meanwhile.
constexpr std::size_t kWholeBytes = 4 * 1024;

std::string without_brackets(std::string address) {
  const bool bracketed = address.size() > 2 && address.front() == '[' && address.back() == ']';
  return bracketed ? address.substr(1, address.size() - 2) : address;
}

Request to_request(const httplib::Request& from) {
  Request request;
  request.method = from.method;
  request.path = from.path;
  request.query.assign(from.params.begin(), from.params.end());
  request.accept_encoding = from.get_header_value("Accept-Encoding");
  request.from_page = from.has_header("Origin");
  return request;
}

// The requests that are being answered: each holds a ticket until its response has gone out.
class InFlight {
 public:
  using Ticket = std::shared_ptr<const void>;

  Ticket enter() {
    const std::lock_guard lock(mutex_);
    ++count_;
    return Ticket(this, [this](const void*) { leave(); });
  }

  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

  void wait_for_none(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    none_.wait_for(lock, timeout, [this] { return count_ == 0; });
  }

 private:
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0) none_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable none_;
  std::size_t count_ = 0;
};

// The connections that are being served. After close() none of them waits for its client any
// longer. A timeout alone can't achieve that, because every byte that trickles in restarts it.
class Connections {
 public:
  void add(NativeSocket connection) {
    const std::lock_guard lock(mutex_);
    open_.insert(connection);
    ++count_;
    if (closed_) stop_receiving(connection);
  }

  // Call before closing it: then its number may become another connection's.
  void remove(NativeSocket connection) {
    const std::lock_guard lock(mutex_);
    open_.erase(connection);
  }

  void count_closed() {
    const std::lock_guard lock(mutex_);
    --count_;
    fewer_.notify_all();
  }

  // Waits until only the connections of these requests are left.
  void wait_for_all_but(const InFlight& requests, std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    fewer_.wait_for(lock, timeout, [&] { return count_ <= requests.count(); });
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const NativeSocket connection : open_) stop_receiving(connection);
  }

 private:
  std::mutex mutex_;
  std::condition_variable fewer_;
  std::set<NativeSocket> open_;
  std::size_t count_ = 0;  // including those that are being closed
  bool closed_ = false;
};

// The library's server doesn't tell which connections it has, so this one keeps track of them.
class ConnectionServer final : public httplib::Server {
 public:
  void end_connections() { connections_.close(); }
  Connections& connections() { return connections_; }

 private:
  bool process_and_close_socket(socket_t socket) override {
    const auto connection = static_cast<NativeSocket>(socket);
    connections_.add(connection);
    const bool served = process(socket);
    connections_.remove(connection);
    httplib::detail::shutdown_socket(socket);
    httplib::detail::close_socket(socket);
    connections_.count_closed();
    return served;
  }

  bool process(socket_t socket) {
    std::string remote;
    std::string local;
    int remote_port = 0;
    int local_port = 0;
    httplib::detail::get_remote_ip_and_port(socket, remote, remote_port);
    httplib::detail::get_local_ip_and_port(socket, local, local_port);
    return httplib::detail::process_server_socket(
        svr_sock_, socket, keep_alive_max_count_, keep_alive_timeout_sec_, read_timeout_sec_,
        read_timeout_usec_, write_timeout_sec_, write_timeout_usec_,
        [&](httplib::Stream& stream, bool last, bool& closed) {
          return process_request(stream, remote, remote_port, local, local_port, last, closed, {});
        });
  }

  Connections connections_;
};

}  // namespace

std::string authority_of(const std::string& address, int port) {
  const bool ipv6 = address.find(':') != std::string::npos;
  return (ipv6 ? '[' + address + ']' : address) + ':' + std::to_string(port);
}

std::optional<std::string> cannot_listen(const std::string& address, int port) {
  const std::string host = without_brackets(address);
  const auto reason = find_bind_failure(host, port);
  if (!reason) return std::nullopt;
  return "cannot listen on " + authority_of(host, port) + ": " + *reason;
}

class HttpServer::Impl {
 public:
  Impl(Router& router, HttpServerOptions options) : router_(router), options_(std::move(options)) {
    options_.address = without_brackets(std::move(options_.address));
    configure();
    route();
  }

  std::expected<void, std::string> start() {
    if (!server_.is_valid())
      return std::unexpected(std::string("the HTTP server could not be set up"));
    const bool bound = options_.port == 0 ? bind_to_any_port() : bind_to_port();
    if (!bound) {
      return std::unexpected(cannot_listen(options_.address, options_.port)
                                 .value_or("cannot listen on " + authority(options_.port) +
                                           ": the system gave no reason"));
    }
    thread_ = std::thread([this] { listen(); });
    server_.wait_until_ready();
    return {};
  }

  void drain(std::chrono::milliseconds timeout) {
    draining_ = true;
    in_flight_.wait_for_none(timeout);
  }

  bool is_idle() const { return in_flight_.count() == 0; }

  void close(std::chrono::milliseconds timeout) {
    close();
    server_.connections().wait_for_all_but(posts_, timeout);
  }

  void stop() {
    stopping_ = true;
    close();
    server_.end_connections();
    if (thread_.joinable()) thread_.join();
  }

  int port() const { return port_; }

  std::string authority(int port) const { return authority_of(options_.address, port); }

 private:
  // httplib::Server::stop() must not be called twice.
  void close() {
    if (!std::exchange(closed_, true)) server_.stop();
  }

  void configure() {
    server_.set_tcp_nodelay(true);
    server_.set_payload_max_length(options_.payload_bytes);
    server_.set_read_timeout(options_.read_timeout);
    server_.set_write_timeout(options_.write_timeout);
    server_.set_keep_alive_timeout(options_.keep_alive_timeout.count());
    server_.set_keep_alive_max_count(options_.keep_alive_requests);
    server_.new_task_queue = [threads = options_.threads, queue = options_.queue] {
      return new httplib::ThreadPool(threads, threads, queue);
    };
    server_.set_socket_options(
        [](socket_t socket) { prepare_listen_socket(static_cast<NativeSocket>(socket)); });
  }

  void route() {
    // This runs before the library's own routing, and so before it reads a body: no route needs
    // one.
    server_.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
      respond(from, to);
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_exception_handler(
        [this](const httplib::Request&, httplib::Response& to, const std::exception_ptr&) {
          router_.count_bad_request(500);
          to.status = 500;
          to.set_content("internal error\n", "text/plain; charset=utf-8");
        });
    // Requests that the library itself refuses have no content type yet; all of the router's
    // responses do.
    server_.set_error_handler([this](const httplib::Request&, httplib::Response& to) {
      if (to.has_header("Content-Type")) return;
      router_.count_bad_request(to.status);
      to.set_content(std::string(httplib::status_message(to.status)) + "\n",
                     "text/plain; charset=utf-8");
    });
  }

  void respond(const httplib::Request& from, httplib::Response& to) {
    const InFlight::Ticket ticket = (from.method == "POST" ? posts_ : in_flight_).enter();
    Response response = router_.handle(to_request(from));
    // The library sends the requested range whatever the status is, but 206 is the one that says
    // so.
    const bool is_part = from.method == "GET" && !from.ranges.empty() && response.status == 200;
    to.status = is_part ? 206 : response.status;
    for (auto& [name, value] : response.headers) to.set_header(name, value);
    set_body(to, std::move(response), ticket);
  }

  // A long or compressed body is streamed: the library might compress a plain one again. But once
  // the server is closed, the library no longer begins to stream. If draining has not begun,
  // drain() waits for our ticket, and we may stream. Otherwise close() may run first, so the body
  // is sent in one piece.
  void set_body(httplib::Response& to, Response response, const InFlight::Ticket& ticket) {
    const bool is_short = response.body.size() <= kWholeBytes;
    if (draining_ || (is_short && !to.has_header("Content-Encoding"))) {
      to.set_content(std::move(response.body), response.content_type);
      return;
    }
    const auto body = std::make_shared<const std::string>(std::move(response.body));
    to.set_content_provider(
        body->size(), response.content_type,
        [this, body, ticket](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
          return write_pieces(std::string_view(*body).substr(offset, length), sink);
        });
  }

  bool write_pieces(std::string_view text, httplib::DataSink& sink) const {
    while (!text.empty() && !stopping_) {
      const std::string_view piece = text.substr(0, kPieceBytes);
      if (!sink.write(piece.data(), piece.size())) return false;
      text.remove_prefix(piece.size());
    }
    return text.empty();
  }

  bool bind_to_any_port() {
    port_ = server_.bind_to_any_port(options_.address);
    return port_ > 0;
  }

  bool bind_to_port() {
    if (!server_.bind_to_port(options_.address, options_.port)) return false;
    port_ = options_.port;
    return true;
  }

  // Throws if the pool gets no threads; the program can't continue without them.
  void listen() noexcept { server_.listen_after_bind(); }

  Router& router_;
  HttpServerOptions options_;
  InFlight in_flight_;  // all but POST
  InFlight posts_;
  std::atomic<bool> draining_ = false;
  std::atomic<bool> stopping_ = false;
  bool closed_ = false;
  ConnectionServer server_;
  std::thread thread_;
  int port_ = 0;
};

HttpServer::HttpServer(Router& router, HttpServerOptions options)
    : impl_(std::make_unique<Impl>(router, std::move(options))) {}

HttpServer::~HttpServer() { impl_->stop(); }

std::expected<void, std::string> HttpServer::start() { return impl_->start(); }

void HttpServer::drain(std::chrono::milliseconds timeout) { impl_->drain(timeout); }

bool HttpServer::is_idle() const { return impl_->is_idle(); }

void HttpServer::close(std::chrono::milliseconds timeout) { impl_->close(timeout); }

void HttpServer::stop() { impl_->stop(); }

int HttpServer::port() const { return impl_->port(); }

std::string HttpServer::url() const { return "http://" + impl_->authority(impl_->port()) + '/'; }

}  // namespace winperf
