#include "collectors/facts/fact_source.h"

#include <ranges>

namespace winperf {

std::string request_text(const FactRequest& request) {
  std::string text(name_of(request.topic));
  for (const std::string& folder : request.folders) text += '\n' + folder;
  return text;
}

std::optional<FactRequest> parse_request_text(std::string_view text) {
  std::optional<FactRequest> request;
  for (const auto line : std::views::split(text, '\n')) {
    const std::string_view word(line.begin(), line.end());
    if (request) {
      request->folders.emplace_back(word);
    } else if (const auto topic = find_fact_topic(word)) {
      request = FactRequest{.topic = *topic};
    } else {
      break;
    }
  }
  return request;
}

std::expected<FileAnswer, Error> FactSource::read_file(const FileQuestion&,
                                                       std::chrono::milliseconds,
                                                       const StopToken&) {
  return std::unexpected(Error{.code = ErrorCode::kUnsupported, .where = "facts"});
}

}  // namespace winperf
