// Why a value is missing, in a sentence, for each reason that the API names (collectors/model/raw_reading.h).

const SENTENCES = {
  first_sample: 'It needs two samples, and there is only one so far.',
  counter_reset: 'The counter began anew between the two samples.',
  base_reset: 'The base of the counter began anew between the two samples.',
  zero_interval: 'No time passed between the two samples.',
  clock_backwards: 'The clock was set back between the two samples.',
  zero_frequency: 'The clock of the counter has no frequency.',
  zero_base: 'Nothing happened between the two samples, so there is no average.',
  no_base: 'The provider defines no base for this counter.',
  not_started: 'The provider does not say when it started.',
  type_changed: 'The type of the counter changed between the two samples.',
  unknown_type: 'The type of the counter is unknown.',
  marked_unknown: 'The driver says that it does not know the value.',
  gap: 'Samples are missing between the two, as after a suspend.',
  not_finite: 'The number is too large to be written.',
  not_numeric: 'The counter is a text and not a number.',
  bad_size: 'The counter has neither 4 nor 8 bytes.',
  out_of_block: 'The data of the provider ends before this counter.',
  not_delivered: 'The provider did not deliver it.',
  not_aggregated: 'The registration does not say how a total is made.',
};

export const REASONS = Object.keys(SENTENCES);

/** @param {string|null|undefined} reason */
export function whyMissing(reason) {
  return SENTENCES[reason] ?? (reason ? `There is no value: ${reason.replaceAll('_', ' ')}.` : 'There is no value.');
}
