#include "collectors/diagnosis/deadline_source.h"

#include <exception>
#include <future>
#include <string>
#include <thread>

namespace winperf {
namespace {

using Answer = std::expected<Reply, Error>;

// Lets go of the source before it answers: who waits for the answer destroys it, not this thread.
void ask(std::shared_ptr<CounterSource> source, const std::string& value_name,
         const std::stop_token& stop, std::promise<Answer> promise) {
  try {
    Answer answer = source->query(value_name, stop);
    source.reset();
    promise.set_value(std::move(answer));
  } catch (...) {
    source.reset();
    promise.set_exception(std::current_exception());
  }
}

}  // namespace

std::expected<Reply, Error> DeadlineSource::query(std::string_view value_name,
                                                  std::stop_token stop) {
  if (hung_) return std::unexpected(Error{.code = ErrorCode::kCancelled, .where = "query"});
  std::promise<Answer> promise;
  std::future<Answer> answer = promise.get_future();
  std::thread(ask, inner_, std::string(value_name), std::move(stop), std::move(promise)).detach();
  if (answer.wait_for(patience_) == std::future_status::ready) return answer.get();
  hung_ = true;
  const auto limit = static_cast<std::uint64_t>(patience_.count());
  return std::unexpected(
      Error{.code = ErrorCode::kTimedOut, .where = "query", .actual = limit, .limit = limit});
}

std::vector<std::expected<Bytes, Error>> DeadlineSource::text_tables(TextTable table,
                                                                     Language language) {
  if (hung_) return {};
  return inner_->text_tables(table, language);
}

}  // namespace winperf
