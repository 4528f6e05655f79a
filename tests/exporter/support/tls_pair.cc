#include "tests/exporter/support/tls_pair.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace winperf::testing {

const Certificate& authority() {
  static const Certificate made = signed_by_itself({.name = "authority", .is_authority = true});
  return made;
}

const Certificate& server_certificate(KeyKind kind) {
  const auto make = [](KeyKind of) {
    return signed_by(authority(), "authority", {.dns_names = {"localhost"}, .kind = of});
  };
  if (kind == KeyKind::kRsa) {
    static const Certificate rsa = make(KeyKind::kRsa);
    return rsa;
  }
  static const Certificate curve = make(KeyKind::kCurve);
  return curve;
}

Certificate client_certificate(CertificateOrder order) {
  order.name = "client";
  const bool has_name = !order.dns_names.empty() || !order.address.empty() || !order.mail.empty() ||
                        !order.uri.empty();
  if (!has_name) order.dns_names = {"prometheus.example.com"};
  return signed_by(authority(), "authority", order);
}

std::shared_ptr<TlsContext> context_of(TlsConfig config, KeyKind kind) {
  config.certificate.text = server_certificate(kind).pem;
  config.key.text = server_certificate(kind).key;
  if (config.client_auth == ClientAuth::kVerifyIfGiven ||
      config.client_auth == ClientAuth::kRequireAndVerify)
    config.client_ca.text = authority().pem;
  const auto material = read_material(config);
  if (!material) throw std::runtime_error(material.error());
  auto context = TlsContext::make(config, *material);
  if (!context) throw std::runtime_error(context.error());
  return *context;
}

IoResult TlsPair::read() {
  std::array<char, 16 * 1024> buffer{};
  const IoResult got = session.read(transport, buffer);
  if (got.state == IoState::kMoved) received.append(buffer.data(), got.bytes);
  return got;
}

bool TlsPair::connect() {
  for (int i = 0; i < 50; ++i) {
    peer.step();
    if (read().state == IoState::kBroken) break;
  }
  peer.step();
  return peer.is_open() && !session.is_shaking_hands() && !session.failure();
}

IoResult EndlessTransport::receive(std::span<char> buffer) {
  ++receives;
  for (char& byte : buffer) byte = bytes_[given++ % bytes_.size()];
  return {.state = IoState::kMoved, .bytes = buffer.size()};
}

IoResult EndlessTransport::send(std::string_view bytes) {
  return {.state = IoState::kMoved, .bytes = bytes.size()};
}

}  // namespace winperf::testing
