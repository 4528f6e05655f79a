// What a client sends to an address with TLS, in whatever pieces, and whether it ends or is sent
// again and again. Nothing of it is let in as a request unless a handshake has succeeded, which no
// fuzzer can make up; and a call returns however much there is.
#include <algorithm>
#include <array>

#include "exporter/tls/self_signed.h"
#include "exporter/tls/tls_session.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

class Pieces final : public Transport {
 public:
  // The client sends the first bytes, and then the others: once, or for ever.
  Pieces(std::string_view first, std::string_view others, std::size_t step, bool is_endless)
      : left_(first), others_(others), step_(step), is_endless_(is_endless) {}
  IoResult receive(std::span<char> buffer) override {
    ++received_;
    if (left_.empty()) {
      left_ = others_;
      if (!is_endless_) others_ = {};
    }
    const std::size_t count = std::min({buffer.size(), left_.size(), step_});
    if (count == 0) return {.state = IoState::kEnded};
    left_.copy(buffer.data(), count);
    left_.remove_prefix(count);
    return {.state = IoState::kMoved, .bytes = count};
  }
  IoResult send(std::string_view bytes) override {
    sent_ += bytes.size();
    return {.state = IoState::kMoved, .bytes = bytes.size()};
  }
  std::size_t sent() const { return sent_; }
  std::size_t received() const { return received_; }  // calls

 private:
  std::string_view left_;
  std::string_view others_;
  std::size_t step_;
  bool is_endless_;
  std::size_t received_ = 0;
  std::size_t sent_ = 0;
};

std::shared_ptr<TlsContext> context() {
  static const auto made = [] {
    const auto pair = make_self_signed({.hosts = {"localhost"}},
                                       std::chrono::sys_seconds(std::chrono::days(20'000)));
    TlsConfig config;
    config.certificate.text = pair->certificate;
    config.key.text = pair->key;
    config.client_auth = ClientAuth::kRequest;
    return *TlsContext::make(config, *read_material(config));
  }();
  return made;
}

// The hello of a client, which speaks at most this version (as a second byte: 3 is TLS 1.2). The
// one of TLS 1.3 has no key yet, so the server asks for one.
std::string hello(char version) {
  constexpr unsigned char kHello[] = {
      0x16, 0x03, 0x01, 0x00, 0x5c, 0x01, 0x00, 0x00, 0x58, 0x03, 0x03, 1,    2,    3,
      4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,   16,   17,
      18,   19,   20,   21,   22,   23,   24,   25,   26,   27,   28,   29,   30,   31,
      32,   0x00, 0x00, 0x04, 0xc0, 0x2b, 0x13, 0x01, 0x01, 0x00, 0x00, 0x2b, 0x00, 0x0a,
      0x00, 0x04, 0x00, 0x02, 0x00, 0x17, 0x00, 0x0b, 0x00, 0x02, 0x01, 0x00, 0x00, 0x0d,
      0x00, 0x06, 0x00, 0x04, 0x04, 0x03, 0x08, 0x04, 0x00, 0x2b, 0x00, 0x05, 0x04, 0x03,
      0x04, 0x03, 0x03, 0x00, 0x2d, 0x00, 0x02, 0x01, 0x01, 0x00, 0x17, 0x00, 0x00};
  constexpr std::size_t kVersion = 84;
  std::string text(reinterpret_cast<const char*>(kHello), sizeof kHello);
  text[kVersion] = version;
  return text;
}

void meet(std::string_view first, std::string_view others, std::size_t step, bool is_endless) {
  Pieces pieces(first, others, step, is_endless);
  TlsSession session(context());
  std::array<char, 256> buffer{};
  IoResult result{.state = IoState::kLater};
  std::size_t calls = 0;
  while (result.state == IoState::kLater) {
    const std::size_t before = pieces.received();
    result = session.read(pieces, buffer);
    require(pieces.received() - before <= 100, "a call returns");
    require(++calls <= 1000, "it ends, whether the client does or not");
  }
  require(result.state == IoState::kBroken, "nobody is let in");
  require(session.failure().has_value(), "there is a reason");
  require(pieces.sent() < 64 * 1024, "little is answered");
}

}  // namespace

std::vector<Input> seeds() {
  const auto input = [](std::string_view text) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    return Input(bytes, bytes + text.size());
  };
  return {input(hello(4)),
          input(hello(3)),
          input("GET /metrics HTTP/1.1\r\n\r\n"),
          // An alert.
          {std::byte{0x15}, std::byte{3}, std::byte{3}, std::byte{0}, std::byte{2}, std::byte{2},
           std::byte{40}},
          // A warning, and a change of the cipher, both of which the library passes over.
          {std::byte{0x15}, std::byte{3}, std::byte{3}, std::byte{0}, std::byte{2}, std::byte{1},
           std::byte{90}},
          {std::byte{0x14}, std::byte{3}, std::byte{3}, std::byte{0}, std::byte{1}, std::byte{1}},
          // A record of an old version.
          {std::byte{0x80}, std::byte{46}, std::byte{1}, std::byte{3}, std::byte{1}}};
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input input = fuzz::copy_of(data, size);
  const std::string_view bytes(reinterpret_cast<const char*>(input.data()), input.size());
  for (const std::size_t step : {std::size_t{1} << 20, std::size_t{3}})
    fuzz::meet({}, bytes, step, false);
  if (bytes.empty()) return 0;
  fuzz::meet({}, bytes, std::size_t{1} << 20, true);
  // A whole handshake takes long, so only what is short enough to be repeated often follows one.
  if (bytes.size() <= 16) fuzz::meet(fuzz::hello(3), bytes, std::size_t{1} << 20, true);
  return 0;
}
