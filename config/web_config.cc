#include "config/web_config.h"

#include <algorithm>
#include <string_view>

namespace winperf {
namespace {

constexpr std::string_view kHighestUsual = "14";

bool verifies(ClientAuth auth) {
  return auth == ClientAuth::kVerifyIfGiven || auth == ClientAuth::kRequireAndVerify;
}

}  // namespace

std::vector<std::string> web_notices(const WebConfig& web) {
  std::vector<std::string> notices;
  const TlsConfig& tls = web.tls;
  const auto notice = [&](bool applies, const char* sentence) {
    if (applies) notices.emplace_back(sentence);
  };
  notice(!web.users.empty() && !web.has_tls(),
         "passwords come without TLS, so that anyone on the way can read them");
  // "$2y$10$...": the two digits.
  notice(std::ranges::any_of(web.users,
                             [](const UserConfig& user) {
                               const std::string_view hash = user.password_hash;
                               return hash.size() > 6 && hash.substr(4, 2) > kHighestUsual;
                             }),
         "basic_auth_users has a hash with a cost above 14, so that comparing a password takes "
         "seconds or more, in which others wait; hash-password makes hashes with a cost of 10");
  notice(!web.has_tls() && tls != TlsConfig{},
         "tls_server_config names no certificate, so that nothing is encrypted");
  notice(tls.min_version < TlsVersion::k12,
         "min_version is older than TLS 1.2, the oldest version that is spoken");
  notice(verifies(tls.client_auth) && !tls.client_ca.is_given(),
         "client_auth_type verifies certificates, but without client_ca_file none is trusted");
  notice(tls.client_auth == ClientAuth::kNone && !tls.client_allowed_sans.empty(),
         "client_allowed_sans has no effect, because client_auth_type asks for no certificate");
  notice(web.http2.value_or(false),
         "http2 has no effect: HTTP/2 is not served, and clients use HTTP/1.1 instead");
  notice(web.rate_limit.interval.count() > 0 && web.rate_limit.burst == 0,
         "rate_limit has a burst of 0, so that no request is answered");
  return notices;
}

}  // namespace winperf
