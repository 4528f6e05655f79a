// What a front does about answers: has them made, and takes them from whoever made them.
#include <exception>

#include "exporter/http/front.h"

namespace winperf {

void Front::begin_answer(Id id, Client& client, const RequestHead& request) {
  client.is_post = request.method == "POST";
  const Asker asker{.is_local = client.is_local(),
                    .address = client.address(),
                    .is_last = client.connection.closes(),
                    .party = client.party()};
  if (gate_ == nullptr) return make_answer(id, request, asker);
  gate_->ask(request, client.address(),
             [this, id, request, asker](const std::optional<Refusal>& refusal) {
               if (refusal)
                 give_answer(id, answerer_.refuse(*refusal));
               else
                 make_answer(id, request, asker);
             });
}

void Front::make_answer(Id id, const RequestHead& request, const Asker& asker) {
  pool_.submit(
      {.from = asker.party,
       .effort = answerer_.effort_of(request),
       .answer = [this, id, request, asker] { give_answer(id, answer_of(request, asker)); },
       .refuse = [this, id] { give_answer(id, too_many_wait()); }});
}

Answer Front::too_many_wait() {
  observer_.shed(ShedReason::kQueue);
  return answerer_.refuse({.status = 503, .reason = "too many requests wait for an answer"});
}

void Front::give_answer(Id id, Answer answer) {
  {
    const std::lock_guard lock(mutex_);
    answers_.emplace_back(id, std::move(answer));
  }
  waker_->wake();
}

// Without a head if it can't be made, because memory is missing.
Answer Front::answer_of(const RequestHead& request, const Asker& asker) {
  try {
    return answerer_.answer(request, asker);
  } catch (const std::exception&) {
    return {};
  }
}

void Front::refuse(Client& client, const Refusal& refusal, Time now) {
  client.answer(answerer_.refuse(refusal), now);
}

void Front::take_answers(Time now) {
  std::vector<std::pair<Id, Answer>> answers;
  {
    const std::lock_guard lock(mutex_);
    answers.swap(answers_);
  }
  for (auto& [id, answer] : answers) {
    Client* const client = clients_.find(id);
    if (client == nullptr) continue;  // the connection has ended meanwhile
    if (answer.head.empty()) {
      client->is_over = true;
    } else if (has_memory_for(answer.body, client->party(), now)) {
      if (answer.stream != nullptr) answer.stream->wakes(waker_);
      clients_.answer(*client, std::move(answer), now);
    } else {
      observer_.shed(ShedReason::kMemory);
      refuse(*client, {.status = 503, .reason = "too much waits to be sent"}, now);
    }
  }
}

bool Front::has_memory_for(const SharedText& body, const Party& party, Time now) {
  if (body.size() < Clients::kSmallBytes) return true;
  const HeldPieces& held = clients_.held();
  while (held.bytes() + held.missing(body) > options_.held_bytes) {
    const bool has_shed =
        shed(clients_.one_that_stalls_memory(now - options_.stalled_time),
             ShedReason::kStalledAnswer) ||
        shed(clients_.one_over_its_share_of_memory(party, held.missing(body)), ShedReason::kMemory);
    // One at a time may be larger, with as many clients as share it.
    if (!has_shed) return held.bytes() == 0 || held.missing(body) < Clients::kSmallBytes;
  }
  leftover_.saw_held(held.bytes() + held.missing(body));
  return true;
}

}  // namespace winperf
