// The carrier of a connection's bytes: a socket, or memory in a test. It never blocks. Thread rule:
// as its implementation says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace winperf {

enum class IoState : std::uint8_t {
  kMoved,  // at least one byte
  kLater,  // it isn't ready
  kEnded,  // the other side sends no more
  kBroken,
};
struct IoResult {
  IoState state;
  std::size_t bytes = 0;
};

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual IoResult receive(std::span<char> buffer) = 0;
  [[nodiscard]] virtual IoResult send(std::string_view bytes) = 0;
};

}  // namespace winperf
