#include "collectors/diagnosis/deadline_source.h"

#include <exception>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>

namespace winperf {
namespace {

using Answer = std::expected<Reply, Error>;

void ask(CounterSource& source, const std::string& value_name, const StopToken& stop,
         std::promise<Answer> promise) {
  try {
    promise.set_value(source.query(value_name, stop));
  } catch (...) {
    promise.set_exception(std::current_exception());
  }
}

}  // namespace

std::expected<Reply, Error> DeadlineSource::query(std::string_view value_name, StopToken stop) {
  if (hung_) return std::unexpected(Error{.code = ErrorCode::kCancelled, .where = "query"});
  std::promise<Answer> promise;
  std::future<Answer> answer = promise.get_future();
  asking_ = std::jthread(ask, std::ref(*inner_), std::string(value_name), std::move(stop),
                         std::move(promise));
  if (answer.wait_for(timeout_) == std::future_status::ready) {
    asking_.join();
    return answer.get();
  }
  hung_ = true;
  const auto limit = static_cast<std::uint64_t>(timeout_.count());
  return std::unexpected(
      Error{.code = ErrorCode::kTimedOut, .where = "query", .actual = limit, .limit = limit});
}

std::vector<std::expected<Bytes, Error>> DeadlineSource::text_tables(TextTable table,
                                                                     Language language) {
  if (hung_) return {};
  return inner_->text_tables(table, language);
}

}  // namespace winperf
