#include "service/doctor/rules.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "service/console/json_document.h"
#include "service/console/text_columns.h"
#include "service/doctor/rule_case.h"

namespace winperf {
namespace {

enum class RuleKind : std::uint8_t { kAny, kLastResort, kTarget, kCheck };

struct Rule {
  Reason reason;
  std::string_view name;
  MaybeFinding (*find)(const Case&);  // null of kCheck: checks.cc has it
  RuleKind kind;
};

// In the order of Reason.
constexpr Rule kRules[] = {
#define RULE(reason, function) {Reason::reason, #function, function, RuleKind::kAny},
#define LAST_RESORT(reason, function) {Reason::reason, #function, function, RuleKind::kLastResort},
#define TARGET_RULE(reason, function) {Reason::reason, #function, function, RuleKind::kTarget},
#define CHECK_RULE(reason, function) {Reason::reason, #function, nullptr, RuleKind::kCheck},
#include "service/doctor/rule_list.inc"
};
static_assert(std::size(kRules) == kReasonCount);

std::vector<Finding> findings_of(const Case& c) {
  const bool is_unreachable = c.machine.target && c.machine.target->connection;
  std::vector<Finding> findings;
  for (const Rule& rule : kRules) {
    if (rule.kind == RuleKind::kCheck) continue;
    if (is_unreachable && rule.kind != RuleKind::kTarget) continue;
    const bool explained = std::ranges::any_of(findings, [](const Finding& finding) {
      return finding.severity == Severity::kFailed || finding.severity == Severity::kAbsent;
    });
    if (rule.kind == RuleKind::kLastResort && explained) continue;
    MaybeFinding finding = rule.find(c);
    if (!finding) continue;
    finding->reason = rule.reason;
    findings.push_back(*std::move(finding));
  }
  return findings;
}

}  // namespace

Assessment assessment_of(std::vector<Finding> findings) {
  const auto weight = [](const Finding& finding) {
    return finding.severity == Severity::kNote ? -1 : static_cast<int>(finding.severity);
  };
  const auto worst = std::ranges::max_element(findings, {}, weight);
  Assessment assessment{.status = worst->severity, .cause = std::move(*worst)};
  findings.erase(worst);
  std::erase_if(findings, [](const Finding& f) { return f.reason == Reason::kHealthy; });
  assessment.also = std::move(findings);
  return assessment;
}

std::string_view name_of(Reason reason) { return kRules[static_cast<std::size_t>(reason)].name; }

std::string_view name_of(Severity severity) {
  constexpr std::string_view kNames[] = {"ok", "note", "absent", "warning", "failed"};
  return kNames[static_cast<std::size_t>(severity)];
}

Diagnosis diagnose(const PlannedCounterset& request, const CountersetFacts& facts,
                   const MachineFacts& machine) {
  const Case c(request, facts, machine);
  Diagnosis diagnosis;
  static_cast<Assessment&>(diagnosis) = assessment_of(findings_of(c));
  diagnosis.counterset = request.label;
  diagnosis.object = c.name->name;
  diagnosis.index = c.shown_index();
  if (c.provider != nullptr) diagnosis.service = c.provider->service;
  return diagnosis;
}

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxStatus = 7;  // "warning"

template <class Assessments>
std::size_t count_of(const Assessments& assessments, Severity status) {
  return static_cast<std::size_t>(std::ranges::count(assessments, status, &Assessment::status));
}

// "7 ok, 0 with a warning, 1 failed"
template <class Assessments>
std::string counts_of(const Assessments& assessments) {
  std::string out = std::to_string(count_of(assessments, Severity::kOk)) + " ok, ";
  if (const std::size_t absent = count_of(assessments, Severity::kAbsent); absent != 0)
    out += std::to_string(absent) + " absent, ";
  return out + std::to_string(count_of(assessments, Severity::kWarning)) + " with a warning, " +
         std::to_string(count_of(assessments, Severity::kFailed)) + " failed";
}

void append_details(std::string& out, const Finding& finding) {
  std::size_t number = 0;
  for (const RepairStep& step : finding.repair) {
    out += "    " + std::to_string(++number) + ". ";
    if (!step.command.empty()) out += printable(step.command) + "\n       ";
    out += printable(step.text) + '\n';
  }
  for (const std::string& line : finding.evidence) out += "    found: " + printable(line) + '\n';
}

std::string title_of(const Diagnosis& diagnosis) {
  return diagnosis.machine.empty() ? diagnosis.counterset
                                   : diagnosis.counterset + " on " + diagnosis.machine;
}

// Nothing for what is neither good nor bad.
std::optional<Colour> colour_of(Severity severity) {
  switch (severity) {
    case Severity::kOk:
      return Colour::kGreen;
    case Severity::kWarning:
      return Colour::kYellow;
    case Severity::kFailed:
      return Colour::kRed;
    case Severity::kNote:
    case Severity::kAbsent:
      break;
  }
  return std::nullopt;
}

void append_status(std::string& out, Severity severity, const Look& look) {
  std::string padded;
  append_padded(padded, std::string(name_of(severity)), kMaxStatus);
  const auto colour = colour_of(severity);
  out += colour ? coloured(padded, *colour, look.has_colours) : padded;
}

void append_assessment(std::string& out, const std::string& title, const Assessment& assessment,
                       bool with_notes, const Look& look) {
  append_status(out, assessment.status, look);
  out += printable(title);
  if (assessment.status == Severity::kOk) {
    out += ": " + printable(assessment.cause.sentence) + '\n';
  } else {
    out += ": " + std::string(name_of(assessment.cause.reason)) + "\n    " +
           printable(assessment.cause.sentence) + '\n';
    append_details(out, assessment.cause);
  }
  for (const Finding& finding : assessment.also) {
    const bool is_note = finding.severity == Severity::kNote;
    if (is_note && !with_notes) continue;
    const auto colour = colour_of(finding.severity);
    const std::string reason(name_of(finding.reason));
    out += (is_note ? "  note " : "  also ") +
           (colour ? coloured(reason, *colour, look.has_colours) : reason) + "\n    " +
           printable(finding.sentence) + '\n';
    append_details(out, finding);
  }
}

// The same note usually holds for many countersets; it is printed once.
struct Note {
  const Finding* finding;
  std::string countersets;
};

std::vector<Note> notes_of(std::span<const Diagnosis> diagnoses) {
  std::vector<Note> notes;
  for (const Diagnosis& diagnosis : diagnoses) {
    for (const Finding& finding : diagnosis.also) {
      if (finding.severity != Severity::kNote) continue;
      const auto same = std::ranges::find_if(notes, [&](const Note& note) {
        return note.finding->reason == finding.reason && note.finding->sentence == finding.sentence;
      });
      if (same != notes.end()) same->countersets += ", " + title_of(diagnosis);
      if (same == notes.end()) notes.push_back({&finding, title_of(diagnosis)});
    }
  }
  return notes;
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json json_of(const Finding& finding) {
  Json repair = Json::array();
  for (const RepairStep& step : finding.repair)
    repair.push_back({{"command", or_null(step.command)}, {"text", step.text}});
  return {{"reason", name_of(finding.reason)},
          {"sentence", finding.sentence},
          {"repair", std::move(repair)},
          {"evidence", finding.evidence}};
}

// Adds the cause and the other findings.
void add_assessment(Json& object, const Assessment& assessment) {
  object.update(json_of(assessment.cause));
  Json& also = object["also"] = Json::array();
  for (const Finding& finding : assessment.also) {
    also.push_back({{"severity", name_of(finding.severity)}});
    also.back().update(json_of(finding));
  }
}

Json json_of(const CheckResult& result) {
  Json object{
      {"name", result.check}, {"subject", result.subject}, {"status", name_of(result.status)}};
  add_assessment(object, result);
  return object;
}

Json json_of(const Diagnosis& diagnosis) {
  Json object{{"name", diagnosis.counterset}};
  if (!diagnosis.machine.empty()) object["machine"] = diagnosis.machine;
  object["status"] = name_of(diagnosis.status);
  object["object"] = diagnosis.object;
  object["object_index"] = diagnosis.index ? Json(value_of(*diagnosis.index)) : Json();
  object["provider"] = or_null(diagnosis.service);
  add_assessment(object, diagnosis);
  return object;
}

}  // namespace

std::string diagnoses_to_text(std::span<const Diagnosis> diagnoses, const Look& look) {
  std::string out;
  for (const Diagnosis& diagnosis : diagnoses)
    append_assessment(out, title_of(diagnosis), diagnosis, false, look);
  for (const Note& note : notes_of(diagnoses)) {
    std::string title;
    append_status(title, Severity::kNote, look);
    title += std::string(name_of(note.finding->reason)) + " (" + printable(note.countersets) + ')';
    out += fitted(title, look.columns) + "\n    " + printable(note.finding->sentence) + '\n';
    append_details(out, *note.finding);
  }
  out += counted(diagnoses.size(), "counterset") + ": " + counts_of(diagnoses) + '\n';
  return out;
}

std::string checks_to_text(std::span<const CheckResult> checks, const Look& look) {
  std::string out;
  for (const CheckResult& result : checks)
    append_assessment(out, result.check + ' ' + result.subject, result, true, look);
  return out + counted(checks.size(), "other check") + ": " + counts_of(checks) + '\n';
}

std::string diagnoses_to_json(std::span<const Diagnosis> diagnoses, std::string_view source,
                              std::span<const CheckResult> checks) {
  Json document{{"source", source}};
  for (const Severity status :
       {Severity::kOk, Severity::kAbsent, Severity::kWarning, Severity::kFailed})
    document["summary"][std::string(name_of(status))] = count_of(diagnoses, status);
  document["countersets"] = Json::array();
  for (const Diagnosis& diagnosis : diagnoses)
    document["countersets"].push_back(json_of(diagnosis));
  for (const CheckResult& result : checks) document["checks"].push_back(json_of(result));
  return json_document(document);
}

}  // namespace winperf
