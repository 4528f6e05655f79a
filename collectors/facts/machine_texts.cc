#include "collectors/facts/machine_texts.h"

#include <algorithm>
#include <cmath>

#include "collectors/base/ascii.h"
#include "collectors/base/clock.h"
#include "collectors/base/hex.h"
#include "collectors/base/wording.h"

namespace winperf {
std::string_view logon_type_name(std::uint32_t type) {
  // There is no type 1.
  if (type == 1) return {};
  return StateNames{kLogonTypes}(type == 0 ? type : type - 1);
}

void put_known(FactRow& row, std::string_view field, std::string_view text) {
  if (!text.empty()) row.text(field, text);
}

void put_known(FactRow& row, std::string_view field, std::optional<double> number) {
  if (number) row.number(field, *number);
}

std::string_view process_label(std::string_view file_name) {
  constexpr std::string_view kExtension = ".exe";
  if (file_name.size() <= kExtension.size()) return file_name;
  const std::size_t stem = file_name.size() - kExtension.size();
  return equal_names(file_name.substr(stem), kExtension) ? file_name.substr(0, stem) : file_name;
}

std::string session_label(std::string_view session_name) {
  std::string label(session_name);
  std::ranges::replace(label, '#', ' ');
  return label;
}

std::string task_label(std::string_view path) {
  std::string label(path);
  std::ranges::replace(label, '\\', '/');
  return label;
}

std::string account_label(std::string_view domain, std::string_view account) {
  if (domain.empty() || account.empty()) return std::string(account);
  return std::string(domain) + '\\' + std::string(account);
}

namespace {

constexpr auto kUnixEpoch = static_cast<std::uint64_t>(kUnixEpoch100ns);
constexpr auto kUnitsPerSecond = static_cast<std::uint64_t>(kTicks100nsPerSecond);
constexpr std::uint64_t kLastFileTime = 2'650'467'743'990'000'000;  // 31 December 9999, 23:59:59
constexpr double kFirstDate = 36'526;                               // 1 January 2000
constexpr double kEndOfDates = 2'958'466;                           // 1 January 10000
constexpr std::uint64_t kSecondsPerDay = 86'400;
constexpr std::uint64_t kFileTimeEpochDays = 109'205;  // from 1 January 1601 to 30 December 1899

}  // namespace

std::optional<double> unix_seconds(std::uint64_t file_time) {
  if (file_time <= kUnixEpoch || file_time > kLastFileTime) return std::nullopt;
  return unix_seconds(Ticks100ns{static_cast<std::int64_t>(file_time)});
}

std::optional<std::uint64_t> file_time_of_date(double days) {
  if (!(days >= kFirstDate && days < kEndOfDates)) return std::nullopt;  // not a number neither
  const auto seconds =
      static_cast<std::uint64_t>(std::llround(days * static_cast<double>(kSecondsPerDay)));
  return (seconds + kFileTimeEpochDays * kSecondsPerDay) * kUnitsPerSecond;
}

namespace {

constexpr std::uint32_t kFirstBuildOfWindows11 = 22'000;
constexpr std::string_view kWindows10 = "Windows 10";

// Whether a name ends there: at the end or at a blank.
bool ends_there(std::string_view rest) { return rest.empty() || rest.front() == ' '; }

bool is_global_ipv4(std::span<const std::uint8_t> address) {
  const bool loopback = address[0] == 127;
  const bool link_local = address[0] == 169 && address[1] == 254;
  const bool multicast = (address[0] & 0xF0U) == 0xE0U;
  const auto all = [address](std::uint8_t byte) {
    return std::ranges::all_of(address, [byte](std::uint8_t other) { return other == byte; });
  };
  return !loopback && !link_local && !multicast && !all(0) && !all(255);
}

bool is_global_ipv6(std::span<const std::uint8_t> address) {
  const bool link_local = address[0] == 0xFE && (address[1] & 0xC0U) == 0x80U;
  const bool multicast = address[0] == 0xFF;
  // ::, and ::1, which is the loopback.
  const bool none = std::ranges::all_of(address.first(address.size() - 1),
                                        [](std::uint8_t byte) { return byte == 0; }) &&
                    address.back() <= 1;
  return !link_local && !multicast && !none;
}

}  // namespace

std::string product_name(std::string_view in_registry, std::uint32_t build) {
  while (in_registry.starts_with(' ')) in_registry.remove_prefix(1);
  std::string name(without_blanks_at_end(in_registry));
  const std::size_t at = name.find(kWindows10);
  if (build < kFirstBuildOfWindows11 || at == std::string::npos) return name;
  const std::size_t end = at + kWindows10.size();
  if (ends_there(std::string_view(name).substr(end))) name[end - 1] = '1';
  return name;
}

std::string nic_name(std::string_view description) {
  constexpr std::string_view kReplaced = "()#/\\";
  constexpr std::string_view kBy = "[]___";
  std::string name(description);
  for (char& c : name)
    if (const std::size_t at = kReplaced.find(c); at != std::string_view::npos) c = kBy[at];
  return name;
}

std::string mac_text(std::span<const std::uint8_t> address) {
  return joined(address, ":", [](std::uint8_t byte) { return upper_hex(byte, 2); });
}

bool is_global_unicast(std::span<const std::uint8_t> address) {
  constexpr std::size_t kIpv4Bytes = 4;
  constexpr std::size_t kIpv6Bytes = 16;
  if (address.size() == kIpv4Bytes) return is_global_ipv4(address);
  return address.size() == kIpv6Bytes && is_global_ipv6(address);
}

std::string joined_numbers(std::vector<std::uint32_t> numbers) {
  std::ranges::sort(numbers);
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  return joined(numbers, ";", [](std::uint32_t number) { return std::to_string(number); });
}

std::string_view without_device_prefix(std::string_view path) {
  constexpr std::string_view kAround = "\\.";
  const std::size_t first = path.find_first_not_of(kAround);
  if (first == std::string_view::npos) return {};
  return path.substr(first, path.find_last_not_of(kAround) - first + 1);
}

std::string_view without_blanks_at_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string_view without_object_prefix(std::string_view path) {
  constexpr std::string_view kPrefix = "\\??\\";
  return path.starts_with(kPrefix) ? path.substr(kPrefix.size()) : path;
}

}  // namespace winperf
