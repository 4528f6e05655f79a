#include "collectors/worker/left_behind.h"

#include <array>
#include <string_view>

namespace winperf::worker {
namespace {

struct Row {
  LeftBehind what;
  std::string_view text;
};

constexpr std::array<Row, 3> kRows{{
    {LeftBehind::kFloatingPoint, "a changed floating-point unit"},
    {LeftBehind::kIdentity, "another account's identity"},
    {LeftBehind::kHeap, "a damaged heap"},
}};

}  // namespace

std::string describe_left_behind(std::uint32_t bits) {
  std::string text;
  for (const Row& row : kRows) {
    if ((bits & static_cast<std::uint32_t>(row.what)) == 0) continue;
    text += text.empty() ? "left " : ", ";
    text += row.text;
  }
  return text;
}

}  // namespace winperf::worker
