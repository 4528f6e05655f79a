#include "service/run/protection.h"

#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/wording.h"
#include "exporter/auth/password_hash.h"
#include "service/run/key_file.h"

namespace winperf {

std::expected<LoadedWeb, std::string> load_web(const WebConfig& config) {
  LoadedWeb web{.config = config};
  if (!config.has_tls()) return web;
  auto material = read_material(config.tls);
  if (!material) return std::unexpected(std::move(material).error());
  web.material = *std::move(material);
  return web;
}

std::expected<Protection, std::string> protection_of(const LoadedWeb& web) {
  Protection protection;
  if (web.config.has_tls()) {
    auto tls = TlsContext::make(web.config.tls, web.material);
    if (!tls) return std::unexpected(std::move(tls).error());
    protection.tls = *std::move(tls);
  }
  if (!web.config.users.empty() && !can_check_passwords())
    return std::unexpected(
        "basic_auth_users cannot be used, because this build cannot check passwords");
  for (const UserConfig& user : web.config.users)
    protection.door.users.push_back({.name = user.name, .hash = user.password_hash});
  protection.door.interval = web.config.rate_limit.interval;
  protection.door.burst = web.config.rate_limit.burst;
  return protection;
}

std::expected<Protection, std::string> protection_of(const WebConfig& config) {
  const auto web = load_web(config);
  if (!web) return std::unexpected(web.error());
  return protection_of(*web);
}

std::optional<std::string> protection_problem(const Config& config) {
  for (const ListenConfig& where : config.listen)
    if (const auto good = protection_of(where.web); !good)
      return "cannot serve " + authority_of(where.address, where.port) + ": " + good.error();
  return std::nullopt;
}

std::vector<std::string> protection_notices(const WebConfig& config,
                                            const std::string& written_in) {
  std::vector<std::string> notices = web_notices(config);
  const PemSource& source = config.tls.key;
  const std::string& key = source.text.empty() ? source.file : written_in;
  if (key.empty()) return notices;
  const auto readers = who_else_reads(path_of(key));
  if (!readers)
    notices.push_back("who can read " + key +
                      ", which holds a private key, cannot be determined: " + readers.error());
  else if (!readers->empty())
    notices.push_back(key + " holds a private key, but can be read by " + joined(*readers, ", ") +
                      "; allow only administrators and the account of the service to read it");
  return notices;
}

std::vector<std::string> validity_notices(const Protection& protection,
                                          std::chrono::sys_seconds now) {
  if (protection.tls == nullptr) return {};
  return certificate_notices(protection.tls->certificates(), now);
}

std::vector<std::pair<std::string, std::string>> headers_of(const HeaderConfig& config) {
  std::vector<std::pair<std::string, std::string>> headers;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) headers.emplace_back(name, value);
  };
  add("Content-Security-Policy", config.content_security_policy);
  add("Strict-Transport-Security", config.strict_transport_security);
  add("X-XSS-Protection", config.xss_protection);
  if (config.content_type_options) add("X-Content-Type-Options", "nosniff");
  if (config.frame_options)
    add("X-Frame-Options", config.frame_options == FrameOptions::kDeny ? "deny" : "sameorigin");
  return headers;
}

}  // namespace winperf
