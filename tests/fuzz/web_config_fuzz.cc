// A web configuration, as people write it and tools change it. Whatever is in it: it is valid or
// refused at a place in it, no message repeats what may be a secret, and texts of PEM are used or
// refused.
#include <string>

#include "config/config.h"
#include "exporter/tls/tls_context.h"
#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {
namespace {

// Something that no message has of its own accord, where secrets are.
constexpr std::string_view kSecret = "zQ9zQ9zQ9";

Input bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

// The values of the seeds, which mutations carry to other places.
bool has_secret_value(std::string_view text) {
  return text.find(": '" + std::string(kSecret)) != std::string_view::npos;
}

void use(WebConfig web) {
  (void)web_notices(web);
  for (PemSource* const source : {&web.tls.certificate, &web.tls.key, &web.tls.client_ca})
    source->file.clear();
  if (!web.has_tls()) return;
  const auto material = read_material(web.tls);
  require(material.has_value(), "texts are there");
  const auto context = TlsContext::make(web.tls, *material);
  require(context || context.error().find(kSecret) == std::string::npos, "a text stays secret");
}

}  // namespace

std::vector<Input> seeds() {
  return {bytes_of("tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n"
                   "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.crt\n"
                   "  client_allowed_sans: [a, b]\n  min_version: TLS12\n  max_version: TLS13\n"
                   "  cipher_suites:\n  - TLS_AES_128_GCM_SHA256\n  curve_preferences: [X25519]\n"),
          bytes_of("tls_server_config:\n  cert: |\n    -----BEGIN CERTIFICATE-----\n    AAAA\n"
                   "    -----END CERTIFICATE-----\n  key: 'zQ9zQ9zQ9'\n"),
          bytes_of("basic_auth_users:\n"
                   "  al: $2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi\n"),
          bytes_of("basic_auth_users: {al: 'zQ9zQ9zQ9'}\n"),
          bytes_of("http_server_config: {http2: true, headers: {X-Frame-Options: deny, "
                   "Strict-Transport-Security: max-age=1}}\nrate_limit: {interval: 1s, burst: 2}")};
}

}  // namespace winperf::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace winperf;
  const fuzz::Input input = fuzz::copy_of(data, size);
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  const auto web = parse_web_config(text, "web.yml");
  if (web) {
    fuzz::use(*web);
    return 0;
  }
  fuzz::require(!web.error().empty(), "a refusal has a reason");
  const bool is_value = fuzz::has_secret_value(text);
  for (const ConfigError& error : web.error()) {
    fuzz::require(error.line <= text.size() + 1, "the place is in the text");
    const bool is_of_a_secret = error.message.contains("basic_auth_users\" has no bcrypt") ||
                                error.message.contains(".key\"");
    fuzz::require(!is_value || !is_of_a_secret || !error.message.contains("zQ9zQ9zQ9"),
                  "a secret is not repeated");
  }
  return 0;
}
