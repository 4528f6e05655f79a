#include "exporter/tls/tls_material.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"

namespace winperf {
namespace {

using std::chrono::sys_seconds;

std::string two_digits(long long value) { return (value < 10 ? "0" : "") + std::to_string(value); }

std::string written(sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return std::to_string(static_cast<int>(date.year())) + '-' +
         two_digits(static_cast<unsigned>(date.month())) + '-' +
         two_digits(static_cast<unsigned>(date.day())) + ' ' + two_digits(clock.hours().count()) +
         ':' + two_digits(clock.minutes().count()) + " UTC";
}

std::string left(sys_seconds now, sys_seconds end) {
  const auto days = std::chrono::floor<std::chrono::days>(end - now).count();
  if (days == 0) return "within a day";
  return "in " + std::to_string(days) + (days == 1 ? " day" : " days");
}

std::optional<std::string> notice_of(const CertificateDates& one, sys_seconds now) {
  const std::string name = one.file + ": the certificate of " + one.subject;
  const std::string harm = one.signs_clients
                               ? "no client's certificate that it has signed is let in"
                               : "clients that verify it refuse the connection";
  if (now < one.begins)
    return name + " is not valid before " + written(one.begins) + ": until then " + harm +
           ". Check this machine's clock, or put another one in its place";
  if (now > one.ends)
    return name + " has expired on " + written(one.ends) + ": " + harm +
           ". Put a new one in its place";
  if (one.ends - now < kCertificateNotice)
    return name + " expires on " + written(one.ends) + ", " + left(now, one.ends) +
           ": put a new one in its place, because afterwards " + harm;
  return std::nullopt;
}

}  // namespace

std::vector<std::string> certificate_notices(std::span<const CertificateDates> certificates,
                                             sys_seconds now) {
  std::vector<std::string> notices;
  const CertificateDates* signs_longest = nullptr;
  const auto add = [&](const CertificateDates& one) {
    if (auto notice = notice_of(one, now)) notices.push_back(*std::move(notice));
  };
  for (const CertificateDates& one : certificates) {
    if (!one.signs_clients)
      add(one);
    else if (signs_longest == nullptr || signs_longest->ends < one.ends)
      signs_longest = &one;
  }
  if (signs_longest != nullptr) add(*signs_longest);
  return notices;
}

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

std::expected<TlsText, std::string> text_of(const PemSource& source, const char* key) {
  if (source.file.empty()) return TlsText{.name = key, .text = source.text};
  const auto bytes = read_whole_file(path_of(source.file), kMostBytes);
  if (!bytes)
    return std::unexpected(std::string(key) + "_file can't be read: " + source.file + ": " +
                           bytes.error().reason);
  return TlsText{.name = source.file,
                 .text = {reinterpret_cast<const char*>(bytes->data()), bytes->size()}};
}

}  // namespace

std::expected<TlsMaterial, std::string> read_material(const TlsConfig& config) {
  TlsMaterial material;
  for (const auto& [source, key, text] :
       {std::tuple(&config.certificate, "cert", &material.certificate),
        std::tuple(&config.key, "key", &material.key),
        std::tuple(&config.client_ca, "client_ca", &material.client_ca)}) {
    auto read = text_of(*source, key);
    if (!read) return std::unexpected(std::move(read).error());
    *text = *std::move(read);
  }
  return material;
}

}  // namespace winperf
