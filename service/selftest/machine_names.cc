#include "service/selftest/machine_names.h"

#include "service/selftest/command_answer.h"

namespace winperf::selftest {
namespace {

// Empty if the document doesn't say.
std::string identity_of(const nlohmann::json& counterset) {
  if (const auto index = count_of(counterset, "object_index")) return std::to_string(*index);
  return text_of(counterset, "guid");
}

}  // namespace

std::map<std::string, std::string> machine_names(const nlohmann::json& english,
                                                 const nlohmann::json& local) {
  std::map<std::string, std::string> local_names;
  for (const nlohmann::json& counterset : list_of(local, "countersets"))
    local_names.emplace(identity_of(counterset), text_of(counterset, "name"));
  local_names.erase("");
  std::map<std::string, std::string> names;
  for (const nlohmann::json& counterset : list_of(english, "countersets"))
    if (const auto found = local_names.find(identity_of(counterset));
        found != local_names.end() && !found->second.empty())
      names.emplace(text_of(counterset, "name"), found->second);
  return names;
}

}  // namespace winperf::selftest
