// The screens, in the order of the header. Each module has
//   open(place, {params, note, signal}): shows the screen in an empty element until `signal` says stop. `params` are of the
//   address; `note(params)` keeps what is shown in the address. It returns nothing, or a function that is given the new params
//   when the address changes while the screen stays.

import * as chart from './chart/chart.js';
import * as counters from './counters/counters.js';
import * as health from './health/health.js';
import * as machines from './machines/machines.js';
import * as overview from './overview/overview.js';
import * as processes from './processes/processes.js';

export const SCREENS = [
  {name: 'overview', title: 'Overview', open: overview.open},
  {name: 'processes', title: 'Processes', open: processes.open},
  {name: 'counters', title: 'Counters', open: counters.open},
  {name: 'chart', title: 'Chart', open: chart.open},
  {name: 'machines', title: 'Machines', open: machines.open},
  {name: 'health', title: 'Health', open: health.open},
];
