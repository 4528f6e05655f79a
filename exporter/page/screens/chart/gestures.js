// Zooming and moving a chart by hand: wheel, fingers, shift and mouse, keys.

const ZOOM = 1.25;

/**
 * @param {Element} place the chart and around it; takes the keys while it has the focus
 * @param {ReturnType<typeof import('../../parts/chart.js').chart>} plot
 * @param {{zoom: function(number, number=), pan: function(number), live: function(), step: function(number)}} act `zoom` gets a factor
 *     and the time that stays where it is; `pan` a share of the span; `step` moves the cursor by samples
 */
export function listenToGestures(place, plot, act) {
  place.addEventListener('keydown', (event) => byKey(event, act));
  place.addEventListener('wheel', (event) => {
    if (event.ctrlKey || event.shiftKey || !event.target.closest('.u-over')) return;
    // A page that is longer than the window scrolls, unless the chart has the focus.
    if (!place.contains(document.activeElement)) return;
    event.preventDefault();
    act.zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, plot.timeAt(event.clientX) ?? undefined);
  }, {passive: false});
  // uPlot draws a selection with the mouse; with shift, the chart is moved instead.
  place.addEventListener('mousedown', (event) => {
    if (event.target.closest('.u-over')) place.focus({preventScroll: true});
    if (event.shiftKey && event.button === 0 && event.target.closest('.u-over')) event.stopPropagation();
  }, {capture: true});
  follow(place, plot, act);
}

function byKey(event, act) {
  if (event.target.closest('input, select, textarea') || event.ctrlKey || event.altKey || event.metaKey) return;
  const far = event.shiftKey;
  const actions = {
    ArrowLeft: () => (far ? act.pan(-0.25) : act.step(-1)),
    ArrowRight: () => (far ? act.pan(0.25) : act.step(1)),
    PageUp: () => act.pan(-0.9),
    PageDown: () => act.pan(0.9),
    '+': () => act.zoom(1 / ZOOM),
    '=': () => act.zoom(1 / ZOOM),
    '-': () => act.zoom(ZOOM),
    End: () => act.live(),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

// One finger, or the mouse with shift, moves; two fingers zoom.
function follow(place, plot, act) {
  const points = new Map();
  const isMoving = (event) => event.pointerType === 'touch' || (event.shiftKey && event.button === 0);
  place.addEventListener('pointerdown', (event) => {
    if (!event.target.closest('.u-over') || !isMoving(event)) return;
    points.set(event.pointerId, event.clientX);
    place.setPointerCapture(event.pointerId);
  });
  place.addEventListener('pointermove', (event) => {
    const before = points.get(event.pointerId);
    if (before === undefined || plot.width() === 0) return;
    const others = [...points].filter(([id]) => id !== event.pointerId).map(([, x]) => x);
    points.set(event.pointerId, event.clientX);
    if (others.length === 0) {
      act.pan((before - event.clientX) / plot.width());
      return;
    }
    const was = Math.max(20, Math.abs(before - others[0]));
    const is = Math.max(20, Math.abs(event.clientX - others[0]));
    act.zoom(was / is, plot.timeAt((event.clientX + others[0]) / 2) ?? undefined);
  });
  for (const name of ['pointerup', 'pointercancel']) place.addEventListener(name, (event) => points.delete(event.pointerId));
}
