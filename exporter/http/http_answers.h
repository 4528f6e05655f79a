// Answers by the router, with heads that the HTTP library writes.
//
// The library reads a request from memory and writes the head of its answer into memory; it never
// sees a socket. Bodies don't pass through it. Thread rule: as for Answerer.
#pragma once

#include "exporter/http/answerer.h"
#include "exporter/http/router.h"

namespace winperf {

class HttpAnswers final : public Answerer {
 public:
  // The router must outlive this.
  explicit HttpAnswers(Router& router) : router_(router) {}

  Answer answer(const RequestHead& request, bool last) override;
  Answer refuse(const Refusal& refusal) override;

 private:
  Router& router_;
};

}  // namespace winperf
