// Errors of the API: one document for all of its routes. Thread rule: values. Source: RFC 9457,
// which lets a document have members of its own: "parameter", "nearest", "reason" and
// "most_values".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace winperf::api {

inline constexpr char kProblemType[] = "application/problem+json";

struct Problem {
  int status = 400;
  std::string detail{};         // a sentence
  std::string parameter{};      // the one that is wrong; empty if none is
  std::string nearest{};        // what may have been meant; empty if nothing is near enough
  std::string_view reason{};    // static: a short name of it, for programs; may be empty
  std::size_t most_values = 0;  // of an answer, which would have more; 0 if that isn't the problem
};

// {"type": "about:blank", "title": "Bad Request", "status": 400, "detail": "...",
//  "parameter": "...", "nearest": "...", "reason": "...", "most_values": 1}; the last four only if
// there are any.
std::string problem_document(const Problem& problem);

// "step must be a duration", as a problem of that parameter.
Problem wrong_parameter(std::string_view name, std::string_view what);

// A name from a client, in quotes and safe to show.
std::string excerpt(std::string_view text);

// What may be meant by a name from a client: not by a long one, because comparing takes time.
std::string nearest_name(std::string_view name, std::span<const std::string_view> known);

// "counterset 'Memry' is not sampled; did you mean 'Memory'?", as a problem of that parameter.
Problem unknown_name(std::string_view parameter, std::string_view name, std::string_view what,
                     std::span<const std::string_view> known);

}  // namespace winperf::api
