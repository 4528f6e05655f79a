#include "tests/simulator/fact_source.h"

#include <nlohmann/json.hpp>
#include <string>

#include "collectors/facts/label_texts.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/textfile_reader.h"

namespace winperf::simulator {
namespace {

// What Windows says, in the form that the product gives it on Windows.
struct Formatted {
  FactTopic topic;
  std::string_view field;
  std::string (*label)(std::string_view);
};

constexpr Formatted kFormatted[] = {
    {FactTopic::kAdapters, "nic", nic_name},
    {FactTopic::kDisks, "name",
     [](std::string_view path) { return std::string(without_device_prefix(path)); }},
    {FactTopic::kDisks, "device_id",
     [](std::string_view path) { return std::string(without_device_prefix(path)); }},
    {FactTopic::kPagefiles, "file",
     [](std::string_view path) { return std::string(without_object_prefix(path)); }},
    {FactTopic::kProcesses, "process",
     [](std::string_view file) { return std::string(process_label(file)); }},
    {FactTopic::kSessions, "session_name", session_label},
    {FactTopic::kTasks, "task", task_label},
};

nlohmann::json formatted(FactTopic topic, nlohmann::json table) {
  for (const Formatted& entry : kFormatted) {
    if (entry.topic != topic) continue;
    for (nlohmann::json& row : table["rows"])
      if (const auto field = row.find(entry.field); field != row.end())
        *field = entry.label(field->get<std::string>());
  }
  return table;
}

class RecordedFacts final : public FactSource {
 public:
  explicit RecordedFacts(std::string_view text)
      : topics_(text.empty() ? nlohmann::json::object() : nlohmann::json::parse(text)) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken&) override {
    if (request.topic == FactTopic::kTextfile) return list_textfiles(request.folders);
    const auto table = topics_.find(name_of(request.topic));
    if (table == topics_.end())
      return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
    return parse_fact_text(formatted(request.topic, *table).dump());
  }
  std::expected<FileAnswer, Error> read_file(const FileQuestion& question,
                                             std::chrono::milliseconds time,
                                             const StopToken&) override {
    return read_textfile(question, std::chrono::steady_clock::now() + time);
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
