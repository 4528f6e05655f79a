// What the values of a counter are: what its name says, or else the unit of a metric that has the same value.

import {unitOf} from '../../text/numbers.js';

/** @param {{name: string, metrics: Array<{name: string, unit: string|null, promql: string|null}>}} counter of countersets/NAME */
export function unitOfCounter({name, metrics}) {
  const unit = unitOf(name);
  if (unit.kind !== 'number') return unit;
  const same = (metrics ?? []).find(({name: metric, unit: own, promql}) => promql === metric && (own === 'bytes' || own === 'seconds'));
  return same ? {kind: same.unit, factor: 1} : unit;
}
