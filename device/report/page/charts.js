/* Drawings of a launch. */

/* ---- occupancy: active warps over group size, registers, shared memory ---- */

function stepCurve(title, values, first, step, here, unit) {
  const width = 330, height = 132, left = 26, bottom = 112, top = 16, right = 322;
  const most = board.most_warps, x = n => left + n / (values.length - 1) * (right - left), y = v => bottom - v / most * (bottom - top);
  const points = values.map((v, n) => `${n ? 'H' + x(n).toFixed(1) : 'M' + x(0).toFixed(1)} ${n ? 'V' : ''}${y(v).toFixed(1)}`).join(' ');
  const at = (here - first) / step, v = values[Math.max(0, Math.min(values.length - 1, Math.round(at)))];
  const flip = x(at) > 220;
  return drawing(width, height, `${title}: ${v} of ${most} warps at ${here} ${unit}`,
    line(left, bottom, right, bottom, 'axis'), line(left, top, left, bottom, 'axis'),
    svg('path', { d: `${points} V${bottom} H${left} Z`, class: 'area' }), svg('path', { d: points, class: 'curve' }),
    line(x(at), top, x(at), bottom, 'mark'), svg('circle', { cx: x(at), cy: y(v), r: 4, class: 'dot' }),
    label(x(at) + (flip ? -7 : 7), top + 8, `${here} ${unit}`, 'strong', flip ? 'end' : 'start'),
    label(left - 4, y(most) + 4, most, 'soft', 'end'), label(left - 4, bottom, 0, 'soft', 'end'),
    label(left, bottom + 14, first, 'soft'), label(right, bottom + 14, first + step * (values.length - 1), 'soft', 'end'),
    label((left + right) / 2, bottom + 14, title, 'soft', 'middle'));
}

function occupancyCard(launch) {
  const o = launch.occupancy, r = launch.resources;
  const better = [];
  if (o.smaller_group || o.larger_group)
    better.push(`groups of ${[o.smaller_group, o.larger_group].filter(Boolean).join(' or ')} work-items`);
  if (o.better_registers) better.push(`${o.better_registers} registers`);
  if (o.better_shared) better.push(`${o.better_shared} bytes of shared memory`);
  return card('Occupancy',
    el('p', {}, el('b', {}, percent(o.share)), `: ${o.active_warps} of ${board.most_warps} warps on a multiprocessor, ${o.groups} group${o.groups === 1 ? '' : 's'}. `,
      o.share < 1 && `No more because of ${o.limits.join(' and ')}. `, better.length > 0 && `More with ${better.join('; ')}.`),
    o.by_group && el('div', { class: 'three' }, stepCurve('work-items of a group', o.by_group, 32, 32, Math.ceil(launch.items / 32) * 32, 'work-items'),
      stepCurve('registers of a work-item', o.by_registers, 1, 1, r.registers, 'registers'),
      stepCurve('bytes of shared memory of a group', o.by_shared, 0, 512, Math.ceil(r.shared_bytes / 512) * 512, 'bytes')));
}

/* ---- roofline ---- */

function rate(launch) { return launch.time ? launch.flops / launch.launches / launch.time.seconds : 0; }

function rooflineCard(launch) {
  const peak = board.multiprocessors * 8 * 2 * board.clock_mhz * 1e6, width = 520, height = 268, left = 46, right = 508, top = 14, bottom = 230;
  if (!board.bandwidth || !data.launches.some(l => l.flops && l.moved && l.time)) return null;
  const xs = [1 / 32, 256], ys = [peak / 4096, peak * 1.6];
  const x = v => left + Math.log(Math.min(xs[1], Math.max(xs[0], v)) / xs[0]) / Math.log(xs[1] / xs[0]) * (right - left);
  const y = v => bottom - Math.log(Math.min(ys[1], Math.max(ys[0], v)) / ys[0]) / Math.log(ys[1] / ys[0]) * (bottom - top);
  const ridge = peak / board.bandwidth, out = [line(left, bottom, right, bottom, 'axis'), line(left, top, left, bottom, 'axis')];
  for (let v = 1 / 16; v <= 256; v *= 4) out.push(label(x(v), bottom + 14, v < 1 ? '1/' + 1 / v : v, 'soft', 'middle'));
  for (let v = 1e8; v < ys[1]; v *= 10) if (v > ys[0]) out.push(label(left - 5, y(v) + 4, v / 1e9, 'soft', 'end'));
  out.push(svg('path', { d: `M${x(xs[0])} ${y(xs[0] * board.bandwidth)} L${x(ridge)} ${y(peak)} H${right}`, class: 'curve' }),
    label(right, y(peak) - 5, `${(peak / 1e9).toFixed(0)} GFLOPS of multiply-adds`, 'soft', 'end'),
    label(x(ridge / 40) - 2, y(ridge / 40 * board.bandwidth) - 12, `${(board.bandwidth / 1e9).toFixed(1)} GB/s`, 'soft', 'end'),
    label((left + right) / 2, height - 6, 'floating-point operations for each byte that moves', 'soft', 'middle'),
    label(left + 5, top + 6, 'GFLOPS', 'soft'));
  for (const l of data.launches) {
    if (l === launch || !l.flops || !l.moved || !l.time) continue;
    out.push(svg('circle', { cx: x(l.flops / l.moved), cy: y(rate(l)), r: 3.5, class: 'dim' }, svg('title', {}, l.kernel)));
  }
  if (launch.flops && launch.moved && launch.time) {
    const px = x(launch.flops / launch.moved), py = y(rate(launch)), flip = px > 330;
    out.push(svg('circle', { cx: px, cy: py, r: 5.5, class: 'dot' }),
      label(px + (flip ? -9 : 9), py + 14, `${launch.kernel}: ${(rate(launch) / 1e9).toFixed(1)} GFLOPS`, 'strong', flip ? 'end' : 'start'));
  }
  return card('Roofline', el('p', { class: 'note' }, launch.flops && launch.moved
    ? `${(launch.flops / launch.moved).toFixed(2)} operations for each byte; from ${ridge.toFixed(1)} on this board is bound by arithmetic.`
    : 'This kernel computes nothing in floating point, or moves nothing.', ' Grey: the other kernels.'),
    el('div', { class: 'drawn' }, drawing(width, height, 'roofline', out)));
}

/* ---- memory: from the kernel to the partitions ---- */

function flow(y, kind, name, first, second, thickness) {
  return [svg('path', { d: `M92 ${y} H214`, class: 'flow' + (kind ? ' bad' : ''), 'stroke-width': thickness }), rect(214, y - 19, 292, 38, 'box'),
    label(224, y - 4, name, 'strong'), label(224, y + 11, second, 'soft'), label(153, y - 7 - thickness / 2, first, 'soft', 'middle')];
}

function thick(x) { return Math.max(1.5, Math.min(16, Math.log2(x + 1) / 2)); }

function memoryFlows(launch) {
  const c = launch.counters, v = name => c[name] || 0, rows = [];
  const both = [['global loads', v('gld_bytes'), early ? v('gld_moved_1_0') : v('gld_moved')],
    ['global stores', v('gst_bytes'), early ? v('gst_moved_1_0') : v('gst_moved')]];
  for (const [name, want, move] of both)
    if (move) rows.push([want < 0.95 * move, name, bytes(want) + ' asked', `${bytes(move)} move, ${percent(want / move)} of that asked for`, thick(move)]);
  if (v('shared_access'))
    rows.push([v('shared_replay') > 0, 'shared memory', short(v('shared_access')) + ' requests',
      `${(v('shared_passes') / v('shared_access')).toFixed(2)} passes a request; ${v('shared_replay') ? v('shared_conflict') + ' at worst' : 'no conflicts'}`, thick(v('shared_access') * 64)]);
  if (v('const_access')) {
    const reads = v('const_l1_hit') + v('const_l1_miss');
    rows.push([v('const_addresses') > v('const_access'), 'constant memory', short(v('const_access')) + ' reads',
      `${(v('const_addresses') / v('const_access')).toFixed(2)} addresses a read; ${reads ? percent(v('const_l1_hit') / reads) + ' hits' : 'no hits known'}`, thick(v('const_access') * 4)]);
  }
  const lines = v('tex_cache_hit') + v('tex_cache_miss');
  if (v('tex_request'))
    rows.push([lines && v('tex_cache_hit') / lines < 0.5, 'textures', short(v('tex_texels')) + ' texels',
      lines ? `${percent(v('tex_cache_hit') / lines)} hits, ${bytes(v('tex_cache_miss') * 32)} fetched` : 'no line fetched', thick(lines * 32)]);
  const local = v('local_load_moved') + v('local_store_moved');
  if (local) rows.push([true, 'private memory', short(v('local_load') + v('local_store')) + ' accesses', bytes(local) + ' move: what found no register', thick(local)]);
  if (v('atom_global') || v('atom_shared'))
    rows.push([v('atom_global_conflict') + v('atom_shared_conflict') > 0, 'atomics', short(v('atom_global_lanes') + v('atom_shared_lanes')) + ' lanes',
      `${short(v('atom_global_conflict') + v('atom_shared_conflict'))} wait for a lane of their warp`, 4]);
  return rows;
}

function partitions(launch, y) {
  const all = Array.from({ length: board.partitions }, (_, n) => value(launch, 'partition_' + n)), most = Math.max(...all, 0);
  if (!most) return [];
  const mean = all.reduce((a, b) => a + b, 0) / all.length, width = 292 / all.length;
  return [label(92, y + 12, 'memory partitions', 'soft'), label(92, y + 27, `busiest: ${times(most / mean)} mean`, 'soft'),
    all.map((v, n) => [rect(214 + n * width + 1, y + 34 - 30 * v / most, width - 3, 30 * v / most, v > 1.3 * mean ? 'now' : 'hit', `${exact(v)} transactions`),
      label(214 + n * width + width / 2, y + 47, n, 'soft', 'middle')])];
}

function memoryCard(launch) {
  const rows = memoryFlows(launch), height = rows.length * 50 + 10;
  if (!rows.length) return null;
  const parts = partitions(launch, height + 4), camping = launch.time && launch.time.camping > 1.05 ? launch.time.camping : 0;
  return card('Memory', el('div', { class: 'drawn' }, drawing(512, height + (parts.length ? 56 : 0), 'what moves between the kernel and its memories',
    rect(2, 6, 90, height - 12, 'box'), label(47, height / 2 + 4, 'kernel', 'strong', 'middle'),
    rows.map((r, n) => flow(30 + n * 50, ...r)), parts)),
    camping > 0 && el('p', { class: 'note' }, `Among the groups that run at one time the busiest partition has ${times(camping)} its share.`));
}

/* ---- multiprocessors: waves of groups ---- */

function wavesCard(launch) {
  const t = launch.time;
  if (!t || !t.active_groups || board.unlimited) return null;
  const shown = Math.min(t.waves, 12), width = 500, cell = (width - 70) / shown, rows = board.multiprocessors, h = Math.max(3, Math.min(8, 120 / rows));
  const out = [];
  for (let w = 0; w < shown; w++) {
    const last = w === shown - 1, share = last ? t.last_wave : 1;
    for (let m = 0; m < rows; m++) out.push(rect(66 + w * cell, m * (h + 1.5), cell - 3, h, m < Math.ceil(share * rows - 1e-9) ? 'hit' : 'cell'));
    out.push(label(66 + w * cell + cell / 2 - 2, rows * (h + 1.5) + 13, last && shown < t.waves ? '… ' + t.waves : w + 1, 'soft', 'middle'));
  }
  const lost = t.waves - 1 + t.last_wave;
  return card('Multiprocessors', el('p', { class: 'note' },
    `${exact(launch.groups / launch.launches)} groups, ${t.active_groups} at a time on each of ${rows} multiprocessors: ${t.waves} wave${t.waves === 1 ? '' : 's'}, the last ${percent(t.last_wave)} full. `,
    t.waves > 0 && lost / t.waves < 0.8 && `${percent(1 - lost / t.waves)} of the places stay empty: ${t.waves < 3 ? 'more groups' : 'another number of groups'} would fill the board.`),
    el('div', { class: 'drawn' }, drawing(width, rows * (h + 1.5) + 18, 'waves of groups over multiprocessors',
      label(0, 9, 'processor 0', 'soft'), label(0, rows * (h + 1.5) - 2, `to ${rows - 1}`, 'soft'), label(0, rows * (h + 1.5) + 13, 'wave', 'soft'), out)));
}

/* ---- other boards ---- */

function boardsCard(launch) {
  const known = launch.boards.filter(b => b.seconds), most = Math.max(...known.map(b => b.seconds), 0);
  if (!known.length) return null;
  return card('The same launch on other boards', el('div', { class: 'scroll' }, el('table', {},
    el('thead', {}, el('tr', {}, el('th', {}, 'board'), el('th', { class: 'n' }, 'time'), el('th', {}, 'bound by'), el('th', { class: 'n' }, 'occupancy'))),
    el('tbody', {}, launch.boards.map(b => el('tr', {}, el('td', {}, b.own ? el('b', {}, b.name) : b.name, ` 1.${b.minor}`, b.seconds && bar(b.seconds / most, b.own)),
      el('td', { class: 'n' }, b.seconds ? seconds(b.seconds) : 'does not fit'), el('td', {}, b.bound ? unitName(b.bound) : ''), el('td', { class: 'n' }, percent(b.occupancy))))))));
}

/* ---- the timeline ---- */

function timelineCard() {
  const t = data.timeline;
  if (!t || !t.spans.length) return null;
  const lanes = [...new Set(t.spans.map(s => s.lane))], end = Math.max(...t.spans.map(s => s.end)), width = 1120, left = 96, row = 26;
  const x = v => left + v / (end || 1) * (width - left - 6);
  const out = lanes.map((lane, n) => [label(0, n * row + 17, lane, 'soft'), line(left, n * row + row - 1, width, n * row + row - 1, 'axis')]);
  for (const s of t.spans) {
    const w = Math.max(1, x(s.end) - x(s.begin)), y = lanes.indexOf(s.lane) * row + 3;
    out.push(rect(x(s.begin), y, w, 18, s.kind === 'kernel' ? 'now' : 'hit', `${s.name}: ${seconds(s.end - s.begin)}${s.bytes ? ', ' + bytes(s.bytes) : ''}${s.commands ? `, ${s.commands} commands` : ''}`));
    if (w > 7 * s.name.length) out.push(label(x(s.begin) + 4, y + 13, s.name, ''));
  }
  for (let n = 0; n <= 4; n++) out.push(label(x(end * n / 4), lanes.length * row + 14, seconds(end * n / 4), 'soft', n === 4 ? 'end' : 'middle'));
  return wide(card('Timeline', el('p', { class: 'note' }, t.clock === 'model' ? 'By the clock of the GPU.' : 'By the clock of this host: SIMTCL_TIME=model shows the GPU’s.',
    t.left_out > 0 && ` ${exact(t.left_out)} commands are left out.`),
    el('div', { class: 'scroll' }, fill(drawing(width, lanes.length * row + 20, 'commands over time', out), { style: 'min-width:720px' }))));
}
