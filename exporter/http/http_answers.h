// Answers by the HTTP library's server, which calls the router's handlers.
//
// An address has one server of the library. It never listens: for each request it gets the head
// from memory, as it came, and writes the head of the answer into memory. Bodies of answers don't
// pass through it.
//
// Two parsers that read one head differently can be exploited, so their results are compared, and a
// request on which they disagree is refused. Access is decided by our parser's result
// (request_head.h). A handler sees the target as the library decodes it, and of the fields only
// Host, Accept, Accept-Encoding, If-None-Match and Last-Event-ID, as ours joined them. Thread rule:
// as for Answerer.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "exporter/http/access.h"
#include "exporter/http/connection.h"
#include "exporter/http/router.h"

namespace winperf {

// Of one address.
struct AnswerRules {
  AccessRules access{};
  // Of every answer, instead of those that it has by itself.
  std::vector<std::pair<std::string, std::string>> headers{};
};

// "Sun, 06 Nov 1994 08:49:37 GMT". Source: RFC 9110, section 5.6.7.
std::string http_date(std::chrono::system_clock::time_point time);

// Whether the library has read in a head what our reader has: the method, the target and the
// version, and of the fields that decide anything how many there are and what each says.
bool reads_alike(const RequestHead& head, const httplib::Request& request);

class HttpAnswers final : public Answerer {
 public:
  // The router must outlive this.
  HttpAnswers(Router& router, AnswerRules rules);
  ~HttpAnswers() override;

  Answer answer(const RequestHead& request, bool is_last) override;
  Effort effort_of(const RequestHead& request) override;
  Answer refuse(const Refusal& refusal) override;

  // For all requests from now on.
  void change_rules(AnswerRules rules);

 private:
  class Library;
  using SharedRules = std::shared_ptr<const AnswerRules>;
  SharedRules rules() const;

  Router& router_;
  mutable std::mutex mutex_;
  SharedRules rules_;
  const std::unique_ptr<Library> library_;
};

}  // namespace winperf
