// What the values of a web configuration mean to each other.
#include <algorithm>

#include "collectors/base/wording.h"
#include "config/checker.h"
#include "config/value_error.h"
#include "config/web_options.h"

namespace winperf {
namespace {

constexpr std::string_view kTlsSection = "tls_server_config";

// As it is written in a file of its own.
std::string without_section(std::string message) {
  const std::string prefix = std::string("\"") + std::string(kWebSection);
  for (std::size_t at = message.find(prefix); at != message.npos; at = message.find(prefix)) {
    if (message.compare(at + prefix.size(), 1, ".") == 0)
      message.erase(at + 1, prefix.size());
    else
      message.replace(at, prefix.size() + 1, "the file");
  }
  return message;
}

// "cert_file" and "cert": one text from a file, or as it is.
struct PemKeys {
  const char* file;
  const char* text;
};

}  // namespace

void Checker::check_web_file(const Document& document) {
  errors_ = document.duplicates;
  const Node& root = document.root;
  if (root.kind == NodeKind::kMap) {
    check_keys(kWebSection, root);
    if (errors_.empty()) check_web(root);
  } else if (root.kind != NodeKind::kNull) {
    // What is there instead may be a password.
    complain(root.offset,
             "a web configuration must be an object: write, for example, tls_server_config: "
             "{cert_file: server.crt, key_file: server.key}");
  }
  for (TextError& error : errors_) error.message = without_section(std::move(error.message));
  std::ranges::stable_sort(errors_, {}, &TextError::offset);
}

void Checker::check_web(const Node& web) {
  if (web.kind != NodeKind::kMap) return;
  const Node* const tls = child_of(web, kTlsSection);
  if (tls != nullptr && tls->kind == NodeKind::kMap)
    check_tls(*tls, scope_.draft.config.listen.back().web.tls);
}

void Checker::check_tls(const Node& tls, const TlsConfig& config) {
  const std::string name = in_quotes(std::string(kWebSection) + '.' + std::string(kTlsSection));
  const auto check_one = [&](const PemSource& source, const PemKeys& keys, bool is_needed) {
    if (!source.file.empty() && !source.text.empty())
      complain(tls.offset, name + " has both " + keys.file + " and " + keys.text + ": remove one");
    if (is_needed && !source.is_given())
      complain(tls.offset,
               name + " lacks " + keys.file + ", without which there is no TLS: write its name");
  };
  const bool wants_tls = config.certificate.is_given() || config.key.is_given() ||
                         config.client_ca.is_given() || config.client_auth != ClientAuth::kNone;
  check_one(config.certificate, {"cert_file", "cert"}, wants_tls);
  check_one(config.key, {"key_file", "key"}, wants_tls);
  check_one(config.client_ca, {"client_ca_file", "client_ca"}, false);
  if (config.client_ca.is_given() && config.client_auth == ClientAuth::kNone)
    complain(tls.offset, name +
                             " has certificates for clients, but asks for none: write "
                             "client_auth_type: RequireAndVerifyClientCert");
  const Node* const newest = child_of(tls, "max_version");
  if (newest == nullptr) return;
  const std::string key = name.substr(0, name.size() - 1) + ".max_version\"";
  if (config.max_version < TlsVersion::k12)
    complain(newest->offset, key +
                                 " is older than TLS 1.2, the oldest version that is spoken: "
                                 "write TLS12 or TLS13");
  else if (config.max_version < config.min_version)
    complain(newest->offset,
             key + " is older than min_version, so that nothing is left: write TLS13");
}

}  // namespace winperf
