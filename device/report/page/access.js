/* One access of a half-warp, step by step: which lanes each transaction, pass, address or line serves. */

const words = { segments: 'transaction', banks: 'pass', constants: 'address', atomics: 'turn', texels: 'line' };

/* Lanes of a half-warp as text: "0-3, 7". */
function laneList(mask) {
  const parts = [];
  for (let l = 0; l < 16; l++) {
    if (!(mask >> l & 1)) continue;
    let end = l;
    while (end < 15 && mask >> end + 1 & 1) end++;
    parts.push(end > l ? `${l}–${end}` : `${l}`);
    l = end;
  }
  return parts.join(', ');
}

function popcount(mask) { let n = 0; for (; mask; mask &= mask - 1) n++; return n; }
function hex(x) { return '0x' + x.toString(16); }

/* Cells of what is drawn: places that several lanes share are one cell. key: of a place; lanes as a
 * mask. */
function gather(access, step, keyOf) {
  const cells = new Map();
  for (let l = 0; l < 16; l++) {
    const address = access.addresses[l];
    if (address === null) continue;
    const key = keyOf(address + step.offset);
    cells.set(key, (cells.get(key) || 0) | 1 << l);
  }
  return cells;
}

function laneRow(access, step, y) {
  const out = [label(0, y + 13, 'lanes', 'soft')];
  for (let l = 0; l < 16; l++) {
    const on = access.mask >> l & 1;
    const now = step.lanes >> l & 1;
    out.push(rect(76 + l * 26, y, 24, 18, now ? 'now' : on ? 'hit' : 'cell'), label(88 + l * 26, y + 13, l, on ? '' : 'dim', 'middle'));
  }
  return out;
}

function cellText(mask) { return popcount(mask) > 2 ? `${popcount(mask)} lanes` : laneList(mask); }

/* Global memory: a row for each segment of 128 bytes that the half-warp touches. */
function drawSegments(access, step, steps) {
  const size = step.size, row = 128, scale = 592 / row;
  const cells = gather(access, step, a => a - a % size);
  const mine = steps.filter(s => s.offset === step.offset);
  const rows = [...new Set([...cells.keys()].map(a => Math.floor(a / row)).concat(mine.map(s => Math.floor(s.address / row))))].sort((a, b) => a - b);
  const most = 18, shown = rows.slice(0, most), height = 46 + shown.length * 22 + (rows.length > most ? 16 : 0);
  const y = new Map(shown.map((r, n) => [r, 40 + n * 22]));
  const out = laneRow(access, step, 0);
  for (const r of shown) {
    out.push(label(0, y.get(r) + 13, hex(r * row), 'soft mono'));
    for (let n = 0; n < 4; n++) out.push(rect(76 + n * 32 * scale, y.get(r), 32 * scale, 18, 'cell'));
    const of = mine.find(s => Math.floor(s.address / row) === r);
    if (of && of.partition !== undefined) out.push(label(676, y.get(r) + 13, `partition ${of.partition}`, 'soft'));
  }
  for (const s of mine) {
    const r = Math.floor(s.address / row);
    if (y.has(r) && s === step)
      out.push(rect(76 + s.address % row * scale, y.get(r) - 1.5, s.bytes * scale, 21, 'now', `${s.bytes} bytes move`));
  }
  for (const [a, lanes] of cells) {
    const r = Math.floor(a / row);
    if (!y.has(r)) continue;
    const width = Math.max(size * scale, 5);
    out.push(rect(76 + a % row * scale, y.get(r) + 2, width, 14, 'hit', `lanes ${laneList(lanes)}: ${size} bytes at ${hex(a)}`));
    if (width >= 12)
      out.push(label(76 + a % row * scale + width / 2, y.get(r) + 13, popcount(lanes) > 1 && width < 40 ? '×' + popcount(lanes) : cellText(lanes), '', 'middle'));
  }
  if (rows.length > most) out.push(label(76, height - 4, `and ${rows.length - most} further segments`, 'soft'));
  return drawing(750, height, 'lanes and the segments of memory that they touch', out);
}

/* Shared memory: banks are columns, so what lies in one column has to be taken in turns. */
function drawBanks(access, step) {
  const cells = gather(access, step, a => a - a % 4);
  const rows = [...new Set([...cells.keys()].map(a => Math.floor(a / 64)))].sort((a, b) => a - b);
  const out = laneRow(access, step, 0);
  const most = 18, shown = rows.slice(0, most), y = new Map(shown.map((r, n) => [r, 60 + n * 22]));
  const height = 66 + shown.length * 22 + (rows.length > most ? 16 : 0);
  out.push(label(0, 52, 'bank', 'soft'));
  for (let b = 0; b < 16; b++) out.push(label(88 + b * 26, 52, b, 'soft', 'middle'));
  for (const r of shown) {
    out.push(label(0, y.get(r) + 13, hex(r * 64), 'soft mono'));
    for (let b = 0; b < 16; b++) out.push(rect(76 + b * 26, y.get(r), 24, 18, 'cell'));
  }
  for (const [a, lanes] of cells) {
    const r = Math.floor(a / 64), x = 76 + a % 64 / 4 * 26;
    if (!y.has(r)) continue;
    out.push(rect(x, y.get(r), 24, 18, lanes & step.lanes ? 'now' : 'hit', `lanes ${laneList(lanes)}: word at ${hex(a)}`));
    out.push(label(x + 12, y.get(r) + 13, popcount(lanes) > 1 ? '×' + popcount(lanes) : laneList(lanes), '', 'middle'));
  }
  if (rows.length > most) out.push(label(76, height - 4, `and ${rows.length - most} further rows of 16 words`, 'soft'));
  return drawing(500, height, 'lanes and the banks of shared memory that they touch', out);
}

/* Constants and atomics: the different addresses. */
function drawAddresses(access, step) {
  const cells = [...gather(access, step, a => a)];
  const out = laneRow(access, step, 0);
  cells.forEach(([a, lanes], n) => {
    const y = 34 + n * 22;
    out.push(label(0, y + 13, hex(a), 'soft mono'));
    for (let l = 0; l < 16; l++)
      if (lanes >> l & 1)
        out.push(rect(76 + l * 26, y, 24, 18, step.lanes >> l & 1 ? 'now' : 'hit'), label(88 + l * 26, y + 13, l, '', 'middle'));
  });
  return drawing(500, 40 + cells.length * 22, 'lanes and the addresses that they want', out);
}

/* Images: each line of the texture cache where it lies in the image; columns and rows between which no
 * texel is read are left out. */
function drawTexels(access, step, steps) {
  const most = { columns: 10, rows: 12 }, order = (a, b) => a[0] - b[0] || a[1] - b[1];
  const places = (of, key, count) => [...new Map(of.map(s => [key(s).join(), key(s)])).values()].sort(order).slice(0, count);
  const columns = places(steps, s => [s.texel[0], 0], most.columns), rows = places(steps, s => [s.texel[2], s.texel[1]], most.rows);
  const [wide, high] = step.span, cell = Math.max(6, Math.min(30, Math.floor((660 - columns.length * 8) / columns.length / wide)));
  const tall = Math.max(18, Math.min(30, cell)), x = s => 86 + columns.findIndex(c => c[0] === s.texel[0]) * (cell * wide + 8);
  const y = s => 62 + rows.findIndex(r => r[0] === s.texel[2] && r[1] === s.texel[1]) * (tall * high + 8);
  const shown = steps.filter(s => x(s) >= 86 && y(s) >= 62), out = laneRow(access, step, 0), left = steps.length - shown.length;
  const layers = rows.some(r => r[0]);
  const height = 66 + rows.length * (tall * high + 8) + (left ? 16 : 0);
  columns.forEach((c, n) => out.push(label(86 + n * (cell * wide + 8), 52, `x ${c[0]}`, 'soft')));
  rows.forEach(([z, at], n) => out.push(label(0, 62 + n * (tall * high + 8) + 13, layers ? `y ${at}, z ${z}` : `y ${at}`, 'soft')));
  for (const s of shown) {
    out.push(rect(x(s) - 2, y(s) - 2, cell * wide + 3, tall * high + 3, s === step ? 'now' : 'cell', `line at ${hex(s.address)}: ${s.bytes} bytes`));
    for (let n = 0; n < wide * high; n++) {
      const at = [s.texel[0] + n % wide, s.texel[1] + Math.floor(n / wide), s.texel[2]];
      let lanes = 0;
      access.texels.forEach((of, l) => { if (of.some(t => t.join() === at.join())) lanes |= 1 << l; });
      if (!lanes) continue;
      const left = x(s) + n % wide * cell, top = y(s) + Math.floor(n / wide) * tall;
      out.push(rect(left, top, cell - 1, tall - 1, 'hit', `lanes ${laneList(lanes)}: texel ${at.slice(0, layers ? 3 : 2).join(', ')}`));
      if (cell >= 16) out.push(label(left + cell / 2 - 0.5, top + tall / 2 + 4, popcount(lanes) > 1 ? '×' + popcount(lanes) : laneList(lanes), '', 'middle'));
    }
  }
  if (left) out.push(label(86, height - 4, `and ${left} further lines`, 'soft'));
  return drawing(750, height, 'lanes and the lines of the texture cache that they read', out);
}

const draw = { segments: drawSegments, banks: drawBanks, constants: drawAddresses, atomics: drawAddresses, texels: drawTexels };

function stepText(access, step, n, of) {
  const lanes = `lane${popcount(step.lanes) > 1 ? 's' : ''} ${laneList(step.lanes)}`;
  const head = `${words[access.what]} ${n} of ${of}`;
  if (access.what === 'segments') return `${head}: ${step.bytes} bytes at ${hex(step.address)} for ${lanes}`;
  if (access.what === 'texels') return `${head}: ${step.bytes} bytes of the image for ${lanes}`;
  if (step.broadcast) return `${head}: ${lanes}, one word broadcast to ${popcount(step.broadcast)}`;
  return `${head}: ${lanes}`;
}

function accessText(site, access) {
  const n = access.steps.length, lanes = popcount(access.mask), least = Math.max(1, Math.ceil(site.bytes / 4));
  if (access.what === 'segments')
    return `${n} transaction${n > 1 ? 's' : ''}; ${access.steps.reduce((s, x) => s + x.bytes, 0)} bytes move, ${lanes * site.bytes} are asked for`;
  if (access.what === 'banks') return n > least ? `${n} passes where ${least} would do` : `${n} pass${n > 1 ? 'es' : ''}: no conflict`;
  if (access.what === 'texels') {
    const texels = new Set(access.texels.flat().map(t => t.join())).size;
    return `${n} line${n > 1 ? 's' : ''} of the texture cache for ${texels} different texel${texels > 1 ? 's' : ''}`;
  }
  if (access.what === 'constants') return `${n} different address${n > 1 ? 'es' : ''}`;
  return `${n} turn${n > 1 ? 's' : ''}`;
}

/* The drawing with its buttons. */
function accessView(site) {
  const access = site.worst;
  const head = el('p', {}, el('code', {}, site.text || site.kind), ' ', el('span', { class: 'note' },
    `${site.kind}${site.space ? ' of ' + site.space + ' memory' : ''}${site.within ? ', in ' + site.within : ''}`));
  if (!access) return el('div', { class: 'access' }, head, siteCounts(site));
  const steps = access.steps, place = el('div', { class: 'scroll' }), text = el('span', {});
  let at = 0;
  const show = () => {
    put(place, draw[access.what](access, steps[at], steps));
    text.textContent = stepText(access, steps[at], at + 1, steps.length);
    back.disabled = at === 0;
    on.disabled = at === steps.length - 1;
  };
  const go = by => { at = Math.max(0, Math.min(steps.length - 1, at + by)); show(); };
  const back = el('button', { type: 'button', 'aria-label': 'step back', onclick: () => go(-1) }, '◀');
  const on = el('button', { type: 'button', 'aria-label': 'step forward', onclick: () => go(1) }, '▶');
  show();
  return el('div', { class: 'access' }, head,
    el('p', {}, el('b', {}, 'Its worst half-warp: ', accessText(site, access)), access.even && el('span', { class: 'note' }, ' evenly spaced, as every half-warp that begins there')),
    el('div', { class: 'steps' }, back, on, text), place, siteCounts(site));
}

function siteCounts(site) {
  const shown = Object.entries(site.counters).filter(([name]) => !name.startsWith('partition_'));
  return el('p', { class: 'note' }, shown.map(([name, v], n) => [n ? ' · ' : '', name.replaceAll('_', ' ') + ' ', el('b', {}, short(v))]));
}
