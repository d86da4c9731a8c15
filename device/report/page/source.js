/* The source with what each line cost. */

function lineCost(l) { return l.issue + l.memory; }

const columns = [
  ['warps', 'instructions that warps execute', l => value(l, 'instructions')],
  ['moved', 'bytes that move to and from memory', l => moved(l), bytes],
  ['transactions', 'of global memory', l => transactions(l)],
  ['used', 'bytes asked for, of those that move', l => moved(l) ? asked(l) / moved(l) : null, percent],
  ['replays', 'further passes for bank conflicts and different constants', l => value(l, 'warp_serialize')],
  ['diverged', 'branches at which lanes of a warp go both ways', l => value(l, 'divergent_branch')],
];

function cost(l, total) {
  const share = lineCost(l) / total;
  return el('td', { class: 'n', style: `background:rgba(var(--heat),${(0.75 * Math.sqrt(share)).toFixed(3)});color:var(--ink)` },
    share >= 0.0005 ? percent(share) : '');
}

function columnCell([, , of, format], l) {
  const v = l ? of(l) : null;
  return el('td', { class: 'n extra' }, v ? (format || short)(v) : '');
}

function stepsOf(site) { return site.worst ? site.worst.steps.length : 0; }

/* Lines to show: those that ran and some around them. */
function shownLines(text, byLine) {
  const near = 3, list = [];
  const runs = [...byLine.keys()].sort((a, b) => a - b);
  let n = 0;
  for (let at = 1; at <= text.length; at++) {
    while (n < runs.length && runs[n] + near < at) n++;
    if (n < runs.length && Math.abs(runs[n] - at) <= near) list.push(at);
  }
  return list;
}

/* A file of the launch. opener: takes (line) => opens it. */
function fileTable(launch, file, total, used, openers) {
  const source = data.sources[file];
  const byLine = new Map(launch.lines.filter(l => l.file === file).map(l => [l.line, l]));
  const sites = launch.sites.filter(s => s.file === file);
  const text = source && source.text !== null ? source.text.split('\n') : null;
  const body = el('tbody', {});
  const list = text ? shownLines(text, byLine) : [...byLine.keys()].sort((a, b) => a - b);
  let last = 0;
  for (const at of list) {
    const l = byLine.get(at), here = sites.filter(s => s.line === at);
    if (text && at > last + 1) body.append(el('tr', { class: 'gap' }, el('td', { colspan: used.length + 3 }, last ? '⋯' : '')));
    last = at;
    const written = text ? text[at - 1] || '' : here.map(s => s.text || s.kind).join('; ');
    const row = el('tr', { class: here.length && 'run', id: `line-${file}-${at}` }, l ? cost(l, total) : el('td', {}), used.map(c => columnCell(c, l)),
      el('td', { class: 'n' }, at), el('td', { class: 'text' }, written));
    body.append(row);
    if (!here.length) continue;
    let more = null;
    const toggle = open => {
      if (more) { more.remove(); more = null; row.classList.remove('open'); if (open !== true) return; }
      more = el('tr', { class: 'more' }, el('td', { colspan: used.length + 3 }, here.sort((a, b) => stepsOf(b) - stepsOf(a)).map(accessView)));
      row.after(more);
      row.classList.add('open');
    };
    row.tabIndex = 0;
    row.addEventListener('click', toggle);
    row.addEventListener('keydown', e => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); toggle(); } });
    openers.set(`${file}:${at}`, still => { toggle(true); if (!still) row.scrollIntoView({ block: 'center' }); });
  }
  return el('div', { class: 'scroll tall' }, el('table', { class: 'source' },
    el('thead', {}, el('tr', {}, el('th', { class: 'n', title: "clocks of issue and of memory's bandwidth" }, 'cost'),
      used.map(c => el('th', { class: 'n extra', title: c[1] }, c[0])), el('th', { class: 'n' }, 'line'), el('th', {}, fileName(file)))), body));
}

/* openers: gets a function for each line that can be opened, by "file:line". */
function sourceCard(launch, openers) {
  const total = launch.lines.reduce((s, l) => s + lineCost(l), 0) || 1;
  const used = columns.filter(c => launch.lines.some(l => c[2](l)));
  const files = [...new Set(launch.lines.map(l => l.file))].filter(f => f < data.sources.length);
  const weight = f => launch.lines.filter(l => l.file === f).reduce((s, l) => s + lineCost(l), 0);
  files.sort((a, b) => weight(b) - weight(a));
  const unknown = files.some(f => data.sources[f].text === null);
  return wide(card('Source', el('p', { class: 'note' },
    'Cost: clocks of issue and of memory that a line takes, of all of the kernel. Click a line to see its worst access drawn.',
    unknown && ' The text of a file was not at hand: lines show what they access.'),
    files.map(f => fileTable(launch, f, total, used, openers))), true);
}
