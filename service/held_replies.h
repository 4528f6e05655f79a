// A source that answers each question once a round: whoever asks the same again gets the same
// reply. So several readers look at one reading, and a recording is not used up by their looking.
// Of a recording, whose replies hold everything whatever was asked for, a round is a sample.
// Thread rule: one thread at a time.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/sources/source.h"

namespace winperf {

class HeldReplies final : public CounterSource {
 public:
  // `inner` outlives this. The first round has to be begun, too.
  HeldReplies(CounterSource& inner, bool is_recording)
      : inner_(inner), is_recording_(is_recording) {}

  // What was answered before is forgotten. False at the end of a recording, or where it is not to
  // be read any further.
  bool begin_round(const std::stop_token& stop);

  std::string machine() const override { return inner_.machine(); }
  std::expected<Reply, Error> query(std::string_view value_name, std::stop_token stop) override;
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                       Language language) override {
    return inner_.text_tables(table, language);
  }
  bool supports_metadata() override { return inner_.supports_metadata(); }
  std::uint64_t provider_generation() override { return inner_.provider_generation(); }
  void release() override { inner_.release(); }

 private:
  CounterSource& inner_;
  bool is_recording_;
  std::map<std::string, std::expected<Reply, Error>, std::less<>> replies_;
};

}  // namespace winperf
