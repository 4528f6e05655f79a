// What a diagnosis of the doctor found, as one list.

const MARKS = {failed: 'bad', warning: 'warn', absent: 'warn', ok: 'good', note: ''};
const RANKS = ['failed', 'warning', 'absent', 'note', 'ok'];

/**
 * @param {Object} diagnosis the document of /api/v1/doctor
 * @returns {Array<{name: string, status: string, mark: string, text: string, evidence: string[], repair: Object[]}>} the worst first;
 *     what was found beside the main thing about a counterset (`also`) follows it under the same name
 */
export function findingsOf({countersets, checks}) {
  const entries = [
    ...countersets.map((one) => ({...one, title: one.name})),
    ...checks.map((one) => ({...one, title: one.subject ? `${one.name}: ${one.subject}` : one.name})),
  ];
  const all = entries.flatMap((entry) => [finding(entry.title, entry.status, entry),
    ...(entry.also ?? []).map((one) => finding(entry.title, one.severity, one))]);
  return all.sort((one, other) => rank(one) - rank(other));
}

function finding(name, status, {sentence, evidence, repair}) {
  return {name, status, mark: MARKS[status] ?? '', text: sentence, evidence: evidence ?? [], repair: repair ?? []};
}

function rank({status}) {
  const place = RANKS.indexOf(status);
  return place < 0 ? RANKS.length : place;
}

/** Whether somebody should do something about it. */
export function isFinding({status}) {
  return status === 'failed' || status === 'warning' || status === 'absent';
}
