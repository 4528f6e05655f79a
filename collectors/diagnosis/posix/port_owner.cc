#include "collectors/diagnosis/port_owner.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

// On Linux, /proc has the answer: net/tcp and net/tcp6 list the listening sockets, and the folder
// of each process that this account may read lists its open sockets. Other systems have no /proc.
namespace winperf {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kListening = "0A";
constexpr std::size_t kMaxLines = 100'000;  // of a table of sockets
constexpr std::size_t kMaxOpen = 100'000;   // descriptors that are read, in all processes together

template <class Number>
std::optional<Number> parse(std::string_view text, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

// An address in network byte order, written as words in the machine's byte order.
std::optional<NetAddress> parse_address(std::string_view hex) {
  std::array<std::uint8_t, 16> bytes{};
  if (hex.size() != 8 && hex.size() != 2 * bytes.size()) return std::nullopt;
  for (std::size_t at = 0; at < hex.size(); at += 8) {
    const auto word = parse<std::uint32_t>(hex.substr(at, 8), 16);
    if (!word) return std::nullopt;
    std::memcpy(bytes.data() + at / 2, &*word, sizeof(*word));
  }
  return to_net_address(std::span(bytes).first(hex.size() / 2));
}

struct OpenSocket {
  NetAddress address{};
  std::string inode;
};

// "  0: 0100007F:27C6 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 12345 ..."
void read_table(const char* file, int port, std::vector<OpenSocket>& sockets) {
  std::ifstream table(file);
  std::string line;
  std::getline(table, line);  // the names of the columns
  for (std::size_t lines = 0; lines < kMaxLines && std::getline(table, line); ++lines) {
    std::istringstream columns(line);
    std::string number, local, remote, state, skipped, inode;
    columns >> number >> local >> remote >> state;
    for (int column = 4; column < 9; ++column) columns >> skipped;
    columns >> inode;
    const std::size_t colon = local.find(':');
    if (!columns || state != kListening || colon == local.npos) continue;
    const auto address = parse_address(std::string_view(local).substr(0, colon));
    if (address && parse<int>(std::string_view(local).substr(colon + 1), 16) == port)
      sockets.push_back({*address, "socket:[" + inode + ']'});
  }
}

// Finds the sockets that a process has open. Entries that have vanished or can't be read are
// skipped.
void find_owner(const fs::path& process, const std::vector<OpenSocket>& sockets,
                std::size_t& budget, std::vector<Listener>& listeners) {
  const auto id = parse<std::uint32_t>(process.filename().string(), 10);
  if (!id) return;
  std::error_code error;
  for (fs::directory_iterator entry(process / "fd", error), end; !error && entry != end && budget;
       entry.increment(error), --budget) {
    std::error_code gone;
    const fs::path target = fs::read_symlink(entry->path(), gone);
    for (const OpenSocket& socket : sockets)
      if (!gone && target == socket.inode) listeners.push_back({socket.address, *id});
  }
}

}  // namespace

std::vector<Listener> listeners_on(int port) {
  std::vector<OpenSocket> sockets;
  read_table("/proc/net/tcp", port, sockets);
  read_table("/proc/net/tcp6", port, sockets);
  std::vector<Listener> listeners;
  if (sockets.empty()) return listeners;
  std::size_t budget = kMaxOpen;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error))
    find_owner(entry->path(), sockets, budget, listeners);
  for (const OpenSocket& socket : sockets)
    if (std::ranges::find(listeners, socket.address, &Listener::address) == listeners.end())
      listeners.push_back({.address = socket.address});
  return listeners;
}

std::string process_name(std::uint32_t process_id) {
  std::ifstream file("/proc/" + std::to_string(process_id) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

std::string process_hint(std::uint32_t) { return {}; }

}  // namespace winperf
