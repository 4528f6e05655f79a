// Answers by the router, with heads that the HTTP library writes.
//
// The library reads a request from memory and writes the head of its answer into memory; it never
// sees a socket. Bodies don't pass through it. Thread rule: as for Answerer.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "exporter/http/access.h"
#include "exporter/http/answerer.h"
#include "exporter/http/router.h"

namespace winperf {

// Of one address.
struct AnswerRules {
  AccessRules access{};
  // Of every answer, instead of those that it has by itself.
  std::vector<std::pair<std::string, std::string>> headers{};
};

class HttpAnswers final : public Answerer {
 public:
  // The router must outlive this.
  HttpAnswers(Router& router, AnswerRules rules);

  Answer answer(const RequestHead& request, const Asker& asker) override;
  Effort effort_of(const RequestHead& request) override;
  Answer refuse(const Refusal& refusal) override;

  // For all requests from now on.
  void change_rules(AnswerRules rules);

 private:
  using SharedRules = std::shared_ptr<const AnswerRules>;
  SharedRules rules() const;

  Router& router_;
  mutable std::mutex mutex_;
  SharedRules rules_;
};

}  // namespace winperf
