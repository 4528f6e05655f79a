#include "tests/simulator/fact_source.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/textfile_reader.h"
#include "tests/simulator/server/fact_values.h"
#include "tests/simulator/server/more_rows.h"
#include "tests/simulator/server/server_machine.h"

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

// Of the processes with such names, whose owners and command lines have others; and services.
void add_hostile_rows(nlohmann::json& topics) {
  const std::vector<std::string>& names = hostile_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& next = names[(i + 1) % names.size()];
    topics["processes"]["rows"].push_back({{"process", names[i]},
                                           {"process_id", std::to_string(hostile_process_id(i))},
                                           {"owner", next},
                                           {"command_line", names[(i + 2) % names.size()]}});
    topics["services"]["rows"].push_back({{"name", names[i]},
                                          {"display_name", next},
                                          {"run_as", "LocalSystem"},
                                          {"path_name", next},
                                          {"state", "running"},
                                          {"start_mode", "auto"},
                                          {"process_id", hostile_process_id(i)}});
  }
}

class SimulatedFacts final : public FactSource {
 public:
  SimulatedFacts(nlohmann::json topics, ServerData data, std::function<ServerMoment()> moment)
      : topics_(std::move(topics)), data_(std::move(data)), moment_(std::move(moment)) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken& stop) override {
    if (request.topic == FactTopic::kTextfile) return list_textfiles(request.folders);
    const auto table = topics_.find(name_of(request.topic));
    if (table == topics_.end())
      return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
    if (table->value("refused", false))
      return std::unexpected(Error{.code = ErrorCode::kAccessDenied, .where = "facts"});
    if (table->value("hangs", false))
      pause_until(std::chrono::steady_clock::now() + std::chrono::hours(1), stop);
    nlohmann::json filled = *table;
    fill_in(filled["rows"], data_, moment_());
    return parse_fact_text(formatted(request.topic, std::move(filled)).dump());
  }
  std::expected<FileAnswer, Error> read_file(const FileQuestion& question,
                                             std::chrono::milliseconds time,
                                             const StopToken&) override {
    return read_textfile(question, std::chrono::steady_clock::now() + time);
  }

 private:
  const nlohmann::json topics_;
  const ServerData data_;
  const std::function<ServerMoment()> moment_;
};

}  // namespace

std::unique_ptr<FactSource> make_server_facts(std::function<ServerMoment()> moment,
                                              const ServerKind& kind) {
  auto topics = nlohmann::json::parse(in_health(kind.health, "facts.json", server_facts()));
  if (kind.has_hostile_names) add_hostile_rows(topics);
  return std::make_unique<SimulatedFacts>(std::move(topics), server_data(kind), std::move(moment));
}

std::unique_ptr<FactSource> make_no_facts() {
  return std::make_unique<SimulatedFacts>(nlohmann::json::object(), ServerData(), nullptr);
}

}  // namespace winperf::simulator
