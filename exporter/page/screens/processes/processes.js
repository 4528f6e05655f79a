// The screen "processes": all of them in a table, now or at a moment of the past; what started and ended; the past of one.

import {Changes} from './changes.js';
import {FIRST, processColumns} from './columns.js';
import {processDetails} from './details.js';
import {fillEnded} from './ended.js';
import {finder} from './filter.js';
import {findCounterset, followNow, followOwners, leadersOf, rowsAt} from './follow.js';
import {momentBar} from './moment.js';
import {inUse, processorsOf} from './rows.js';
import {paramsOf, spanOf, stateOf} from './state.js';
import {processTools} from './tools.js';
import {linkParents, treeOrder, withParents} from './tree.js';
import {ApiError, pause, untilAnswered, whenVisible} from '../../data/api.js';
import {machineNow, watchMachine} from '../../data/machine.js';
import {columnMenu} from '../../parts/columns.js';
import {element, replaceChildren} from '../../parts/dom.js';
import {showProblem} from '../../parts/problem.js';
import {table} from '../../parts/table.js';
import {ready} from '../../shell/ready.js';
import {asSentence} from '../../text/sentence.js';
import {clock, watchZone} from '../../text/times.js';

// A slider that is drawn asks for many moments; only the one where it rests for so long is asked for.
const REST_MS = 150;
const LEADERS_SECONDS = 30;
const BELOW = matchMedia('(max-width: 900px)');

export function open(place, {params, note, signal}) {
  const screen = new Processes(place, stateOf(params), note, signal);
  return (changed) => screen.change(stateOf(changed));
}

class Processes {
  #state;
  #note;
  #signal;
  #turn = null;        // ends what follows the moment that is shown
  #counterset = null;
  #processes = null;
  #changes = new Changes();
  #owners = new Map();
  #known = {processors: null, hasOwners: false, isTree: false, now: machineNow()};
  #isReading = false;  // a moment whose rows are not there yet
  #isFilling = false;
  #leadersProblem = null;  // why it is not known what started and ended, in a sentence
  #aside = new Set();  // rows of the tree that lead to others only
  #nodes;
  #table;
  #menu;
  #tools;
  #bar;
  #details;

  constructor(place, state, note, signal) {
    this.#state = state;
    this.#note = note;
    this.#signal = signal;
    this.#known.isTree = state.isTree;
    this.#build(place);
    this.#listen();
    this.#showState();
    this.#begin();
  }

  /** The address says something else. */
  change(state) {
    const isOther = state.at !== this.#state.at;
    const isTree = state.isTree !== this.#state.isTree;
    this.#state = state;
    this.#table.sortBy(state.sort);
    if (isTree) this.#setTree(state.isTree);
    this.#bar.show(state.at);
    if (isOther) this.#turnTo();
    this.#show(true);
  }

  #build(place) {
    const nodes = {
      moment: element('div'), tools: element('section', {class: 'panel process-panel', 'aria-label': 'Processes'}),
      problem: element('div'), table: element('div', {class: 'process-table'}),
      details: element('aside', {class: 'panel process-details', 'aria-label': 'Process', hidden: true}),
    };
    this.#nodes = nodes;
    this.#menu = columnMenu('processes', FIRST, () => this.#showColumns(), this.#signal);
    this.#menu.offer(processColumns(this.#known));
    this.#table = table(nodes.table, {
      label: 'Processes', columns: this.#menu.shown(), keyOf: (row) => row.key, tie: (row) => row.order, sort: this.#state.sort,
      isTree: this.#state.isTree, levelOf: (row) => row.depth, classOf: (row) => this.#classOf(row),
      arrange: (rows, compare) => (this.#state.isTree ? treeOrder(rows, compare) : [...rows].sort(compare)),
      open: (row) => this.#open(row), move: (row) => this.#state.pid !== null && this.#choose(row),
      sorted: (sort) => this.#remember({sort}), empty: 'Waiting for the first sample.',
    }, this.#signal);
    this.#tools = processTools(nodes.tools, {
      filter: (text) => this.#become({text}),
      show: (show) => this.#become({show}),
      tree: (isTree) => this.#setTree(isTree),
    }, [this.#table.again, this.#menu.node]);
    this.#details = processDetails(nodes.details, {close: () => this.#close(), choose: (row) => this.#choose(row, true)}, this.#signal);
    nodes.tools.append(nodes.problem, element('div', {class: 'process-body'}, nodes.table, nodes.details));
    place.append(nodes.moment, nodes.tools);
    this.#bar = momentBar(nodes.moment, (at) => {
      this.#become({at});
      this.#turnTo();
    }, this.#signal);
    this.#bar.show(this.#state.at);
  }

  #listen() {
    const ends = [watchZone(() => this.#show()), watchMachine((machine) => {
      if (machine.logical_processors) this.#setProcessors(machine.logical_processors);
    })];
    this.#signal.addEventListener('abort', () => ends.forEach((end) => end()));
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || this.#state.pid === null) return;
      if (event.target.type === 'search' && event.target.value !== '') return;
      this.#close();
    }, {signal: this.#signal});
    followOwners((owners) => {
      this.#owners = owners;
      this.#addOwners();
      this.#show();
    }, this.#signal);
  }

  async #begin() {
    this.#counterset = await findCounterset({
      missing: (why, names) => {
        this.#bar.follow(names);
        this.#showProblem(new ApiError(200, why));
      },
      error: (error) => this.#showProblem(error),
    }, this.#signal);
    if (!this.#counterset) return;
    this.#bar.follow(this.#counterset.names);
    this.#turnTo();
  }

  // Shows the moment that the state says, until it says another one.
  #turnTo() {
    this.#turn?.abort();
    if (this.#signal.aborted || !this.#counterset) return;
    const turn = new AbortController();
    this.#turn = turn;
    this.#signal.addEventListener('abort', () => turn.abort(), {signal: turn.signal});
    this.#changes = new Changes();
    this.#leadersProblem = null;
    this.#isReading = false;
    if (this.#state.at === null) {
      followNow(this.#counterset, {
        rows: (processes, ended, before) => {
          this.#moveSpan();
          this.#changes.end(ended, before);
          this.#take(processes);
        },
        error: (error) => this.#showProblem(error),
      }, turn.signal);
      this.#followLeaders(turn.signal);
    } else {
      this.#isReading = true;
      this.#tools.saySimply(`Reading ${clock(this.#state.at)} …`);
      this.#load(this.#state.at, turn.signal);
    }
  }

  async #load(at, signal) {
    await pause(REST_MS, signal);
    if (signal.aborted) return;
    this.#moveSpan();
    await this.#try(signal, async () => {
      const processes = await rowsAt(this.#counterset.name, at, signal);
      if (!signal.aborted) this.#take(processes);
    }, (error) => {
      // The rows are of another moment.
      this.#processes = null;
      this.#showProblem(error);
    });
    await this.#loadLeaders(signal);
  }

  async #followLeaders(signal) {
    while (!signal.aborted) {
      await this.#loadLeaders(signal);
      await pause(1000 * LEADERS_SECONDS, signal);
      await whenVisible(signal);
    }
  }

  async #loadLeaders(signal) {
    if (signal.aborted) return;
    await this.#try(signal, async () => {
      const [since, until] = spanOf(this.#state.at, machineNow());
      const leaders = await leadersOf(this.#counterset.name, since, until, signal);
      if (signal.aborted) return;
      this.#moveSpan();
      this.#changes.take(leaders);
      this.#show();
    }, (error) => {
      this.#leadersProblem = asSentence(error.detail);
      this.#show();
    });
  }

  // Until there is an answer, the last rows stay.
  async #try(signal, act, fail) {
    try {
      await untilAnswered(act, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      fail(error);
    }
  }

  #moveSpan() {
    this.#changes.move(...spanOf(this.#state.at, machineNow()));
  }

  #take(processes) {
    const isFirst = this.#processes !== processes;
    this.#isReading = false;
    this.#processes = processes;
    this.#known.now = Number.isFinite(processes.time) ? processes.time : machineNow();
    replaceChildren(this.#nodes.problem);
    if (this.#known.processors === null) this.#setProcessors(processorsOf(processes.total));
    this.#addOwners();
    linkParents(processes.rows);
    this.#show(isFirst);
    ready('processes', this.#signal);
  }

  #setProcessors(processors) {
    if (processors === null || processors === this.#known.processors) return;
    this.#known.processors = processors;
    this.#showColumns();
  }

  #addOwners() {
    let has = false;
    for (const row of this.#processes?.rows ?? []) {
      const facts = this.#state.at === null ? this.#owners.get(row.pid) : undefined;
      if (facts && facts.name.toLowerCase() === row.name.toLowerCase()) {
        row.owner = facts.owner;
        row.command = facts.command;
      }
      has ||= row.owner !== null || row.command !== null;
    }
    // Columns that were there once stay, even if a moment of the past has no owners.
    if (!has || this.#known.hasOwners) return;
    this.#known.hasOwners = true;
    this.#showColumns();
  }

  // The rows that the state asks for, in the table; and what is said of them.
  #show(anew = false) {
    this.#showState();
    if (!this.#processes) return;
    const {rows, time} = this.#processes;
    this.#changes.mark(rows);
    const started = this.#changes.started(rows);
    const ended = this.#ended(rows);
    const some = {all: rows, started, ended}[this.#state.show];
    const found = some.filter(finder(this.#state.text));
    const isWhole = found.length === some.length && this.#state.show === 'all';
    const shown = this.#state.isTree && !isWhole ? withParents(found) : new Set(found);
    this.#aside = new Set(shown);
    for (const row of found) this.#aside.delete(row);
    this.#table.show([...shown], {anew, empty: this.#emptyText(some.length)});
    const {isKnown, isPart} = this.#changes;
    const counts = {all: rows.length, started: isKnown ? started.length : null, ended: isKnown ? ended.length : null, isPart};
    this.#tools.show(this.#state, counts, spanOf(this.#state.at, machineNow()));
    const used = inUse(this.#processes.idle, this.#known.processors);
    if (!this.#isReading) this.#tools.say({at: this.#state.at, time, shown: found.length, all: some.length, used});
    this.#showDetails(rows);
    this.#fillEnded();
  }

  async #fillEnded() {
    if (this.#isFilling || this.#state.show === 'all') return;
    this.#isFilling = true;
    await fillEnded(this.#counterset.name, this.#changes.ended.values(), () => this.#show(), this.#turn.signal);
    this.#isFilling = false;
  }

  // Those that still exist at a moment of the past have all of their values there.
  #ended(rows) {
    const now = new Map(rows.map((row) => [row.key, row]));
    return [...this.#changes.ended.values()].map((row) => now.get(row.key) ?? row);
  }

  #emptyText(count) {
    if (count > 0) return `None of ${count.toLocaleString()} processes matches “${this.#state.text}”.`;
    if (this.#state.show !== 'all' && !this.#changes.isKnown) return this.#leadersProblem ?? 'Reading what started and ended.';
    if (this.#state.show === 'started') return 'No process started within this time.';
    if (this.#state.show === 'ended') return 'No process ended within this time.';
    return 'Nothing is known of this moment. The recorder began later, or the exporter did not run.';
  }

  #showDetails(rows) {
    const {pid, at} = this.#state;
    if (pid === null) {
      this.#table.select(null);
      this.#details.show(null);
      return;
    }
    const row = rows.find((one) => one.pid === pid) ?? [...this.#changes.ended.values()].find((one) => one.pid === pid) ?? null;
    const name = row?.identity.name ?? row?.identity.instance;
    const brothers = row ? rows.filter((one) => (one.identity.name ?? one.identity.instance) === name).length : 0;
    this.#table.select(row?.key ?? null);
    this.#details.show({row, pid, at, brothers, counterset: this.#counterset.name, time: this.#processes.time,
      span: spanOf(at, machineNow()), processors: this.#known.processors});
  }

  #classOf(row) {
    if (this.#aside.has(row)) return 'aside';
    if (row.endedAt !== null && row.endedAt < this.#processes.time) return 'ended';
    return '';
  }

  // On a narrow screen the process is below the table.
  #open(row) {
    this.#choose(row);
    if (BELOW.matches) this.#nodes.details.scrollIntoView();
  }

  #choose(row, scroll = false) {
    this.#become({pid: row.pid});
    if (scroll) this.#table.select(row.key, {scroll: true});
  }

  #close() {
    const isInside = this.#nodes.details.contains(document.activeElement);
    this.#become({pid: null});
    if (isInside) this.#table.focus();
  }

  #setTree(isTree) {
    this.#known.isTree = isTree;
    this.#state = {...this.#state, isTree};
    this.#table.tree(isTree);
    this.#become({isTree});
  }

  #become(changed) {
    const isOtherRows = 'text' in changed || 'show' in changed || 'isTree' in changed;
    this.#remember(changed);
    this.#show(isOtherRows);
  }

  #remember(changed) {
    this.#state = {...this.#state, ...changed};
    this.#note(paramsOf(this.#state));
  }

  #showState() {
    this.#tools.show(this.#state, null, spanOf(this.#state.at, machineNow()));
  }

  #showColumns() {
    this.#menu.offer(processColumns(this.#known));
    this.#table.columns(this.#menu.shown());
    this.#show();
  }

  #showProblem(error) {
    showProblem(this.#nodes.problem, error);
    if (!this.#processes) {
      this.#tools.saySimply('');
      this.#table.show([], {empty: 'No processes are known.'});
    }
    ready('processes', this.#signal);
  }
}
