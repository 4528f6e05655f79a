// A worker whose only provider is faulty.dll: it calls Open, which does what faulty.txt says,
// and answers with as many bytes as the value name says. For traces_test.cc.
#include <windows.h>

#include <string>

#include "collectors/sources/source.h"
#include "collectors/worker/parent_link.h"
#include "collectors/worker/serve.h"

namespace winperf {
namespace {

class HarmfulSource final : public CounterSource {
 public:
  std::expected<Reply, Error> query(std::string_view value_name, StopToken) override {
    using Open = DWORD(WINAPI*)(LPWSTR);
    const auto open = reinterpret_cast<Open>(
        reinterpret_cast<void*>(GetProcAddress(LoadLibraryA(WINPERF_FAULTY), "OpenFaulty")));
    if (open == nullptr) return std::unexpected(Error{.os_code = GetLastError()});
    open(nullptr);
    Reply reply;
    reply.blocks.push_back(Bytes(std::stoul(std::string(value_name))));
    return reply;
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override { return {}; }
  bool supports_metadata() override { return false; }
  std::uint64_t provider_generation() override { return 0; }
  void release() override {}
};

int work(int argc, char** argv) {
  constexpr int kLinkWords = 2;  // behind the program's own name and the worker's
  const auto link = worker::adopt_link({argv + kLinkWords, argv + argc});
  if (!link) return 2;
  HarmfulSource source;
  worker::end_now(worker::WorkerService(&source, nullptr).serve(**link) ? 0 : 1);
}

}  // namespace
}  // namespace winperf

int main(int argc, char** argv) { return winperf::work(argc, argv); }
