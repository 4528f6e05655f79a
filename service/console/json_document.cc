#include "service/console/json_document.h"

#include <nlohmann/json.hpp>

namespace winperf {

std::string json_document(const nlohmann::ordered_json& members, int indent) {
  nlohmann::ordered_json document{{"schema", kJsonSchema}};
  document.update(members);
  return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace winperf
