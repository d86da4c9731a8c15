'use strict';
/* What all of the page uses: the data, numbers as text, elements. */

const data = JSON.parse(document.getElementById('data').textContent);

/* ---- numbers ---- */

function digits(x) { return x >= 100 || x === 0 ? 0 : x >= 10 ? 1 : 2; }

function scaled(x, units, by) {
  let n = 0;
  while (n < units.length - 1 && x >= by) { x /= by; n++; }
  return (n || x % 1 ? x.toFixed(digits(x)) : String(x)) + ' ' + units[n];
}

function count(x) { return scaled(x, ['', 'thousand', 'million', 'billion', 'trillion'], 1000).trim(); }
function short(x) { return x < 10000 ? String(Math.round(x)) : scaled(x, ['', 'k', 'M', 'G', 'T'], 1000); }
function bytes(x) { return scaled(x, ['bytes', 'KB', 'MB', 'GB', 'TB'], 1000); }
function exact(x) { return x.toLocaleString('en-US'); }
function percent(x) { return (100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0) + ' %'; }

function seconds(x) {
  for (const [least, by, unit] of [[1, 1, 's'], [1e-3, 1e3, 'ms'], [1e-6, 1e6, 'µs']])
    if (x >= least) return (x * by).toFixed(x * by < 10 ? 2 : x * by < 100 ? 1 : 0) + ' ' + unit;
  return (x * 1e9).toFixed(0) + ' ns';
}

function times(x) { return x.toFixed(x < 9.95 ? 1 : 0) + ' ×'; }
function sizeText(size) {
  const last = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
  return size.slice(0, last).join(' × ');
}

/* ---- elements ---- */

function fill(e, attributes, children = []) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) e.append(child);
  return e;
}

function put(place, ...children) { place.replaceChildren(); return fill(place, {}, children); }
function el(name, attributes, ...children) { return fill(document.createElement(name), attributes, children); }
function svg(name, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

/* A drawing of so many units, which shrinks with its place. */
function drawing(width, height, title, ...children) {
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': title }, ...children);
}
function label(x, y, text, kind, anchor) { return svg('text', { x, y, class: kind, 'text-anchor': anchor }, text); }
function rect(x, y, width, height, kind, title) {
  return svg('rect', { x, y, width: Math.max(0, width), height, class: kind, rx: 2 }, title && svg('title', {}, title));
}
function line(x1, y1, x2, y2, kind) { return svg('line', { x1, y1, x2, y2, class: kind }); }

function bar(share, hot) {
  return el('div', { class: 'bar' }, el('i', { class: hot && 'hot', style: `width:${Math.min(100, 100 * share).toFixed(2)}%` }));
}
function card(title, ...children) { return el('div', { class: 'card' }, title && el('h3', {}, title), ...children); }
function wide(e, long) { e.classList.add('wide'); if (long) e.classList.add('long'); return e; }

/* ---- what the data means ---- */

const board = data.device;
const unitOf = Object.fromEntries(data.units.map(u => [u.name, u]));
const unitNames = { issue: 'issue of instructions', sp: 'scalar processors', sfu: 'special functions', dp: 'double precision', shared: 'shared memory',
  constant: 'constant memory', port: 'way to memory', texture: 'textures', reply: 'way from memory', dram: 'memory bandwidth', atomic: 'atomics', latency: 'longest way of a group' };
function unitName(name) { return unitNames[name] || name; }
function value(launch, name) { return (launch.counters || launch)[name] || 0; }
const early = board.minor < 2; /* the rules of compute capability 1.0 and 1.1 */

function moved(c) { return early ? value(c, 'gld_moved_1_0') + value(c, 'gst_moved_1_0') : value(c, 'gld_moved') + value(c, 'gst_moved'); }
function asked(c) { return value(c, 'gld_bytes') + value(c, 'gst_bytes'); }
function transactions(c) {
  return early ? value(c, 'gld_transactions_1_0') + value(c, 'gst_transactions_1_0') : value(c, 'gld_total') + value(c, 'gst_total');
}
function guide(section) { return section ? 'guide ' + section : ''; }
function fileName(file) { return data.sources[file] ? data.sources[file].name.replace('<program source>', 'program') : '?'; }
