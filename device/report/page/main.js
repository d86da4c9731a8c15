/* The page as a whole. */

function setTitle() {
  const total = data.seconds > 0 ? `${seconds(data.seconds)} on ${board.name}` : board.name;
  document.title = `${data.program}: simtcl report`;
  put(document.getElementById('title'), data.program, ': ', total);
  const kernels = new Set(data.launches.map(l => l.kernel)).size, launches = data.launches.reduce((s, l) => s + l.launches, 0);
  put(document.getElementById('subtitle'),
    `What the kernels of this run would have cost a GPU, predicted from exact counts: ${kernels} kernel${kernels === 1 ? '' : 's'}, ${exact(launches)} launch${launches === 1 ? '' : 'es'}. `,
    `Compute capability 1.${board.minor}, ${board.multiprocessors} multiprocessors at ${board.clock_mhz} MHz`, board.bandwidth ? `, ${(board.bandwidth / 1e9).toFixed(1)} GB/s. ` : '. ',
    data.every > 1 && `One group in ${data.every} was counted: figures are of these alone. `, data.left_out > 0 && `${exact(data.left_out)} launches are left out. `);
}

function setTheme() {
  const root = document.documentElement, key = 'simtcl-theme';
  const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  try { const kept = localStorage.getItem(key); if (kept) root.dataset.theme = kept; } catch { /* a file may keep nothing */ }
  document.getElementById('theme').addEventListener('click', () => {
    root.dataset.theme = dark() ? 'light' : 'dark';
    try { localStorage.setItem(key, root.dataset.theme); } catch { /* likewise */ }
  });
}

function kernelList(list) {
  const most = Math.max(...list.map(l => l.seconds), 1e-30), buttons = new Map(), some = 12;
  const choose = l => {
    for (const [of, b] of buttons) b.setAttribute('aria-pressed', String(of === l));
    kernelSection(l);
  };
  const shown = list.map(l => { const b = kernelButton(l, most, choose); buttons.set(l, b); return b; });
  const rest = shown.slice(some);
  const place = document.getElementById('kernels');
  put(place, el('h2', {}, 'Kernels'), el('p', { class: 'note' }, 'By time. Choose one to see more of it below.'), shown.slice(0, some));
  if (rest.length) place.append(el('details', {}, el('summary', {}, `${rest.length} more`), rest));
  if (data.baseline)
    place.append(el('p', { class: 'note', style: 'margin-top:8px' }, `Compared with ${data.baseline.path}`, data.baseline.device !== board.name && `, a run on ${data.baseline.device}`, '.',
      data.baseline.gone.length > 0 && ` Kernels that ran there alone: ${data.baseline.gone.join(', ')}.`));
  choose(list[0]);
}

function parametersCard() {
  return wide(el('details', { class: 'card' }, el('summary', {}, 'How the time was predicted, and how wrong it may be'),
    el('p', { style: 'margin-top:8px' }, 'Each unit of the board is busy for the clocks that the counted work takes there; a group takes as long as its longest way, on which each instruction waits for what it needs. ',
      'How many warps are there to overlap follows from occupancy. The time lies between what the busiest unit alone would take and what warps that come to the units at random take; both ends are shown with each kernel.'),
    el('p', {}, 'Nothing is fitted to a kernel: the table has each parameter and where it is from. docs/time.md has predictions beside published measurements; ',
      'launches of less than 50 µs, atomics, and accesses that all go to one memory partition are the least certain.'),
    el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'bound by'), el('th', { class: 'n' }, 'measurements'), el('th', { class: 'n' }, 'off in the mean'), el('th', { class: 'n' }, 'at most'))),
      el('tbody', {}, data.units.filter(u => u.measured).map(u => el('tr', {}, el('td', {}, unitName(u.name)), el('td', { class: 'n' }, u.measured), el('td', { class: 'n' }, percent(u.off)), el('td', { class: 'n' }, percent(u.off_most))))))),
    el('div', { class: 'scroll' }, el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'parameter'), el('th', { class: 'n' }, 'value'), el('th', {}, 'unit'), el('th', {}, 'meaning'), el('th', {}, 'source'))),
      el('tbody', {}, data.parameters.map(p => el('tr', {}, el('td', {}, el('code', {}, p.name)), el('td', { class: 'n' }, p.value), el('td', {}, p.unit), el('td', {}, p.what), el('td', {}, p.source))))))), true);
}

setTheme();
setTitle();
const byTime = [...data.launches].sort((a, b) => b.seconds - a.seconds);
if (byTime.length) {
  kernelList(byTime);
  compareSection(byTime);
}
document.getElementById('run').append(el('div', { class: 'grid' }, [timelineCard(), parametersCard()].filter(Boolean)));
