#include "collectors/facts/fact_source.h"

namespace winperf {
namespace {

// Windows' facts aren't those of this system.
class NoFacts final : public FactSource {
 public:
  std::expected<FactTable, Error> read(const FactRequest&, const StopToken&) override {
    return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
  }
};

}  // namespace

std::unique_ptr<FactSource> make_fact_source() { return std::make_unique<NoFacts>(); }

}  // namespace winperf
