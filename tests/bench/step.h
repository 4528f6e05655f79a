// One step from bytes to answers on one shape, for whatever measures it. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::testing {

class Step {
 public:
  Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;

  // What precedes the step in each round; it isn't measured.
  virtual void prepare() {}
  // What is measured. Returns the number of bytes that it has read or written; 0 if it hasn't done
  // its work.
  virtual std::size_t run() = 0;
  // Of the last round: values, series or answers.
  virtual std::uint64_t count() const = 0;
};

struct StepRow {
  std::string_view name;
  std::string_view unit;  // that count() counts
  // Null if there is no such shape, or nothing of this step in it.
  std::unique_ptr<Step> (*make)(std::string_view shape);
};

// By name: bytes to samples, all objects of a crowd, samples to answers, and what others need for
// comparable work.
std::vector<StepRow> sampling_steps();
std::vector<StepRow> discovery_steps();
std::vector<StepRow> answer_steps();
std::vector<StepRow> peer_steps();
std::vector<StepRow> all_steps();

// The shape of the simulated server, which only steps after a sample have.
inline constexpr std::string_view kServerShape = "server";
// A thousand objects, which only discovery_steps() have.
inline constexpr std::string_view kCrowdShape = "crowd";
inline constexpr std::string_view kSmallCrowdShape = "crowd:2";  // with few instances
// The blocks of the recorded machine, which only steps that read V1 blocks have.
inline constexpr std::string_view kCaptureShape = "capture";

}  // namespace winperf::testing
