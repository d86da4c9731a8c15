/* The list of kernels, the comparison of two, and all of one. */

function before(launch) { return launch.before && launch.before.seconds && launch.time ? launch.before.seconds / launch.time.seconds : 0; }

function beforeChip(launch) {
  if (!data.baseline) return null;
  const ratio = before(launch);
  if (!ratio) return el('span', { class: 'chip' }, launch.before ? 'no time before' : 'new');
  if (ratio < 1.0005 && ratio > 0.9995) return el('span', { class: 'chip' }, 'as before');
  return el('span', { class: 'chip ' + (ratio > 1 ? 'good' : 'bad') }, ratio > 1 ? `${ratio.toFixed(2)} × faster` : `${(1 / ratio).toFixed(2)} × slower`);
}

function kernelName(l) {
  return [l.kernel, ' ', el('small', {}, `${sizeText(l.global)} by ${sizeText(l.local)}`, l.other_sizes && ' and other sizes')];
}

function kernelButton(l, most, choose) {
  const button = el('button', { class: 'kernel', type: 'button', 'aria-pressed': 'false', onclick: () => choose(l) },
    el('span', { class: 'name' }, kernelName(l)),
    el('span', { class: 'time' }, l.time ? seconds(l.seconds) : '', l.launches > 1 && l.time && el('small', {}, ` ${short(l.launches)} × ${seconds(l.time.seconds)}`)),
    l.time && bar(l.seconds / most), el('span', { class: 'verdict' }, beforeChip(l), data.baseline && ' ', l.verdict));
  return button;
}

/* ---- two side by side ---- */

/* What can explain a difference: name, value, format, and what is said of the larger one. */
const traits = [
  ['time of a launch', l => l.time ? l.time.seconds : 0, seconds],
  ['bytes that move', l => l.moved / l.launches, bytes, 'moves {} the bytes to and from memory'],
  ['bytes asked for', l => asked(l) / l.launches, bytes],
  ['transactions', l => transactions(l) / l.launches, short, 'needs {} the memory transactions'],
  ['busiest partition', l => l.time && l.time.camping ? l.time.camping : 1, v => times(v) + ' its share', 'has its busiest memory partition at {} its load'],
  ['passes of shared memory', l => value(l, 'shared_passes') / l.launches, short, 'makes {} the passes over shared memory'],
  ['passes for a request', l => value(l, 'shared_access') ? value(l, 'shared_passes') / value(l, 'shared_access') : 0, v => v.toFixed(2), 'takes {} the passes for each request to shared memory'],
  ['instructions', l => value(l, 'instructions') / l.launches, short, 'issues {} the instructions'],
  ['diverged branches', l => value(l, 'divergent_branch') / l.launches, short, 'has {} the diverging branches'],
  ['atomic operations', l => (value(l, 'atom_global_lanes') + value(l, 'atom_shared_lanes')) / l.launches, short, 'makes {} the atomic operations'],
  ['operations for each byte', l => l.flops && l.moved ? l.flops / l.moved : 0, v => v.toFixed(2)],
  ['occupancy', l => l.occupancy.share, percent],
];

function reasons(slow, fast) {
  const list = [];
  for (const [, of, , text] of traits) {
    const a = of(slow), b = of(fast);
    if (text && a > 1.15 * b && b > 0) list.push([a / b, text.replace('{}', times(a / b))]);
    else if (text && a > 0 && b === 0) list.push([2, text.replace('{} the', 'has') .replace(/^(\w+) has/, 'alone $1')]);
  }
  return list.sort((a, b) => b[0] - a[0]).slice(0, 3).map(r => r[1]);
}

function listText(list) { return list.length > 1 ? list.slice(0, -1).join(', ') + ' and ' + list[list.length - 1] : list.join(''); }

/* Ways to do one thing have names that begin alike: the slowest against the fastest of them. */
function pairOf(list) {
  const stem = l => l.kernel.replace(/(?<=..)_.*|\d.*$/, ''), alike = list.filter(l => stem(l) === stem(list[0]));
  const each = l => l.time ? l.time.seconds : 0, some = alike.length > 1 ? [...alike].sort((a, b) => each(b) - each(a)) : list;
  return [some[0], alike.length > 1 ? some[some.length - 1] : list.find(l => l.kernel !== list[0].kernel) || list[1]];
}

function leadText(a, b) {
  if (!a.time || !b.time) return null;
  const [slow, fast] = a.time.seconds >= b.time.seconds ? [a, b] : [b, a], ratio = slow.time.seconds / fast.time.seconds;
  const named = l => el('b', {}, l.kernel, slow.kernel === fast.kernel && ` ${sizeText(l.global)} by ${sizeText(l.local)}`);
  if (ratio < 1.02) return el('p', { class: 'lead' }, named(a), ' and ', named(b), ' take the same time.');
  const why = reasons(slow, fast), than = slow.time.bound === fast.time.bound ? '' : ` The slower one is bound by ${unitName(slow.time.bound)}, the faster one by ${unitName(fast.time.bound)}.`;
  return el('p', { class: 'lead' }, named(fast), ' is ', el('b', {}, times(ratio)), ' as fast as ', named(slow), why.length > 0 && [', which ', listText(why), '.'],
    why.length === 0 && '.', than);
}

function pairTable(a, b) {
  const rows = traits.filter(([, of]) => of(a) || of(b)).map(([name, of, format]) => {
    const x = of(a), y = of(b), most = Math.max(x, y);
    return el('tr', {}, el('td', {}, name), [x, y].map(v => el('td', {}, v ? format(v) : '–', bar(v / most))));
  });
  return el('table', { class: 'pair' }, el('thead', {}, el('tr', {}, el('th', {}), el('th', {}, kernelName(a)), el('th', {}, kernelName(b)))), el('tbody', {}, rows));
}

function chooser(list, chosen, change, name) {
  const select = el('select', { 'aria-label': name, onchange: () => change(list[select.selectedIndex]) },
    list.map(l => el('option', { selected: l === chosen }, `${l.kernel} ${sizeText(l.global)} by ${sizeText(l.local)}`)));
  return select;
}

function compareSection(list) {
  const place = document.getElementById('compare');
  if (list.length < 2) return;
  let [a, b] = pairOf(list);
  const body = el('div', {});
  const show = () => put(body, leadText(a, b), el('div', { class: 'scroll' }, pairTable(a, b)));
  place.append(el('h2', {}, 'Two side by side'), el('div', { class: 'card' },
    el('p', {}, chooser(list, a, l => { a = l; show(); }, 'first'), ' against ', chooser(list, b, l => { b = l; show(); }, 'second')), body));
  show();
}

/* ---- one kernel ---- */

/* How wrong that may be: by published measurements that the same unit binds. */
function howSure(t) {
  const u = unitOf[t.bound];
  if (!u || !u.measured) return 'No published measurement is known that is bound by that, too.';
  const few = t.seconds < 50e-6 ? ' Launches of less than 50 µs may be off by half.' : '';
  return `How wrong it may be: ${u.measured} published measurement${u.measured === 1 ? ' is' : 's are'} bound by that, too; predictions of ${u.measured === 1 ? 'it' : 'them'} are off by ${percent(u.off)} in the mean, ${percent(u.off_most)} at most (docs/time.md).${few}`;
}

function unitsCard(launch) {
  const t = launch.time;
  if (!t) return null;
  const list = Object.entries(t.busy).filter(([name]) => name !== 'latency').sort((a, b) => b[1] - a[1]);
  return card('What it keeps busy', el('p', { class: 'note' }, 'The share of its time for which each unit works. One near 100 % is what binds; none is: it waits.'),
    el('div', { class: 'units' }, list.map(([name, share]) => [el('span', { class: name === t.bound && 'hot', title: unitOf[name] ? unitOf[name].what : '' }, unitName(name)),
      bar(share, name === t.bound), el('span', { class: name === t.bound && 'hot' }, percent(share))])),
    el('p', { class: 'note', style: 'margin-top:10px' }, `Predicted: ${seconds(t.seconds)} a launch, between ${seconds(t.low)} and ${seconds(t.high)} by how well its units overlap; `,
      `${seconds(t.launch_seconds)} of that before the first group begins. `, howSure(t)));
}

/* What no repair says: how often the same is read is not known. */
function lessToMove(launch) {
  const ridge = board.multiprocessors * 16 * board.clock_mhz * 1e6 / (board.bandwidth || 1);
  if (launch.time.bound !== 'dram' || !launch.flops || launch.flops / launch.moved > ridge || asked(launch) < 0.6 * moved(launch)) return null;
  return el('p', { class: 'detail' }, `It moves ${bytes(launch.moved / launch.launches)} and computes ${(launch.flops / launch.moved).toFixed(2)} times for each byte. `,
    'Where work-items of a group read the same, reading it into shared memory once moves less (guide 3.1.2.5; example in 2.5).');
}

function repairsCard(launch, open) {
  if (!launch.time) return null;
  if (!launch.repairs.length)
    return card('What would make it faster', el('p', {}, 'None of the usual repairs would gain anything: its accesses are coalesced, its banks free of conflicts, its lanes together. ',
      'Less work, or less to move, is what is left.'), lessToMove(launch));
  return card('What would make it faster', el('p', { class: 'note' }, 'The prediction run again without each cost alone.'), launch.repairs.map(r => {
    const place = r.line ? `${fileName(r.file)}, line ${r.line}` : null, site = r.site && launch.sites && launch.sites.find(s => s.site === r.site);
    return el('div', { class: 'repair' }, el('div', { class: 'gain' }, '−' + percent(r.gain / launch.time.seconds), el('small', {}, 'to ' + seconds(r.seconds))),
      el('div', {}, el('p', { class: 'do' }, r.wrong), el('p', { class: 'detail' }, r.detail),
        el('p', {}, r.change[0].toUpperCase() + r.change.slice(1) + '.'),
        el('p', { class: 'detail' }, place && (launch.detailed ? el('button', { class: 'link', type: 'button', onclick: () => open(`${r.file}:${r.line}`) }, place) : place),
          site && site.text && [' ', el('code', {}, site.text)], place && ' · ', guide(r.section))));
  }), lessToMove(launch));
}

function countersCard(launch) {
  const meaning = Object.fromEntries(data.counters.map(c => [c.name, c])), old = launch.before ? launch.before.counters : null;
  const names = data.counters.map(c => c.name).filter(n => launch.counters[n] || (old && n in old));
  const body = el('tbody', {}, names.map(n => el('tr', { 'data-name': n }, el('td', {}, el('code', {}, n)), el('td', { class: 'n' }, exact(value(launch, n))),
    old && el('td', { class: 'n' }, n in old ? exact(old[n]) : ''), el('td', {}, meaning[n].unit), el('td', {}, meaning[n].what, ' ', el('span', { class: 'note' }, /^\d/.test(meaning[n].section) ? guide(meaning[n].section) : '')))));
  const filter = el('input', { class: 'filter', type: 'search', placeholder: 'filter counters', 'aria-label': 'filter counters', oninput: () => {
    for (const row of body.children) row.hidden = !row.textContent.includes(filter.value);
  } });
  return wide(el('details', { class: 'card' }, el('summary', {}, `All counters (${names.length})`), filter, el('div', { class: 'scroll' },
    el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'counter'), el('th', { class: 'n' }, 'value'), old && el('th', { class: 'n' }, 'before'), el('th', {}, 'unit'), el('th', {}, 'one event'))), body))), true);
}

/* What is open to begin with: the place of the first repair, or the access whose line costs most. */
function firstLine(launch) {
  const place = launch.repairs.find(r => r.line);
  if (place) return `${place.file}:${place.line}`;
  const costs = new Map(launch.lines.map(l => [`${l.file}:${l.line}`, lineCost(l)]));
  const drawn = launch.sites.filter(s => s.worst).map(s => `${s.file}:${s.line}`).sort((a, b) => (costs.get(b) || 0) - (costs.get(a) || 0));
  return drawn[0];
}

function kernelSection(launch) {
  const openers = new Map();
  const open = (key, still) => { const f = openers.get(key); if (f) f(still); };
  const r = launch.resources;
  put(document.getElementById('kernel'), [
    el('h2', {}, el('code', {}, launch.kernel), ' ', el('span', { class: 'size' }, `${sizeText(launch.global)} work-items in groups of ${sizeText(launch.local)}`)),
    el('p', { class: 'lead' }, launch.verdict[0].toUpperCase() + launch.verdict.slice(1) + '.'),
    el('p', { class: 'note' }, `${exact(launch.launches)} launch${launch.launches > 1 ? 'es' : ''}`, launch.other_sizes && `, ${exact(launch.other_sizes)} of them of other sizes`,
      `; ${r.registers} registers a work-item, ${exact(r.shared_bytes)} bytes of shared memory a group`, r.local_bytes > 0 && `, ${exact(r.local_bytes)} bytes of private memory`,
      ' ', beforeChip(launch)),
    el('div', { class: 'grid' }, [repairsCard(launch, open), unitsCard(launch), launch.detailed && sourceCard(launch, openers), memoryCard(launch), rooflineCard(launch),
      wide(occupancyCard(launch)), boardsCard(launch), wavesCard(launch),
      !launch.detailed && wide(card('Source', el('p', { class: 'note' }, 'Lines are kept for the kernels that take longest; this one is not among them.'))),
      countersCard(launch)])]);
  if (launch.detailed) open(firstLine(launch), true);
}
