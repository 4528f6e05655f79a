#include "tests/simulator/fact_source.h"

#include <nlohmann/json.hpp>
#include <string>

#include "collectors/facts/textfile_reader.h"

namespace winperf::simulator {
namespace {

class RecordedFacts final : public FactSource {
 public:
  explicit RecordedFacts(std::string_view text)
      : topics_(text.empty() ? nlohmann::json::object() : nlohmann::json::parse(text)) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    if (request.topic == FactTopic::kTextfile) return read_textfiles(request.folders);
    const auto table = topics_.find(name_of(request.topic));
    if (table == topics_.end())
      return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
    return parse_fact_text(table->dump());
  }

 private:
  const nlohmann::json topics_;
};

}  // namespace

std::unique_ptr<FactSource> make_simulated_facts(std::string_view scenario) {
  return std::make_unique<RecordedFacts>(scenario == "server" ? server_facts()
                                                              : std::string_view());
}

}  // namespace winperf::simulator
