#include "service/selftest/program.h"

#include <cstdio>
#include <string_view>

#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/whole_file.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kShownOfErrors = 500;

}  // namespace

std::string written_by_program(const std::filesystem::path& file) {
  constexpr std::uint64_t kMostOutput = std::uint64_t{64} << 20;
  const auto bytes = read_whole_file(file, kMostOutput);
  if (!bytes) return {};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::expected<ProgramEnd, std::string> run_program(const ProgramCall& call, const StopToken& stop) {
  const auto begun = std::chrono::steady_clock::now();
  auto program = start_program(call);
  if (!program) return std::unexpected(std::move(program.error()));
  ProgramEnd end;
  end.exit_code = (*program)->wait_until(begun + call.deadline, stop);
  if (!end.exit_code) (*program)->kill();
  end.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  end.output = (*program)->output();
  end.errors = (*program)->errors();
  return end;
}

std::string describe(const ProgramEnd& end) {
  std::string text = end.exit_code ? "exit code " + std::to_string(*end.exit_code)
                                   : "no end within " + std::to_string(end.took.count()) + " ms";
  std::string_view errors = end.errors;
  while (!errors.empty() && (errors.back() == '\n' || errors.back() == '\r'))
    errors.remove_suffix(1);
  if (errors.empty()) return text;
  if (errors.size() > kShownOfErrors) errors.remove_prefix(errors.size() - kShownOfErrors);
  return text + ": " + printable(errors);
}

}  // namespace winperf::selftest
