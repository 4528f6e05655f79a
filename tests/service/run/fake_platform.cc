#include "tests/service/run/fake_platform.h"

#include "collectors/sources/perflib.h"
#include "collectors/sources/registry.h"
#include "tests/collectors/sampling/fake_source.h"

namespace winperf {

QueryLimits& testing::registry_limits() {
  static QueryLimits limits;
  return limits;
}

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits) {
  testing::registry_limits() = limits;
  return std::make_unique<testing::FakeSource>();
}

std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api() {
  return std::unexpected(SourceError{.code = {}, .text = "there is no PerfLib here"});
}

}  // namespace winperf
