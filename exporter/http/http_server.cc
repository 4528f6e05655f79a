#include "exporter/http/http_server.h"

#include <system_error>
#include <utility>

#include "collectors/base/system_text.h"

namespace winperf {

std::string authority_of(const std::string& address, int port) {
  const bool ipv6 = address.find(':') != std::string::npos;
  return (ipv6 ? '[' + address + ']' : address) + ':' + std::to_string(port);
}

std::expected<std::vector<Socket>, std::string> try_listening(const std::string& address, int port,
                                                              const DescribeOwners& describe_owners,
                                                              const AwaitPort& await_port) {
  auto sockets = listen_on(address, port, describe_owners, await_port);
  if (sockets) return sockets;
  return std::unexpected("cannot listen on " + authority_of(address, port) + ": " +
                         sockets.error());
}

HttpServer::HttpServer(Router& router, HttpServerOptions options)
    : router_(router), options_(std::move(options)), answers_(router, options_.rules) {
  for (const std::string_view reason : kShedReasonNames) router_.registry().count_shed(reason, 0);
}

std::expected<void, std::string> HttpServer::start() {
  auto listeners =
      try_listening(options_.address, options_.port, options_.describe_owners, options_.await_port);
  if (!listeners) return std::unexpected(listeners.error());
  port_ = local_port(listeners->front());
  try {
    front_ = std::make_unique<Front>(options_.front, answers_, static_cast<FrontObserver&>(*this),
                                     &door_);
    change_protection(std::exchange(options_.protection, {}));
    front_->start(*std::move(listeners));
  } catch (const std::system_error& error) {
    return std::unexpected("the HTTP server cannot start: " + exception_text(error));
  }
  return {};
}

void HttpServer::change_protection(Protection protection) {
  ExporterRegistry& registry = router_.registry();
  const std::string address = authority_of(options_.address, port_);
  if (protection.tls != nullptr) {
    registry.show_certificate(
        address, ExporterRegistry::Validity{protection.tls->begins(), protection.tls->expires()});
    for (const std::string_view failure : kTlsFailureNames)
      registry.count_handshake_failure(failure, 0);
  } else if (has_tls_) {
    registry.show_certificate(address, std::nullopt);
  }
  has_tls_ = protection.tls != nullptr;
  door_.change(std::move(protection.door));
  front_->change_tls(std::move(protection.tls));
}

void HttpServer::shed(ShedReason reason) { router_.registry().count_shed(name_of(reason)); }

void HttpServer::handshake_failed(TlsFailure failure) {
  router_.registry().count_handshake_failure(name_of(failure));
}

void HttpServer::has_sent(const SentAnswers& answers) { router_.registry().count_sent(answers); }

void HttpServer::load_changed(const HttpLoad& difference) {
  router_.registry().change_http_load(difference);
}

bool HttpServer::is_idle() const {
  if (front_ == nullptr) return true;
  const FrontCounts counts = front_->counts();
  return counts.requests + counts.posts == 0;
}

void HttpServer::retire(std::chrono::milliseconds timeout) {
  if (std::exchange(has_tls_, false))
    router_.registry().show_certificate(authority_of(options_.address, port_), std::nullopt);
  if (front_ != nullptr) front_->retire(timeout);
}

void HttpServer::close(std::chrono::milliseconds timeout) {
  if (front_ != nullptr) front_->close(timeout);
}

void HttpServer::stop(std::chrono::milliseconds timeout) {
  if (front_ != nullptr) front_->stop(timeout);
}

std::string HttpServer::url() const {
  return (has_tls_ ? "https://" : "http://") + authority_of(options_.address, port_) + '/';
}

}  // namespace winperf
